//! A bias budget as a waterfall: from the first number to the last, each bar beginning where the one above it ended.
//! Each error has the predicted bar, hatched, above the measured one, with whiskers for their intervals.

use super::axis::{Axis, wanted};
use super::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, picture, short, text_width, tint};
use super::drawing::Drawing;
use super::layout::{EDGE, Words, flow, more_rows};
use super::numbers::{TimeUnit, significant};
use super::paper::Paper;
use plotters::style::RGBColor;
use programs::machine::Estimate;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
/// Margin beside a name that is written small and on several lines, as in narrow pictures.
const BESIDE: f64 = 16.0;
/// Room for the numbers beside the bars.
const RIGHT: f64 = 70.0;
const BOTTOM: f64 = 52.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Height of a bar, and distance from one error to the next.
const BAR: f64 = 13.0;
const ROW: f64 = 40.0;

/// Content of the plot.
pub struct Waterfall {
    /// Heading of the picture: the call and its place.
    pub title: String,
    /// Name of the first number.
    pub from: String,
    /// Name of the last number.
    pub to: String,
    /// First and last number of the predicted and of the measured budget, in µs.
    pub ends: [Option<[Estimate; 2]>; 2],
    /// Rows between the first and the last number, from the top.
    pub rows: Vec<WaterfallRow>,
}

/// An error of the budget, or the rest that no error explains.
pub struct WaterfallRow {
    /// Name of the error.
    pub name: String,
    /// Contributions to the predicted and to the measured budget.
    pub bars: [Option<Part>; 2],
    /// True if it could not be measured.
    pub missing: bool,
}

/// Contribution of an error to a budget.
#[derive(Clone, Copy)]
pub struct Part {
    /// Size in µs, with the whisker around the bar's end.
    pub us: Estimate,
    /// False where it may be zero, which is shown by a whisker alone.
    pub drawn: bool,
}

/// A bar of a budget, in µs.
struct Step {
    row: usize,
    begin: f64,
    /// End of the bar, with the whisker around it.
    end: Estimate,
    /// True for the first and the last number, which begin at 0.
    total: bool,
    /// False where the interval holds 0, which is shown by a whisker alone.
    drawn: bool,
}

impl Waterfall {
    /// Returns the picture, to be drawn.
    pub fn drawing(self) -> Drawing {
        Drawing::new(move |paper| render_waterfall(&self, paper))
    }

    /// Returns the names beside the rows, from the top.
    fn names(&self) -> Vec<String> {
        let ends = [&self.from, &self.to].map(|name| short(name, 20));
        let between = self.rows.iter().map(|row| &row.name);
        ends[..1].iter().chain(between).chain(&ends[1..]).cloned().collect()
    }
}

/// Bars of the predicted (true) and of the measured budget (false), as far as they exist.
type Sides = Vec<(bool, Vec<Step>)>;

/// Axis and layout that place bars and texts.
struct Pen {
    axis: Axis,
    unit: TimeUnit,
    /// Upper and lower end of the rows.
    rows: (f64, f64),
    both: bool,
}

impl Pen {
    fn x(&self, us: f64) -> f64 {
        self.axis.at(self.unit.convert(us))
    }

    /// Returns the middle of a row's bar.
    fn y(&self, row: usize, predicted: bool) -> f64 {
        let shift = match (self.both, predicted) {
            (false, _) => ROW / 2.0,
            (true, true) => 12.0,
            (true, false) => 28.0,
        };
        self.rows.0 + row as f64 * ROW + shift
    }
}

fn render_waterfall(waterfall: &Waterfall, paper: &Paper) -> String {
    let (rows, width) = (&waterfall.rows, paper.width_px(WIDTH));
    let all: Sides = [(true, 0), (false, 1)]
        .into_iter()
        .filter_map(|(predicted, side)| Some((predicted, steps(waterfall.ends[side]?, rows, side))))
        .collect();
    let values = || all.iter().flat_map(|(_, steps)| steps).flat_map(|step| [step.begin, step.end.low, step.end.high]);
    let unit = TimeUnit::fitting(values().map(f64::abs));
    let (low, high) = values().fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let room = (high - low) * 0.04;
    let title = Words::title(paper, &waterfall.title, width, 17.0);
    let entries = Entries::new(&all, width);
    let top = 79.0 + title.more() + entries.more();
    let height = top + (rows.len() + 2) as f64 * ROW + BOTTOM;
    let low = if low < 0.0 { unit.convert(low - room) } else { 0.0 };
    let names = waterfall.names();
    let words = names.iter().flat_map(|name| name.split_whitespace()).map(|word| text_width(word, NOTE));
    let left = if width < 0.75 * WIDTH { words.fold(96.0, f64::max) + BESIDE } else { LEFT };
    let axis = Axis::linear(low, unit.convert(high + room), (left, width - RIGHT), wanted(width - RIGHT - left, 6));
    let label = format!("{}: from {} to {}", waterfall.title, waterfall.from, waterfall.to);
    let pen = Pen { axis, unit, rows: (top, height - BOTTOM), both: all.len() > 1 };
    picture(paper, (width, height), &label, |canvas| {
        title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        entries.paint_entries(canvas, 51.0 + title.more());
        field(canvas, &pen, &names);
        bars(canvas, &pen, rows, &all);
    })
}

fn bars(canvas: &Canvas, pen: &Pen, rows: &[WaterfallRow], all: &Sides) {
    if let Some((_, steps)) = all.iter().find(|(predicted, _)| !predicted) {
        for row in (1..).zip(rows).filter(|(_, row)| row.missing).map(|(index, _)| index) {
            let at = steps.iter().rev().find(|step| step.row < row).map_or(0.0, |step| step.end.value);
            let words = "not measurable";
            let x = (pen.x(at) + 6.0).min(canvas.width() - EDGE - text_width(words, NOTE));
            canvas.text(words, (x, pen.y(row, false)), NOTE, Align::Left, FAINT);
        }
    }
    for (predicted, steps) in all {
        for pair in steps.windows(2) {
            let x = pen.x(pair[0].end.value);
            let at = |step: &Step| pen.y(step.row, *predicted);
            canvas.thin_line((x, at(&pair[0])), (x, at(&pair[1])), FAINT, 0.6);
        }
        for step in steps {
            bar(canvas, pen, step, *predicted);
        }
    }
}

/// Returns a budget's bars one after the other, on one side of the rows.
fn steps([from, to]: [Estimate; 2], rows: &[WaterfallRow], side: usize) -> Vec<Step> {
    let mut steps = vec![Step { row: 0, begin: 0.0, end: from, total: true, drawn: true }];
    let mut at = from.value;
    for (index, row) in (1..).zip(rows) {
        let Some(Part { us, drawn }) = row.bars[side] else { continue };
        let end = Estimate { value: at + us.value, low: at + us.low, high: at + us.high };
        steps.push(Step { row: index, begin: at, end, total: false, drawn });
        at += us.value;
    }
    steps.push(Step { row: rows.len() + 1, begin: 0.0, end: to, total: true, drawn: true });
    steps
}

fn bar(canvas: &Canvas, pen: &Pen, step: &Step, predicted: bool) {
    let (x, y) = (|us: f64| pen.x(us), pen.y(step.row, predicted));
    let change = step.end.value - step.begin;
    let hue = if step.total {
        HUES[0]
    } else if change == 0.0 {
        FAINT
    } else if change > 0.0 {
        HUES[1]
    } else {
        HUES[2]
    };
    let (left, right) = (x(step.begin.min(step.end.value)), x(step.begin.max(step.end.value)));
    let (from, to) = ((left, y - BAR / 2.0), (right.max(left + 1.0), y + BAR / 2.0));
    if predicted && step.drawn {
        canvas.bar(from, to, tint(hue, 0.15));
        canvas.hatch(from, to, hue);
        canvas.frame(from, to, hue);
    } else if step.drawn {
        canvas.bar(from, to, tint(hue, 0.8));
    }
    let (low, high) = (x(step.end.low), x(step.end.high));
    if step.end.low < step.end.high {
        canvas.line(&[(low, y), (high, y)], INK, 1);
        [low, high].iter().for_each(|&end| canvas.line(&[(end, y - 4.0), (end, y + 4.0)], INK, 1));
    }
    let number = if step.total { step.end.value } else { change };
    let sign = if !step.total && number > 0.0 { "+" } else { "" };
    // A thousandth of the axis is nothing in this picture.
    let (first, last) = pen.axis.pixels();
    let nothing = !step.total && (x(number.abs()) - x(0.0)).abs() < (last - first) / 1_000.0;
    let words = if nothing { "0".to_owned() } else { format!("{sign}{}", significant(pen.unit.convert(number))) };
    canvas.text(&words, (right.max(high) + 6.0, y), NOTE, Align::Left, INK);
}

fn field(canvas: &Canvas, pen: &Pen, names: &[String]) {
    let ((top, bottom), left) = (pen.rows, pen.axis.pixels().0);
    pen.axis.draw_down(canvas, (top, bottom), NOTE);
    canvas.line(&[(pen.x(0.0), top), (pen.x(0.0), bottom)], FAINT, 1);
    let words = format!("number that is printed, {}", pen.unit.symbol());
    let begin = left.min(canvas.width() - EDGE - text_width(&words, TEXT));
    canvas.text(&words, (begin, bottom + 36.0), TEXT, Align::Left, FAINT);
    for (row, name) in names.iter().enumerate() {
        let y = top + row as f64 * ROW + ROW / 2.0;
        let words =
            if left == LEFT { Words::wrap(name, f64::MAX, TEXT) } else { Words::wrap(name, left - BESIDE, NOTE) };
        words.draw(canvas, (left - 10.0, y - words.more() / 2.0), Align::Right, INK);
        if row > 0 {
            canvas.line(&[(EDGE, y - ROW / 2.0), (canvas.width() - EDGE, y - ROW / 2.0)], GRID, 1);
        }
    }
}

/// Legend of hatched and full bars, their hues and whiskers.
struct Entries {
    bars: Vec<(RGBColor, &'static str, bool)>,
    places: Vec<(f64, usize)>,
}

const WHISKERS: &str = "whiskers: intervals";
/// Distance from one line of the legend to the next.
const ENTRY: f64 = 20.0;

impl Entries {
    fn new(all: &Sides, width: f64) -> Entries {
        let kinds =
            all.iter().map(|(predicted, _)| (FAINT, if *predicted { "predicted" } else { "measured" }, *predicted));
        let bars: Vec<_> = kinds.chain([(HUES[1], "adds", false), (HUES[2], "takes", false)]).collect();
        let widths = bars.iter().map(|(_, words, _)| 28.0 + text_width(words, NOTE) + 22.0);
        let places = flow(widths.chain([text_width(WHISKERS, NOTE)]), width - 2.0 * EDGE);
        Entries { bars, places }
    }

    /// Returns the height beyond one line.
    fn more(&self) -> f64 {
        more_rows(&self.places, ENTRY)
    }

    fn paint_entries(&self, canvas: &Canvas, top: f64) {
        let at = |(x, row): (f64, usize)| (EDGE + x, top + row as f64 * ENTRY);
        for ((hue, words, hatched), place) in self.bars.iter().zip(&self.places) {
            let (x, y) = at(*place);
            let (from, to) = ((x, y - 6.0), (x + 22.0, y + 6.0));
            if *hatched {
                canvas.bar(from, to, tint(*hue, 0.15));
                canvas.hatch(from, to, *hue);
                canvas.frame(from, to, *hue);
            } else {
                canvas.bar(from, to, tint(*hue, 0.8));
            }
            canvas.text(words, (x + 28.0, y), NOTE, Align::Left, INK);
        }
        if let Some(place) = self.places.last() {
            canvas.text(WHISKERS, at(*place), NOTE, Align::Left, FAINT);
        }
    }
}

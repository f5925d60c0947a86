//! A bias budget as a waterfall: from the first number to the last, each bar beginning where the one above it ended;
//! for each error the predicted bar, hatched, above the measured one, with whiskers for their intervals.

use super::axis::Axis;
use super::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, lines, picture, short, tint};
use super::numbers::{TimeUnit, significant};
use crate::budget::{CaseBudget, Row};
use models::budget::Budget;
use models::machine::Estimate;
use plotters::style::RGBColor;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
/// Room for the numbers beside the bars.
const RIGHT: f64 = 70.0;
const BOTTOM: f64 = 52.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Height of one bar, and from one error to the next.
const BAR: f64 = 13.0;
const ROW: f64 = 40.0;

/// What is drawn.
pub(crate) struct Waterfall<'a> {
    /// What is called where.
    pub title: String,
    /// What the first number is called.
    pub from: String,
    /// What the last number is called.
    pub to: String,
    /// Its bars: the predicted ones are hatched.
    pub case: &'a CaseBudget,
}

/// One bar of one budget, in µs.
struct Step {
    row: usize,
    begin: f64,
    /// Where it ends, and the whisker around that.
    end: Estimate,
    /// True for the first and the last number, which stand on 0.
    total: bool,
    /// False where the interval holds 0: then there is a whisker alone.
    drawn: bool,
}

/// Draws it as SVG.
pub(crate) fn draw(waterfall: &Waterfall) -> String {
    let case = waterfall.case;
    let rows = case.rows();
    let budgets = [case.predicted.as_ref().map(|of| &of.budget), case.measured.as_ref().map(|of| &of.budget)];
    let all: Vec<(bool, Vec<Step>)> = [(true, 0), (false, 1)]
        .into_iter()
        .filter_map(|(predicted, side)| Some((predicted, steps(budgets[side]?, case, &rows, side))))
        .collect();
    let values = || all.iter().flat_map(|(_, steps)| steps).flat_map(|step| [step.begin, step.end.low, step.end.high]);
    let unit = TimeUnit::fitting(values().map(f64::abs));
    let (low, high) = values().fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let room = (high - low) * 0.04;
    let title = lines(&waterfall.title, WIDTH - 28.0, 17.0);
    let top = 58.0 + title.len() as f64 * 21.0;
    let height = top + (rows.len() + 2) as f64 * ROW + BOTTOM;
    let low = if low < 0.0 { unit.of(low - room) } else { 0.0 };
    let axis = Axis::linear(low, unit.of(high + room), (LEFT, WIDTH - RIGHT), 6);
    let label = format!("{}: from {} to {}", waterfall.title, waterfall.from, waterfall.to);
    picture((WIDTH as u32, height as u32), &label, |canvas| {
        for (nth, line) in title.iter().enumerate() {
            canvas.bold(line, (14.0, 20.0 + nth as f64 * 21.0), 17.0, Align::Left, INK);
        }
        legend(canvas, top - 28.0, all.len() > 1, all.first().is_some_and(|(predicted, _)| *predicted));
        field(canvas, &axis, unit, (top, height - BOTTOM), &rows, waterfall);
        if let Some((_, steps)) = all.iter().find(|(predicted, _)| !predicted) {
            for row in (1..).zip(&rows).filter(|(_, row)| row.missing).map(|(index, _)| index) {
                let at = steps.iter().rev().find(|step| step.row < row).map_or(0.0, |step| step.end.value);
                let y = top + row as f64 * ROW + if all.len() == 1 { ROW / 2.0 } else { 28.0 };
                canvas.text("not measurable", (axis.at(unit.of(at)) + 6.0, y), NOTE, Align::Left, FAINT);
            }
        }
        for (predicted, steps) in &all {
            let shift = if all.len() == 1 {
                ROW / 2.0
            } else if *predicted {
                12.0
            } else {
                28.0
            };
            for pair in steps.windows(2) {
                let x = axis.at(unit.of(pair[0].end.value));
                let at = |step: &Step| top + step.row as f64 * ROW + shift;
                canvas.thin_line((x, at(&pair[0])), (x, at(&pair[1])), FAINT, 0.6);
            }
            for step in steps {
                bar(canvas, &axis, unit, step, top + step.row as f64 * ROW + shift, *predicted);
            }
        }
    })
}

/// A budget's bars one after the other, on one side of the rows.
fn steps(budget: &Budget, case: &CaseBudget, rows: &[Row], side: usize) -> Vec<Step> {
    let mut steps = vec![Step { row: 0, begin: 0.0, end: budget.from_us, total: true, drawn: true }];
    let mut at = budget.from_us.value;
    for (index, row) in (1..).zip(rows) {
        let Some(bar) = row.bars[side] else { continue };
        let end = Estimate { value: at + bar.us.value, low: at + bar.us.low, high: at + bar.us.high };
        let drawn = if side == 1 { case.drawn(row).is_some() } else { bar.is_sure() || bar.us.low == bar.us.high };
        steps.push(Step { row: index, begin: at, end, total: false, drawn });
        at += bar.us.value;
    }
    steps.push(Step { row: rows.len() + 1, begin: 0.0, end: budget.to_us, total: true, drawn: true });
    steps
}

fn bar(canvas: &Canvas, axis: &Axis, unit: TimeUnit, step: &Step, y: f64, predicted: bool) {
    let x = |us: f64| axis.at(unit.of(us));
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
    // A thousandth of what the axis shows is nothing in this picture.
    let (first, last) = axis.pixels();
    let nothing = !step.total && (x(number.abs()) - x(0.0)).abs() < (last - first) / 1_000.0;
    let words = if nothing { "0".to_owned() } else { format!("{sign}{}", significant(unit.of(number))) };
    canvas.text(&words, (right.max(high) + 6.0, y), NOTE, Align::Left, INK);
}

fn field(canvas: &Canvas, axis: &Axis, unit: TimeUnit, (top, bottom): (f64, f64), rows: &[Row], waterfall: &Waterfall) {
    axis.draw_down(canvas, (top, bottom), NOTE);
    canvas.line(&[(axis.at(0.0), top), (axis.at(0.0), bottom)], FAINT, 1);
    canvas.text(
        &format!("number that is printed, {}", unit.symbol()),
        (axis.pixels().0, bottom + 36.0),
        TEXT,
        Align::Left,
        FAINT,
    );
    let between = rows.iter().map(|row| row.name.clone());
    let names = [short(&waterfall.from, 20)].into_iter().chain(between).chain([short(&waterfall.to, 20)]);
    for (row, name) in names.enumerate() {
        let y = top + row as f64 * ROW + ROW / 2.0;
        canvas.text(&name, (LEFT - 10.0, y), TEXT, Align::Right, INK);
        if row > 0 {
            canvas.line(&[(14.0, y - ROW / 2.0), (WIDTH - 14.0, y - ROW / 2.0)], GRID, 1);
        }
    }
}

/// What is hatched and what is full.
fn legend(canvas: &Canvas, y: f64, both: bool, predicted: bool) {
    let mut x = 14.0;
    let mut entry = |hue: RGBColor, words: &str, hatched: bool| {
        let (from, to) = ((x, y - 6.0), (x + 22.0, y + 6.0));
        if hatched {
            canvas.bar(from, to, tint(hue, 0.15));
            canvas.hatch(from, to, hue);
            canvas.frame(from, to, hue);
        } else {
            canvas.bar(from, to, tint(hue, 0.8));
        }
        canvas.text(words, (x + 28.0, y), NOTE, Align::Left, INK);
        x += 28.0 + super::canvas::text_width(words, NOTE) + 22.0;
    };
    if both || predicted {
        entry(FAINT, "predicted", true);
    }
    if both || !predicted {
        entry(FAINT, "measured", false);
    }
    entry(HUES[1], "adds", false);
    entry(HUES[2], "takes", false);
    canvas.text("whiskers: intervals", (x, y), NOTE, Align::Left, FAINT);
}

//! Figure of a comparison: each case's ratio with its interval, one below the other.

use super::cells::{axes, quantity};
use super::quantity::Quantity;
use super::{Contrast, ContrastRow, Pair, Verdict};
use plotters::style::RGBColor;
use programs::machine::Estimate;
use render::columns;
use render::data::{Filled, Table};
use render::groups::distinct;
use render::page::Figure;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, FAINT, HUES, INK, described, text_width, tint};
use render::plots::layout::{EDGE, Words, flow, more_rows};
use render::plots::{Drawing, Paper};
use scenario::axis::Axis as Coordinate;

/// Width of the ratios' field, in px.
const FIELD: f64 = 460.0;
/// Smallest width of a field beside its names, in px; in a narrower one each name stands above its ratio.
const LEAST: f64 = 200.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 44.0;
/// Distance from one case to the next, in px.
const PITCH: f64 = 19.0;
/// Height of a name above its ratio, and distance between lines of the legend, in px.
const LINE: f64 = 18.0;
const TEXT: f64 = 13.0;
/// Largest number of cases that are drawn: those furthest from 1.
const MOST: usize = 100;
/// Largest number of characters of a case's name.
const NAME: usize = 60;

/// The figure of a pair; `None` where no case has a ratio.
pub(super) fn figure(contrast: &Contrast, pair: &Pair) -> Option<Figure> {
    let all: Vec<(&ContrastRow, Estimate)> =
        pair.rows.iter().filter_map(|row| Some((row, row.effect.ratio?))).collect();
    if all.is_empty() {
        return None;
    }
    let mut shown = all.clone();
    if shown.len() > MOST {
        let far = |(_, ratio): &(&ContrastRow, Estimate)| ratio.value.ln().abs();
        shown.sort_by(|a, b| far(b).total_cmp(&far(a)));
        shown.truncate(MOST);
        shown.sort_by(|a, b| a.0.case.cmp(&b.0.case));
    }
    let b = &pair.letter;
    let part = if shown.len() < all.len() {
        format!("; the {MOST} of {} cases that are furthest from 1", all.len())
    } else {
        String::new()
    };
    let percent = 100.0 * contrast.at_least;
    let caption = format!(
        "{}, case by case, with the {} % interval{part}. The band contains differences below \
         the smallest effect of interest: {percent} %.",
        title(pair),
        100.0 * contrast.confidence
    );
    let picture = Picture::for_pair(contrast, pair, &shown);
    let constant = picture.constant.clone();
    let constant = if constant.is_empty() { String::new() } else { format!(" All cases: {constant}.") };
    let drawing = Drawing::new(move |paper| picture.render_contrast(paper));
    Some(Figure::new(format!("ratio-{}", b.to_lowercase()), caption + &constant, drawing, numbers(&all)))
}

/// `Time of B over time of A`; for other quantities with their unit and the direction that is better.
fn title(pair: &Pair) -> String {
    let b = &pair.letter;
    match quantity(pair) {
        Some(Quantity::Time) => format!("Time of {b} over time of A"),
        Some(other) => format!("{} of {b} over {} of A; {}", other.unit(), other.unit(), other.better().words()),
        None => format!("Numbers of {b} over numbers of A"),
    }
}

fn numbers(rows: &[(&ContrastRow, Estimate)]) -> Table {
    let columns: [Filled<(&ContrastRow, Estimate)>; 4] = [
        (columns::RATIO.column(), &|(_, ratio)| (*ratio).into()),
        (columns::CONFIDENCE.column(), &|(row, _)| row.effect.reached.into()),
        (columns::ADJUSTED_P.column(), &|(row, _)| row.effect.adjusted_p.into()),
        (columns::VERDICT.column(), &|(row, _)| row.effect.verdict.name().into()),
    ];
    let cases = rows.iter().map(|(row, _)| columns::at(&row.case, Coordinate::CASES).collect());
    Table::from_rows("rows", rows, &columns).with_columns(0, columns::axes(Coordinate::CASES), cases)
}

/// Hue of a verdict's mark, and whether the mark is filled.
fn look(verdict: Verdict) -> (RGBColor, bool) {
    match verdict {
        Verdict::Slower | Verdict::Larger => (HUES[1], true),
        Verdict::Faster | Verdict::Smaller => (HUES[0], true),
        Verdict::Same => (HUES[2], true),
        Verdict::Undecided => (FAINT, false),
    }
}

/// A case's name, ratio and verdict.
struct Case {
    name: String,
    ratio: Estimate,
    verdict: Verdict,
}

struct Picture {
    title: String,
    /// The verdicts that there may be, in the order of the legend.
    verdicts: Vec<Verdict>,
    /// The values that all cases have in common.
    constant: String,
    /// The smallest effect of interest, as a share.
    at_least: f64,
    cases: Vec<Case>,
}

impl Picture {
    fn for_pair(contrast: &Contrast, pair: &Pair, rows: &[(&ContrastRow, Estimate)]) -> Picture {
        let (varying, constant) = axes(contrast);
        let name = |row: &ContrastRow| {
            let words = row.case.within(|axis| varying.contains(&axis)).to_string();
            let name = if words.is_empty() { row.case.to_string() } else { words };
            let short: String = name.chars().take(NAME).collect();
            if short.len() < name.len() { short + "…" } else { short }
        };
        let case = |(row, ratio): &(&ContrastRow, Estimate)| Case {
            name: name(row),
            ratio: *ratio,
            verdict: row.effect.verdict,
        };
        let cases = rows.iter().map(case).collect();
        let of_quantities = distinct(rows.iter().flat_map(|(row, _)| {
            let mut verdicts = row.effect.quantity.verdicts();
            verdicts.sort_unstable();
            verdicts
        }));
        let verdicts = of_quantities.into_iter().chain([Verdict::Same, Verdict::Undecided]).collect();
        let (title, constant) = (title(pair), constant.to_string());
        Picture { title, verdicts, constant, at_least: contrast.at_least, cases }
    }

    /// Each verdict with its number of cases.
    fn counted(&self) -> Vec<String> {
        let count = |verdict: &Verdict| self.cases.iter().filter(|case| case.verdict == *verdict).count();
        self.verdicts.iter().map(|verdict| format!("{} {}", count(verdict), verdict.name())).collect()
    }

    fn render_contrast(&self, paper: &Paper) -> String {
        let names = self.cases.iter().map(|case| text_width(&case.name, TEXT)).fold(90.0, f64::max) + 28.0;
        let width = paper.width_px(names + FIELD + RIGHT);
        let above = width - names - RIGHT < LEAST;
        let left = if above { RIGHT } else { names };
        let counted = self.counted();
        let label = format!("{} for {} cases: {}", self.title, self.cases.len(), counted.join(", "));
        let title = Words::title(paper, &self.title, width, 16.0);
        let legend = flow(counted.iter().map(|words| text_width(words, TEXT) + 34.0), width - 20.0);
        let top = TOP + title.more() + more_rows(&legend, LINE);
        let case_names: Vec<Words> = self
            .cases
            .iter()
            .map(|case| Words::wrap(&case.name, if above { width - 2.0 * EDGE } else { f64::MAX }, TEXT))
            .collect();
        let room = |name: &Words| if above { LINE + name.more() } else { 0.0 };
        let bottom = top + case_names.iter().map(|name| PITCH + room(name)).sum::<f64>();
        let axis = self.axis((left, width - RIGHT));
        let about: Vec<String> = Some(self.constant.clone()).filter(|words| !words.is_empty()).into_iter().collect();
        described(paper, (width, bottom + BOTTOM), &label, &about, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            for ((verdict, words), (x, row)) in self.verdicts.iter().zip(&counted).zip(legend) {
                let ((hue, filled), y) = (look(*verdict), 42.0 + title.more() + row as f64 * LINE);
                canvas.circle((20.0 + x, y), 4, hue, filled);
                canvas.text(words, (30.0 + x, y), TEXT, Align::Left, hue);
            }
            self.field(canvas, &axis, (top - 4.0, bottom));
            let mut y = top + PITCH / 2.0;
            for (case, name) in self.cases.iter().zip(&case_names) {
                let (x, align) = if above { (EDGE, Align::Left) } else { (left - 12.0, Align::Right) };
                name.draw(canvas, (x, y), align, INK);
                y += room(name);
                let ((hue, filled), ratio) = (look(case.verdict), case.ratio);
                canvas.line(&[(axis.at(ratio.low.ln()), y), (axis.at(ratio.high.ln()), y)], hue, 2);
                canvas.circle((axis.at(ratio.value.ln()), y), 4, hue, filled);
                y += PITCH;
            }
        })
    }

    /// Returns an axis that reaches every value, but not every interval: a wide one ends at the edge.
    fn axis(&self, pixels: (f64, f64)) -> Axis {
        let ratios = || self.cases.iter().map(|case| case.ratio);
        let far = ratios().map(|ratio| ratio.value.max(1.0 / ratio.value)).fold(1.0 + 2.0 * self.at_least, f64::max);
        let mut ends: Vec<f64> = ratios().map(|ratio| ratio.high.max(1.0 / ratio.low)).collect();
        ends.sort_by(f64::total_cmp);
        let most = ends[(ends.len() - 1) * 9 / 10];
        let reach = far.max(most.min(far * far)).clamp(1.02, 1e6);
        let ticks = [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
        let inside: Vec<f64> = ticks.into_iter().filter(|tick| *tick <= reach * 1.001).collect();
        // A few of the largest ticks are enough, and no two may overlap.
        let mut kept: Vec<f64> = Vec::new();
        for tick in inside.into_iter().rev() {
            let apart = kept.last().is_none_or(|last| (last.ln() - tick.ln()) / reach.ln() > 0.22);
            if apart && tick.ln() / reach.ln() > 0.2 {
                kept.push(tick);
            }
        }
        let both = kept.iter().flat_map(|&tick| [(-tick.ln(), format!("÷{tick}")), (tick.ln(), format!("×{tick}"))]);
        let mut ticks: Vec<(f64, String)> = both.chain([(0.0, "1".to_owned())]).collect();
        ticks.sort_by(|one, next| one.0.total_cmp(&next.0));
        // Logarithms, so that B over A and A over B are mirror images.
        Axis::linear(-reach.ln(), reach.ln(), pixels, 4).with_ticks(ticks)
    }

    fn field(&self, canvas: &Canvas, axis: &Axis, (top, bottom): (f64, f64)) {
        let band = (1.0 + self.at_least).ln();
        canvas.bar((axis.at(-band), top), (axis.at(band), bottom), tint(HUES[2], 0.12));
        axis.draw_down(canvas, (top, bottom), TEXT);
        canvas.line(&[(axis.at(0.0), top), (axis.at(0.0), bottom)], FAINT, 1);
    }
}

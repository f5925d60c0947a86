//! The picture of a comparison: each case's ratio with its interval, one below the other.

use super::cells::axes;
use super::{Contrast, Pair, Row, Verdict};
use crate::page::Figure;
use crate::plots::axis::Axis;
use crate::plots::canvas::{Align, Canvas, FAINT, HUES, INK, picture, text_width, tint};
use crate::table::{Csv, Heads};
use models::machine::Estimate;
use plotters::style::RGBColor;

/// Width of the ratios' field, in px.
const FIELD: f64 = 460.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 44.0;
/// From one case to the next.
const PITCH: f64 = 19.0;
const TEXT: f64 = 13.0;
/// More cases are not drawn: those furthest from 1 are.
const MOST: usize = 100;
/// Letters of a case's name.
const NAME: usize = 60;

/// The figure of a pair; none where no case has a ratio.
pub(super) fn figure(contrast: &Contrast, pair: &Pair) -> Option<Figure> {
    let all: Vec<(&Row, Estimate)> = pair.rows.iter().filter_map(|row| Some((row, row.effect.ratio?))).collect();
    if all.is_empty() {
        return None;
    }
    let mut shown = all.clone();
    if shown.len() > MOST {
        let far = |(_, ratio): &(&Row, Estimate)| ratio.value.ln().abs();
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
        "Time of {b} over time of A, case by case, with the {} % interval{part}. The band is what does not matter: {percent} %.",
        100.0 * contrast.confidence
    );
    Some(Figure::new(
        format!("ratio-{}", b.to_lowercase()),
        caption,
        draw(contrast, pair, &shown),
        numbers(contrast, &all),
    ))
}

fn numbers(contrast: &Contrast, rows: &[(&Row, Estimate)]) -> String {
    let heads: Vec<&str> = contrast.key.iter().map(|axis| axis.name()).collect();
    let row = |(row, ratio): &(&Row, Estimate)| {
        let case: Vec<String> = contrast.key.iter().map(|&axis| row.case.text(axis)).collect();
        (case, *ratio, row.effect.adjusted_p, row.effect.verdict.name())
    };
    Csv::new((heads, Heads("ratio,ratio_low,ratio_high,adjusted_p,verdict"))).rows(rows.iter().map(row)).text()
}

/// What a verdict looks like: its hue, and whether its mark is filled.
fn look(verdict: Verdict) -> (RGBColor, bool) {
    match verdict {
        Verdict::Slower => (HUES[1], true),
        Verdict::Faster => (HUES[0], true),
        Verdict::Same => (HUES[2], true),
        Verdict::Undecided => (FAINT, false),
    }
}

fn draw(contrast: &Contrast, pair: &Pair, rows: &[(&Row, Estimate)]) -> String {
    let (varying, constant) = axes(contrast);
    let name = |row: &Row| {
        let words = row.case.within(|axis| varying.contains(&axis)).to_string();
        let name = if words.is_empty() { row.case.to_string() } else { words };
        let short: String = name.chars().take(NAME).collect();
        if short.len() < name.len() { short + "…" } else { short }
    };
    let names: Vec<String> = rows.iter().map(|(row, _)| name(row)).collect();
    let left = names.iter().map(|name| text_width(name, TEXT)).fold(90.0, f64::max) + 28.0;
    let width = left + FIELD + 24.0;
    let height = TOP + PITCH * rows.len() as f64 + BOTTOM;
    let axis = axis(contrast, rows, (left, left + FIELD));
    let title = format!("Time of {} over time of A", pair.letter);
    let verdicts = [Verdict::Slower, Verdict::Faster, Verdict::Same, Verdict::Undecided];
    let of = |verdict| rows.iter().filter(|(row, _)| row.effect.verdict == verdict).count();
    let counted: Vec<String> = verdicts.iter().map(|&verdict| format!("{} {}", of(verdict), verdict.name())).collect();
    let label = format!("{title} for {} cases: {}", rows.len(), counted.join(", "));
    picture((width as u32, height as u32), &label, |canvas| {
        canvas.bold(&title, (14.0, 20.0), 16.0, Align::Left, INK);
        let note = constant.to_string();
        let size = TEXT.min((width - 28.0) / text_width(&note, 1.0).max(1.0));
        canvas.text(&note, (14.0, 42.0), size, Align::Left, FAINT);
        let mut x = 20.0;
        for (verdict, words) in verdicts.iter().zip(&counted) {
            let (hue, filled) = look(*verdict);
            canvas.circle((x, 64.0), 4, hue, filled);
            canvas.text(words, (x + 10.0, 64.0), TEXT, Align::Left, hue);
            x += text_width(words, TEXT) + 34.0;
        }
        field(canvas, contrast, &axis, height - BOTTOM);
        for (place, ((row, ratio), name)) in rows.iter().zip(&names).enumerate() {
            let y = TOP + PITCH * (place as f64 + 0.5);
            let (hue, filled) = look(row.effect.verdict);
            canvas.text(name, (left - 12.0, y), TEXT, Align::Right, INK);
            canvas.line(&[(axis.at(ratio.low.ln()), y), (axis.at(ratio.high.ln()), y)], hue, 2);
            canvas.circle((axis.at(ratio.value.ln()), y), 4, hue, filled);
        }
    })
}

/// Far enough for every value, not for every interval: a wide one ends at the edge.
fn axis(contrast: &Contrast, rows: &[(&Row, Estimate)], pixels: (f64, f64)) -> Axis {
    let values = rows.iter().map(|(_, ratio)| ratio.value.max(1.0 / ratio.value));
    let far = values.fold(1.0 + 2.0 * contrast.at_least, f64::max);
    let mut ends: Vec<f64> = rows.iter().map(|(_, ratio)| ratio.high.max(1.0 / ratio.low)).collect();
    ends.sort_by(f64::total_cmp);
    let most = ends[(ends.len() - 1) * 9 / 10];
    let reach = far.max(most.min(far * far)).clamp(1.02, 1e6);
    let ticks = [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
    let inside: Vec<f64> = ticks.into_iter().filter(|tick| *tick <= reach * 1.001).collect();
    // The largest few are enough, and no two stand on each other.
    let mut kept: Vec<f64> = Vec::new();
    for tick in inside.into_iter().rev() {
        let apart = kept.last().is_none_or(|last| (last.ln() - tick.ln()) / reach.ln() > 0.22);
        if apart && tick.ln() / reach.ln() > 0.2 {
            kept.push(tick);
        }
    }
    let both = kept.iter().flat_map(|&tick| [(-tick.ln(), format!("÷{tick}")), (tick.ln(), format!("×{tick}"))]);
    let ticks: Vec<(f64, String)> = both.chain([(0.0, "1".to_owned())]).collect();
    // Logarithms, so that B over A and A over B are mirror images.
    Axis::linear(-reach.ln(), reach.ln(), pixels, 4).with_ticks(ticks)
}

fn field(canvas: &Canvas, contrast: &Contrast, axis: &Axis, bottom: f64) {
    let band = (1.0 + contrast.at_least).ln();
    let (left, right) = (axis.at(-band), axis.at(band));
    canvas.bar((left, TOP - 4.0), (right, bottom), tint(HUES[2], 0.12));
    axis.draw_down(canvas, (TOP - 4.0, bottom), TEXT);
    canvas.line(&[(axis.at(0.0), TOP - 4.0), (axis.at(0.0), bottom)], FAINT, 1);
}

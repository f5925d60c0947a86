//! The time at which each rank leaves, by its number: a strip for each algorithm, each with a scale of its own, since
//! skews differ by factors of hundreds.

use super::{ExitsRow, Skew, us};
use plotters::style::RGBColor;
use render::plots::axis::{Axis, wanted};
use render::plots::canvas::{Align, Canvas, FAINT, GRID, INK, Point};
use render::plots::layout::{EDGE, Words};
use render::plots::numbers::TimeUnit;

/// Height of an algorithm's strip, in px.
const STRIP: f64 = 64.0;
/// Space between two strips, in px.
const SPACE: f64 = 14.0;
/// Room above the strips for the title, in px.
const TITLE: f64 = 40.0;
/// Room below the strips for the axis of ranks, in px.
const BELOW: f64 = 62.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;

/// Strips of all rows whose ranks are known one by one.
pub(super) struct Order<'a> {
    rows: Vec<(&'a ExitsRow, String)>,
    /// Left and right end of the ranks' axis, in px.
    field: (f64, f64),
    unit: TimeUnit,
    title: Words,
    title_left: f64,
}

impl<'a> Order<'a> {
    /// Makes the strips of `skew`, with the ranks' axis between two x positions in px.
    pub(super) fn from_skew(skew: &'a Skew, field: (f64, f64)) -> Order<'a> {
        let known = skew.rows.iter().filter(|row| row.by_rank.len() > 1);
        let rows: Vec<(&ExitsRow, String)> = known.map(|row| (row, skew.name(row))).collect();
        let unit = TimeUnit::fitting(rows.iter().flat_map(|(row, _)| row.by_rank.iter().map(|time| us(*time))));
        let title = format!("when each rank leaves, after the first one, {}", unit.symbol());
        // A title that is longer than the field begins at the edge.
        let whole = Words::bold(&title, field.1 - field.0, TEXT);
        let (title, title_left) =
            if whole.more() > 0.0 { (Words::bold(&title, field.1 - EDGE, TEXT), EDGE) } else { (whole, field.0) };
        Order { rows, field, unit, title, title_left }
    }

    /// Returns the height in px; 0 where there is nothing to draw.
    pub(super) fn height(&self) -> f64 {
        let strips = self.rows.len() as f64 * (STRIP + SPACE);
        if self.rows.is_empty() { 0.0 } else { TITLE + self.title.more() + strips + BELOW }
    }

    /// Draws the strips below `top`.
    pub(super) fn paint_order(&self, canvas: &Canvas, top: f64, hue: impl Fn(&ExitsRow) -> RGBColor) {
        let ((left, right), unit) = (self.field, self.unit);
        let Some(ranks) = self.rows.iter().map(|(row, _)| row.by_rank.len()).max() else { return };
        let places = Axis::linear(0.0, (ranks - 1) as f64, (left, right), wanted(right - left, 8));
        self.title.draw(canvas, (self.title_left, top + 12.0), Align::Left, INK);
        for (nth, (row, name)) in self.rows.iter().enumerate() {
            let bottom = top + TITLE + self.title.more() + nth as f64 * (STRIP + SPACE) + STRIP;
            let latest = row.by_rank.iter().map(|time| us(*time)).fold(0.0, f64::max);
            let times = Axis::linear(0.0, unit.convert(latest), (bottom, bottom - STRIP), 2);
            canvas.text(name, (left - 46.0, bottom - STRIP / 2.0), TEXT, Align::Right, INK);
            for (value, label) in times.ticks() {
                canvas.line(&[(left, times.at(*value)), (right, times.at(*value))], GRID, 1);
                canvas.text(label, (left - 8.0, times.at(*value)), NOTE, Align::Right, FAINT);
            }
            let at = |(rank, us): (usize, f64)| (places.at(rank as f64), times.at(unit.convert(us)));
            dots(canvas, row.by_rank.iter().map(|time| us(*time)).enumerate().map(at), hue(row));
        }
        let bottom = top + self.height() - BELOW;
        places.draw_across(canvas, bottom, "rank", TEXT);
    }
}

/// Draws a dot for each rank; of ranks that fall on one pixel only one is drawn.
fn dots(canvas: &Canvas, points: impl Iterator<Item = Point>, hue: RGBColor) {
    let mut last = None;
    for (x, y) in points {
        let pixel = (x.round() as i64, y.round() as i64);
        if last.replace(pixel) != Some(pixel) {
            canvas.circle((x, y), 1, hue, true);
        }
    }
}

//! The picture of exit skews: two panels, a strip for each algorithm without and with noise; below them when each rank leaves.
//!
//! A strip reaches from the shortest to the longest (line), from 1 % to 99 % (light) and from 25 % to 75 % (dark); the
//! gap is the median, the diamond the mean.

use super::order::Order;
use super::{Skew, us};
use crate::plots::axis::Axis;
use crate::plots::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, lines, picture, text_width, tint};
use crate::plots::numbers::TimeUnit;
use models::spread::Spread;
use models::time::Time;
use plotters::style::{RGBColor, WHITE};

/// Width of a panel, in px.
const PANEL: f64 = 380.0;
const BETWEEN: f64 = 44.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
const NOTE_LINE: f64 = 17.0;
/// Height of a strip with its space.
const STRIP: f64 = 22.0;
/// Between two algorithms.
const SPACE: f64 = 12.0;
const BOTTOM: f64 = 74.0;
/// Left of a logarithmic axis, where zero is drawn.
const ZERO: f64 = 30.0;
/// A box narrower than this has no room for the gap at its median, which then is the box.
const NARROW: f64 = 6.0;
const QUIET: RGBColor = FAINT;
const NOISY: RGBColor = HUES[1];

/// Draws exit skews as SVG.
pub(super) fn draw(skew: &Skew) -> String {
    let widths = skew.rows.iter().map(|row| text_width(&row.algorithm, TEXT));
    let left = 26.0 + widths.fold(60.0, f64::max);
    let width = left + 2.0 * PANEL + BETWEEN + 24.0;
    let notes: Vec<String> = skew.notes.iter().flat_map(|note| lines(note, width - 28.0, NOTE)).collect();
    let top = 78.0 + notes.len() as f64 * NOTE_LINE;
    let (mut places, mut names, mut y) = (Vec::new(), Vec::new(), top + STRIP / 2.0);
    for rows in skew.rows.chunk_by(|one, next| one.algorithm == next.algorithm) {
        names.push((&rows[0].algorithm, y + (rows.len() - 1) as f64 * STRIP / 2.0));
        places.extend((0..rows.len()).map(|nth| y + nth as f64 * STRIP));
        y += rows.len() as f64 * STRIP + SPACE;
    }
    let bottom = places.last().map_or(top, |y| y + STRIP / 2.0) + SPACE;
    let order = Order::of(&skew.rows);
    let label = format!("{}: {} algorithms", skew.title, names.len());
    picture((width as u32, (bottom + BOTTOM + order.height()) as u32), &label, |canvas| {
        canvas.bold(&skew.title, (14.0, 20.0), 17.0, Align::Left, INK);
        for (row, note) in notes.iter().enumerate() {
            canvas.text(note, (14.0, 42.0 + row as f64 * NOTE_LINE), NOTE, Align::Left, FAINT);
        }
        for (name, y) in names {
            canvas.text(name, (left - 10.0, y), TEXT, Align::Right, INK);
        }
        let skews: Vec<Spread> = skew.rows.iter().map(|row| row.skew).collect();
        let delays: Vec<Spread> = skew.rows.iter().map(|row| row.delay).collect();
        let titles = ["exit skew: last exit − first exit", "each rank's exit after the first"];
        for (nth, (title, all)) in titles.into_iter().zip([skews, delays]).enumerate() {
            let panel = Panel::of(&all, left + nth as f64 * (PANEL + BETWEEN), (top - 16.0, bottom));
            panel.axes(canvas, title);
            for ((row, distribution), y) in skew.rows.iter().zip(&all).zip(&places) {
                panel.strip(canvas, distribution, *y, if row.noise { NOISY } else { QUIET });
            }
        }
        legend(canvas, left, bottom + 58.0, skew.rows.iter().any(|row| row.noise));
        let field = (left + 36.0, left + 2.0 * PANEL + BETWEEN);
        order.draw(canvas, bottom + BOTTOM + 8.0, field, |row| if row.noise { NOISY } else { QUIET });
    })
}

fn legend(canvas: &Canvas, left: f64, y: f64, noise: bool) {
    let mut x = left;
    let kinds: &[(&str, RGBColor)] =
        if noise { &[("without noise", QUIET), ("with noise", NOISY)] } else { &[("without noise", QUIET)] };
    for (name, hue) in kinds {
        canvas.bar((x, y - 6.0), (x + 22.0, y + 6.0), *hue);
        canvas.text(name, (x + 28.0, y), NOTE, Align::Left, INK);
        x += 28.0 + text_width(name, NOTE) + 22.0;
    }
    let words = "line: all; light: 1 to 99 %; dark: 25 to 75 %; gap: median; diamond: mean";
    canvas.text(words, (x, y), NOTE, Align::Left, FAINT);
}

/// One panel: its axis and where it lies.
struct Panel {
    axis: Axis,
    unit: TimeUnit,
    left: f64,
    rows: (f64, f64),
    zero: bool,
}

impl Panel {
    fn of(all: &[Spread], left: f64, rows: (f64, f64)) -> Panel {
        let times = all
            .iter()
            .flat_map(|d| [0, 2, 3, 4, 6].map(|nth| d.quantiles[nth]).into_iter().chain([d.min, d.mean, d.max]));
        let us: Vec<f64> = times.map(us).collect();
        let unit = TimeUnit::fitting(us.iter().copied());
        let values: Vec<f64> = us.iter().map(|&us| unit.of(us)).collect();
        let zero = us.contains(&0.0);
        let mut axis = Axis::fitting(&values, (left, left + PANEL), 5);
        if axis.is_log() && zero {
            axis = Axis::fitting(&values, (left + ZERO, left + PANEL), 5);
        }
        let zero = zero && axis.is_log();
        Panel { axis, unit, left, rows, zero }
    }

    fn x(&self, time: Time) -> f64 {
        if self.zero && time == Time::ZERO { self.left } else { self.axis.at(self.unit.of(us(time))) }
    }

    fn axes(&self, canvas: &Canvas, title: &str) {
        let (top, bottom) = self.rows;
        canvas.bold(title, (self.left, top - 12.0), TEXT, Align::Left, INK);
        if self.zero {
            canvas.line(&[(self.left, top), (self.left, bottom)], GRID, 1);
            canvas.text("0", (self.left, bottom + 13.0), TEXT, Align::Centre, FAINT);
        }
        self.axis.draw_down(canvas, (top, bottom), TEXT);
        canvas.line(&[(self.left, bottom), (self.left + PANEL, bottom)], FAINT, 1);
        let middle = (self.left + PANEL / 2.0, bottom + 34.0);
        canvas.text(&self.axis.titled(self.unit.symbol()), middle, TEXT, Align::Centre, FAINT);
    }

    fn strip(&self, canvas: &Canvas, d: &Spread, y: f64, hue: RGBColor) {
        let [p01, _, p25, median, p75, _, p99] = d.quantiles.map(|time| self.x(time));
        canvas.line(&[(self.x(d.min), y), (self.x(d.max), y)], hue, 1);
        canvas.line(&[(self.x(d.max), y - 4.0), (self.x(d.max), y + 4.0)], hue, 1);
        canvas.bar((p01, y - 5.0), (p99, y + 5.0), tint(hue, 0.35));
        canvas.bar((p25, y - 7.0), (p75, y + 7.0), hue);
        if p75 - p25 < NARROW {
            canvas.bar((median - 2.0, y - 7.0), (median + 2.0, y + 7.0), hue);
        } else {
            canvas.bar((median - 2.0, y - 8.0), (median + 2.0, y + 8.0), hue);
            canvas.bar((median - 1.0, y - 8.0), (median + 1.0, y + 8.0), WHITE);
        }
        if d.min == d.max {
            return;
        }
        let mean = self.x(d.mean);
        let diamond = |r: f64| [(mean, y - r), (mean + r, y), (mean, y + r), (mean - r, y)];
        canvas.polygon(&diamond(5.5), WHITE);
        canvas.polygon(&diamond(4.0), hue);
    }
}

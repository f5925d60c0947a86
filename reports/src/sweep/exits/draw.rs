//! The picture of exit skews: two panels, beside or below each other, with a strip for each algorithm without and with
//! noise; below them the time at which each rank leaves.
//!
//! A strip reaches from the shortest to the longest (line), from 1 % to 99 % (light) and from 25 % to 75 % (dark); the
//! gap is the median, the diamond the mean.

use super::order::Order;
use super::{ExitsRow, Skew, us};
use models::spread::Spread;
use models::time::Time;
use plotters::style::{RGBColor, WHITE};
use render::plots::Paper;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, described, text_width, tint};
use render::plots::layout::{EDGE, Words, flow, more_rows};
use render::plots::numbers::TimeUnit;

/// Width of a panel, in px; where less than [`LEAST`] remains, the panels stand below each other.
const PANEL: f64 = 380.0;
const LEAST: f64 = 280.0;
/// Room above the first panel's strips, in px.
const TOP: f64 = 78.0;
/// Distance from the lower end of a panel to the strips of the panel below it, in px.
const NEXT: f64 = 94.0;
const RIGHT: f64 = 24.0;
const BETWEEN: f64 = 44.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Height of a strip with its space, in px.
const STRIP: f64 = 22.0;
/// Space between two algorithms, in px.
const SPACE: f64 = 12.0;
const BOTTOM: f64 = 74.0;
/// Room left of a logarithmic axis in which zero is drawn, in px.
const ZERO: f64 = 30.0;
/// Width in px below which a box has no room for the gap at its median and is drawn as its median.
const NARROW: f64 = 6.0;
const QUIET: RGBColor = FAINT;
const NOISY: RGBColor = HUES[1];

/// Positions of the strips, and the names at their left.
struct Strips {
    names: Vec<(String, f64)>,
    /// Middle of each strip, below the upper end of the panel, in px.
    places: Vec<f64>,
    height: f64,
}

impl Strips {
    fn from_skew(skew: &Skew) -> Strips {
        let (mut places, mut names, mut y) = (Vec::new(), Vec::new(), STRIP / 2.0);
        for rows in skew.rows.chunk_by(|one, next| one.algorithm == next.algorithm) {
            let at = |nth: usize| y + nth as f64 * STRIP;
            names.extend(rows.iter().enumerate().map(|(nth, row)| (skew.name(row), at(nth))));
            places.extend((0..rows.len()).map(at));
            y += rows.len() as f64 * STRIP + SPACE;
        }
        let height = places.last().map_or(0.0, |y| y + STRIP / 2.0) + SPACE;
        Strips { names, places, height }
    }
}

/// Draws exit skews as SVG.
pub(super) fn render_skew(skew: &Skew, paper: &Paper) -> String {
    let strips = Strips::from_skew(skew);
    let left = 26.0 + strips.names.iter().map(|(name, _)| text_width(name, TEXT)).fold(60.0, f64::max);
    let width = paper.width_px(left + 2.0 * PANEL + BETWEEN + RIGHT);
    let beside = (width - left - BETWEEN - RIGHT) / 2.0;
    let below = beside < LEAST;
    let panel = if below { width - left - RIGHT } else { beside };
    let title = Words::title(paper, &skew.title, width, 17.0);
    let entries = Entries::lay_out(skew, if below { EDGE } else { left }, width);
    let top = TOP + title.more();
    let (right, down) = if below { (0.0, strips.height + NEXT) } else { (panel + BETWEEN, 0.0) };
    let bottom = top + down + strips.height;
    let order = Order::from_skew(skew, (left + 36.0, width - RIGHT));
    let label = format!("{}: {} rows", skew.title, strips.names.len());
    let height = bottom + BOTTOM + entries.more() + order.height();
    described(paper, (width, height), &label, &skew.notes, |canvas| {
        title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        let skews: Vec<Spread> = skew.rows.iter().map(|row| row.skew).collect();
        let delays: Vec<Spread> = skew.rows.iter().map(|row| row.delay).collect();
        let titles = ["exit skew: last exit − first exit", "each rank's exit after the first"];
        for (nth, (title, all)) in titles.into_iter().zip([skews, delays]).enumerate() {
            let (left, top) = (left + nth as f64 * right, top + nth as f64 * down);
            let panel = Panel::from_spreads(&all, (left, panel), (top - 16.0, top + strips.height));
            panel.axes(canvas, title, if below { EDGE } else { left });
            for (name, y) in strips.names.iter().filter(|_| nth == 0 || below) {
                canvas.text(name, (left - 10.0, top + y), TEXT, Align::Right, INK);
            }
            for ((row, distribution), y) in skew.rows.iter().zip(&all).zip(&strips.places) {
                panel.strip(canvas, distribution, top + y, hue(row));
            }
        }
        entries.paint_entries(canvas, bottom + 58.0);
        order.paint_order(canvas, bottom + BOTTOM + entries.more() + 8.0, hue);
    })
}

fn hue(row: &ExitsRow) -> RGBColor {
    if row.noise { NOISY } else { QUIET }
}

/// Entries of the legend: the meanings of hues and of the parts of a strip.
struct Entries {
    kinds: Vec<(&'static str, RGBColor)>,
    left: f64,
    places: Vec<(f64, usize)>,
    parts: Words,
}

const PARTS: &str = "line: all; light: 1 to 99 %; dark: 25 to 75 %; gap: median; diamond: mean";
/// Distance from one line of the legend to the next, in px.
const ENTRY: f64 = 18.0;

impl Entries {
    fn lay_out(skew: &Skew, left: f64, width: f64) -> Entries {
        let noise = skew.rows.iter().any(|row| row.noise);
        let kinds = [("without noise", QUIET), ("with noise", NOISY)];
        let kinds: Vec<_> = kinds.into_iter().take(if noise { 2 } else { 1 }).collect();
        let widths = kinds.iter().map(|(name, _)| 28.0 + text_width(name, NOTE) + 22.0);
        let room = width - left - 8.0;
        let whole = text_width(PARTS, NOTE);
        let places = flow(widths.chain([whole.min(room)]), room);
        Entries { kinds, left, places, parts: Words::wrap(PARTS, room, NOTE) }
    }

    /// Returns the height beyond one line, in px.
    fn more(&self) -> f64 {
        more_rows(&self.places, ENTRY) + self.parts.more()
    }

    fn paint_entries(&self, canvas: &Canvas, top: f64) {
        let at = |(x, row): (f64, usize)| (self.left + x, top + row as f64 * ENTRY);
        for ((name, hue), place) in self.kinds.iter().zip(&self.places) {
            let (x, y) = at(*place);
            canvas.bar((x, y - 6.0), (x + 22.0, y + 6.0), *hue);
            canvas.text(name, (x + 28.0, y), NOTE, Align::Left, INK);
        }
        if let Some(place) = self.places.last() {
            self.parts.draw(canvas, at(*place), Align::Left, FAINT);
        }
    }
}

/// One panel: its axis and its position.
struct Panel {
    axis: Axis,
    unit: TimeUnit,
    left: f64,
    width: f64,
    rows: (f64, f64),
    zero: bool,
}

impl Panel {
    fn from_spreads(all: &[Spread], (left, width): (f64, f64), rows: (f64, f64)) -> Panel {
        let times = all
            .iter()
            .flat_map(|d| [0, 2, 3, 4, 6].map(|nth| d.quantiles[nth]).into_iter().chain([d.min, d.mean, d.max]));
        let us: Vec<f64> = times.map(us).collect();
        let unit = TimeUnit::fitting(us.iter().copied());
        let values: Vec<f64> = us.iter().map(|&us| unit.convert(us)).collect();
        let zero = us.contains(&0.0);
        let mut axis = Axis::fitting(&values, (left, left + width), 5);
        if axis.is_log() && zero {
            axis = Axis::fitting(&values, (left + ZERO, left + width), 5);
        }
        let zero = zero && axis.is_log();
        Panel { axis, unit, left, width, rows, zero }
    }

    fn x(&self, time: Time) -> f64 {
        if self.zero && time == Time::ZERO { self.left } else { self.axis.at(self.unit.convert(us(time))) }
    }

    fn axes(&self, canvas: &Canvas, title: &str, title_left: f64) {
        let (top, bottom) = self.rows;
        canvas.bold(title, (title_left, top - 12.0), TEXT, Align::Left, INK);
        if self.zero {
            canvas.line(&[(self.left, top), (self.left, bottom)], GRID, 1);
            canvas.text("0", (self.left, bottom + 13.0), TEXT, Align::Centre, FAINT);
        }
        self.axis.draw_down(canvas, (top, bottom), TEXT);
        canvas.line(&[(self.left, bottom), (self.left + self.width, bottom)], FAINT, 1);
        let middle = (self.left + self.width / 2.0, bottom + 34.0);
        let words = self.unit.symbol();
        let words = if self.zero { format!("{words} (0 set apart)") } else { self.axis.titled(words) };
        canvas.text(&words, middle, TEXT, Align::Centre, FAINT);
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

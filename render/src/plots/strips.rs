//! A plot with a strip for each rank, of the times and durations of events, on one axis of time.

use super::axis::Axis;
use super::canvas::{Align, Canvas, GRID, HUES, INK, picture, tint};
use super::layout::{EDGE, Words};
use super::{Drawing, Paper};
use std::collections::BTreeMap;

/// Content of the plot.
pub struct Strips {
    /// Heading of the picture.
    pub title: String,
    /// Title of the vertical axis.
    pub y: &'static str,
    /// Strips of the ranks, from top to bottom.
    pub strips: Vec<Strip>,
    /// Length of the time axis, in seconds.
    pub length_s: f64,
}

/// The strip of a rank: starts of events, in seconds, and their durations, in µs.
pub struct Strip {
    /// Name of the rank.
    pub name: String,
    /// Events: start in seconds, duration in µs.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 820.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 54.0;
const STRIP: f64 = 110.0;
const BETWEEN: f64 = 34.0;
const BOTTOM: f64 = 56.0;
const TEXT: f64 = 14.0;
/// Side of a square, in px, whose points are drawn as one.
const CELL: f64 = 5.0;

impl Strips {
    /// Returns the picture, to be drawn.
    pub fn drawing(self) -> Drawing {
        Drawing::new(move |paper| self.render_strips(paper))
    }

    fn render_strips(&self, paper: &Paper) -> String {
        let Strips { strips, length_s, y, .. } = self;
        let width = paper.width_px(WIDTH);
        let title = Words::title(paper, &self.title, width, 16.0);
        let all = || strips.iter().flat_map(|strip| &strip.points).map(|&(_, us)| us);
        let (low, high) = all().fold((f64::INFINITY, 0.0_f64), |(low, high), us| (low.min(us), high.max(us)));
        let (low, high) = if low < high { (low, high) } else { (0.1, 10.0) };
        let top = TOP + title.more() + BETWEEN;
        let bottom = top + strips.len() as f64 * (STRIP + BETWEEN) - BETWEEN;
        let across = Axis::linear(0.0, *length_s, (LEFT, width - RIGHT), 6);
        let below = "time, s";
        picture(paper, (width, bottom + BOTTOM + across.more_below(below, width, TEXT)), &self.title, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            for (nth, strip) in strips.iter().enumerate() {
                let top = top + nth as f64 * (STRIP + BETWEEN);
                let up = Axis::log(low, high, (top + STRIP, top));
                up.draw_up(canvas, across.pixels(), if nth == 0 { y } else { "" }, TEXT);
                strip.paint_strip(canvas, &across, &up);
                canvas.bold(&strip.name, (width - RIGHT, top - 12.0), TEXT, Align::Right, INK);
                canvas.line(&[(LEFT, top + STRIP), (width - RIGHT, top + STRIP)], GRID, 1);
            }
            across.draw_across(canvas, bottom, below, TEXT);
        })
    }
}

impl Strip {
    fn paint_strip(&self, canvas: &Canvas, across: &Axis, up: &Axis) {
        let mut cells: BTreeMap<(i64, i64), u32> = BTreeMap::new();
        for &(s, us) in &self.points {
            let cell = ((across.at(s) / CELL).floor() as i64, (up.at(us) / CELL).floor() as i64);
            *cells.entry(cell).or_default() += 1;
        }
        for ((x, y), count) in cells {
            let (x, y) = (x as f64 * CELL, y as f64 * CELL);
            // A single point is visible, and a thousand are not black.
            let share = (0.25 + 0.25 * f64::from(count).log10()).min(1.0);
            canvas.bar((x, y), (x + CELL, y + CELL), tint(HUES[0], share));
        }
    }
}

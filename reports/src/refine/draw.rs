//! A plot of points with intervals, and a line through them: the one form of all pictures of refinements.

use crate::plots::axis::Axis;
use crate::plots::canvas::{Align, Canvas, HUES, INK, picture};
use models::machine::Estimate;
use plotters::style::RGBColor;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 350.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 88.0;
const BOTTOM: f64 = 58.0;
const TEXT: f64 = 15.0;

/// One kind of point.
pub(super) struct Series {
    /// What they are.
    pub name: String,
    /// Where, and how high.
    pub points: Vec<(f64, Estimate)>,
}

/// How values go to the right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    /// Evenly from zero.
    Linear,
    /// By their logarithms.
    Log,
    /// By their logarithms, and they are lengths of messages.
    Bytes,
}

/// What is drawn.
pub(super) struct Plot {
    /// What it shows.
    pub title: String,
    /// What goes to the right.
    pub x: &'static str,
    /// What goes up.
    pub y: &'static str,
    /// How it does that.
    pub across: Across,
    /// At most four kinds of points.
    pub series: Vec<Series>,
    /// A line and what it is.
    pub line: Option<(&'static str, Vec<(f64, f64)>)>,
}

impl Plot {
    /// As SVG.
    pub(super) fn svg(&self) -> String {
        picture((WIDTH as u32, HEIGHT as u32), &self.title, |canvas| {
            canvas.bold(&self.title, (14.0, 20.0), TEXT, Align::Left, INK);
            let (across, up) = (self.across(), self.up());
            up.draw_up(canvas, across.pixels(), self.y, TEXT);
            across.draw_across(canvas, up.pixels().0, self.x, TEXT);
            if let Some((_, points)) = &self.line {
                let points: Vec<_> = points.iter().map(|&(x, y)| (across.at(x), up.at(y))).collect();
                canvas.line(&points, INK, 1);
            }
            for (series, hue) in self.series.iter().zip(HUES) {
                let many = series.points.len() > 60;
                for (x, estimate) in &series.points {
                    let x = across.at(*x);
                    if estimate.low < estimate.high {
                        let ends = [(x, up.at(estimate.low)), (x, up.at(estimate.high))];
                        canvas.line(&ends, hue, 1);
                        ends.iter().for_each(|&(x, y)| canvas.line(&[(x - 4.0, y), (x + 4.0, y)], hue, 1));
                    }
                    canvas.circle((x, up.at(estimate.value)), if many { 2 } else { 5 }, hue, true);
                }
            }
            self.legend(canvas);
        })
    }

    fn points(&self) -> impl Iterator<Item = &(f64, Estimate)> {
        self.series.iter().flat_map(|series| &series.points)
    }

    fn across(&self) -> Axis {
        let xs = || self.points().map(|(x, _)| *x);
        let pixels = (LEFT, WIDTH - RIGHT);
        let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
        match self.across {
            Across::Log | Across::Bytes if !low.is_finite() => Axis::linear(0.0, 1.0, pixels, 6),
            Across::Linear => Axis::linear(0.0, high * 1.04, pixels, 6),
            Across::Log => Axis::log(low, high, pixels),
            Across::Bytes => Axis::lengths(xs().collect(), pixels),
        }
    }

    fn up(&self) -> Axis {
        let ends = || self.points().flat_map(|(_, estimate)| [estimate.value, estimate.low, estimate.high]);
        let pixels = (HEIGHT - BOTTOM, TOP);
        let low = ends().fold(0.0, f64::min);
        if low < 0.0 {
            let high = ends().fold(0.0, f64::max);
            return Axis::linear(low * 1.08, high.max(-low * 0.08) * 1.08, pixels, 5);
        }
        // What is zero has no place on a logarithmic axis.
        if self.points().any(|(_, estimate)| estimate.value <= 0.0) {
            return Axis::linear(0.0, ends().fold(0.0, f64::max) * 1.08, pixels, 5);
        }
        Axis::fitting(&ends().collect::<Vec<_>>(), pixels, 5)
    }

    fn legend(&self, canvas: &Canvas) {
        let mut x = 22.0;
        let mut next = |name: &str, draw: &dyn Fn(f64)| {
            draw(x);
            canvas.text(name, (x + 16.0, 48.0), TEXT, Align::Left, INK);
            x += 44.0 + name.chars().count() as f64 * TEXT * 0.52;
        };
        let dot = |x: f64, hue: RGBColor| canvas.circle((x, 48.0), 5, hue, true);
        for (series, hue) in self.series.iter().zip(HUES) {
            next(&series.name, &|x| dot(x, hue));
        }
        if let Some((name, _)) = &self.line {
            next(name, &|x| canvas.line(&[(x - 10.0, 48.0), (x + 10.0, 48.0)], INK, 1));
        }
    }
}

/// A value without an interval.
pub(super) fn bare(value: f64) -> Estimate {
    Estimate { value, low: value, high: value }
}

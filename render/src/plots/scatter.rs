//! A plot of points with intervals, and a line through them.

use super::axis::Axis;
use super::canvas::{Align, Canvas, HUES, INK, picture};
use super::layout::{EDGE, Words, flow, more_rows};
use super::{Drawing, Paper};
use programs::machine::Estimate;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 350.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 88.0;
const BOTTOM: f64 = 58.0;
const TEXT: f64 = 15.0;
/// Distance from one line of the legend to the next.
const ENTRY: f64 = 22.0;

/// A kind of points.
pub struct Series {
    /// Name of this kind.
    pub name: String,
    /// Places along the horizontal axis, with their values.
    pub points: Vec<(f64, Estimate)>,
}

/// Scale of the horizontal axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// Linear, evenly from zero.
    Linear,
    /// Logarithmic, for any positive values.
    Log,
    /// Logarithmic, for lengths of messages.
    Bytes,
}

/// Content of the plot.
pub struct Plot {
    /// Heading of the picture.
    pub title: String,
    /// Title of the horizontal axis.
    pub x: &'static str,
    /// Title of the vertical axis.
    pub y: &'static str,
    /// Scale of the horizontal axis.
    pub across: Across,
    /// Kinds of points, at most four.
    pub series: Vec<Series>,
    /// A line with its name; `None` for no line.
    pub line: Option<(&'static str, Vec<(f64, f64)>)>,
}

impl Plot {
    /// Returns the picture, to be drawn.
    pub fn drawing(self) -> Drawing {
        Drawing::new(move |paper| self.render_scatter(paper))
    }

    fn render_scatter(&self, paper: &Paper) -> String {
        let width = paper.width_px(WIDTH);
        let title = Words::title(paper, &self.title, width, TEXT);
        let legend = self.legend(width);
        let above = self.up((1.0, 0.0)).more_above(self.y, width, TEXT);
        let top = TOP + title.more() + more_rows(&legend, ENTRY) + above;
        let bottom = top + HEIGHT - TOP - BOTTOM;
        let (across, up) = (self.across((LEFT, width - RIGHT)), self.up((bottom, top)));
        let margin = BOTTOM + across.more_below(self.x, width, TEXT);
        picture(paper, (width, bottom + margin), &self.title, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            up.draw_up(canvas, across.pixels(), self.y, TEXT);
            across.draw_across(canvas, bottom, self.x, TEXT);
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
            self.entries(canvas, &legend, 48.0 + title.more());
        })
    }

    fn points(&self) -> impl Iterator<Item = &(f64, Estimate)> {
        self.series.iter().flat_map(|series| &series.points)
    }

    fn across(&self, pixels: (f64, f64)) -> Axis {
        let xs = || self.points().map(|(x, _)| *x);
        let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
        match self.across {
            Across::Log | Across::Bytes if !low.is_finite() => Axis::linear(0.0, 1.0, pixels, 6),
            Across::Linear => Axis::linear(0.0, high * 1.04, pixels, 6),
            Across::Log => Axis::log(low, high, pixels),
            Across::Bytes => Axis::lengths(xs().collect(), pixels),
        }
    }

    fn up(&self, pixels: (f64, f64)) -> Axis {
        let ends = || self.points().flat_map(|(_, estimate)| [estimate.value, estimate.low, estimate.high]);
        let low = ends().fold(0.0, f64::min);
        if low < 0.0 {
            let high = ends().fold(0.0, f64::max);
            return Axis::linear(low * 1.08, high.max(-low * 0.08) * 1.08, pixels, 5);
        }
        // Zero has no place on a logarithmic axis.
        if self.points().any(|(_, estimate)| estimate.value <= 0.0) {
            return Axis::linear(0.0, ends().fold(0.0, f64::max) * 1.08, pixels, 5);
        }
        Axis::fitting(&ends().collect::<Vec<_>>(), pixels, 5)
    }

    /// Returns the names of the points and of the line.
    fn names(&self) -> impl Iterator<Item = &str> {
        let line = self.line.iter().map(|(name, _)| *name);
        self.series.iter().take(HUES.len()).map(|series| series.name.as_str()).chain(line)
    }

    fn legend(&self, width: f64) -> Vec<(f64, usize)> {
        flow(self.names().map(|name| 44.0 + name.chars().count() as f64 * TEXT * 0.52), width - 22.0)
    }

    fn entries(&self, canvas: &Canvas, places: &[(f64, usize)], top: f64) {
        for (nth, (name, (x, row))) in self.names().zip(places).enumerate() {
            let (x, y) = (22.0 + x, top + *row as f64 * ENTRY);
            match HUES.get(nth).filter(|_| nth < self.series.len()) {
                Some(&hue) => canvas.circle((x, y), 5, hue, true),
                None => canvas.line(&[(x - 10.0, y), (x + 10.0, y)], INK, 1),
            }
            canvas.text(name, (x + 16.0, y), TEXT, Align::Left, INK);
        }
    }
}

/// Returns a value without an interval.
pub fn bare(value: f64) -> Estimate {
    Estimate { value, low: value, high: value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_and_many_names_find_room_on_paper() {
        let series =
            |name: &str| Series { name: name.to_owned(), points: vec![(64.0, bare(3.0)), (4096.0, bare(5.0))] };
        let plot = Plot {
            title: "What touching memory costs by who holds its cache lines".to_owned(),
            x: "bytes touched",
            y: "ns per cache line, beyond the cost for a rank that holds the line alone",
            across: Across::Bytes,
            series: ["fetch", "claim", "load", "fill"].map(series).into(),
            line: Some(("what simulations take", vec![(64.0, 3.0), (4096.0, 5.0)])),
        };
        let title = plot.title.clone();
        crate::plots::room_tests::finds_room(&plot.drawing(), &title);
    }
}

//! A plot with ranks to the right: for each method a predicted and a measured marker.

use super::axis::Axis;
use super::canvas::{Align, Canvas, FAINT, INK, Point, picture, text_width};
use models::machine::Estimate;
use plotters::style::{RGBColor, WHITE};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 468.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 140.0;
const BOTTOM: f64 = 58.0;
const TEXT: f64 = 15.0;

/// Shape of a series' markers, so that colour is not all that tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
}

/// One rank's two numbers.
pub(super) struct Spot {
    pub rank: u32,
    pub predicted: Estimate,
    pub measured: Estimate,
}

/// One method.
pub(super) struct Series {
    pub name: &'static str,
    pub hue: RGBColor,
    pub marker: Marker,
    pub spots: Vec<Spot>,
}

/// Levels that are known exactly.
pub(super) struct Curve {
    pub name: &'static str,
    pub points: Vec<(u32, f64)>,
    /// The one series they are for, by index, and the rank that does not lie on the line through
    /// the others (the root); or none: they are for all, and no line joins them.
    pub joined: Option<(usize, u32)>,
}

/// A picture to be drawn.
pub(super) struct Picture {
    pub title: &'static str,
    pub subject: String,
    pub axis_title: String,
    pub series: Vec<Series>,
    pub curve: Option<Curve>,
    /// A dashed line at this value.
    pub reference: Option<f64>,
}

impl Picture {
    /// The picture as SVG.
    pub(super) fn draw(&self) -> String {
        let values = self.values();
        let ranks = self.ranks();
        let rank_axis = Axis::linear(-0.5, f64::from(ranks) - 0.5, (LEFT, WIDTH - RIGHT), 1);
        let every = (ranks as usize).div_ceil(16).max(1);
        let rank_axis = rank_axis.with_ticks((0..ranks).step_by(every).map(|rank| (f64::from(rank), rank.to_string())));
        let value_axis = Axis::fitting(&values, (HEIGHT - BOTTOM, TOP), 6);
        let pitch = (WIDTH - LEFT - RIGHT) / f64::from(ranks.max(1));
        let lanes = self.series.len();
        // Three lanes or fewer have room; more share what a rank has.
        let apart = (pitch * 0.87 / lanes.max(3) as f64).min(30.0);
        let pen = Pen { lanes, apart, rank_axis, value_axis };
        picture((WIDTH as u32, HEIGHT as u32), &format!("{}: {}", self.title, self.subject), |canvas| {
            canvas.bold(self.title, (14.0, 20.0), 16.0, Align::Left, INK);
            let size = TEXT.min((WIDTH - 28.0) / text_width(&self.subject, 1.0));
            canvas.text(&self.subject, (14.0, 43.0), size, Align::Left, INK);
            self.legend(canvas);
            self.axes(canvas, &pen);
            if let Some(curve) = &self.curve {
                curve.draw(canvas, &pen);
            }
            for (lane, series) in self.series.iter().enumerate() {
                series.draw(canvas, &pen, lane);
            }
        })
    }

    fn values(&self) -> Vec<f64> {
        let spots = self.series.iter().flat_map(|series| &series.spots);
        let estimates = spots.flat_map(|spot| [spot.predicted, spot.measured]);
        let curve = self.curve.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
        estimates.flat_map(|e| [e.value, e.low, e.high]).chain(curve).chain(self.reference).collect()
    }

    fn ranks(&self) -> u32 {
        let spots = self.series.iter().flat_map(|series| series.spots.iter().map(|spot| spot.rank));
        let curve = self.curve.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
        spots.chain(curve).max().map_or(1, |rank| rank + 1)
    }

    fn axes(&self, canvas: &Canvas, pen: &Pen) {
        let (left, right) = pen.rank_axis.pixels();
        pen.value_axis.draw_up(canvas, (left, right), &self.axis_title, TEXT);
        pen.rank_axis.draw_across(canvas, pen.value_axis.pixels().0, "rank", TEXT);
        if let Some(value) = self.reference {
            let y = pen.value_axis.at(value);
            let mut x = left;
            while x < right {
                canvas.line(&[(x, y), ((x + 7.0).min(right), y)], FAINT, 1);
                x += 12.0;
            }
        }
    }

    fn legend(&self, canvas: &Canvas) {
        let (mut x, y) = (22.0, 72.0);
        // Many methods make the letters smaller, so that all names fit on the line.
        let names = self.series.iter().map(|series| series.name).chain(self.curve.as_ref().map(|curve| curve.name));
        let letters: f64 = names.map(|name| text_width(name, 1.0)).sum();
        let size = TEXT.min((WIDTH - 70.0 - 42.0 * self.series.len() as f64) / letters);
        for series in &self.series {
            series.marker.draw(canvas, (x, y), 5.0, series.hue, true);
            canvas.bold(series.name, (x + 12.0, y), size, Align::Left, series.hue);
            x += text_width(series.name, size) + 42.0;
        }
        if let Some(curve) = &self.curve {
            canvas.line(&[(x, y), (x + 26.0, y)], INK, 2);
            canvas.text(curve.name, (x + 34.0, y), size, Align::Left, INK);
        }
        let y = 95.0;
        Marker::Circle.draw(canvas, (22.0, y), 5.0, FAINT, false);
        canvas.text("hollow: predicted", (34.0, y), TEXT, Align::Left, FAINT);
        let measured = |spot: &Spot| spot.measured.value.is_finite();
        if !self.series.iter().flat_map(|series| &series.spots).any(measured) {
            return;
        }
        let x = 34.0 + text_width("hollow: predicted", TEXT) + 30.0;
        Marker::Circle.draw(canvas, (x, y), 5.0, FAINT, true);
        canvas.line(&[(x, y - 10.0), (x, y + 10.0)], FAINT, 1);
        canvas.text("filled: measured, with its interval", (x + 12.0, y), TEXT, Align::Left, FAINT);
    }
}

/// Both axes, and the lanes side by side that the series have at each rank.
struct Pen {
    rank_axis: Axis,
    value_axis: Axis,
    lanes: usize,
    apart: f64,
}

impl Pen {
    fn at(&self, rank: u32, lane: usize, value: f64) -> Point {
        let aside = lane as f64 - (self.lanes as f64 - 1.0) / 2.0;
        (self.rank_axis.at(f64::from(rank)) + aside * self.apart, self.value_axis.at(value))
    }
}

impl Curve {
    fn draw(&self, canvas: &Canvas, pen: &Pen) {
        let half = pen.apart * 0.48;
        let lanes = self.joined.map_or((0, pen.lanes.saturating_sub(1)), |(lane, _)| (lane, lane));
        for &(rank, value) in &self.points {
            let (from, to) = (pen.at(rank, lanes.0, value), pen.at(rank, lanes.1, value));
            canvas.line(&[(from.0 - half, from.1), (to.0 + half, to.1)], INK, 2);
        }
        if let Some((lane, root)) = self.joined {
            let others = self.points.iter().filter(|point| point.0 != root);
            let line: Vec<Point> = others.map(|&(rank, value)| pen.at(rank, lane, value)).collect();
            canvas.line(&line, INK, 1);
        }
    }
}

impl Series {
    fn draw(&self, canvas: &Canvas, pen: &Pen, lane: usize) {
        let half = pen.apart * 0.22;
        let size = if pen.apart < 15.0 { 3.0 } else { 5.0 };
        for spot in &self.spots {
            let sides = [(spot.predicted, false, -half), (spot.measured, true, half)];
            for (estimate, filled, aside) in sides.into_iter().filter(|(estimate, ..)| estimate.value.is_finite()) {
                let (x, y) = pen.at(spot.rank, lane, estimate.value);
                let x = x + aside;
                let (low, high) = (pen.value_axis.at(estimate.low), pen.value_axis.at(estimate.high));
                if low - high >= 2.0 {
                    canvas.line(&[(x, low), (x, high)], self.hue, 1);
                    [low, high].iter().for_each(|&end| canvas.line(&[(x - 3.0, end), (x + 3.0, end)], self.hue, 1));
                }
                self.marker.draw(canvas, (x, y), size, self.hue, filled);
            }
        }
    }
}

impl Marker {
    /// Draws itself at a point, `size` px from its middle to its edge.
    fn draw(self, canvas: &Canvas, (x, y): Point, size: f64, hue: RGBColor, filled: bool) {
        let outline = |corners: &[Point]| {
            canvas.polygon(corners, if filled { hue } else { WHITE });
            let around: Vec<Point> = corners.iter().chain(corners.first()).copied().collect();
            canvas.line(&around, hue, if size < 4.0 { 1 } else { 2 });
        };
        let (radius, side) = (size as u32, size * 0.75);
        match self {
            Marker::Circle if filled => canvas.circle((x, y), radius + 1, hue, true),
            Marker::Circle => {
                canvas.circle((x, y), radius, WHITE, true);
                canvas.circle((x, y), radius, hue, false);
            }
            Marker::Square => {
                outline(&[(x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)]);
            }
            Marker::Triangle => outline(&[(x, y - size * 1.1), (x + size, y + side), (x - size, y + side)]),
        }
    }
}

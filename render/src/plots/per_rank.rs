//! A plot with ranks along the horizontal axis: for each method a predicted and a measured marker.

use super::axis::Axis;
use super::canvas::{Align, Canvas, FAINT, INK, Point, picture, text_width};
use super::drawing::Drawing;
use super::layout::{EDGE, Words, flow, more_rows};
use super::paper::Paper;
use plotters::style::{RGBColor, WHITE};
use programs::machine::Estimate;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 468.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 140.0;
const BOTTOM: f64 = 58.0;
const TEXT: f64 = 15.0;
/// Smallest readable size of letters: texts that would need smaller ones are wrapped.
const LEAST: f64 = 11.0;
/// Distance from one line of the legend to the next.
const ENTRY: f64 = 23.0;

/// Shape of a series' markers, which distinguishes series beside their colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A circle around the point.
    Circle,
    /// A square with four corners.
    Square,
    /// A triangle with three corners.
    Triangle,
}

/// The two numbers of a rank.
pub struct Spot {
    /// Number of the rank.
    pub rank: u32,
    /// Predicted number, with its interval.
    pub predicted: Estimate,
    /// Measured number, with its interval.
    pub measured: Estimate,
}

/// The numbers of a method.
pub struct Series {
    /// Name in the legend.
    pub name: &'static str,
    /// Colour of its markers.
    pub hue: RGBColor,
    /// Shape of its markers.
    pub marker: Marker,
    /// Numbers of the method, by rank.
    pub spots: Vec<Spot>,
}

/// Levels that are known exactly.
pub struct Curve {
    /// Name in the legend.
    pub name: &'static str,
    /// Ranks and their levels.
    pub points: Vec<(u32, f64)>,
    /// The series that they belong to, by index, and the rank that does not lie on the line through the others (the
    /// root). `None`: they belong to all series, and no line joins them.
    pub joined: Option<(usize, u32)>,
}

/// A picture to be drawn.
pub struct Picture {
    /// Heading of the picture.
    pub title: &'static str,
    /// Line below the heading.
    pub subject: String,
    /// Quantity on the axis and its unit.
    pub axis_title: String,
    /// Methods, in the order of the legend.
    pub series: Vec<Series>,
    /// Exact levels beside the methods.
    pub curve: Option<Curve>,
    /// Value of a dashed reference line; `None` for no line.
    pub reference: Option<f64>,
}

impl Picture {
    /// Returns the picture, to be drawn.
    pub fn drawing(self) -> Drawing {
        Drawing::new(move |paper| self.render_per_rank(paper))
    }

    fn render_per_rank(&self, paper: &Paper) -> String {
        let width = paper.width_px(WIDTH);
        let values = self.values();
        let ranks = self.ranks();
        let rank_axis = Axis::linear(-0.5, f64::from(ranks) - 0.5, (LEFT, width - RIGHT), 1);
        let every = (ranks as usize).div_ceil(16).max(1);
        let rank_axis = rank_axis.with_ticks((0..ranks).step_by(every).map(|rank| (f64::from(rank), rank.to_string())));
        let title = Words::title(paper, self.title, width, 16.0);
        let room = width - 2.0 * EDGE;
        let fitting = (room / text_width(&self.subject, 1.0)).min(TEXT);
        let subject = Words::wrap(&self.subject, room, if fitting < LEAST { TEXT } else { fitting });
        let subject = if paper.title { subject } else { Words::wrap("", room, TEXT) };
        let legend = Legend::new(self, width);
        let head = title.more() + subject.more();
        let above = Axis::fitting(&values, (1.0, 0.0), 6).more_above(&self.axis_title, width, TEXT);
        let top = TOP + head + legend.more() + above;
        let bottom = top + HEIGHT - TOP - BOTTOM;
        let value_axis = Axis::fitting(&values, (bottom, top), 6);
        let pitch = (width - LEFT - RIGHT) / f64::from(ranks.max(1));
        let lanes = self.series.len();
        // Up to three lanes have room; more of them share the width of a rank.
        let apart = (pitch * 0.87 / lanes.max(3) as f64).min(30.0);
        let pen = Pen { lanes, apart, rank_axis, value_axis };
        picture(paper, (width, bottom + BOTTOM), &format!("{}: {}", self.title, self.subject), |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            subject.draw(canvas, (EDGE, 43.0 + title.more()), Align::Left, INK);
            legend.paint_legend(self, canvas, 72.0 + head);
            self.axes(canvas, &pen);
            if let Some(curve) = &self.curve {
                curve.paint_curve(canvas, &pen);
            }
            for (lane, series) in self.series.iter().enumerate() {
                series.paint_series(canvas, &pen, lane);
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

    /// Returns the legend's words on hollow and filled markers, for those that are drawn.
    fn fills(&self) -> Vec<(&'static str, bool)> {
        let any = |of: fn(&Spot) -> Estimate| {
            self.series.iter().flat_map(|series| &series.spots).any(|spot| of(spot).value.is_finite())
        };
        let fills = [(HOLLOW, false, any(|spot| spot.predicted)), (FILLED, true, any(|spot| spot.measured))];
        fills.into_iter().filter(|(.., any)| *any).map(|(words, filled, _)| (words, filled)).collect()
    }
}

/// Layout of the legend's two parts, names of methods and the meaning of filled markers, each on as many lines as it
/// needs.
struct Legend {
    /// Size of the names' letters, in px.
    size: f64,
    names: Vec<(f64, usize)>,
    fills: Vec<(f64, usize)>,
}

const HOLLOW: &str = "hollow: predicted";
const FILLED: &str = "filled: measured, with its interval";

impl Legend {
    fn new(picture: &Picture, width: f64) -> Legend {
        // Many methods make the letters smaller, so that all names fit on the line.
        let names =
            || picture.series.iter().map(|series| series.name).chain(picture.curve.as_ref().map(|curve| curve.name));
        let letters: f64 = names().map(|name| text_width(name, 1.0)).sum();
        let size = TEXT.min((width - 70.0 - 42.0 * picture.series.len() as f64) / letters);
        let size = if size < LEAST { TEXT } else { size };
        let fills = picture.fills().into_iter().map(|(words, _)| text_width(words, TEXT) + 42.0);
        Legend {
            size,
            names: flow(names().map(|name| text_width(name, size) + 42.0), width - 22.0),
            fills: flow(fills, width - 22.0),
        }
    }

    /// Returns the height beyond two lines.
    fn more(&self) -> f64 {
        more_rows(&self.names, ENTRY) + more_rows(&self.fills, ENTRY)
    }

    fn paint_legend(&self, picture: &Picture, canvas: &Canvas, top: f64) {
        let at = |(x, row): (f64, usize), top: f64| (22.0 + x, top + row as f64 * ENTRY);
        for (series, place) in picture.series.iter().zip(&self.names) {
            let (x, y) = at(*place, top);
            series.marker.paint_marker(canvas, (x, y), 5.0, series.hue, true);
            canvas.bold(series.name, (x + 12.0, y), self.size, Align::Left, series.hue);
        }
        if let (Some(curve), Some(place)) = (&picture.curve, self.names.last()) {
            let (x, y) = at(*place, top);
            canvas.line(&[(x, y), (x + 26.0, y)], INK, 2);
            canvas.text(curve.name, (x + 34.0, y), self.size, Align::Left, INK);
        }
        for (place, (words, filled)) in self.fills.iter().zip(picture.fills()) {
            let (x, y) = at(*place, top + ENTRY + more_rows(&self.names, ENTRY));
            Marker::Circle.paint_marker(canvas, (x, y), 5.0, FAINT, filled);
            if filled {
                canvas.line(&[(x, y - 10.0), (x, y + 10.0)], FAINT, 1);
            }
            canvas.text(words, (x + 12.0, y), TEXT, Align::Left, FAINT);
        }
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
    fn paint_curve(&self, canvas: &Canvas, pen: &Pen) {
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
    fn paint_series(&self, canvas: &Canvas, pen: &Pen, lane: usize) {
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
                self.marker.paint_marker(canvas, (x, y), size, self.hue, filled);
            }
        }
    }
}

impl Marker {
    /// Draws the marker at a point, `size` px from its middle to its edge.
    fn paint_marker(self, canvas: &Canvas, (x, y): Point, size: f64, hue: RGBColor, filled: bool) {
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

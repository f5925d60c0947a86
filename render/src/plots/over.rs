//! A plot of ratios over a number that grows by factors: ranks, or calls per loop. Each line has its name at its end,
//! or below the field in narrow pictures.

use super::axis::Axis;
use super::canvas::{Align, Canvas, HUES, INK, picture, text_width};
use super::drawing::Drawing;
use super::layout::{EDGE, Room, Words, flow, more_rows};
use super::paper::Paper;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 56.0;
const TEXT: f64 = 14.0;
/// Distance from one entry of a legend below the field to the next.
const ENTRY: f64 = 22.0;
const TITLE: f64 = 16.0;

/// A line of the plot.
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Places and values, in order.
    pub points: Vec<(f64, f64)>,
}

/// The lines of the plot.
pub struct Over {
    /// Heading of the picture.
    pub title: String,
    /// Title of the horizontal axis.
    pub places: String,
    /// Title of the vertical axis.
    pub values: String,
    /// Lines of the plot, in the order of the legend.
    pub lines: Vec<Line>,
}

impl Over {
    /// Returns the picture, to be drawn.
    pub fn drawing(self) -> Drawing {
        Drawing::new(move |paper| self.render_over(paper))
    }

    fn render_over(&self, paper: &Paper) -> String {
        let widths = || self.lines.iter().map(|line| text_width(&line.name, TEXT));
        let names = widths().fold(60.0, f64::max) + 34.0;
        let room = Room::new(paper, LEFT, WIDTH - LEFT - names, names);
        let (width, right) = (room.width, room.right);
        let title = Words::title(paper, &self.title, width, TITLE);
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let (low, high) = all().fold((f64::INFINITY, 1.0f64), |(low, high), (x, _)| (low.min(*x), high.max(*x)));
        let mut marks: Vec<f64> = all().map(|(x, _)| *x).collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        let places = Axis::log(low, high, (LEFT, right)).with_ticks(marks.iter().map(|x| (*x, x.to_string())));
        let values: Vec<f64> = all().map(|(_, y)| *y).chain([1.0]).collect();
        let above = Axis::fitting(&values, (1.0, 0.0), 6).more_above(&self.values, width, TEXT);
        let top = 66.0 + title.more() + above;
        let bottom = HEIGHT - BOTTOM + title.more() + above;
        let values = Axis::fitting(&values, (bottom, top), 6);
        let margin = BOTTOM + places.more_below(&self.places, width, TEXT);
        let below = if room.beside { Vec::new() } else { flow(widths().map(|name| name + 44.0), width - EDGE) };
        let legend = if room.beside { 0.0 } else { ENTRY + more_rows(&below, ENTRY) };
        picture(paper, (width, bottom + margin + legend), &self.title, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            values.draw_up(canvas, (LEFT, right), &self.values, TEXT);
            places.draw_across(canvas, bottom, &self.places, TEXT);
            self.curves(canvas, (&places, &values), room.beside.then_some(right));
            for ((nth, line), (x, row)) in self.lines.iter().enumerate().zip(below) {
                let (x, y) = (EDGE + 8.0 + x, bottom + margin + 8.0 + row as f64 * ENTRY);
                canvas.circle((x, y), 4, HUES[nth % HUES.len()], nth < HUES.len());
                canvas.text(&line.name, (x + 10.0, y), TEXT, Align::Left, HUES[nth % HUES.len()]);
            }
        })
    }

    /// Draws all lines, with names at their ends beside the position `names` if it is given.
    fn curves(&self, canvas: &Canvas, (places, values): (&Axis, &Axis), names: Option<f64>) {
        let mut taken: Vec<f64> = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let hue = HUES[index % HUES.len()];
            let points: Vec<_> = line.points.iter().map(|(x, y)| (places.at(*x), values.at(*y))).collect();
            canvas.line(&points, hue, 2);
            points.iter().for_each(|point| canvas.circle(*point, 4, hue, index < HUES.len()));
            let (Some(right), Some(&(x, mut y))) = (names, points.last()) else { continue };
            while taken.iter().any(|other| (other - y).abs() < TEXT + 2.0) {
                y += 3.0;
            }
            taken.push(y);
            canvas.text(&line.name, (x.max(right - 4.0) + 14.0, y), TEXT, Align::Left, hue);
        }
    }
}

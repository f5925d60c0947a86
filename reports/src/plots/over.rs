//! A plot of ratios over a number that grows by factors: ranks, or calls per loop. Each line has its name at its end.

use super::axis::Axis;
use super::canvas::{Align, FAINT, GRID, HUES, INK, lines, picture, text_width};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 56.0;
const TEXT: f64 = 14.0;
const TITLE: f64 = 16.0;

/// One line.
pub(crate) struct Line {
    pub name: String,
    /// Places and values, in order.
    pub points: Vec<(f64, f64)>,
}

/// All lines.
pub(crate) struct Over {
    pub title: String,
    pub places: String,
    pub values: String,
    pub lines: Vec<Line>,
}

impl Over {
    /// The picture as SVG.
    pub(crate) fn draw(&self) -> String {
        let title = lines(&self.title, WIDTH - 28.0, TITLE);
        let top = 44.0 + title.len() as f64 * 22.0;
        let names = self.lines.iter().map(|line| text_width(&line.name, TEXT)).fold(60.0, f64::max);
        let right = WIDTH - names - 34.0;
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let (low, high) = all().fold((f64::INFINITY, 1.0f64), |(low, high), (x, _)| (low.min(*x), high.max(*x)));
        let mut marks: Vec<f64> = all().map(|(x, _)| *x).collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        let places = Axis::log(low, high, (LEFT, right)).with_ticks(marks.iter().map(|x| (*x, x.to_string())));
        let values: Vec<f64> = all().map(|(_, y)| *y).chain([1.0]).collect();
        let values = Axis::fitting(&values, (HEIGHT - BOTTOM, top), 6);
        picture((WIDTH as u32, HEIGHT as u32), &self.title, |canvas| {
            for (index, line) in title.iter().enumerate() {
                canvas.bold(line, (14.0, 20.0 + index as f64 * 22.0), TITLE, Align::Left, INK);
            }
            let scale = if values.is_log() { " (logarithmic)" } else { "" };
            canvas.text(&format!("{}{scale}", self.values), (14.0, top - 20.0), TEXT, Align::Left, FAINT);
            for (value, label) in values.ticks() {
                canvas.line(&[(LEFT, values.at(*value)), (right, values.at(*value))], GRID, 1);
                canvas.text(label, (LEFT - 8.0, values.at(*value)), TEXT, Align::Right, FAINT);
            }
            let bottom = HEIGHT - BOTTOM;
            canvas.line(&[(LEFT, bottom), (right, bottom)], FAINT, 1);
            // Marks that are too near to the one before have no number.
            let mut last = f64::NEG_INFINITY;
            for (value, label) in places.ticks() {
                let x = places.at(*value);
                if x - last > text_width(label, TEXT) + 8.0 {
                    canvas.text(label, (x, bottom + 16.0), TEXT, Align::Centre, FAINT);
                    last = x;
                }
            }
            canvas.text(&format!("{} (logarithmic)", self.places), (LEFT, bottom + 38.0), TEXT, Align::Left, FAINT);
            let mut taken: Vec<f64> = Vec::new();
            for (index, line) in self.lines.iter().enumerate() {
                let hue = HUES[index % HUES.len()];
                let points: Vec<_> = line.points.iter().map(|(x, y)| (places.at(*x), values.at(*y))).collect();
                canvas.line(&points, hue, 2);
                points.iter().for_each(|point| canvas.circle(*point, 4, hue, index < HUES.len()));
                let Some(&(x, mut y)) = points.last() else { continue };
                while taken.iter().any(|other| (other - y).abs() < TEXT + 2.0) {
                    y += 3.0;
                }
                taken.push(y);
                canvas.text(&line.name, (x.max(right - 4.0) + 14.0, y), TEXT, Align::Left, hue);
            }
        })
    }
}

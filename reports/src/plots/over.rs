//! A plot of ratios over a number that grows by factors: ranks, or calls per loop. Each line has its name at its end.

use super::axis::Axis;
use super::canvas::{Align, HUES, INK, lines, picture, text_width};

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
            values.draw_up(canvas, (LEFT, right), &self.values, TEXT);
            places.draw_across(canvas, HEIGHT - BOTTOM, &self.places, TEXT);
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

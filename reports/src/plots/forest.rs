//! A plot with a line for each number: its name, a dot, its interval, and how it is printed.

use super::axis::Axis;
use super::canvas::{Align, FAINT, INK, lines, picture, text_width};
use super::numbers::significant;
use models::machine::Estimate;
use plotters::style::RGBColor;

const WIDTH: f64 = 760.0;
const LINE: f64 = 24.0;
const TEXT: f64 = 14.0;
const TITLE: f64 = 16.0;
const RIGHT: f64 = 84.0;

/// One number.
pub(crate) struct Row {
    /// What it is.
    pub name: String,
    /// Where those that belong together begin: a heading above it.
    pub group: Option<String>,
    pub value: Estimate,
    pub hue: RGBColor,
}

/// All of them.
pub(crate) struct Forest {
    pub title: String,
    pub axis_title: String,
    pub rows: Vec<Row>,
    /// A dashed line at this value.
    pub reference: Option<f64>,
}

impl Forest {
    /// The picture as SVG.
    pub(crate) fn draw(&self) -> String {
        let title = lines(&self.title, WIDTH - 28.0, TITLE);
        let top = 16.0 + title.len() as f64 * 22.0;
        let groups = self.rows.iter().filter(|row| row.group.is_some()).count();
        let bottom = top + (self.rows.len() + groups) as f64 * LINE + 8.0;
        let left = self.rows.iter().map(|row| text_width(&row.name, TEXT)).fold(80.0, f64::max).min(300.0) + 30.0;
        let values: Vec<f64> =
            self.rows.iter().flat_map(|row| [row.value.value, row.value.low, row.value.high]).collect();
        let values: Vec<f64> = values.into_iter().chain(self.reference).collect();
        let axis = Axis::fitting(&values, (left, WIDTH - RIGHT), 8);
        picture((WIDTH as u32, (bottom + 52.0) as u32), &self.title, |canvas| {
            for (index, line) in title.iter().enumerate() {
                canvas.bold(line, (14.0, 20.0 + index as f64 * 22.0), TITLE, Align::Left, INK);
            }
            axis.draw_down(canvas, (top, bottom), TEXT);
            canvas.text(&axis.titled(&self.axis_title), (left, bottom + 36.0), TEXT, Align::Left, FAINT);
            if let Some(reference) = self.reference {
                let (x, mut y) = (axis.at(reference), top);
                while y < bottom {
                    canvas.line(&[(x, y), (x, (y + 6.0).min(bottom))], FAINT, 1);
                    y += 10.0;
                }
            }
            let mut y = top + LINE / 2.0;
            for row in &self.rows {
                if let Some(group) = &row.group {
                    canvas.bold(group, (14.0, y), TEXT, Align::Left, INK);
                    y += LINE;
                }
                canvas.text(&row.name, (24.0, y), TEXT, Align::Left, INK);
                if row.value.value.is_finite() {
                    let ends =
                        [row.value.low, row.value.high].map(|end| if end.is_finite() { end } else { row.value.value });
                    canvas.line(&[(axis.at(ends[0]), y), (axis.at(ends[1]), y)], row.hue, 2);
                    canvas.circle((axis.at(row.value.value), y), 5, row.hue, true);
                }
                canvas.text(&significant(row.value.value), (WIDTH - 14.0, y), TEXT, Align::Right, INK);
                y += LINE;
            }
        })
    }
}

//! A plot with a line for each number: its name, a dot, its interval, and the printed value.

use super::axis::{Axis, wanted};
use super::canvas::{Align, Canvas, FAINT, INK, picture, text_width};
use super::drawing::Drawing;
use super::layout::{EDGE, Words};
use super::numbers::significant;
use super::paper::Paper;
use plotters::style::RGBColor;
use programs::machine::Estimate;

/// Usual width, in px.
pub const WIDTH: f64 = 760.0;
const LINE: f64 = 24.0;
const TEXT: f64 = 14.0;
const TITLE: f64 = 16.0;
const RIGHT: f64 = 84.0;
/// Smallest width of a field beside its names, in px; in narrower ones each name stands above its number.
const LEAST: f64 = 170.0;
/// Height of the line of a name above its number.
const NAME: f64 = 20.0;

/// A number with its name and mark.
pub struct ForestRow {
    /// Name of the number.
    pub name: String,
    /// Heading above the row, where a group begins; `None` within a group.
    pub group: Option<String>,
    /// Value of the number and its interval.
    pub value: Estimate,
    /// Colour of its mark.
    pub hue: RGBColor,
}

/// The numbers of a forest plot.
pub struct Forest {
    /// Width in px, where the paper sets none.
    pub width: f64,
    /// Heading of the picture.
    pub title: String,
    /// Quantity on the axis and its unit.
    pub axis_title: String,
    /// Numbers of the plot, from the top.
    pub rows: Vec<ForestRow>,
    /// Value of a dashed reference line; `None` for no line.
    pub reference: Option<f64>,
}

impl Forest {
    /// Returns the picture, to be drawn.
    pub fn drawing(self) -> Drawing {
        Drawing::new(move |paper| self.render_forest(paper))
    }

    fn render_forest(&self, paper: &Paper) -> String {
        let width = paper.width_px(self.width);
        let title = Words::title(paper, &self.title, width, TITLE);
        let top = 38.0 + title.more();
        let names = self.rows.iter().map(|row| text_width(&row.name, TEXT)).fold(80.0, f64::max) + 30.0;
        let above = width - RIGHT - names < LEAST;
        let left = if above { 30.0 } else { names };
        let line = if above { LINE + NAME } else { LINE };
        let groups = self.rows.iter().filter(|row| row.group.is_some()).count();
        let bottom = top + self.rows.len() as f64 * line + groups as f64 * LINE + 8.0;
        let values: Vec<f64> =
            self.rows.iter().flat_map(|row| [row.value.value, row.value.low, row.value.high]).collect();
        let values: Vec<f64> = values.into_iter().chain(self.reference).collect();
        let axis = Axis::fitting(&values, (left, width - RIGHT), wanted(width - RIGHT - left, 8));
        let below = Words::wrap(&axis.titled(&self.axis_title), width - left - EDGE, TEXT);
        picture(paper, (width, bottom + 52.0 + below.more()), &self.title, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            axis.draw_down(canvas, (top, bottom), TEXT);
            below.draw(canvas, (left, bottom + 36.0), Align::Left, FAINT);
            if let Some(reference) = self.reference {
                dashed(canvas, axis.at(reference), (top, bottom));
            }
            let mut y = top + LINE / 2.0;
            for row in &self.rows {
                if let Some(group) = &row.group {
                    canvas.bold(group, (EDGE, y), TEXT, Align::Left, INK);
                    y += LINE;
                }
                canvas.text(&row.name, (24.0, y), TEXT, Align::Left, INK);
                y += line - LINE;
                row.mark(canvas, &axis, y);
                canvas.text(&significant(row.value.value), (width - EDGE, y), TEXT, Align::Right, INK);
                y += LINE;
            }
        })
    }
}

impl ForestRow {
    /// Draws the number's dot and its interval.
    fn mark(&self, canvas: &Canvas, axis: &Axis, y: f64) {
        let Estimate { value, low, high } = self.value;
        if value.is_finite() {
            let ends = [low, high].map(|end| if end.is_finite() { end } else { value });
            canvas.line(&[(axis.at(ends[0]), y), (axis.at(ends[1]), y)], self.hue, 2);
            canvas.circle((axis.at(value), y), 5, self.hue, true);
        }
    }
}

fn dashed(canvas: &Canvas, x: f64, (top, bottom): (f64, f64)) {
    let mut y = top;
    while y < bottom {
        canvas.line(&[(x, y), (x, (y + 6.0).min(bottom))], FAINT, 1);
        y += 10.0;
    }
}

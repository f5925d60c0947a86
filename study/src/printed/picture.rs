//! Published numbers as a picture: printed numbers, predicted printed numbers, and true times with their ranges.

use super::AgreementRow;
use plotters::style::RGBColor;
use programs::machine::Estimate;
use render::groups::grouped;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, FAINT, HUES, INK, picture, text_width, tint};
use render::plots::layout::{EDGE, Words};
use render::plots::numbers::{bytes, significant};
use render::plots::{Drawing, Paper};
use std::path::Path;

const WIDTH: f64 = 820.0;
const LINE: f64 = 24.0;
const TEXT: f64 = 14.0;
const TITLE: f64 = 16.0;
/// Room at the right end of each line for the printed number, in px.
const RIGHT: f64 = 72.0;
const PRINTED: RGBColor = HUES[1];
const PREDICTED: RGBColor = HUES[0];
const TRUE: RGBColor = HUES[2];
/// Half the height of a bar, in px.
const BAR: f64 = 7.0;

/// Draws all rows, in their order and by job and barrier, and writes the picture as the file's ending asks.
///
/// # Errors
/// Fails where the ending names no picture, or the system cannot write the file.
pub fn write_chart(rows: &[AgreementRow], path: &Path) -> Result<(), String> {
    drawing(rows).write(path, &Paper::default())
}

/// Returns the picture of all rows.
fn drawing(rows: &[AgreementRow]) -> Drawing {
    let rows = rows.to_vec();
    Drawing::new(move |paper| Picture::from_rows(&rows).render_chart(paper))
}

/// Rows of one job with one barrier.
struct Group<'a> {
    name: String,
    rows: Vec<&'a AgreementRow>,
}

struct Picture<'a> {
    title: String,
    groups: Vec<Group<'a>>,
    /// Whether rows differ in operation or length.
    several: bool,
}

impl<'a> Picture<'a> {
    fn from_rows(rows: &'a [AgreementRow]) -> Picture<'a> {
        let several = rows.windows(2).any(|pair| call(&pair[0]) != call(&pair[1]));
        let of_one = rows.first().filter(|_| !several).map_or_else(String::new, |row| format!(": {}", call(row)));
        let by = rows.iter().map(|row| ((&row.system, &row.job, row.ranks, &row.barrier), row));
        let groups = grouped(by).into_iter().map(|((system, job, ranks, barrier), rows)| Group {
            name: format!("{barrier} barrier, {ranks} ranks ({system}, {job})"),
            rows,
        });
        let title = format!("Printed, predicted to be printed, and true{of_one}");
        Picture { title, groups: groups.collect(), several }
    }

    fn rows(&self) -> impl Iterator<Item = &'a AgreementRow> {
        self.groups.iter().flat_map(|group| group.rows.iter().copied())
    }

    fn name(&self, row: &AgreementRow) -> String {
        match self.several {
            true => format!("{}, {}", row.published_algorithm, call(row)),
            false => row.published_algorithm.clone(),
        }
    }

    fn render_chart(&self, paper: &Paper) -> String {
        let width = paper.width_px(WIDTH);
        let title = Words::title(paper, &self.title, width, TITLE);
        let left = self.rows().map(|row| text_width(&self.name(row), TEXT)).fold(80.0, f64::max) + 34.0;
        let top = 72.0 + title.more();
        let lines = self.groups.len() + self.rows().count();
        let bottom = top + lines as f64 * LINE + 8.0;
        let values = self.rows().flat_map(|row| {
            let (predicted, truth) = (row.predicted_us, row.true_us);
            [row.printed_us, predicted.value, predicted.low, predicted.high, truth.low, truth.high]
        });
        let (low, high) = values
            .filter(|us| us.is_finite() && *us > 0.0)
            .fold((f64::INFINITY, 0.0f64), |(low, high), us| (low.min(us), high.max(us)));
        let axis = Axis::log(if low.is_finite() { low } else { 1.0 }, high.max(1.0), (left, width - RIGHT));
        let below = Words::wrap("time, µs; at the right what was printed", width - left - EDGE, TEXT);
        picture(paper, (width, bottom + 52.0 + below.more()), &self.title, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            legend(canvas, 48.0 + title.more());
            axis.draw_down(canvas, (top, bottom), TEXT);
            below.draw(canvas, (left, bottom + 36.0), Align::Left, FAINT);
            let mut y = top + LINE / 2.0;
            for group in &self.groups {
                canvas.bold(&group.name, (EDGE, y), TEXT, Align::Left, INK);
                for row in &group.rows {
                    y += LINE;
                    canvas.text(&self.name(row), (24.0, y), TEXT, Align::Left, INK);
                    marks(canvas, &axis, row, y);
                    canvas.text(&significant(row.printed_us), (width - EDGE, y), TEXT, Align::Right, PRINTED);
                }
                y += LINE;
            }
        })
    }
}

fn call(row: &AgreementRow) -> String {
    format!("{} of {}", row.operation.name(), bytes(row.bytes))
}

/// Draws the legend of the three marks.
fn legend(canvas: &Canvas, y: f64) {
    let x = EDGE + 10.0;
    canvas.circle((x, y), 6, PRINTED, false);
    canvas.text("printed", (x + 14.0, y), TEXT, Align::Left, INK);
    canvas.circle((x + 110.0, y), 3, PREDICTED, true);
    canvas.line(&[(x + 98.0, y), (x + 122.0, y)], PREDICTED, 2);
    canvas.text("predicted to be printed", (x + 132.0, y), TEXT, Align::Left, INK);
    bar(canvas, [x + 330.0, x + 348.0, x + 366.0], y);
    canvas.text("true, as inferred, with its range", (x + 378.0, y), TEXT, Align::Left, INK);
}

/// Draws the marks of a row: a ring around a dot where the prediction is right, whose range is a line, and the true
/// time with its range.
fn marks(canvas: &Canvas, axis: &Axis, row: &AgreementRow, y: f64) {
    let truth = row.true_us;
    if truth.low > 0.0 && truth.high.is_finite() {
        bar(canvas, [truth.low, truth.value, truth.high].map(|us| axis.at(us)), y);
    }
    let Estimate { value, low, high } = row.predicted_us;
    if low > 0.0 && high.is_finite() {
        canvas.line(&[(axis.at(low), y), (axis.at(high), y)], PREDICTED, 2);
    }
    for (us, radius, hue, filled) in [(row.printed_us, 6, PRINTED, false), (value, 3, PREDICTED, true)] {
        if us.is_finite() && us > 0.0 {
            canvas.circle((axis.at(us), y), radius, hue, filled);
        }
    }
}

/// Draws a bar from the lower end to the upper one, with a line at the value.
fn bar(canvas: &Canvas, [low, value, high]: [f64; 3], y: f64) {
    canvas.bar((low.min(value - 1.0), y - BAR), (high.max(value + 1.0), y + BAR), tint(TRUE, 0.35));
    canvas.line(&[(value, y - BAR), (value, y + BAR)], TRUE, 2);
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::Collective;

    fn row(barrier: &str, name: &str, [printed_us, predicted_us, value]: [f64; 3]) -> AgreementRow {
        AgreementRow {
            system: "alpha".to_owned(),
            job: "2025_04_04".to_owned(),
            ranks: 256,
            operation: Collective::Bcast,
            algorithm: name.to_owned(),
            published_algorithm: name.to_owned(),
            bytes: 32,
            barrier: barrier.to_owned(),
            barrier_grounds: "given".to_owned(),
            printed_us,
            predicted_us: Estimate::exactly(predicted_us),
            error: predicted_us / printed_us - 1.0,
            true_us: Estimate { value, low: 0.9 * value, high: 1.1 * value },
        }
    }

    #[test]
    fn each_job_and_barrier_has_its_heading_and_each_number_its_marks() {
        let rows =
            [row("tree", "binomial", [3.56, 3.7, 30.0]), row("recursive-doubling", "binomial", [64.0, 61.0, 33.0])];
        let svg = drawing(&rows).to_string();
        for text in ["tree barrier, 256 ranks", "recursive-doubling barrier, 256 ranks", "3.56", "bcast of 32 B"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 2 * (rows.len() + 1), "{svg}");
        let mut other = rows[1].clone();
        other.bytes = 2048;
        let svg = drawing(&[rows[0].clone(), other]).to_string();
        assert!(svg.contains("binomial, bcast of 2 KiB"), "{svg}");
    }

    #[test]
    fn no_rows_and_zeros_are_drawn_and_other_endings_are_refused() {
        assert!(drawing(&[]).to_string().contains("</svg>"));
        assert!(drawing(&[row("tree", "a", [0.0, f64::NAN, 0.0])]).to_string().contains("</svg>"));
        assert!(write_chart(&[], Path::new("a.jpeg")).is_err());
    }
}

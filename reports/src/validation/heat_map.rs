//! Errors of one model in one place as a picture: a line for each algorithm and number of ranks, a column for each length.

use super::{Place, Row, Validation};
use crate::page::Figure;
use crate::plots::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, lines, picture, text_width, tint};
use crate::plots::numbers::{bytes, percent};
use crate::table::{Csv, Heads};
use models::collective::Collective;
use plotters::style::{RGBColor, WHITE};
use std::collections::BTreeSet;

/// A cell.
const WIDE: f64 = 62.0;
const HIGH: f64 = 22.0;
/// From one collective to the next.
const SPACE: f64 = 30.0;
const TOP: f64 = 74.0;
const TEXT: f64 = 14.0;
const NOTE: f64 = 13.0;
const SCALE: f64 = 74.0;
/// Full colour: predicted and measured differ by this factor, or more.
const FULL: f64 = 4.0;
/// Above this share of full colour letters are white.
const DARK: f64 = 0.6;
/// Steps of the scale.
const STEPS: u32 = 48;

/// One line of the picture.
struct Lane<'a> {
    collective: Collective,
    label: String,
    cells: Vec<Option<&'a Row>>,
}

/// The picture of a place and a model with its numbers; none where the model predicted nothing there.
pub(super) fn figure(validation: &Validation, place: Place, model: &str) -> Option<Figure> {
    let rows: Vec<&Row> = validation.rows.iter().filter(|row| row.place() == place && row.model == model).collect();
    let name = format!("errors-{}-{model}", place.name());
    let title = format!("Errors of {model}, {}", place.title());
    (!rows.is_empty()).then(|| picture_of(&rows, name, &title))
}

/// The picture of these cases.
pub(super) fn picture_of(rows: &[&Row], name: String, title: &str) -> Figure {
    let lanes = lanes(rows);
    let caption = format!(
        "{title}: (predicted − measured) / measured for each algorithm (· ranks) and length. Blue: predicted too short; \
         orange: too long; full colour at a factor of {FULL}."
    );
    Figure::new(name, caption, draw(title, &lanes), csv(&lanes))
}

/// Every collective has the columns of its own lengths.
fn lanes<'a>(rows: &[&'a Row]) -> Vec<Lane<'a>> {
    let mut lanes: Vec<Lane> = Vec::new();
    for &row in rows {
        let label = format!("{} · {}", row.case.implementation.written(), row.case.ranks);
        let collective = row.case.collective;
        let of = rows.iter().filter(|row| row.case.collective == collective);
        let lengths: BTreeSet<u64> = of.map(|row| row.case.bytes).collect();
        let place = lengths.iter().position(|&bytes| bytes == row.case.bytes).unwrap_or_default();
        match lanes.iter_mut().find(|lane| lane.collective == collective && lane.label == label) {
            Some(lane) => lane.cells[place] = Some(row),
            None => {
                let mut cells = vec![None; lengths.len()];
                cells[place] = Some(row);
                lanes.push(Lane { collective, label, cells });
            }
        }
    }
    lanes
}

fn draw(title: &str, lanes: &[Lane]) -> String {
    let left = lanes.iter().map(|lane| text_width(&lane.label, TEXT)).fold(120.0, f64::max) + 24.0;
    let field = WIDE * lanes.iter().map(|lane| lane.cells.len()).max().unwrap_or(0) as f64;
    let width = (left + field + 20.0).max(text_width(title, 17.0) + 28.0).max(760.0);
    let notes = "Each cell: (predicted − measured) / measured. Algorithm · ranks at the left, length of a buffer or block above.";
    let notes = lines(notes, width - 28.0, NOTE);
    let top = TOP + notes.len() as f64 * 17.0 - 20.0;
    let groups: Vec<&[Lane]> = lanes.chunk_by(|a, b| a.collective == b.collective).collect();
    let height = top + groups.len() as f64 * SPACE + lanes.len() as f64 * HIGH + SCALE;
    picture((width as u32, height as u32), title, |canvas| {
        canvas.bold(title, (14.0, 20.0), 17.0, Align::Left, INK);
        for (nth, note) in notes.iter().enumerate() {
            canvas.text(note, (14.0, 42.0 + nth as f64 * 17.0), NOTE, Align::Left, FAINT);
        }
        let mut y = top;
        for group in groups {
            y = block(canvas, group, (left, y));
        }
        scale(canvas, (left, y + 24.0), field.clamp(180.0, 360.0));
    })
}

/// The lines of one collective under its name; where the next one begins.
fn block(canvas: &Canvas, lanes: &[Lane], (left, top): (f64, f64)) -> f64 {
    let middle = top + SPACE / 2.0 + 3.0;
    canvas.bold(lanes[0].collective.name(), (14.0, middle), TEXT, Align::Left, INK);
    for nth in 0..lanes[0].cells.len() {
        let length = lanes.iter().find_map(|lane| lane.cells[nth]).map_or(0, |row| row.case.bytes);
        let x = left + (nth as f64 + 0.5) * WIDE;
        canvas.text(&bytes(length), (x, middle), NOTE, Align::Centre, FAINT);
    }
    let mut y = top + SPACE;
    for lane in lanes {
        canvas.text(&lane.label, (left - 8.0, y + HIGH / 2.0), TEXT, Align::Right, INK);
        for (nth, cell) in lane.cells.iter().enumerate() {
            let (x, right) = (left + nth as f64 * WIDE, left + (nth as f64 + 1.0) * WIDE);
            let Some(row) = cell else { continue };
            let share = share(row.log_ratio());
            canvas.bar((x, y), (right, y + HIGH), shade(share));
            canvas.frame((x, y), (right, y + HIGH), GRID);
            let ink = if share.abs() > DARK { WHITE } else { INK };
            canvas.text(&percent(row.error), ((x + right) / 2.0, y + HIGH / 2.0), NOTE, Align::Centre, ink);
        }
        y += HIGH;
    }
    y
}

/// −1 … 1 for a logarithm of predicted over measured.
fn share(log_ratio: f64) -> f64 {
    (log_ratio / FULL.ln()).clamp(-1.0, 1.0)
}

fn shade(share: f64) -> RGBColor {
    if share < 0.0 { tint(HUES[0], -share) } else { tint(HUES[1], share) }
}

fn scale(canvas: &Canvas, (x, y): (f64, f64), width: f64) {
    let step = width / f64::from(STEPS);
    for nth in 0..STEPS {
        let share = (f64::from(nth) + 0.5) / f64::from(STEPS) * 2.0 - 1.0;
        let from = x + f64::from(nth) * step;
        canvas.bar((from, y), (from + step + 1.0, y + 14.0), shade(share));
    }
    canvas.frame((x, y), (x + width, y + 14.0), GRID);
    canvas.text("predicted ÷ measured", (x - 8.0, y + 7.0), NOTE, Align::Right, FAINT);
    for (words, share) in [("1/4", 0.0), ("1/2", 0.25), ("1", 0.5), ("2", 0.75), ("4", 1.0)] {
        canvas.text(words, (x + share * width, y + 28.0), NOTE, Align::Centre, FAINT);
    }
}

fn csv(lanes: &[Lane]) -> String {
    let row = |row: &&Row| {
        let case = &row.case;
        let case = (case.collective.to_string(), case.implementation.written(), case.ranks, case.bytes);
        (case, row.predicted_us.value, row.measured_us.value, row.error)
    };
    let rows = lanes.iter().flat_map(|lane| lane.cells.iter().flatten());
    let heads = Heads("collective,algorithm,ranks,bytes,predicted_us,measured_us,error");
    Csv::new(heads).rows(rows.map(row)).text()
}

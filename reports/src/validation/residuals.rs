//! Errors over message lengths as a picture: a line for each model through the middle of its algorithms, a dot for each of them,
//! and where the library changes its protocol.

use super::{Place, Row, Validation};
use crate::page::Figure;
use crate::plots::axis::Axis;
use crate::plots::canvas::{Align, Canvas, FAINT, HUES, INK, picture, text_width};
use crate::plots::numbers::bytes;
use crate::statistics::median;
use crate::table::{Csv, Heads};
use models::collective::Collective;
use models::machine::{Machine, ProtocolChange};

const LEFT: f64 = 64.0;
const FIELD: f64 = 620.0;
const LINES: f64 = 300.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 62.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Between the dots of neighbouring models, in px.
const BESIDE: f64 = 7.0;
/// Where a length of 0 is drawn on the logarithmic axis.
const ZERO: f64 = 0.5;

/// The picture of a collective on so many ranks; none for fewer than two lengths.
pub(super) fn figure(validation: &Validation, place: Place, collective: Collective, ranks: u32) -> Option<Figure> {
    let of = |row: &&Row| (row.place(), row.case.collective, row.case.ranks) == (place, collective, ranks);
    let rows: Vec<&Row> = validation.rows.iter().filter(of).collect();
    let mut lengths: Vec<u64> = rows.iter().map(|row| row.case.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let machine = rows.first().and_then(|row| validation.machine_of(&row.case));
    let title = format!("{collective}, {ranks} ranks, {}", place.title());
    (lengths.len() > 1).then(|| Figure::new(format!("residuals-{}-{}-{ranks}", place.name(), collective.name()), format!(
            "{title}: predicted over measured time; 1 is right. Each dot is an algorithm, each line goes through the middle of \
             a model's dots. Dotted lines: the library changes its protocol for single messages."
        ), draw(&title, &rows, &lengths, &validation.models, machine), csv(&rows)))
}

fn draw(title: &str, rows: &[&Row], lengths: &[u64], models: &[String], machine: Option<&Machine>) -> String {
    let known: Vec<&String> = models.iter().filter(|model| rows.iter().any(|row| row.model == **model)).collect();
    let legend = known.iter().map(|model| text_width(model, TEXT)).fold(60.0, f64::max) + 60.0;
    let size = ((LEFT + FIELD + legend) as u32, (TOP + LINES + BOTTOM) as u32);
    let (shortest, longest) = (lengths[0] as f64, lengths[lengths.len() - 1] as f64);
    let axis = Axis::log(shortest.max(ZERO), longest.max(1.0), (LEFT, LEFT + FIELD));
    let places = axis.with_ticks(ticks(lengths));
    let ratios: Vec<f64> = rows.iter().map(|row| row.log_ratio().exp()).collect();
    let low = ratios.iter().copied().fold(0.8, f64::min);
    let high = ratios.iter().copied().fold(1.25, f64::max);
    let values = Axis::log(low, high, (TOP + LINES, TOP));
    picture(size, &format!("{title}: predicted over measured"), |canvas| {
        canvas.bold(title, (14.0, 20.0), 17.0, Align::Left, INK);
        canvas.text("predicted ÷ measured (logarithmic)", (14.0, 44.0), NOTE, Align::Left, FAINT);
        axes(canvas, &places, &values);
        if let Some(machine) = machine {
            protocol(canvas, &places, &machine.protocol, (shortest, longest));
        }
        for (nth, model) in known.iter().enumerate() {
            series(canvas, (&places, &values), rows, model, (nth, known.len()));
            let y = TOP + 10.0 + nth as f64 * 24.0;
            let left = LEFT + FIELD + 14.0;
            let hue = HUES[nth % HUES.len()];
            canvas.line(&[(left, y), (left + 26.0, y)], hue, 3);
            canvas.text(model, (left + 34.0, y), TEXT, Align::Left, INK);
        }
    })
}

/// So many of the lengths that their labels have room.
fn ticks(lengths: &[u64]) -> Vec<(f64, String)> {
    let every = lengths.len().div_ceil(9);
    lengths.iter().step_by(every).map(|&length| ((length as f64).max(ZERO), bytes(length))).collect()
}

fn axes(canvas: &Canvas, places: &Axis, values: &Axis) {
    let (left, right) = places.pixels();
    values.draw_up(canvas, (left, right), "", TEXT);
    let right_value = values.at(1.0);
    canvas.line(&[(left, right_value), (right, right_value)], INK, 1);
    places.draw_across(canvas, TOP + LINES, "length of a buffer, or of a block", TEXT);
}

/// Dotted lines at protocol changes within the lengths.
fn protocol(canvas: &Canvas, places: &Axis, changes: &[ProtocolChange], (low, high): (f64, f64)) {
    for change in changes {
        let at = (change.last_bytes as f64).max(ZERO);
        if at < low || at > high {
            continue;
        }
        let x = places.at(at);
        for dot in 0..(LINES / 6.0) as u32 {
            let y = TOP + f64::from(dot) * 6.0;
            canvas.line(&[(x, y), (x, y + 2.0)], INK, 1);
        }
        let words = if change.waits { "S" } else { "protocol" };
        canvas.text(&format!("{words} {}", bytes(change.last_bytes)), (x, TOP - 12.0), NOTE, Align::Centre, INK);
    }
}

/// One model: its dots beside those of the others, and the line through their medians.
fn series(canvas: &Canvas, (places, values): (&Axis, &Axis), rows: &[&Row], model: &str, (nth, of): (usize, usize)) {
    let hue = HUES[nth % HUES.len()];
    let shift = (nth as f64 - (of as f64 - 1.0) / 2.0) * BESIDE;
    let x = |bytes: u64| places.at((bytes as f64).max(ZERO)) + shift;
    let mut rows: Vec<&&Row> = rows.iter().filter(|row| row.model == model).collect();
    rows.sort_by_key(|row| row.case.bytes);
    let mut line = Vec::new();
    for same in rows.chunk_by(|a, b| a.case.bytes == b.case.bytes) {
        let ratios: Vec<f64> = same.iter().map(|row| row.log_ratio().exp()).collect();
        for ratio in &ratios {
            canvas.circle((x(same[0].case.bytes), values.at(*ratio)), 3, hue, true);
        }
        line.extend(median(&ratios).map(|ratio| (x(same[0].case.bytes), values.at(ratio))));
    }
    canvas.line(&line, hue, 3);
}

fn csv(rows: &[&Row]) -> String {
    let row = |row: &&Row| {
        let case = (row.model.clone(), row.case.implementation.written(), row.case.bytes);
        (case, row.predicted_us.value, row.measured_us.value, row.log_ratio().exp())
    };
    let heads = Heads("model,algorithm,bytes,predicted_us,measured_us,ratio");
    Csv::new(heads).rows(rows.iter().map(row)).text()
}

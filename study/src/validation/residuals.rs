//! Picture of errors over message lengths: a dot for each algorithm, a line for each model through the middle of its
//! dots, and the changes of the library's protocol.

use super::numbers::of_picture;
use super::{Place, Validation, ValidationRow};
use models::collective::Collective;
use programs::machine::ProtocolChange;
use render::page::Figure;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, FAINT, HUES, INK, picture, text_width};
use render::plots::layout::{EDGE, Room, Words, flow, more_rows};
use render::plots::numbers::bytes;
use render::plots::{Drawing, Paper};
use statistics::median;

const LEFT: f64 = 64.0;
const FIELD: f64 = 620.0;
const LINES: f64 = 300.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 62.0;
const ACROSS: &str = "length of a buffer, or of a block";
/// Distance from one entry of the legend to the next, in px.
const ENTRY: f64 = 24.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Distance between the dots of neighbouring models, in px.
const BESIDE: f64 = 7.0;
/// Value at which a length of 0 is drawn on the logarithmic axis.
const ZERO: f64 = 0.5;

/// Returns the picture of a collective on a number of ranks; `None` for fewer than two lengths.
pub(super) fn figure(validation: &Validation, place: Place, collective: Collective, ranks: u32) -> Option<Figure> {
    let of = |row: &&ValidationRow| {
        (row.place(), row.case.subject.collective, row.case.place.ranks) == (place, collective, ranks)
    };
    let rows: Vec<&ValidationRow> = validation.rows.iter().filter(of).collect();
    let mut lengths: Vec<u64> = rows.iter().map(|row| row.case.subject.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let title = format!("{collective}, {ranks} ranks, {}", place.title());
    (lengths.len() > 1).then(|| {
        let machine = rows.first().and_then(|row| validation.machine_of(&row.case));
        let known = validation.models.iter().filter(|model| rows.iter().any(|row| row.model == **model));
        let picture = Picture {
            title: title.clone(),
            rows: rows.iter().map(|row| (*row).clone()).collect(),
            lengths,
            models: known.cloned().collect(),
            changes: machine.map(|machine| machine.protocol.clone()).unwrap_or_default(),
        };
        let caption = format!(
            "{title}: predicted over measured time; 1 is right. Each dot is an algorithm, each line goes through the middle of \
             a model's dots. Dotted lines: the library changes its protocol for single messages."
        );
        let name = format!("residuals-{}-{}-{ranks}", place.name(), collective.name());
        Figure::new(name, caption, Drawing::new(move |paper| picture.render_residuals(paper)), of_picture(rows))
    })
}

struct Picture {
    title: String,
    rows: Vec<ValidationRow>,
    /// Lengths in bytes: at least two, ascending.
    lengths: Vec<u64>,
    models: Vec<String>,
    changes: Vec<ProtocolChange>,
}

impl Picture {
    fn render_residuals(&self, paper: &Paper) -> String {
        let widths = || self.models.iter().map(|model| text_width(model, TEXT) + 60.0);
        let room = Room::new(paper, LEFT, FIELD, widths().fold(120.0, f64::max));
        let title = Words::title(paper, &self.title, room.width, 17.0);
        let top = TOP + title.more();
        let bottom = top + LINES;
        let ends = (self.lengths[0] as f64, self.lengths[self.lengths.len() - 1] as f64);
        let axis = Axis::log(ends.0.max(ZERO), ends.1.max(1.0), (LEFT, room.right));
        let places = axis.with_ticks(ticks(&self.lengths));
        let margin = BOTTOM + places.more_below(ACROSS, room.width, TEXT);
        let below = flow(widths(), room.width - EDGE);
        let legend = if room.beside { 0.0 } else { ENTRY + more_rows(&below, ENTRY) };
        let ratios: Vec<f64> = self.rows.iter().map(|row| row.log_ratio().exp()).collect();
        let low = ratios.iter().copied().fold(0.8, f64::min);
        let high = ratios.iter().copied().fold(1.25, f64::max);
        let values = Axis::log(low, high, (bottom, top));
        let label = format!("{}: predicted over measured", self.title);
        picture(paper, (room.width, bottom + margin + legend), &label, |canvas| {
            title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
            let words = "predicted ÷ measured (logarithmic)";
            canvas.text(words, (EDGE, 44.0 + title.more()), NOTE, Align::Left, FAINT);
            axes(canvas, &places, &values);
            protocol(canvas, (&places, &values), &self.changes, ends);
            for (nth, (model, (x, row))) in self.models.iter().zip(below).enumerate() {
                series(canvas, (&places, &values), &self.rows, model, (nth, self.models.len()));
                let (left, y) = if room.beside {
                    (room.right + 14.0, top + 10.0 + nth as f64 * ENTRY)
                } else {
                    (EDGE + x, bottom + margin + 8.0 + row as f64 * ENTRY)
                };
                canvas.line(&[(left, y), (left + 26.0, y)], HUES[nth % HUES.len()], 3);
                canvas.text(model, (left + 34.0, y), TEXT, Align::Left, INK);
            }
        })
    }
}

/// Returns ticks at every nth of the lengths, so that their labels have room.
fn ticks(lengths: &[u64]) -> Vec<(f64, String)> {
    let every = lengths.len().div_ceil(9);
    lengths.iter().step_by(every).map(|&length| ((length as f64).max(ZERO), bytes(length))).collect()
}

fn axes(canvas: &Canvas, places: &Axis, values: &Axis) {
    let (left, right) = places.pixels();
    values.draw_up(canvas, (left, right), "", TEXT);
    let right_value = values.at(1.0);
    canvas.line(&[(left, right_value), (right, right_value)], INK, 1);
    places.draw_across(canvas, values.pixels().0, ACROSS, TEXT);
}

/// Draws dotted lines at protocol changes within the lengths.
fn protocol(canvas: &Canvas, (places, values): (&Axis, &Axis), changes: &[ProtocolChange], (low, high): (f64, f64)) {
    let top = values.pixels().1;
    let mut last = f64::NEG_INFINITY;
    for change in changes {
        let at = (change.last_bytes as f64).max(ZERO);
        if at < low || at > high {
            continue;
        }
        let x = places.at(at);
        for dot in 0..(LINES / 6.0) as u32 {
            let y = top + f64::from(dot) * 6.0;
            canvas.line(&[(x, y), (x, y + 2.0)], INK, 1);
        }
        let words = if change.waits { "S" } else { "protocol" };
        let words = format!("{words} {}", bytes(change.last_bytes));
        let half = text_width(&words, NOTE) / 2.0;
        let x = x.min(canvas.width() - half - 2.0);
        // A name that has no room is said by its dotted line alone.
        if x - half > last {
            canvas.text(&words, (x, top - 12.0), NOTE, Align::Centre, INK);
            last = x + half;
        }
    }
}

/// Draws one model: its dots beside those of the others, and the line through their medians.
fn series(
    canvas: &Canvas,
    (places, values): (&Axis, &Axis),
    rows: &[ValidationRow],
    model: &str,
    (nth, of): (usize, usize),
) {
    let hue = HUES[nth % HUES.len()];
    let shift = (nth as f64 - (of as f64 - 1.0) / 2.0) * BESIDE;
    let x = |bytes: u64| places.at((bytes as f64).max(ZERO)) + shift;
    let mut rows: Vec<&ValidationRow> = rows.iter().filter(|row| row.model == model).collect();
    rows.sort_by_key(|row| row.case.subject.bytes);
    let mut line = Vec::new();
    for same in rows.chunk_by(|a, b| a.case.subject.bytes == b.case.subject.bytes) {
        let ratios: Vec<f64> = same.iter().map(|row| row.log_ratio().exp()).collect();
        for ratio in &ratios {
            canvas.circle((x(same[0].case.subject.bytes), values.at(*ratio)), 3, hue, true);
        }
        line.extend(median(&ratios).map(|ratio| (x(same[0].case.subject.bytes), values.at(ratio))));
    }
    canvas.line(&line, hue, 3);
}

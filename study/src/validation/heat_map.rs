//! Picture of one model's errors in one place: a line for each algorithm and number of ranks, a column for each length.

use super::numbers::of_picture;
use super::{Place, Validation, ValidationRow};
use models::collective::Collective;
use plotters::style::{RGBColor, WHITE};
use render::page::Figure;
use render::plots::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, picture, text_width, tint};
use render::plots::layout::{EDGE, Words};
use render::plots::numbers::{bytes, percent};
use render::plots::{Drawing, Paper};
use std::collections::BTreeSet;

/// Largest width of a cell, in px. Below `LEAST` names stand above their cells, and below `BARE` cells hold no numbers.
const WIDE: f64 = 62.0;
const LEAST: f64 = 52.0;
const BARE: f64 = 30.0;
const HIGH: f64 = 22.0;
const RIGHT: f64 = 20.0;
/// Distance from one collective to the next.
const SPACE: f64 = 30.0;
const TOP: f64 = 74.0;
const TEXT: f64 = 14.0;
const NOTE: f64 = 13.0;
const SCALE: f64 = 74.0;
/// Factor between predicted and measured from which colour is full.
const FULL: f64 = 4.0;
/// Share of full colour above which letters are white.
const DARK: f64 = 0.6;
/// Steps of the scale.
const STEPS: u32 = 48;

/// One line of the picture.
struct Lane {
    collective: Collective,
    label: String,
    cells: Vec<Option<ValidationRow>>,
}

/// Returns the picture of a place and a model with its numbers; `None` where the model predicted nothing there.
pub(super) fn figure(validation: &Validation, place: Place, model: &str) -> Option<Figure> {
    let rows: Vec<&ValidationRow> =
        validation.rows.iter().filter(|row| row.place() == place && row.model == model).collect();
    let name = format!("errors-{}-{model}", place.name());
    let title = format!("Errors of {model}, {}", place.title());
    (!rows.is_empty()).then(|| picture_of(&rows, name, &title))
}

/// Returns the picture of these cases.
pub(super) fn picture_of(rows: &[&ValidationRow], name: String, title: &str) -> Figure {
    let lanes = lanes(rows);
    let caption = format!(
        "{title}: (predicted − measured) / measured for each algorithm (· ranks) and length. Blue: predicted too short; \
         orange: too long; full colour at a factor of {FULL}."
    );
    let rows = lanes.iter().flat_map(|lane| lane.cells.iter().flatten());
    let (numbers, title) = (of_picture(rows), title.to_owned());
    Figure::new(name, caption, Drawing::new(move |paper| render_heat_map(paper, &title, &lanes)), numbers)
}

/// Returns the lines of all collectives, each with columns of its collective's own lengths.
fn lanes(rows: &[&ValidationRow]) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = Vec::new();
    for &row in rows {
        let label = format!("{} · {}", row.case.subject.implementation.written(), row.case.place.ranks);
        let collective = row.case.subject.collective;
        let of = rows.iter().filter(|row| row.case.subject.collective == collective);
        let lengths: BTreeSet<u64> = of.map(|row| row.case.subject.bytes).collect();
        let place = lengths.iter().position(|&bytes| bytes == row.case.subject.bytes).unwrap_or_default();
        match lanes.iter_mut().find(|lane| lane.collective == collective && lane.label == label) {
            Some(lane) => lane.cells[place] = Some(row.clone()),
            None => {
                let mut cells = vec![None; lengths.len()];
                cells[place] = Some(row.clone());
                lanes.push(Lane { collective, label, cells });
            }
        }
    }
    lanes
}

const NOTES: &str =
    "Each cell: (predicted − measured) / measured, of an algorithm · ranks and a length of a buffer or block.";

struct Grid {
    left: f64,
    /// Width of a cell.
    wide: f64,
    /// Height of a name that stands above its cells; none where it stands beside them.
    above: f64,
}

impl Grid {
    fn lay_out(paper: &Paper, lanes: &[Lane], title: &str) -> (f64, Grid) {
        let left = lanes.iter().map(|lane| text_width(&lane.label, TEXT)).fold(120.0, f64::max) + 24.0;
        let columns = lanes.iter().map(|lane| lane.cells.len()).max().unwrap_or(0).max(1) as f64;
        let natural = (left + WIDE * columns + RIGHT).max(text_width(title, 17.0) + 2.0 * EDGE).max(760.0);
        let width = paper.width_px(natural);
        let beside = ((width - left - RIGHT) / columns).min(WIDE);
        if beside >= LEAST {
            return (width, Grid { left, wide: beside, above: 0.0 });
        }
        (width, Grid { left: RIGHT, wide: ((width - 2.0 * RIGHT) / columns).min(WIDE), above: HIGH })
    }

    /// Returns the number of columns that a length's label takes.
    fn every(&self, lanes: &[Lane]) -> usize {
        let lengths =
            lanes.iter().flat_map(|lane| lane.cells.iter().flatten()).map(|row| bytes(row.case.subject.bytes));
        let widest = lengths.map(|length| text_width(&length, NOTE)).fold(0.0, f64::max);
        (widest / self.wide).ceil().max(1.0) as usize
    }

    /// Prints an error with as many characters as a cell has room for.
    fn error(&self, row: &ValidationRow) -> Option<String> {
        let words = percent(row.error);
        match self.wide {
            LEAST.. => Some(words),
            BARE.. => Some(words.trim_end_matches('%').trim_end().to_owned()),
            _ => None,
        }
    }
}

fn render_heat_map(paper: &Paper, title: &str, lanes: &[Lane]) -> String {
    let (width, grid) = Grid::lay_out(paper, lanes, title);
    let head = Words::title(paper, title, width, 17.0);
    let notes = Words::wrap(NOTES, width - 2.0 * EDGE, NOTE);
    let top = TOP - 3.0 + head.more() + notes.more();
    let groups: Vec<&[Lane]> = lanes.chunk_by(|a, b| a.collective == b.collective).collect();
    let height = top + groups.len() as f64 * (SPACE + grid.above) + lanes.len() as f64 * (HIGH + grid.above) + SCALE;
    picture(paper, (width, height), title, |canvas| {
        head.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        notes.draw(canvas, (EDGE, 42.0 + head.more()), Align::Left, FAINT);
        let mut y = top;
        for group in groups {
            y = block(canvas, group, &grid, y);
        }
        // Beside its words, and no further than the picture.
        let left = if grid.above > 0.0 { text_width(SCALED, NOTE) + RIGHT } else { grid.left };
        let columns = lanes.iter().map(|lane| lane.cells.len()).max().unwrap_or(0) as f64;
        scale(canvas, (left, y + 24.0), (columns * grid.wide).clamp(180.0, 360.0).min(width - left - RIGHT));
    })
}

/// Draws the lines of one collective under its name, and returns the place where the next one begins.
fn block(canvas: &Canvas, lanes: &[Lane], grid: &Grid, top: f64) -> f64 {
    let middle = top + SPACE / 2.0 + 3.0;
    let heading = lanes[0].collective.name();
    canvas.bold(heading, (EDGE, middle), TEXT, Align::Left, INK);
    // Lengths stand beside the heading, or below it where it has no room there.
    let lengths = middle + grid.above;
    for nth in (0..lanes[0].cells.len()).step_by(grid.every(lanes)) {
        let length = lanes.iter().find_map(|lane| lane.cells[nth].as_ref()).map_or(0, |row| row.case.subject.bytes);
        let x = grid.left + (nth as f64 + 0.5) * grid.wide;
        canvas.text(&bytes(length), (x, lengths), NOTE, Align::Centre, FAINT);
    }
    let mut y = top + SPACE + grid.above;
    for lane in lanes {
        if grid.above > 0.0 {
            canvas.text(&lane.label, (grid.left, y + HIGH / 2.0), TEXT, Align::Left, INK);
        } else {
            canvas.text(&lane.label, (grid.left - 8.0, y + HIGH / 2.0), TEXT, Align::Right, INK);
        }
        y += grid.above;
        for (nth, cell) in lane.cells.iter().enumerate() {
            let (x, right) = (grid.left + nth as f64 * grid.wide, grid.left + (nth as f64 + 1.0) * grid.wide);
            let Some(row) = cell else { continue };
            let share = share(row.log_ratio());
            canvas.bar((x, y), (right, y + HIGH), shade(share));
            canvas.frame((x, y), (right, y + HIGH), GRID);
            let ink = if share.abs() > DARK { WHITE } else { INK };
            if let Some(words) = grid.error(row) {
                canvas.text(&words, ((x + right) / 2.0, y + HIGH / 2.0), NOTE, Align::Centre, ink);
            }
        }
        y += HIGH;
    }
    y
}

/// Maps a logarithm of predicted over measured to −1 … 1.
fn share(log_ratio: f64) -> f64 {
    (log_ratio / FULL.ln()).clamp(-1.0, 1.0)
}

fn shade(share: f64) -> RGBColor {
    if share < 0.0 { tint(HUES[0], -share) } else { tint(HUES[1], share) }
}

const SCALED: &str = "predicted ÷ measured";

fn scale(canvas: &Canvas, (x, y): (f64, f64), width: f64) {
    let step = width / f64::from(STEPS);
    for nth in 0..STEPS {
        let share = (f64::from(nth) + 0.5) / f64::from(STEPS) * 2.0 - 1.0;
        let from = x + f64::from(nth) * step;
        canvas.bar((from, y), (from + step + 1.0, y + 14.0), shade(share));
    }
    canvas.frame((x, y), (x + width, y + 14.0), GRID);
    canvas.text(SCALED, (x - 8.0, y + 7.0), NOTE, Align::Right, FAINT);
    for (words, share) in [("1/4", 0.0), ("1/2", 0.25), ("1", 0.5), ("2", 0.75), ("4", 1.0)] {
        canvas.text(words, (x + share * width, y + 28.0), NOTE, Align::Centre, FAINT);
    }
}

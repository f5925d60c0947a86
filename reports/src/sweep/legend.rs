//! The legend of a sweep's curves: at the right of their field, or below it where the picture is narrow.

use super::curves::looks::Look;
use render::plots::canvas::{Align, Canvas, INK, short, text_width};
use render::plots::layout::{EDGE, flow, more_rows};

const TEXT: f64 = 15.0;
/// Distance from one entry to the next, in px.
pub(super) const ENTRY: f64 = 22.0;
/// Largest number of letters of a name.
const NAME: usize = 36;
/// Room left of a name for its curve's line, in px; below a field `BETWEEN` lies right of it, before the next entry.
const SAMPLE: f64 = 38.0;
const BETWEEN: f64 = 20.0;

/// Names of curves, each with its look.
pub(super) struct Legend<'a> {
    entries: Vec<(&'a str, Look)>,
}

impl<'a> Legend<'a> {
    /// Makes the legend of curves, each with the height of its right end in the picture's unit. Entries are in the
    /// order of these ends, so that lines and names are found from each other.
    pub(super) fn from_curves(curves: impl IntoIterator<Item = (&'a str, Look, f64)>) -> Legend<'a> {
        let mut curves: Vec<_> = curves.into_iter().collect();
        curves.sort_by(|a, b| b.2.total_cmp(&a.2));
        Legend { entries: curves.into_iter().map(|(name, look, _)| (name, look)).collect() }
    }

    /// Returns the height at the right of a field, in px.
    pub(super) fn height(&self) -> f64 {
        self.entries.len() as f64 * ENTRY
    }

    /// Returns the height below a field, in a picture of this width, both in px.
    pub(super) fn height_below(&self, width: f64) -> f64 {
        if self.entries.is_empty() { 0.0 } else { ENTRY + more_rows(&self.rows(width), ENTRY) }
    }

    fn rows(&self, width: f64) -> Vec<(f64, usize)> {
        flow(self.entries.iter().map(|(whole, _)| SAMPLE + name_width(whole) + BETWEEN), width - EDGE)
    }

    /// Draws the legend at the right of a field whose upper right corner this is.
    pub(super) fn draw_beside(&self, canvas: &Canvas, (right, top): (f64, f64)) {
        let places = (0..self.entries.len()).map(|row| (right + 12.0, top + 8.0 + row as f64 * ENTRY));
        self.paint_at(canvas, places);
    }

    /// Draws the legend below `top`, over the width of the picture.
    pub(super) fn draw_below(&self, canvas: &Canvas, top: f64) {
        let places = self.rows(canvas.width()).into_iter();
        self.paint_at(canvas, places.map(|(x, row)| (EDGE + x, top + 8.0 + row as f64 * ENTRY)));
    }

    fn paint_at(&self, canvas: &Canvas, places: impl Iterator<Item = (f64, f64)>) {
        for ((whole, look), (x, y)) in self.entries.iter().zip(places) {
            look.line(canvas, &[(x, y), (x + 30.0, y)]);
            look.mark(canvas, (x + 15.0, y));
            canvas.text(&name(whole), (x + SAMPLE, y), TEXT, Align::Left, INK);
        }
    }
}

/// Returns a curve's name as a legend has it.
pub(super) fn name(whole: &str) -> String {
    short(whole, NAME)
}

/// Returns the width of a name in a legend, in px.
pub(super) fn name_width(whole: &str) -> f64 {
    text_width(&name(whole), TEXT)
}

//! Layout of pictures of any width: texts on several lines, entries of a legend in several rows, a legend beside a
//! field or below it.

use super::canvas::{Align, Canvas, Point, lines};
use super::paper::Paper;
use plotters::style::RGBColor;

/// Factor by which bold letters are wider.
const BOLD: f64 = 1.1;
/// Margin at both sides of a picture's title.
pub const EDGE: f64 = 14.0;
/// Smallest width of a field beside its legend, in px; for narrower ones the legend goes below.
const LEAST_BESIDE: f64 = 340.0;
/// Margin to the right of a field that has nothing beside it.
const MARGIN: f64 = 24.0;

/// A text on as many lines as its width requires.
pub struct Words {
    lines: Vec<String>,
    size: f64,
    bold: bool,
}

impl Words {
    /// Wraps a text in letters of `size` px to a width of `width` px.
    pub fn wrap(text: &str, width: f64, size: f64) -> Words {
        let all = if text.is_empty() { Vec::new() } else { lines(text, width, size) };
        Words { lines: all, size, bold: false }
    }

    /// Wraps a text in bold letters.
    pub fn bold(text: &str, width: f64, size: f64) -> Words {
        Words { bold: true, ..Words::wrap(text, width / BOLD, size) }
    }

    /// Wraps a picture's title over its width; it has no line where the paper leaves titles out.
    pub fn title(paper: &Paper, text: &str, width: f64, size: f64) -> Words {
        Words::bold(if paper.title { text } else { "" }, width - 2.0 * EDGE, size)
    }

    /// Returns the distance from one line to the next.
    fn pitch(&self) -> f64 {
        (self.size * 1.35).round()
    }

    /// Returns the height beyond that of one line; negative for an empty text.
    pub fn more(&self) -> f64 {
        (self.lines.len() as f64 - 1.0) * self.pitch()
    }

    /// Draws the first line at a point and the others below it.
    pub fn draw(&self, canvas: &Canvas, (x, y): Point, align: Align, hue: RGBColor) {
        for (nth, line) in self.lines.iter().enumerate() {
            let at = (x, y + nth as f64 * self.pitch());
            if self.bold {
                canvas.bold(line, at, self.size, align, hue);
            } else {
                canvas.text(line, at, self.size, align, hue);
            }
        }
    }
}

/// Returns the places of successive things of these widths: from the left, and the row, where a row holds `room` px.
pub fn flow(widths: impl IntoIterator<Item = f64>, room: f64) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (0.0, 0);
    let place = |width: f64| {
        if x > 0.0 && x + width > room {
            (x, row) = (0.0, row + 1);
        }
        let at = (x, row);
        x += width;
        at
    };
    widths.into_iter().map(place).collect()
}

/// Returns the height of all rows but the first, `pitch` px each.
pub fn more_rows(places: &[(f64, usize)], pitch: f64) -> f64 {
    places.last().map_or(0.0, |(_, row)| *row as f64 * pitch)
}

/// Widths of a picture with a field and a legend.
pub struct Room {
    /// Width of the picture, in px.
    pub width: f64,
    /// Right end of the field, in px.
    pub right: f64,
    /// Whether the legend is at the right, and not below.
    pub beside: bool,
}

impl Room {
    /// Returns the room of a field that begins at `left` and takes `field` px by itself, with a legend of `legend` px.
    pub fn new(paper: &Paper, left: f64, field: f64, legend: f64) -> Room {
        let width = paper.width_px(left + field + legend);
        let beside = width - left - legend >= LEAST_BESIDE.min(field);
        let right = if beside { width - legend } else { width - MARGIN };
        Room { width, right, beside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_anew_where_there_is_no_room() {
        assert_eq!(flow([40.0, 50.0, 30.0, 200.0, 5.0], 100.0), [(0.0, 0), (40.0, 0), (0.0, 1), (0.0, 2), (0.0, 3)]);
        assert_eq!(more_rows(&flow([40.0, 50.0, 30.0], 100.0), 20.0), 20.0);
        assert_eq!(more_rows(&[], 20.0), 0.0);
    }

    #[test]
    fn a_title_has_the_lines_that_its_width_asks_for_or_none() {
        let (paper, title) = (Paper::default(), "a title of several words");
        assert_eq!(Words::title(&paper, title, 900.0, 16.0).more(), 0.0);
        assert_eq!(Words::title(&paper, title, 200.0, 16.0).more(), 22.0);
        assert_eq!(Words::title(&Paper { title: false, ..paper }, title, 200.0, 16.0).more(), -22.0);
    }

    #[test]
    fn a_legend_goes_below_where_the_field_would_be_narrow() {
        let room = Room::new(&Paper::default(), 90.0, 600.0, 200.0);
        assert_eq!((room.width, room.right, room.beside), (890.0, 690.0, true));
        let room = Room::new(&"width=84mm".parse().expect("a width"), 90.0, 600.0, 200.0);
        assert_eq!((room.width, room.right, room.beside), (417.0, 393.0, false));
    }
}

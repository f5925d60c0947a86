//! A white card in SVG with the few shapes that the pictures need, in pixels.

use super::paper::Paper;
use super::svg::{Drawn, LINE, Svg};
use crate::words::wrapped;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, WHITE};
use plotters_backend::DrawingBackend;
use std::cell::RefCell;

/// Ink of text and axes.
pub const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
/// Ink of elements in the background: grid lines, notes.
pub const FAINT: RGBColor = RGBColor(0x5c, 0x64, 0x6e);
/// Ink of the grid lines.
pub const GRID: RGBColor = RGBColor(0xdd, 0xe1, 0xe6);
/// Four hues that readers with any colour vision can distinguish (Okabe and Ito 2008, darkened for text).
pub const HUES: [RGBColor; 4] =
    [RGBColor(0x00, 0x5f, 0xa8), RGBColor(0xc2, 0x4e, 0x00), RGBColor(0x00, 0x80, 0x5c), RGBColor(0x9c, 0x4a, 0x86)];

/// Position of a text relative to its point.
#[derive(Clone, Copy)]
pub enum Align {
    /// The text begins at the point.
    Left,
    /// The text is centred at the point.
    Centre,
    /// The text ends at the point.
    Right,
}

/// A point in pixels from the upper left corner.
pub type Point = (f64, f64);

/// Largest width of a letter in any font, over its size.
const LETTER: f64 = 0.58;

/// The card on which a picture is drawn.
pub struct Canvas {
    svg: RefCell<Svg>,
    width: f64,
}

/// Draws a picture of this size in px, on this paper, and makes it a labelled image for screen readers.
pub fn picture(paper: &Paper, size: (f64, f64), label: &str, draw: impl FnOnce(&Canvas)) -> String {
    described(paper, size, label, &[], draw)
}

/// Draws a picture as [`picture`] does, with sentences on it that are not drawn: captions show them, and the file keeps
/// them.
pub fn described(
    paper: &Paper,
    (width, height): (f64, f64),
    label: &str,
    about: &[String],
    draw: impl FnOnce(&Canvas),
) -> String {
    let size = (width as u32, height as u32);
    let canvas = Canvas { svg: RefCell::new(Svg::new(size)), width: f64::from(size.0) };
    canvas.bar((0.0, 0.0), (f64::from(size.0), f64::from(size.1)), WHITE);
    draw(&canvas);
    canvas.svg.into_inner().labelled(paper, label, about)
}

fn px((x, y): Point) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

/// Returns a hue thinned with white; `share` of the hue stays.
pub fn tint(hue: RGBColor, share: f64) -> RGBColor {
    let mix = |part: u8| (255.0 - (255.0 - f64::from(part)) * share).round() as u8;
    RGBColor(mix(hue.0), mix(hue.1), mix(hue.2))
}

/// Returns the largest width of a text of this size in any font; pictures are laid out with it, as fonts differ.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

/// Returns the number of letters of this size that fit into a width.
pub fn fitting(width: f64, size: f64) -> usize {
    (width / (size * LETTER)) as usize
}

/// Shortens a name to at most this number of letters.
pub fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        name.to_owned()
    } else {
        name.chars().take(letters - 1).chain(['…']).collect()
    }
}

/// Cuts a text between words into lines that fit.
pub fn lines(text: &str, width: f64, size: f64) -> Vec<String> {
    wrapped(text, fitting(width, size), "")
}

impl Canvas {
    /// Draws a shape; drawing into memory cannot fail.
    fn draw_shape(&self, shape: impl FnOnce(&mut Svg) -> Drawn) {
        shape(&mut self.svg.borrow_mut()).expect("drawing into memory succeeds");
    }

    /// Returns the width of the picture, in px.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Draws a filled rectangle.
    pub fn bar(&self, from: Point, to: Point, fill: RGBColor) {
        self.draw_shape(|svg| svg.draw_rect(px(from), px(to), &fill, true));
    }

    /// Draws a hatched rectangle.
    pub fn hatch(&self, from: Point, to: Point, hue: RGBColor) {
        self.draw_shape(|svg| svg.hatch(px(from), px(to), &hue.mix(0.6)));
    }

    /// Draws the outline of a rectangle.
    pub fn frame(&self, from: Point, to: Point, hue: RGBColor) {
        self.draw_shape(|svg| svg.draw_rect(px(from), px(to), &hue, false));
    }

    /// Draws a line through points, `width` px wide.
    pub fn line(&self, points: &[Point], hue: RGBColor, width: u32) {
        self.draw_shape(|svg| svg.draw_path(points.iter().map(|&point| px(point)), &hue.stroke_width(width)));
    }

    /// Draws a see-through line.
    pub fn thin_line(&self, from: Point, to: Point, hue: RGBColor, opacity: f64) {
        self.draw_shape(|svg| svg.draw_line(px(from), px(to), &hue.mix(opacity)));
    }

    /// Draws a filled polygon.
    pub fn polygon(&self, corners: &[Point], fill: RGBColor) {
        self.draw_shape(|svg| svg.fill_polygon(corners.iter().map(|&corner| px(corner)), &fill));
    }

    /// Draws a circle, filled or as a ring.
    pub fn circle(&self, centre: Point, radius: u32, hue: RGBColor, filled: bool) {
        self.draw_shape(|svg| svg.draw_circle(px(centre), radius, &hue.stroke_width(2), filled));
    }

    /// Writes one line of text, vertically centred on its point; `size` in px.
    pub fn text(&self, text: &str, at: Point, size: f64, align: Align, hue: RGBColor) {
        self.write(text, at, size, align, hue, FontStyle::Normal);
    }

    /// Writes one line of text in bold, vertically centred on its point.
    pub fn bold(&self, text: &str, at: Point, size: f64, align: Align, hue: RGBColor) {
        self.write(text, at, size, align, hue, FontStyle::Bold);
    }

    fn write(&self, text: &str, at: Point, size: f64, align: Align, hue: RGBColor, style: FontStyle) {
        let horizontal = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let font = FontDesc::new(FontFamily::SansSerif, size * LINE, style);
        let style = font.color(&hue).pos(Pos::new(horizontal, VPos::Center));
        self.draw_shape(|svg| svg.draw_text(text, &style, px(at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_labelled_and_its_label_escaped() {
        let svg = picture(&Paper::default(), (10.0, 20.0), "a <b> & \"c\"", |_| ());
        assert!(
            svg.starts_with("<svg font-family=\"sans-serif\" width=\"10\" height=\"20\" viewBox=\"0 0 10 20\""),
            "{svg}"
        );
        assert!(svg.contains("role=\"img\" aria-label=\"a &lt;b&gt; &amp; &quot;c&quot;\""), "{svg}");
        assert!(svg.trim_end().ends_with("</svg>") && !svg.contains("<desc>"), "{svg}");
    }

    #[test]
    fn what_holds_of_a_picture_is_kept_in_it_and_not_drawn() {
        let about = ["L = 1 µs".to_owned(), "a < b".to_owned()];
        let svg = described(&Paper::default(), (10.0, 20.0), "a", &about, |_| ());
        assert!(svg.contains("<title>a</title>\n<desc>L = 1 µs. a &lt; b</desc>\n<path"), "{svg}");
    }

    #[test]
    fn a_tint_lies_between_white_and_its_hue() {
        assert_eq!(tint(RGBColor(0, 100, 255), 0.0), WHITE);
        assert_eq!(tint(RGBColor(0, 100, 255), 1.0), RGBColor(0, 100, 255));
    }
}

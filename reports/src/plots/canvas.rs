//! A white card in SVG with the few shapes that the pictures need, in pixels.

use super::{hatch, slim};
use crate::words::{escaped, wrapped};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Ink of text and axes.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
/// Ink of what must not shout: grid lines, notes.
pub(crate) const FAINT: RGBColor = RGBColor(0x5c, 0x64, 0x6e);
/// Grid lines.
pub(crate) const GRID: RGBColor = RGBColor(0xdd, 0xe1, 0xe6);
/// Four hues that people with any colour vision tell apart (Okabe and Ito 2008, darkened for text).
pub(crate) const HUES: [RGBColor; 4] =
    [RGBColor(0x00, 0x5f, 0xa8), RGBColor(0xc2, 0x4e, 0x00), RGBColor(0x00, 0x80, 0x5c), RGBColor(0x9c, 0x4a, 0x86)];

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    /// The text begins there.
    Left,
    /// It is centred there.
    Centre,
    /// It ends there.
    Right,
}

/// A point in pixels from the upper left corner.
pub(crate) type Point = (f64, f64);

/// How wide a letter may come out, over its size.
const LETTER: f64 = 0.58;

/// The card being drawn on.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Draws a picture of the given size and makes it a labelled image for screen readers.
pub(crate) fn picture(size: (u32, u32), label: &str, draw: impl FnOnce(&Canvas)) -> String {
    let mut svg = String::new();
    {
        let canvas = Canvas { area: SVGBackend::with_string(&mut svg, size).into_drawing_area() };
        canvas.bar((0.0, 0.0), (f64::from(size.0), f64::from(size.1)), WHITE);
        draw(&canvas);
        done(canvas.area.present());
    }
    labelled(&hatch::hatched(&slim::slim(&svg)), label)
}

/// Gives the outermost element its role and its title.
fn labelled(svg: &str, label: &str) -> String {
    let escaped = escaped(label);
    let (opening, rest) = svg.split_once('>').unwrap_or((svg, ""));
    format!("{opening} role=\"img\" aria-label=\"{escaped}\">\n<title>{escaped}</title>{rest}")
}

/// Drawing into a string has nothing that could fail.
fn done<T, E: std::fmt::Debug>(drawn: Result<T, E>) -> T {
    drawn.expect("drawing into memory succeeds")
}

fn px((x, y): Point) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

/// A hue thinned with white; `share` of the hue stays.
pub(crate) fn tint(hue: RGBColor, share: f64) -> RGBColor {
    let mix = |part: u8| (255.0 - (255.0 - f64::from(part)) * share).round() as u8;
    RGBColor(mix(hue.0), mix(hue.1), mix(hue.2))
}

/// How wide a text of this size may come out; pictures are laid out with it, as fonts differ.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

/// How many letters of this size fit into a width.
pub(crate) fn fitting(width: f64, size: f64) -> usize {
    (width / (size * LETTER)) as usize
}

/// A name in so many letters at most.
pub(crate) fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        name.to_owned()
    } else {
        name.chars().take(letters - 1).chain(['…']).collect()
    }
}

/// A text cut between words into lines that fit.
pub(crate) fn lines(text: &str, width: f64, size: f64) -> Vec<String> {
    wrapped(text, fitting(width, size), "")
}

impl Canvas<'_> {
    /// A filled rectangle.
    pub(crate) fn bar(&self, from: Point, to: Point, fill: RGBColor) {
        done(self.area.draw(&Rectangle::new([px(from), px(to)], fill.filled())));
    }

    /// A hatched rectangle.
    pub(crate) fn hatch(&self, from: Point, to: Point, hue: RGBColor) {
        done(self.area.draw(&Rectangle::new([px(from), px(to)], hue.mix(hatch::MARK).filled())));
    }

    /// The outline of a rectangle.
    pub(crate) fn frame(&self, from: Point, to: Point, hue: RGBColor) {
        done(self.area.draw(&Rectangle::new([px(from), px(to)], hue.stroke_width(1))));
    }

    /// A line through points, `width` px wide.
    pub(crate) fn line(&self, points: &[Point], hue: RGBColor, width: u32) {
        let points: Vec<_> = points.iter().map(|&point| px(point)).collect();
        done(self.area.draw(&PathElement::new(points, hue.stroke_width(width))));
    }

    /// A see-through line.
    pub(crate) fn thin_line(&self, from: Point, to: Point, hue: RGBColor, opacity: f64) {
        done(self.area.draw(&PathElement::new(vec![px(from), px(to)], hue.mix(opacity).stroke_width(1))));
    }

    /// A filled polygon.
    pub(crate) fn polygon(&self, corners: &[Point], fill: RGBColor) {
        let corners: Vec<_> = corners.iter().map(|&corner| px(corner)).collect();
        done(self.area.draw(&Polygon::new(corners, fill.filled())));
    }

    /// A circle, filled or as a ring.
    pub(crate) fn circle(&self, centre: Point, radius: u32, hue: RGBColor, filled: bool) {
        let style = if filled { hue.filled() } else { hue.stroke_width(2) };
        done(self.area.draw(&Circle::new(px(centre), radius, style)));
    }

    /// One line of text, vertically centred on its point; `size` in px.
    pub(crate) fn text(&self, text: &str, at: Point, size: f64, align: Align, hue: RGBColor) {
        self.write(text, at, size, align, hue, FontStyle::Normal);
    }

    /// The same in bold.
    pub(crate) fn bold(&self, text: &str, at: Point, size: f64, align: Align, hue: RGBColor) {
        self.write(text, at, size, align, hue, FontStyle::Bold);
    }

    fn write(&self, text: &str, at: Point, size: f64, align: Align, hue: RGBColor, style: FontStyle) {
        let horizontal = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        // The backend takes the size of a line, 1.24 times that of the letters.
        let font = FontDesc::new(FontFamily::SansSerif, size * 1.24, style);
        let style = font.color(&hue).pos(Pos::new(horizontal, VPos::Center));
        done(self.area.draw(&Text::new(text.to_owned(), px(at), style)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_labelled_and_its_label_escaped() {
        let svg = picture((10, 20), "a <b> & \"c\"", |_| ());
        assert!(
            svg.starts_with("<svg font-family=\"sans-serif\" width=\"10\" height=\"20\" viewBox=\"0 0 10 20\""),
            "{svg}"
        );
        assert!(svg.contains("role=\"img\" aria-label=\"a &lt;b&gt; &amp; &quot;c&quot;\""), "{svg}");
        assert!(svg.trim_end().ends_with("</svg>"), "{svg}");
    }

    #[test]
    fn a_tint_lies_between_white_and_its_hue() {
        assert_eq!(tint(RGBColor(0, 100, 255), 0.0), WHITE);
        assert_eq!(tint(RGBColor(0, 100, 255), 1.0), RGBColor(0, 100, 255));
    }
}

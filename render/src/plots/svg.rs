//! Pictures as SVG: a backend of the drawing library, which collects shapes and writes them as few short elements, as a
//! page holds dozens of pictures. Successive shapes are joined where that paints the same: paths of one look, an area
//! and its outline. Successive texts of one look share the element that sets it.
//!
//! Hatching is a shape that the drawing library does not have. An SVG pattern would look the same, but printers get
//! patterns as large bitmaps: hatched areas are cut out of a field, which is one slanting line across the picture, as
//! wide as the picture and dashed. Its dashes are the hatch.

use super::paper::Paper;
use crate::words::escaped;
use models::stable::fnv1a;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle};
use plotters_backend::{DrawingBackend, DrawingErrorKind, FontStyle};
use std::convert::Infallible;
use std::fmt::Display;

/// Size of a font in the drawing library, which is that of a line, over the size of its letters.
pub(super) const LINE: f64 = 1.24;
/// Thickness of the hatch's lines and the space between them, in px: 7 px apart along an edge.
const DASHES: &str = "1 3.95";

/// A picture that grows shape by shape.
pub(super) struct Svg {
    size: (u32, u32),
    shapes: Vec<Shape>,
}

struct Shape {
    look: Look,
    form: Form,
}

/// Paint of shapes, as attributes without those that have their default value.
#[derive(PartialEq)]
struct Look {
    /// Paint of areas and letters.
    inside: Option<String>,
    /// Paint of lines and outlines.
    line: Option<String>,
}

#[derive(PartialEq)]
enum Form {
    /// Lines and areas, with their course in SVG's notation.
    Path(String),
    /// Areas of slanting lines.
    Hatch(String),
    /// A circle with centre and radius.
    Circle(BackendCoord, u32),
    /// A text with its place.
    Text(BackendCoord, String),
}

impl Svg {
    pub(super) fn new(size: (u32, u32)) -> Svg {
        Svg { size, shapes: Vec::new() }
    }

    /// Adds a hatched rectangle.
    pub(super) fn hatch(&mut self, from: BackendCoord, to: BackendCoord, hue: &impl BackendStyle) -> Drawn {
        self.plain(hue, false, Form::Hatch(rectangle(from, to)))
    }

    /// Returns the picture as a labelled image for screen readers, with the sentences on it. Names inside contain a
    /// digest of the whole picture: they must be unique in a page of several pictures, since a clip path that belongs
    /// to a hidden picture cuts nothing.
    pub(super) fn labelled(&self, paper: &Paper, label: &str, about: &[String]) -> String {
        let ((width, height), label) = (self.size, escaped(label));
        let (wide, high) = paper.size(self.size);
        let head = format!(
            "<svg font-family=\"sans-serif\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{label}\">\n<title>{label}</title>\n{}",
            description(about)
        );
        let nameless = fnv1a((head.clone() + &self.body("")).as_bytes());
        head + &self.body(&format!("hatch-{:08x}", nameless >> 32)) + "</svg>\n"
    }

    /// Returns all elements; names in them begin with `name`.
    fn body(&self, name: &str) -> String {
        let runs = self.shapes.chunk_by(|one, next| matches!(one.form, Form::Text(..)) && one.look == next.look);
        let element = |(nth, run): (usize, &[Shape])| match run {
            [shape] => self.element(&shape.form, &shape.look.attributes(), &format!("{name}-{nth}")),
            texts => {
                let all: String = texts.iter().map(|text| self.element(&text.form, "", "")).collect();
                format!("<g{}>\n{all}</g>\n", texts[0].look.attributes())
            }
        };
        runs.enumerate().map(element).collect()
    }

    fn element(&self, form: &Form, look: &str, name: &str) -> String {
        match form {
            Form::Path(course) => format!("<path{look} d=\"{course}\"/>\n"),
            Form::Hatch(course) => {
                let side = self.size.0.max(self.size.1);
                let field = format!("stroke-width=\"{}\" d=\"M0,0 {side},{side}\"", 2 * side);
                format!(
                    "<clipPath id=\"{name}\"><path d=\"{course}\"/></clipPath>\n\
                     <path clip-path=\"url(#{name})\"{look} stroke-dasharray=\"{DASHES}\" {field}/>\n"
                )
            }
            Form::Circle((x, y), radius) => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{look}/>\n"),
            Form::Text((x, y), words) => {
                format!("<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\"{look}>{}</text>\n", escaped(words))
            }
        }
    }

    fn push(&mut self, inside: Option<String>, line: Option<String>, form: Form) {
        self.shapes.push(Shape { look: Look { inside, line }, form });
        while let [.., last, next] = self.shapes.as_mut_slice()
            && last.takes(next)
        {
            self.shapes.pop();
        }
    }

    fn plain(&mut self, style: &impl BackendStyle, filled: bool, form: Form) -> Drawn {
        let line = || ink("stroke", style.color()) + &unless(style.stroke_width(), 1, "stroke-width");
        self.push(filled.then(|| ink("fill", style.color())), (!filled).then(line), form);
        Ok(())
    }
}

/// Returns the sentences on a picture as a `desc` element; empty without sentences.
pub fn description(about: &[String]) -> String {
    let sentences: Vec<&str> = about.iter().map(|sentence| sentence.trim_end_matches('.')).collect();
    if about.is_empty() { String::new() } else { format!("<desc>{}</desc>\n", escaped(&sentences.join(". "))) }
}

impl Shape {
    /// Joins the next shape with this one, where that paints the same. See-through lines then paint only once where
    /// they cross.
    fn takes(&mut self, next: &mut Shape) -> bool {
        match (&mut self.form, &next.form) {
            (Form::Path(course), Form::Path(more)) | (Form::Hatch(course), Form::Hatch(more))
                if self.look == next.look =>
            {
                course.push_str(more);
            }
            (area, outline) if self.look.line.is_none() && next.look.inside.is_none() && area == outline => {
                self.look.line = next.look.line.take();
            }
            _ => return false,
        }
        true
    }
}

impl Look {
    fn attributes(&self) -> String {
        let inside = self.inside.as_deref().unwrap_or(" fill=\"none\"");
        format!("{inside}{}", self.line.as_deref().unwrap_or_default())
    }
}

/// Returns an attribute, or nothing if the value is the default.
fn unless<T: PartialEq + Display>(value: T, default: T, name: &str) -> String {
    if value == default { String::new() } else { format!(" {name}=\"{value}\"") }
}

/// Returns a hue as an attribute.
fn ink(name: &str, BackendColor { rgb: (red, green, blue), alpha }: BackendColor) -> String {
    format!(" {name}=\"#{red:02X}{green:02X}{blue:02X}\"{}", unless(alpha, 1.0, &format!("{name}-opacity")))
}

fn rectangle((left, top): BackendCoord, (right, bottom): BackendCoord) -> String {
    let (width, height) = (right - left, bottom - top);
    format!("M{left},{top}h{width}v{height}h{}z", -width)
}

/// Returns a line through points; one that ends where it starts, around an area, is closed.
fn course(points: impl IntoIterator<Item = BackendCoord>) -> String {
    let points: Vec<String> = points.into_iter().map(|(x, y)| format!("{x},{y}")).collect();
    match points.as_slice() {
        [] => String::new(),
        [corners @ .., last] if corners.len() > 2 && corners[0] == *last => format!("M{}z", corners.join(" ")),
        all => format!("M{}", all.join(" ")),
    }
}

/// Result of a drawing, which cannot fail.
pub(super) type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Texts are upright, vertically centred, and in the picture's font.
impl DrawingBackend for Svg {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, hue: BackendColor) -> Drawn {
        self.draw_rect(at, (at.0 + 1, at.1 + 1), &hue, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, filled: bool) -> Drawn {
        self.plain(style, filled, Form::Path(rectangle(from, to)))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, points: I, style: &S) -> Drawn {
        self.plain(style, false, Form::Path(course(points)))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, corners: I, style: &S) -> Drawn {
        self.plain(style, true, Form::Path(course(corners) + "z"))
    }

    fn draw_circle<S: BackendStyle>(&mut self, centre: BackendCoord, radius: u32, style: &S, filled: bool) -> Drawn {
        self.plain(style, filled, Form::Circle(centre, radius))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, words: &str, style: &S, at: BackendCoord) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let size = (style.size() / LINE * 100.0).round() / 100.0;
        let bold = if matches!(style.style(), FontStyle::Bold) { " font-weight=\"bold\"" } else { "" };
        let (anchor, hue) = (unless(anchor, "start", "text-anchor"), ink("fill", style.color()));
        self.push(Some(format!("{anchor} font-size=\"{size}\"{hue}{bold}")), None, Form::Text(at, words.to_owned()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{Align, Canvas, FAINT, HUES, INK, picture};
    use super::super::paper::Paper;
    use plotters::style::{RGBColor, WHITE};
    use roxmltree::{Document, Node};

    const ONE: RGBColor = RGBColor(0x11, 0x11, 0x11);
    const TWO: RGBColor = RGBColor(0x22, 0x22, 0x22);

    /// Returns the elements on a white card, each on a line.
    fn drawn(draw: impl FnOnce(&Canvas)) -> Vec<String> {
        let svg = picture(&Paper::default(), (90.0, 90.0), "drawn", draw);
        Document::parse(&svg).expect("well-formed");
        let elements = svg.strip_suffix("</svg>\n").expect("an end").lines().map(str::to_owned).skip(2);
        let mut elements: Vec<String> = elements.collect();
        assert_eq!(elements.remove(0), "<path fill=\"#FFFFFF\" d=\"M0,0h90v90h-90z\"/>");
        elements
    }

    #[test]
    fn what_holds_anyway_is_left_out_and_texts_keep_their_words() {
        let words = "opacity=\"1\" & <so>\u{1} 'on'";
        let text = |canvas: &Canvas| canvas.text(words, (1.0, 2.0), 15.0, Align::Left, FAINT);
        let expected = "<text x=\"1\" y=\"2\" dy=\"0.5ex\" font-size=\"15\" fill=\"#5C646E\">opacity=&quot;1&quot; &amp; \
                        &lt;so&gt; 'on'</text>";
        assert_eq!(drawn(text), [expected]);
        let bold = |canvas: &Canvas| canvas.bold("b", (1.0, 2.0), 16.456, Align::Right, INK);
        let look = "text-anchor=\"end\" font-size=\"16.46\" fill=\"#22262B\" font-weight=\"bold\"";
        assert_eq!(drawn(bold), [format!("<text x=\"1\" y=\"2\" dy=\"0.5ex\" {look}>b</text>")]);
    }

    #[test]
    fn lines_of_one_look_become_one_path_and_areas_another() {
        let all = drawn(|canvas| {
            canvas.line(&[(1.0, 2.0), (3.0, 4.0)], ONE, 2);
            canvas.line(&[(5.0, 6.0), (7.0, 8.0), (9.0, 9.0)], ONE, 2);
            canvas.line(&[(0.0, 0.0), (1.0, 1.0)], TWO, 1);
            canvas.thin_line((0.0, 0.0), (2.0, 2.0), TWO, 0.5);
            canvas.thin_line((0.0, 0.0), (3.0, 3.0), TWO, 0.5);
            canvas.polygon(&[(0.0, 0.0), (3.0, 3.0), (4.0, 4.0)], TWO);
            canvas.bar((5.0, 5.0), (8.0, 9.0), TWO);
            canvas.circle((5.0, 5.0), 3, TWO, true);
            canvas.circle((5.0, 5.0), 3, TWO, true);
        });
        let circle = "<circle cx=\"5\" cy=\"5\" r=\"3\" fill=\"#222222\"/>";
        let expected = [
            "<path fill=\"none\" stroke=\"#111111\" stroke-width=\"2\" d=\"M1,2 3,4M5,6 7,8 9,9\"/>",
            "<path fill=\"none\" stroke=\"#222222\" d=\"M0,0 1,1\"/>",
            "<path fill=\"none\" stroke=\"#222222\" stroke-opacity=\"0.5\" d=\"M0,0 2,2M0,0 3,3\"/>",
            "<path fill=\"#222222\" d=\"M0,0 3,3 4,4zM5,5h3v4h-3z\"/>",
            circle,
            circle,
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn an_area_and_its_own_outline_become_one() {
        let rectangle = |canvas: &Canvas, x: f64, outline: f64| {
            canvas.bar((x, 2.0), (x + 3.0, 6.0), TWO);
            canvas.frame((outline, 2.0), (outline + 3.0, 6.0), WHITE);
        };
        let both = drawn(|canvas| [1.0, 7.0].into_iter().for_each(|x| rectangle(canvas, x, x)));
        assert_eq!(both, ["<path fill=\"#222222\" stroke=\"#FFFFFF\" d=\"M1,2h3v4h-3zM7,2h3v4h-3z\"/>"]);
        assert_eq!(drawn(|canvas| rectangle(canvas, 1.0, 2.0)).len(), 2, "an outline elsewhere");
        let ring = drawn(|canvas| [true, false].iter().for_each(|&full| canvas.circle((4.0, 5.0), 3, TWO, full)));
        assert_eq!(
            ring,
            ["<circle cx=\"4\" cy=\"5\" r=\"3\" fill=\"#222222\" stroke=\"#222222\" stroke-width=\"2\"/>"]
        );
    }

    #[test]
    fn a_polygon_and_the_line_around_it_become_one() {
        let corners = [(1.0, 1.0), (5.0, 1.0), (3.0, 4.0)];
        let both = |line: &[(f64, f64)]| {
            drawn(|canvas| {
                canvas.polygon(&corners, ONE);
                canvas.line(line, TWO, 2);
            })
        };
        let [a, b, c] = corners;
        let expected = "<path fill=\"#111111\" stroke=\"#222222\" stroke-width=\"2\" d=\"M1,1 5,1 3,4z\"/>";
        assert_eq!(both(&[a, b, c, a]), [expected]);
        assert_eq!(both(&[]).len(), 2, "no line has no course");
        for open in [&[a, b, c][..], &[a, b, c, b], &[a, b, c, a, (2.0, 2.0)], &[a, b, a], &[a, a]] {
            assert_eq!(both(open).len(), 2, "{open:?}");
        }
    }

    #[test]
    fn texts_of_one_look_share_it_and_keep_their_places() {
        let all = drawn(|canvas| {
            for (x, hue, words) in [(1.0, ONE, "a"), (2.0, ONE, "b"), (3.0, TWO, "c")] {
                canvas.text(words, (x, 9.0), 15.0, Align::Centre, hue);
            }
        });
        let expected = [
            "<g text-anchor=\"middle\" font-size=\"15\" fill=\"#111111\">",
            "<text x=\"1\" y=\"9\" dy=\"0.5ex\">a</text>",
            "<text x=\"2\" y=\"9\" dy=\"0.5ex\">b</text>",
            "</g>",
            "<text x=\"3\" y=\"9\" dy=\"0.5ex\" text-anchor=\"middle\" font-size=\"15\" fill=\"#222222\">c</text>",
        ];
        assert_eq!(all, expected);
    }

    fn named<'a, 'input>(document: &'a Document<'input>, name: &'a str) -> Vec<Node<'a, 'input>> {
        document.descendants().filter(|node| node.tag_name().name() == name).collect()
    }

    #[test]
    fn each_hue_has_one_field_cut_to_its_areas() {
        let svg = picture(&Paper::default(), (100.0, 300.0), "hatched", |canvas| {
            for (hue, x) in HUES.iter().take(2).flat_map(|&hue| [(hue, 0.0), (hue, 20.0)]) {
                canvas.hatch((x, 5.0), (x + 10.0, 15.0), hue);
            }
        });
        let document = Document::parse(&svg).expect("well-formed");
        let cuts: Vec<_> = named(&document, "clipPath").iter().filter_map(|cut| cut.attribute("id")).collect();
        let fields: Vec<Node> =
            named(&document, "path").into_iter().filter(|path| path.attribute("clip-path").is_some()).collect();
        assert_eq!((cuts.len(), fields.len()), (2, 2), "{svg}");
        for ((cut, field), hue) in cuts.iter().zip(&fields).zip(["#005FA8", "#C24E00"]) {
            assert_eq!(field.attribute("clip-path"), Some(format!("url(#{cut})").as_str()));
            assert_eq!(field.attribute("stroke"), Some(hue));
            // From corner to corner of the square that holds the picture, and as wide as its diagonal at least.
            assert_eq!((field.attribute("d"), field.attribute("stroke-width")), (Some("M0,0 300,300"), Some("600")));
        }
        assert_ne!(cuts[0], cuts[1]);
        assert_eq!(svg.matches("M0,5h10v10h-10zM20,5h10v10h-10z").count(), 2, "{svg}");
    }

    #[test]
    fn different_pictures_have_different_names() {
        let name = |x: f64, label: &str| {
            let svg = picture(&Paper::default(), (100.0, 100.0), label, |canvas| {
                canvas.hatch((x, 5.0), (50.0, 15.0), HUES[0])
            });
            svg.split("id=\"").nth(1).and_then(|rest| rest.split('"').next().map(str::to_owned)).expect("a name")
        };
        assert_ne!(name(1.0, "one"), name(2.0, "one"));
        assert_ne!(name(1.0, "one"), name(1.0, "two"));
        assert_eq!(name(1.0, "one"), name(1.0, "one"));
        assert!(!picture(&Paper::default(), (9.0, 9.0), "plain", |_| ()).contains("clip"));
    }
}

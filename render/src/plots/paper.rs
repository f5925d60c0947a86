//! Layout of a picture for paper: its width, the size of its letters, and whether it has its title.

use models::names::unknown;
use std::str::FromStr;

/// Size of most letters of a picture, in px, with which the size of letters on paper is compared.
const BODY_PX: f64 = 14.0;
/// Size of letters where pixels are those of a screen, 96 in an inch.
const SCREEN_PT: f64 = BODY_PX * 0.75;
/// Size of letters where a width is given, as captions of papers have it.
const PAPER_PT: f64 = 8.0;
/// Smallest width of a picture in px that has room for axes and names.
const LEAST_PX: f64 = 320.0;
const INCH_PT: f64 = 72.0;
const MM_PT: f64 = INCH_PT / 25.4;
/// Symbols of lengths with their values in pt.
const UNITS: [(&str, f64); 4] = [("mm", MM_PT), ("cm", 10.0 * MM_PT), ("in", INCH_PT), ("pt", 1.0)];
const KEYS: [&str; 5] = ["width", "font", "title", "dpi", "format"];

models::named! {
    /// Form of a picture's file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form {
        /// Shapes and texts, for browsers and editors.
        Svg => "svg", "picture",
        /// Shapes and texts with their font, for documents.
        Pdf => "pdf", "picture for documents",
        /// Dots, at the resolution of the paper.
        Png => "png", "picture as dots",
    }
    /// Returns the ending of such files.
    fn name;
    /// Returns the name of the form, in words.
    fn words;
    find("format");
}

/// Layout of a picture, and its size on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    /// Width in pt, 72 in an inch; `None` for the picture's own width.
    pub width_pt: Option<f64>,
    /// Size of most letters in pt; `None` for 8 pt where a width is given, or else that of a screen, 10.5 pt.
    pub font_pt: Option<f64>,
    /// Whether the title is drawn; it is the picture's label in any case.
    pub title: bool,
    /// Dots per inch of a file that holds dots.
    pub dpi: f64,
    /// Form of files whose ending nobody names; `None` for SVG.
    pub form: Option<Form>,
}

impl Default for Paper {
    fn default() -> Paper {
        Paper { width_pt: None, font_pt: None, title: true, dpi: 300.0, form: None }
    }
}

impl Paper {
    /// Returns the size of most letters, in pt.
    fn letters_pt(&self) -> f64 {
        self.font_pt.unwrap_or(if self.width_pt.is_some() { PAPER_PT } else { SCREEN_PT })
    }

    /// Returns the width of a pixel of the layout on paper, in pt.
    fn pixel_pt(&self) -> f64 {
        self.letters_pt() / BODY_PX
    }

    /// Returns the width in pixels of a picture that takes `natural` of them by itself.
    pub fn width_px(&self, natural: f64) -> f64 {
        self.width_pt.map_or(natural, |width| (width / self.pixel_pt()).round())
    }

    /// Returns width and height, as attributes of SVG, of a layout of this size in pixels.
    pub fn size(&self, (width, height): (u32, u32)) -> (String, String) {
        if self.width_pt.is_none() && self.font_pt.is_none() {
            return (width.to_string(), height.to_string());
        }
        let (width, height) = (f64::from(width.max(1)), f64::from(height));
        let wide = self.width_pt.unwrap_or(width * self.pixel_pt()) / MM_PT;
        let mm = |length: f64| {
            let digits = format!("{length:.3}");
            format!("{}mm", digits.trim_end_matches('0').trim_end_matches('.'))
        };
        (mm(wide), mm(wide * height / width))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "width" => self.width_pt = Some(length(key, value, "84mm, 8.4cm, 3.3in or 240pt", 1.0..=6_000.0)?),
            "font" => self.font_pt = Some(length(key, value, "8pt, of 4pt to 36pt", 4.0..=36.0)?),
            "title" => {
                self.title = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(format!("title: expected yes or no, found '{value}'")),
                };
            }
            "dpi" => {
                let dpi = value.parse().ok().filter(|dpi| (30.0..=2_400.0).contains(dpi));
                self.dpi = dpi.ok_or_else(|| format!("dpi: expected a number from 30 to 2400, found '{value}'"))?;
            }
            "format" => self.form = Some(Form::find(value)?),
            _ => return Err(unknown("key", key, KEYS)),
        }
        Ok(())
    }

    /// Refuses a width that is too small for letters of this size.
    fn checked(self) -> Result<Paper, String> {
        let least = LEAST_PX * self.pixel_pt();
        match self.width_pt {
            Some(width) if width < least => Err(format!(
                "width: expected at least {:.0}mm for letters of {}pt, found {:.1}mm; a smaller font needs less",
                (least / MM_PT).ceil(),
                self.letters_pt(),
                width / MM_PT
            )),
            _ => Ok(self),
        }
    }
}

/// Reads `width=84mm,font=8pt,title=no,dpi=300`, each key once or not at all.
impl FromStr for Paper {
    type Err = String;

    fn from_str(text: &str) -> Result<Paper, String> {
        let mut paper = Paper::default();
        let mut said: Vec<&str> = Vec::new();
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("expected KEY=VALUE, like width=84mm, found '{part}'; keys: {}", KEYS.join(", ")));
            };
            let (key, value) = (key.trim(), value.trim());
            paper.set(key, value)?;
            if said.contains(&key) {
                return Err(format!("{key} is given twice; leave one out"));
            }
            said.push(key);
        }
        paper.checked()
    }
}

/// Parses a length in pt.
fn length(key: &str, text: &str, like: &str, allowed: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let number = UNITS.into_iter().find_map(|(symbol, pt)| {
        let number: f64 = text.strip_suffix(symbol)?.trim_end().parse().ok()?;
        Some(number * pt)
    });
    number
        .filter(|pt| allowed.contains(pt))
        .ok_or_else(|| format!("{key}: expected a length like {like}, found '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_lay_a_picture_out() {
        let paper: Paper = "width=84mm, font=8pt,title=no,dpi=600,format=pdf".parse().expect("options");
        assert!((paper.width_pt.expect("a width") - 238.11).abs() < 0.01);
        assert_eq!((paper.font_pt, paper.title, paper.dpi, paper.form), (Some(8.0), false, 600.0, Some(Form::Pdf)));
        // 14 px are 8 pt.
        assert_eq!(paper.width_px(960.0), 417.0);
        assert_eq!(paper.size((417, 834)), ("84mm".to_owned(), "168mm".to_owned()));
        let widths = ["8.4cm", "84 mm", "3.30709in", "238.110pt"].map(|width| format!("width={width}"));
        assert!(widths.iter().all(|width| width.parse::<Paper>().expect("a width").width_px(1.0) == 417.0));
    }

    #[test]
    fn without_options_a_picture_has_its_own_size() {
        let paper = Paper::default();
        assert_eq!(paper.width_px(960.0), 960.0);
        assert_eq!(paper.size((960, 10)), ("960".to_owned(), "10".to_owned()));
        let letters: Paper = "font=7pt".parse().expect("letters");
        assert_eq!((letters.width_px(960.0), letters.size((720, 360)).0), (960.0, "127mm".to_owned()));
    }

    #[test]
    fn mistakes_name_the_key_and_what_was_expected() {
        for (text, words) in [
            ("", "expected KEY=VALUE, like width=84mm, found ''"),
            ("widht=84mm", "unknown key 'widht' (did you mean width?); known: width, font, title, dpi, format"),
            ("width=84", "width: expected a length like 84mm, 8.4cm, 3.3in or 240pt, found '84'"),
            ("width=NaNmm", "width: expected a length"),
            ("font=80pt", "font: expected a length like 8pt, of 4pt to 36pt, found '80pt'"),
            ("title=maybe", "title: expected yes or no, found 'maybe'"),
            ("dpi=1", "dpi: expected a number from 30 to 2400, found '1'"),
            ("format=eps", "unknown format 'eps'; known: svg, pdf, png"),
            ("dpi=72,dpi=90", "dpi is given twice; leave one out"),
            ("width=50mm", "width: expected at least 65mm for letters of 8pt, found 50.0mm; a smaller font needs less"),
        ] {
            let error = text.parse::<Paper>().expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!("width=50mm,font=6pt".parse::<Paper>().is_ok());
    }
}

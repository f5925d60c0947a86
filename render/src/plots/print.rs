//! Files of pictures: SVG as it was drawn, and PDF and PNG that are converted from it, with letters of a font of the
//! system.

use super::paper::{Form, Paper};

/// Returns the content of a file of this form, of a picture that is SVG.
///
/// # Errors
/// Fails for PDF and PNG if the program was built without its feature `print`, if the system has no font, or if there
/// would be too many dots.
pub fn printed(svg: &str, paper: &Paper, form: Form) -> Result<Vec<u8>, String> {
    match form {
        Form::Svg => Ok(svg.as_bytes().to_vec()),
        Form::Pdf => convert::pdf(svg),
        Form::Png => convert::png(svg, paper.dpi),
    }
}

#[cfg(not(feature = "print"))]
mod convert {
    const LEFT_OUT: &str = "this parallax was built without its feature print, which makes PDF and PNG; expected .svg, or a \
                            program built with default features";

    pub(super) fn pdf(_: &str) -> Result<Vec<u8>, String> {
        Err(LEFT_OUT.to_owned())
    }

    pub(super) fn png(_: &str, _: f64) -> Result<Vec<u8>, String> {
        Err(LEFT_OUT.to_owned())
    }
}

#[cfg(feature = "print")]
mod convert {
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree, fontdb};
    use std::sync::{Arc, OnceLock};
    use svg2pdf::{ConversionOptions, PageOptions};

    /// Number of px of SVG in an inch.
    const SCREEN_DPI: f64 = 96.0;
    const INCHES_PER_METRE: f64 = 1.0 / 0.0254;
    /// Largest number of dots, as more take gigabytes.
    const MOST_DOTS: f64 = 1e8;
    /// Fonts without serifs, the preferred ones first.
    const FAMILIES: [&str; 6] = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Helvetica Neue"];

    /// Returns the picture as PDF: shapes and texts as they are, letters of the font that is embedded.
    pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, String> {
        let page = PageOptions { dpi: SCREEN_DPI as f32 };
        svg2pdf::to_pdf(&tree(svg)?, ConversionOptions::default(), page).map_err(|error| format!("no PDF: {error}"))
    }

    /// Returns the picture as PNG, with its dots per inch, so that documents find the size.
    pub(super) fn png(svg: &str, dpi: f64) -> Result<Vec<u8>, String> {
        let tree = tree(svg)?;
        let size = [tree.size().width(), tree.size().height()].map(f64::from);
        let dots = size.map(|px| (px * dpi / SCREEN_DPI).round().max(1.0));
        if dots[0] * dots[1] > MOST_DOTS {
            return Err(format!(
                "a picture of {} by {} dots is too large; expected fewer dots per inch than {dpi}",
                dots[0], dots[1]
            ));
        }
        let [wide, high] = dots.map(|dots| dots as u32);
        let mut dots = Pixmap::new(wide, high).ok_or("a picture without dots")?;
        let scale = [f64::from(wide) / size[0], f64::from(high) / size[1]].map(|scale| scale as f32);
        resvg::render(&tree, Transform::from_scale(scale[0], scale[1]), &mut dots.as_mut());
        // The card below everything is opaque, so colours need no division by their opacity.
        encoded(dots.data(), (wide, high), dpi).map_err(|error| format!("no PNG: {error}"))
    }

    fn encoded(data: &[u8], (wide, high): (u32, u32), dpi: f64) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, wide, high);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let per_metre = (dpi * INCHES_PER_METRE).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter }));
        let mut writer = encoder.write_header()?;
        writer.write_image_data(data)?;
        writer.finish()?;
        Ok(file)
    }

    fn tree(svg: &str) -> Result<Tree, String> {
        let options = Options { fontdb: fonts()?, dpi: SCREEN_DPI as f32, ..Options::default() };
        Tree::from_str(svg, &options).map_err(|error| format!("the picture is no SVG: {error}"))
    }

    /// Returns the system's fonts, looked up once.
    fn fonts() -> Result<Arc<fontdb::Database>, String> {
        static FONTS: OnceLock<Option<Arc<fontdb::Database>>> = OnceLock::new();
        let found = FONTS.get_or_init(|| {
            let mut fonts = fontdb::Database::new();
            fonts.load_system_fonts();
            let name = family(&fonts)?;
            fonts.set_sans_serif_family(name);
            Some(Arc::new(fonts))
        });
        found.clone().ok_or_else(|| {
            "this system has no font for PDF and PNG; install one (Debian: fonts-dejavu-core), or expected .svg, which needs none"
                .to_owned()
        })
    }

    /// Returns the font family of texts in pictures.
    fn family(fonts: &fontdb::Database) -> Option<String> {
        let names = || fonts.faces().flat_map(|face| face.families.iter().map(|(name, _)| name.as_str()));
        let wished = FAMILIES.into_iter().find(|wished| names().any(|name| name == *wished));
        wished.or_else(|| names().next()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{Align, INK, picture};
    use super::*;

    fn drawn(paper: &Paper) -> String {
        picture(paper, (paper.width_px(500.0), 200.0), "drawn", |canvas| {
            canvas.text("Überschrift 17", (20.0, 40.0), 14.0, Align::Left, INK);
            canvas.bar((0.0, 100.0), (500.0, 200.0), INK);
        })
    }

    #[test]
    fn svg_stays_as_it_is() {
        let svg = drawn(&Paper::default());
        assert_eq!(printed(&svg, &Paper::default(), Form::Svg), Ok(svg.into_bytes()));
    }

    #[cfg(not(feature = "print"))]
    #[test]
    fn without_the_feature_it_is_said_what_is_missing() {
        let error = printed(&drawn(&Paper::default()), &Paper::default(), Form::Pdf).expect_err("no feature");
        assert!(error.contains("feature print") && error.contains(".svg"), "{error}");
    }

    /// Returns the content of a file, or `None` on a system without a font, which the error must name.
    #[cfg(feature = "print")]
    fn file(options: &str, form: Form) -> Option<Vec<u8>> {
        let paper: Paper = options.parse().expect("options");
        let found = printed(&drawn(&paper), &paper, form);
        found.map_err(|error| assert!(error.contains("no font"), "{error}")).ok()
    }

    #[cfg(feature = "print")]
    #[test]
    fn dots_are_as_many_as_width_and_density_ask_for_and_say_their_density() {
        for (options, wide, per_metre) in [("width=84mm,dpi=300", 992, 11_811), ("width=84mm,dpi=150", 496, 5_906)] {
            let Some(file) = file(options, Form::Png) else { return };
            let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
            let info = reader.info();
            let density = info.pixel_dims.expect("a density");
            assert_eq!((info.width, density.xppu, density.unit), (wide, per_metre, png::Unit::Meter));
        }
        let large = Paper { dpi: 2_400.0, ..Paper::default() };
        let error = printed(&picture(&large, (960.0, 9_600.0), "large", |_| ()), &large, Form::Png);
        assert!(error.is_err_and(|error| error.contains("fewer dots per inch than 2400") || error.contains("no font")));
    }

    #[cfg(feature = "print")]
    #[test]
    fn a_page_is_as_wide_as_asked_and_its_texts_are_texts() {
        let Some(file) = file("width=84mm", Form::Pdf) else { return };
        assert!(file.starts_with(b"%PDF"));
        let text = String::from_utf8_lossy(&file);
        let page = text.split("/MediaBox").nth(1).and_then(|rest| rest.split(['[', ']']).nth(1)).expect("a page");
        let numbers: Vec<f64> = page.split_whitespace().map(|number| number.parse().expect("pt")).collect();
        assert!((numbers[2] - 84.0 / 25.4 * 72.0).abs() < 0.5, "{numbers:?}");
        // The file contains the fonts, with the letters that their glyphs stand for.
        assert!(text.contains("/FontFile") && text.contains("/ToUnicode"), "letters are outlines");
    }
}

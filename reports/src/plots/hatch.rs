//! Hatching, which the drawing library does not have: areas are drawn with an opacity that nothing
//! else has, and are afterwards cut out of a field of slanting lines.
//!
//! An SVG pattern would say the same, but printers get patterns as large bitmaps. A field is one line
//! across the picture, as wide as the picture and dashed: its dashes are the hatch.

use models::stable::fnv1a;
use std::fmt::Write;

/// Opacity of an area that is to be hatched.
pub(super) const MARK: f64 = 0.312_5;
/// Thickness of the hatch's lines and the space between them, in px: 7 px apart along an edge.
const DASHES: &str = "1 3.95";

/// Puts hatches in the place of marked areas. Their names hold a digest of the whole picture: in
/// a page of several pictures a name must not be taken, as what belongs to a hidden picture cuts nothing.
pub(super) fn hatched(svg: &str) -> String {
    let mark = format!(" opacity=\"{MARK}\" fill=\"#");
    let digest = fnv1a(svg.as_bytes()) >> 32;
    let side = longest_side(svg);
    let mut count = 0;
    let mut all = String::with_capacity(svg.len());
    for line in svg.split_inclusive('\n') {
        let marked = line.split_once(&mark).and_then(|(before, rest)| Some((before, rest.split_once('"')?)));
        let Some((before, (hue, after))) = marked else {
            all.push_str(line);
            continue;
        };
        let name = format!("hatch-{digest:08x}-{count}");
        count += 1;
        let look = format!("fill=\"none\" stroke=\"#{hue}\" stroke-opacity=\"0.6\" stroke-dasharray=\"{DASHES}\"");
        let field = format!("stroke-width=\"{}\" d=\"M0,0 {side},{side}\"", 2 * side);
        let _ = writeln!(all, "<clipPath id=\"{name}\">{before}{}</clipPath>", after.trim_end());
        let _ = writeln!(all, "<path clip-path=\"url(#{name})\" {look} {field}/>");
    }
    all
}

/// Of the picture, in px.
fn longest_side(svg: &str) -> u32 {
    let of = |name: &str| svg.split_once(name)?.1.split_once('"')?.0.parse::<u32>().ok();
    of(" width=\"").max(of(" height=\"")).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{HUES, picture};
    use roxmltree::{Document, Node};

    fn named<'a, 'input>(document: &'a Document<'input>, name: &'a str) -> Vec<Node<'a, 'input>> {
        document.descendants().filter(|node| node.tag_name().name() == name).collect()
    }

    #[test]
    fn each_hue_has_one_field_cut_to_its_areas() {
        let svg = picture((100, 300), "hatched", |canvas| {
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
        assert!(!svg.contains("0.3125"), "{svg}");
    }

    #[test]
    fn different_pictures_have_different_names() {
        let name = |x: f64| {
            let svg = picture((100, 100), "hatched", |canvas| canvas.hatch((x, 5.0), (50.0, 15.0), HUES[0]));
            svg.split("id=\"").nth(1).and_then(|rest| rest.split('"').next().map(str::to_owned)).expect("a name")
        };
        assert_ne!(name(1.0), name(2.0));
        assert_eq!(name(1.0), name(1.0));
        assert!(!picture((9, 9), "plain", |_| ()).contains("clip"));
    }
}

//! Room for the texts of pictures on any paper: checks for the tests of everything that draws.

use render::plots::{Drawing, Paper};
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

/// Width of a letter over its size, on average in fonts without serifs, and of a bold one over a light one.
const LETTER: f64 = 0.52;
const BOLD: f64 = 1.1;
/// Height of a line's letters over their size: those of two lines do not touch each other.
const HEIGHT: f64 = 0.75;

/// A text with its position.
struct Text {
    words: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Returns the attribute of an element, or of the nearest one around it.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name))
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |text| text.parse().expect(name))
}

/// Returns the shift of an element by all elements around it.
fn moved(node: Node) -> (f64, f64) {
    let moves = node.ancestors().filter_map(|node| node.attribute("transform")?.strip_prefix("translate("));
    moves.fold((0.0, 0.0), |(x, y), by| {
        let (dx, dy) = by.trim_end_matches(')').split_once(',').expect("two numbers");
        (x + dx.parse::<f64>().expect("a number"), y + dy.parse::<f64>().expect("a number"))
    })
}

impl Text {
    fn from_node(node: Node) -> Text {
        let words = node.text().unwrap_or_default().to_owned();
        let size: f64 = inherited(node, "font-size").expect("a size").parse().expect("a size");
        let bold = if inherited(node, "font-weight") == Some("bold") { BOLD } else { 1.0 };
        let width = words.chars().count() as f64 * size * LETTER * bold;
        let (dx, dy) = moved(node);
        let (x, y) = (dx + number(node, "x"), dy + number(node, "y"));
        let left = match inherited(node, "text-anchor") {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        // Without a shift the letters are on the line.
        let middle = if node.attribute("dy").is_some() { y } else { y - 0.35 * size };
        let half = size * HEIGHT / 2.0;
        Text { words, left, right: left + width, top: middle - half, bottom: middle + half }
    }

    fn meets(&self, other: &Text) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

fn texts(document: &Document) -> Vec<Text> {
    document.descendants().filter(|node| node.tag_name().name() == "text").map(Text::from_node).collect()
}

/// Returns all words but numbers, units of lengths and waits, since labels of ticks and of bars may lack room.
fn words(texts: &[Text]) -> BTreeSet<String> {
    let all = texts.iter().flat_map(|text| text.words.split_whitespace());
    let told = |word: &&str| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    all.filter(told).filter(|word| !["KiB", "MiB", "GiB", "waits"].contains(word)).map(str::to_owned).collect()
}

/// Checks a picture on narrow and on wide paper: it has the width of the paper, all of its texts lie in it and none on
/// another one, its words are those that it has without paper, and without a title only the title is missing.
///
/// # Panics
/// Panics where one of these conditions is violated.
pub(crate) fn finds_room(drawing: &Drawing, title: &str) {
    let natural = drawing.to_string();
    let document = Document::parse(&natural).expect("well-formed");
    let all = texts(&document);
    let (said, before) = (words(&all), all.iter().filter(|text| text.words == title).count());
    for options in ["width=84mm,font=8pt", "width=170mm,font=9pt", "width=60mm,font=7pt", "width=84mm,title=no"] {
        let paper: Paper = options.parse().expect("options");
        let svg = drawing.svg(&paper);
        let document = Document::parse(&svg).expect("well-formed");
        let root = document.root_element();
        assert_eq!(root.attribute("width"), options[6..].split(',').next());
        let view: Vec<f64> =
            root.attribute("viewBox").expect("a view").split(' ').map(|part| part.parse().expect("px")).collect();
        assert!((view[2] - paper.width_px(0.0)).abs() < 1.0, "{options}: {view:?}");
        let texts = texts(&document);
        for (nth, text) in texts.iter().enumerate() {
            let inside = text.left > -1.0 && text.right < view[2] + 1.0 && text.top > 0.0 && text.bottom < view[3];
            assert!(
                inside,
                "{title}, {options}: '{}' ends outside of {view:?}: {} to {}",
                text.words, text.left, text.right
            );
            for other in &texts[..nth] {
                assert!(!text.meets(other), "{title}, {options}: '{}' lies on '{}'", text.words, other.words);
            }
        }
        let now = words(&texts);
        let missing: Vec<&String> = said.difference(&now).collect();
        if paper.title {
            assert!(missing.is_empty(), "{title}, {options}: {missing:?} is missing");
        } else {
            let heard = |word: &&String| !root.attribute("aria-label").expect("a label").contains(word.as_str());
            assert!(
                !missing.into_iter().any(|word| heard(&word)),
                "{title}, {options}: more than the title is missing"
            );
            let titles = |texts: &[Text]| texts.iter().filter(|text| text.words == title).count();
            assert!(titles(&texts) == 0 || titles(&texts) < before, "{title} is drawn");
        }
    }
}

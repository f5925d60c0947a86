use super::{Distribution, Exits, Row, Skew, SkewError, draw, json, page, text_table, write};
use models::time::{Span, Time};
use proptest::prelude::*;
use roxmltree::Document;

fn exits(calls: &[&[u64]]) -> (Distribution, Distribution) {
    let mut exits = Exits::default();
    for call in calls {
        exits.add(&call.iter().map(|&us| Time(us * 1_000_000)).collect::<Vec<_>>());
    }
    exits.distributions().expect("there are exits")
}

fn skew(rows: &[(&str, bool, &[&[u64]])]) -> Skew {
    let row = |&(name, noise, calls): &(&str, bool, &[&[u64]])| {
        let (skew, delay) = exits(calls);
        Row { algorithm: name.to_owned(), noise, skew, delay }
    };
    Skew {
        title: "Exit skew of <barriers>".to_owned(),
        notes: vec!["all ranks enter together".to_owned()],
        rows: rows.iter().map(row).collect(),
    }
}

fn example() -> Skew {
    skew(&[
        ("linear", false, &[&[10, 11, 12, 13]]),
        ("linear", true, &[&[10, 11, 12, 13], &[20, 25, 22, 60]]),
        ("dissemination", false, &[&[7, 7, 7, 7]]),
        ("dissemination", true, &[&[7, 7, 7, 7], &[9, 8, 400, 9]]),
    ])
}

#[test]
fn exits_are_counted_from_the_first_of_their_own_call() {
    let (skew, delay) = exits(&[&[5, 9, 6], &[100, 100, 101]]);
    assert_eq!((skew.count, skew.min, skew.max), (2, Span::from_us(1), Span::from_us(4)));
    assert_eq!((skew.mean, skew.median), (Span(2_500_000), Span::from_us(1)));
    assert_eq!((delay.count, delay.min, delay.max), (6, Span::ZERO, Span::from_us(4)));
    assert_eq!(delay.mean, Span::from_us(1));
    assert_eq!(Exits::default().distributions(), None);
    let mut none = Exits::default();
    none.add(&[]);
    assert_eq!(none, Exits::default());
}

#[test]
fn quantiles_are_the_least_that_so_many_do_not_exceed() {
    let mut spans: Vec<Span> = (1..=200).rev().map(Span).collect();
    let d = Distribution::of(&mut spans).expect("some");
    assert_eq!([d.min, d.p01, d.p25, d.median, d.p75, d.p99, d.max], [1, 2, 50, 100, 150, 198, 200].map(Span));
    assert_eq!(d.mean, Span(101), "100.5 rounded up");
}

#[test]
fn tables_and_json_say_the_same() {
    let text = text_table(&example());
    let row: Vec<&str> = text.lines().nth(4).expect("a row").split_whitespace().collect();
    assert_eq!(row[..2], ["linear", "no"], "{text}");
    assert!(text.contains("392.000") && text.lines().any(|line| line.ends_with("  8")), "{text}");
    let json = json(&example());
    assert_eq!(json["rows"][3]["skew_ps"]["max"], 392_000_000);
    assert_eq!(json["rows"][3]["exit_after_first_ps"]["count"], 8);
    assert_eq!(json["rows"][2]["noise"], false);
    assert!(page(&example()).expect("filled in").contains("392.000"));
}

#[test]
fn the_picture_names_each_algorithm_once_and_places_zero() {
    let svg = draw(&example());
    let document = Document::parse(&svg).expect("well-formed");
    let texts: Vec<&str> =
        document.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).map(str::trim).collect();
    for name in ["linear", "dissemination", "without noise", "with noise"] {
        assert_eq!(texts.iter().filter(|text| **text == name).count(), 1, "{name}: {texts:?}");
    }
    assert!(texts.contains(&"0") && texts.iter().any(|text| text.contains("logarithmic")), "{texts:?}");
}

#[test]
fn empty_and_degenerate_skews_are_drawn() {
    for skew in [skew(&[]), skew(&[("one", false, &[&[5]])]), skew(&[("late", true, &[&[0, u64::MAX / 2_000_000]])])] {
        let svg = draw(&skew);
        Document::parse(&svg).expect("well-formed");
        assert!(!svg.contains("NaN") && !svg.contains("with noise") || skew.rows.iter().any(|row| row.noise), "{svg}");
        assert!(!page(&skew).expect("filled in").contains("<barriers>"));
    }
}

#[test]
fn files_are_written_by_their_endings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("skew.svg");
    write(&path, &example()).expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("text"), draw(&example()));
    let error = write(&folder.path().join("skew.png"), &example()).expect_err("unknown");
    assert!(matches!(error, SkewError::Ending(_)), "{error}");
    insta::assert_snapshot!(error.to_string().replace(&folder.path().display().to_string(), "FOLDER"));
    assert!(write(&folder.path().join("no/skew.html"), &example()).is_err());
}

proptest! {
    #[test]
    fn distributions_are_ordered_and_skew_is_the_longest_delay(calls in prop::collection::vec(prop::collection::vec(0u64..1_000, 1..20), 1..20)) {
        let calls: Vec<&[u64]> = calls.iter().map(Vec::as_slice).collect();
        let (skew, delay) = exits(&calls);
        for d in [skew, delay] {
            prop_assert!(d.min <= d.p01 && d.p01 <= d.p25 && d.p25 <= d.median && d.median <= d.p75);
            prop_assert!(d.p75 <= d.p99 && d.p99 <= d.max && d.min <= d.mean && d.mean <= d.max);
        }
        prop_assert_eq!(skew.max, delay.max);
        prop_assert_eq!((skew.count, delay.min), (calls.len(), Span::ZERO));
    }
}

use super::draw::render_skew;
use super::{ExitsRow, Skew};
use crate::forms::{json, table};
use models::time::Time;
use proptest::prelude::*;
use render::plots::Paper;
use render::results::Results;
use roxmltree::Document;

fn row(name: &str, noise: bool, calls: &[&[u64]]) -> ExitsRow {
    let call = |call: &&[u64]| call.iter().map(|&us| Time(us * 1_000_000)).collect();
    ExitsRow::from_calls(name, noise, &calls.iter().map(call).collect::<Vec<_>>())
}

fn skew(rows: &[(&str, bool, &[&[u64]])]) -> Skew {
    Skew {
        title: "Exit skew of <barriers>".to_owned(),
        notes: vec!["all ranks enter together".to_owned()],
        rows: rows.iter().map(|(name, noise, calls)| row(name, *noise, calls)).collect(),
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
    let ExitsRow { skew, delay, .. } = row("one", false, &[&[5, 9, 6], &[100, 100, 101]]);
    let us = |us: u64| Time(us * 1_000_000);
    assert_eq!((skew.count, skew.min, skew.max), (2, us(1), us(4)));
    assert_eq!((skew.mean, skew.quantiles[3]), (Time(2_500_000), Time(2_500_000)));
    assert_eq!((delay.count, delay.min, delay.max), (6, Time::ZERO, us(4)));
    assert_eq!(delay.mean, us(1));
}

#[test]
fn ranks_are_told_in_the_order_in_which_they_leave() {
    let noisy = row("one", true, &[&[5, 9, 6], &[100, 100, 101]]);
    assert_eq!(noisy.by_rank, [0, 2_000_000, 1_000_000].map(Time), "means of 0 0, 4 0 and 1 1");
    assert_eq!(noisy.ends(), Some((0, 1)));
    let tables = example().drawn().tables;
    let words = |row: usize| tables[1].rows[row].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
    assert_eq!(words(0), ["linear", "no", "0", "3"]);
    assert_eq!(words(2)[2..], ["all at once", ""]);
}

#[test]
fn tables_and_json_say_the_same() {
    let drawn = example().drawn();
    let text = table(&drawn);
    let row: Vec<&str> = text.lines().nth(4).expect("a row").split_whitespace().collect();
    assert_eq!(row[..2], ["linear", "no"], "{text}");
    assert!(text.contains("392.000") && text.lines().any(|line| line.ends_with("  8")), "{text}");
    let found = json(&drawn);
    assert_eq!(found["rows"][6]["max_us"], 392.0);
    assert_eq!(found["rows"][7]["exits_counted"], 8);
    assert_eq!(found["rows"][4]["disturbed_by_noise"], false);
    assert!(drawn.html().expect("filled in").contains("392.000"));
    let csv = drawn.csv();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("algorithm,disturbed_by_noise,exits,min_us,median_us,mean_us,p99_us,max_us,exits_counted")
    );
    assert_eq!(lines.nth(7), Some("dissemination,true,each-first,0,0,49.25,364.63,392,8"));
}

#[test]
fn the_picture_names_each_row_once_per_part_and_sets_zero_apart() {
    crate::room_tests::finds_room(&example().drawn().drawing, &example().title);
    let svg = render_skew(&example(), &Paper::default());
    let document = Document::parse(&svg).expect("well-formed");
    let texts: Vec<&str> =
        document.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).map(str::trim).collect();
    // Once beside the strips of both panels, and beside each strip of ranks.
    let rows =
        ["linear, no noise", "linear, noise", "dissemination, no noise", "dissemination, noise"].map(|row| (row, 2));
    for (name, count) in rows.into_iter().chain([("without noise", 1), ("with noise", 1)]) {
        assert_eq!(texts.iter().filter(|text| **text == name).count(), count, "{name}: {texts:?}");
    }
    assert!(texts.contains(&"0") && !texts.iter().any(|text| text.contains("logarithmic")), "{texts:?}");
}

#[test]
fn empty_and_degenerate_skews_are_drawn() {
    for skew in [skew(&[]), skew(&[("one", false, &[&[5]])]), skew(&[("late", true, &[&[0, u64::MAX / 2_000_000]])])] {
        let svg = render_skew(&skew, &Paper::default());
        Document::parse(&svg).expect("well-formed");
        assert!(!svg.contains("NaN") && !svg.contains("with noise") || skew.rows.iter().any(|row| row.noise), "{svg}");
        assert!(!skew.drawn().html().expect("filled in").contains("<barriers>"));
    }
}

proptest! {
    #[test]
    fn skew_is_the_longest_delay(calls in prop::collection::vec(prop::collection::vec(0u64..1_000, 1..20), 1..20)) {
        let calls: Vec<&[u64]> = calls.iter().map(Vec::as_slice).collect();
        let ExitsRow { skew, delay, .. } = row("any", true, &calls);
        let models::spread::Spread { count, max, .. } = skew;
        prop_assert_eq!((max, delay.min, count), (delay.max, Time::ZERO, calls.len()));
    }
}

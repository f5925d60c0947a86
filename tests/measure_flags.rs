//! Flags of `parallax measure` for the rules of windows, and for what is shown of measurements, on threads.

mod common;

use common::command::{Done, finish, parallax};
use models::quantity::Millionths;
use models::time::Span;
use programs::method::{Method, StopRule, WindowRules};
use programs::observation::Observation;
use scenario::store::{Line, read};
use tempfile::TempDir;

/// Few and short cases on two threads, by windows and by loops.
#[rustfmt::skip]
const SMALL: [&str; 16] = [
    "bcast", "--world", "threads", "--ranks", "2", "--bytes", "8", "--method", "window,loop",
    "--samples", "4", "--calls", "3", "--launches", "1", "-q",
];

fn measure(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).arg("measure").args(arguments))
}

fn observations(folder: &TempDir) -> Vec<Observation> {
    let lines = read(folder.path().join("results/measure-001/campaign.jsonl")).expect("a campaign").lines;
    let measured = |line| if let Line::Measured(observation) = line { Some(observation) } else { None };
    lines.into_iter().filter_map(measured).collect()
}

#[test]
fn rules_of_windows_are_what_ranks_do_and_what_the_campaign_and_its_table_say() {
    let folder = tempfile::tempdir().unwrap();
    let rules =
        ["--stop", "counts:8/2", "--stage", "4", "--first", "2", "--slack", "1.5", "--invalid", "50%", "--late", "0"];
    let done = measure(&folder, &[&SMALL[..], &rules].concat());
    assert_eq!(done.code, 0, "{done:?}");
    let expected = WindowRules {
        stop: Some(StopRule::Counts { starts: 8, valid: 2 }),
        stage: Some(4),
        first: Some(2),
        slack: Some(Millionths(1_500_000)),
        invalid: Some(Millionths(500_000)),
        late: Some(Millionths(0)),
    };
    let title = done.stdout.lines().next().expect("a title");
    let whole = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(title.starts_with("bcast, linear, root 0") && whole.contains(&expected.words()), "{}", done.stdout);
    let all = observations(&folder);
    assert!(all.len() == 2 && all.iter().all(|one| one.case.timing.conditions.rules == expected), "{all:?}");
    let windows = all.iter().find(|one| one.case.timing.method == Method::Window).expect("windows");
    let record = &windows.ranks[0];
    // Whatever is valid, the third stage of four starts has more than eight.
    assert!([4, 8, 12].contains(&record.stamps.len()), "{record:?}");
    assert_eq!(record.window.as_ref().expect("windows").late_tolerance, Span::ZERO);
    let other = measure(&folder, &[&SMALL[..], &["--resume", "--stop", "counts:9/2"]].concat());
    assert_eq!(other.code, 2, "{other:?}");
    let again = measure(&folder, &["--resume", "-q", "--format", "markdown", "--out", "results/measure-001"]);
    assert!(again.code == 0 && again.stdout.contains(&expected.words()), "{again:?}");
}

#[test]
fn cases_without_rules_have_none_in_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(measure(&folder, &SMALL).code, 0);
    let text = std::fs::read_to_string(folder.path().join("results/measure-001/campaign.jsonl")).expect("a campaign");
    assert!(!text.contains("rules"), "plan and cases are written as before there were rules");
    assert!(observations(&folder).iter().all(|one| one.ranks[0].stamps.len() >= 4));
}

#[test]
fn rules_that_make_no_sense_are_refused_before_anything_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    for (flag, wrong) in [
        ("--stop", "precision:5%"),
        ("--stop", "counts:30/100"),
        ("--stage", "0"),
        ("--stage", "65"),
        ("--first", "0"),
        ("--slack", "1.09"),
        ("--slack", "2.1"),
        ("--invalid", "101%"),
        ("--late", "-1%"),
    ] {
        let flag_and_value = format!("{flag}={wrong}");
        let done = measure(&folder, &[&SMALL[..], &[&flag_and_value]].concat());
        assert!(done.code == 2 && done.stderr.contains(flag), "{flag_and_value}: {done:?}");
    }
    let loops = ["bcast", "--world", "threads", "--method", "loop", "--late", "0"];
    let done = measure(&folder, &loops);
    assert!(done.code == 2 && done.stderr.contains("--late") && done.stderr.contains("--method"), "{done:?}");
    assert!(!folder.path().join("results").exists(), "nothing was begun");
}

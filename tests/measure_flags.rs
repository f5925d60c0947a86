//! Flags of `parallax measure` for the rules of windows, and for what is shown of measurements, on threads.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::table;
use models::quantity::Millionths;
use models::time::Span;
use programs::aggregation::samples_us;
use programs::method::{Method, StopRule, WindowRules};
use programs::observation::Observation;
use scenario::store::{Line, read};
use std::collections::BTreeMap;
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

/// Prints a finished campaign again, as flags show it.
fn again(folder: &TempDir, flags: &str) -> Done {
    let resume = ["--resume", "--out", "results/measure-001", "-q"];
    measure(folder, &[&resume[..], &flags.split(' ').collect::<Vec<_>>()].concat())
}

#[test]
fn ranks_levels_and_trimming_are_shown_of_a_finished_campaign() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(measure(&folder, &SMALL).code, 0);
    let before = observations(&folder);
    let csv = again(&folder, "--per-rank --confidence 99 --trim 10% --format csv");
    assert_eq!(csv.code, 0, "{csv:?}");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("results/measure-001/per-rank.csv")).ok(),
        Some(csv.stdout.clone())
    );
    for one in observations(&folder) {
        let method = one.case.timing.method;
        for (rank, record) in one.ranks.iter().enumerate() {
            let samples = samples_us(method, &one.ranks, rank);
            let is_its =
                |row: &BTreeMap<String, String>| row["method"] == method.name() && row["rank"] == rank.to_string();
            let rows: Vec<_> = table::rows(&csv.stdout).into_iter().filter(is_its).collect();
            let [row] = &rows[..] else { panic!("one row of rank {rank}: {csv:?}") };
            let number = |name: &str| row[name].parse::<f64>().ok();
            assert_eq!(number("samples"), Some(samples.len() as f64));
            if method == Method::Window {
                assert_eq!(number("starts"), Some(record.stamps.len() as f64));
            }
            if samples.len() < 4 {
                continue; // Other programs disturbed the windows.
            }
            let mut sorted = samples.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            let dropped = samples.len() / 10;
            let kept = &sorted[dropped..samples.len() - dropped];
            let mean = kept.iter().sum::<f64>() / kept.len() as f64;
            assert_eq!((number("trimmed"), number("after_trimming")), (Some(0.1), Some(kept.len() as f64)));
            for (name, expected) in [("mean_us", mean), ("min_us", kept[0]), ("max_us", kept[kept.len() - 1])] {
                let printed = number(name).expect("a number");
                assert!((printed - expected).abs() < 1e-5, "{name}: {printed} {expected}");
            }
            assert!(number("mean_low_us") < Some(mean) && Some(mean) < number("mean_high_us"), "{row:?}");
        }
    }
    for form in ["table", "markdown", "json"] {
        let done = again(&folder, &format!("--per-rank --confidence 99 --trim 10% --format {form}"));
        for words in ["99 % intervals", "each rank's mean trimmed 10 % at each end"] {
            let said = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(done.code == 0 && said.contains(words), "{words}: {done:?}");
        }
    }
    let mpiperf = again(&folder, "--confidence 90 --trim 10% --format mpiperf").stdout;
    assert!(mpiperf.contains("(CL): 90%") && mpiperf.contains("on, 10 % at each end"), "{mpiperf}");
    assert!(again(&folder, "--format mpiperf").stdout.contains("(CL): 95%"));
    assert_eq!(observations(&folder), before, "nothing is measured or changed");
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (flags, flag) in [
        ("--confidence 50", "--confidence"),
        ("--per-rank --trim 50%", "--trim"),
        ("--per-rank --trim=-1%", "--trim"),
        ("--trim 10%", "--per-rank"),
        ("--per-rank --format mpiperf", "--per-rank"),
        ("--confidence 99 --format osu", "--confidence"),
        ("--trim 10% --format imb", "--trim"),
    ] {
        let done = measure(&folder, &[&SMALL[..], &flags.split(' ').collect::<Vec<_>>()].concat());
        assert!(done.code == 2 && done.stderr.contains(flag), "{flags}: {done:?}");
    }
    assert!(!folder.path().join("results").exists(), "nothing was begun");
}

#[test]
fn processes_keep_to_the_rules_of_windows_and_have_rows_of_their_own() {
    for world in ["openmpi", "mpich"].into_iter().filter(|name| mpi_program(name).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let flags = "bcast --bytes 8 --method window --stop counts:100/30 --launches 1 -q --per-rank --format json";
        let done = measure(&folder, &[&flags.split(' ').collect::<Vec<_>>()[..], &["--world", world]].concat());
        assert_eq!(done.code, 0, "{done:?}");
        for one in observations(&folder) {
            // Stages have 8 starts: the last one brings more than 30 valid starts or more than 100 in all.
            let (starts, valid) = (one.ranks[0].stamps.len(), one.ranks[0].valid().count());
            assert!(starts % 8 == 0 && (starts > 100 || valid > 30), "{starts} starts, {valid} valid");
            assert!(starts <= 104 && valid <= 38, "{starts} starts, {valid} valid");
        }
        let object: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        assert!(object["per_rank"].as_array().is_some(), "{object}");
    }
}

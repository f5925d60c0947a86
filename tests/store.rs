//! `parallax store` as a user meets it, with a campaign that threads ran.

mod common;

use common::command::{Done, finish, parallax, scenario, unread};
use common::said::Page;
use tempfile::TempDir;

/// A folder with a finished campaign in results/small-001.
fn ran() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("small.toml"), scenario("threads", 2, "200 us")).unwrap();
    let done = finish(parallax(&folder).args(["run", "small.toml", "--quiet"]));
    assert_eq!(done.code, 0, "{done:?}");
    folder
}

fn store(folder: &TempDir, arguments: &str) -> Done {
    finish(parallax(folder).arg("store").args(arguments.split(' ')))
}

#[test]
fn a_campaign_is_added_once_listed_shown_and_exported() {
    let folder = ran();
    let done = store(&folder, "add results/small-001");
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    let place = "results/small-001/campaign.jsonl";
    insta::assert_snapshot!("a_campaign_is_added", done.stdout);
    let again = store(&folder, &format!("add {place}"));
    insta::assert_snapshot!("a_campaign_is_there_already", again.stdout);
    let listed = store(&folder, "list");
    assert_eq!(listed.stdout.lines().count(), 3, "{listed:?}");
    assert!(listed.stdout.contains("Does a small scenario run?"), "{listed:?}");
    assert_eq!(store(&folder, "list --db results/parallax.sqlite").stdout, listed.stdout);
    let shown = store(&folder, "show small").stdout;
    assert!(
        shown.contains("run 1: small") && shown.contains("clock source") && shown.contains("barrier-loop"),
        "{shown}"
    );

    let json = store(&folder, "export 1 --format json").stdout;
    assert_eq!(json, std::fs::read_to_string(folder.path().join(place)).unwrap(), "byte for byte");
    let csv = store(&folder, "export 1 --format csv --out samples.csv");
    assert_eq!((csv.code, csv.stdout.as_str()), (0, ""), "{csv:?}");
    let csv = std::fs::read_to_string(folder.path().join("samples.csv")).unwrap();
    assert!(csv.starts_with("run,case,operation,form,algorithm,ranks,"), "{csv}");
    assert!(csv.lines().next().unwrap().contains(",start_ps,end_ps,duration_per_call_us,valid"), "{csv}");
    assert!(csv.lines().any(|line| line.contains(",binomial,") && line.contains(",window,")), "{csv}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = ran();
    assert_eq!(store(&folder, "add results/small-001").code, 0);
    for line in [
        "store export 1 --format csv",
        "store export 1 --format json",
        "store list",
        "report results/small-001 --format markdown",
    ] {
        let done = unread(parallax(&folder).args(line.split(' ')));
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{line}");
    }
}

#[test]
fn results_in_the_form_of_other_benchmarks_are_read_back() {
    let folder = ran();
    assert_eq!(store(&folder, "add results/small-001 --db own.sqlite").code, 0);
    for format in ["osu", "imb", "mpiperf"] {
        let done = store(&folder, &format!("export small --format {format} --out results.txt --db own.sqlite"));
        assert_eq!(done.code, 0, "{done:?}");
        let read = finish(parallax(&folder).args(["import", "results.txt"]));
        assert_eq!((read.code, read.stderr.as_str()), (0, ""), "{read:?}");
        // Two algorithms by three methods; the traces are for pictures.
        assert_eq!(read.stdout.lines().filter(|line| line.starts_with(&format!("  {format} "))).count(), 6, "{read:?}");
    }
    assert!(!folder.path().join("results/parallax.sqlite").exists(), "only the named store was made");
}

#[test]
fn mistakes_end_with_code_2_and_a_cure_and_make_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    let mut refused = |arguments: &str, place: &str| {
        let done = store(&folder, arguments);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments}: {done:?}");
        page.add(&[arguments], &done);
    };
    for arguments in ["list", "show 1", "export 1 --format csv --out a.csv"] {
        refused(arguments, "results/parallax.sqlite");
    }
    refused("add nowhere.jsonl", "nowhere.jsonl");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
    std::fs::write(folder.path().join("prose.jsonl"), "no campaign\n").unwrap();
    refused("add prose.jsonl", "prose.jsonl line 1: ");
    refused("list --db prose.jsonl", "prose.jsonl");
    std::fs::write(folder.path().join("end.jsonl"), "{\"finished\":{}}\n").unwrap();
    refused("add end.jsonl", "end.jsonl");
    let campaign =
        r#"{"campaign":{"format":5,"question":"?","name":"n","seed":1,"scenario_text":"","environment":[]}}"#;
    std::fs::write(folder.path().join("begun.jsonl"), format!("{campaign}\n")).unwrap();
    assert_eq!(store(&folder, "add begun.jsonl").code, 0);
    refused("show 7", "'7'");
    refused("export n --format csv --out no/folder/a.csv --db nowhere.sqlite", "nowhere.sqlite");
    assert_eq!(store(&folder, "export n --format csv --out no/folder/a.csv").code, 1);
    insta::assert_snapshot!(page);
    if cfg!(not(feature = "parquet")) {
        let done = store(&folder, "export n --format parquet --out a.parquet");
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
        assert!(done.stderr.contains("cargo build --release --features parquet"), "{done:?}");
    }
}

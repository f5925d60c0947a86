//! The command as a user meets it.

use crate::common::command::{Done, finish, mpi_program, parallax};
use crate::common::said::{Page, said};
use crate::common::table;
use std::collections::BTreeSet;
use tempfile::TempDir;

/// Two ranks as threads, few and short cases.
const SMALL: [&str; 12] = [
    "bcast,barrier",
    "--world",
    "threads",
    "--ranks",
    "2",
    "--bytes",
    "8,4KiB",
    "--algorithm",
    "linear,binomial,dissemination",
    "--launches",
    "1",
    "-q",
];

fn validate(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).arg("validate").args(arguments))
}

fn file(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join("results/validate-001").join(name)).unwrap_or_default()
}

#[test]
fn threads_are_calibrated_measured_predicted_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let done = validate(&folder, &[&SMALL[..], &["--hold-out", "--details"]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    for words in [
        "threads (emulated-validate): hockney was calibrated",
        "collective  model",
        "bcast, threads (emulated-validate)",
        "|error| on single messages",
        "Report: results/validate-001/report.html",
        "Measured: the touched reference: from a common start by synchronised clocks",
    ] {
        assert!(done.stdout.contains(words), "{words}: {done:?}");
    }
    let widest = done.stdout.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest <= 100, "{widest} columns: {done:?}");
    // Two algorithms of the broadcast at two lengths; linear and dissemination barriers.
    let csv = file(&folder, "validation.csv");
    // Beside other work a case may be left without a valid window, and has no row then.
    assert!((1 + 3..=1 + 2 * 2 + 2).contains(&csv.lines().count()), "{csv}");
    for row in table::rows(&csv) {
        let measured: f64 = row["measured_us"].parse().expect("a time");
        let looked = ["reference", "line_ns", "slower"].map(|head| row[head].as_str());
        assert_eq!(looked, ["touched", "", ""], "threads on an emulated network do not look around: {row:?}");
        assert!(measured > 500.0, "no message is faster than the network: {row:?}");
    }
    let html = file(&folder, "report.html");
    assert!(
        html.contains("Errors of hockney") && html.contains("pictures/errors-threads-emulated-validate-hockney.csv")
    );
    assert!(file(&folder, "machine-threads-validate-2.toml").contains("[hockney"));
    assert!(file(&folder, "calibration-threads-validate-2.json").contains("round_trips"));
}

#[test]
fn a_campaign_is_gone_on_with_and_tells_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let first = validate(&folder, &[&SMALL[..], &["--format", "csv"]].concat());
    assert_eq!(first.code, 0, "{first:?}");
    let path = folder.path().join("results/validate-001/campaign.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    // As if it had been killed within the line of the last case.
    let kept: Vec<&str> = whole.lines().take(4).collect();
    std::fs::write(&path, format!("{}\n{}", kept.join("\n"), &whole.lines().nth(4).unwrap()[..40])).unwrap();
    let other = validate(&folder, &["reduce", "--world", "threads", "--resume", "--out", "results/validate-001"]);
    assert_eq!(other.code, 2, "{other:?}");
    insta::assert_snapshot!(said(&other, &[]));
    let resumed = validate(&folder, &["--resume", "-q", "--format", "csv"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let now = std::fs::read_to_string(&path).unwrap();
    assert!(now.starts_with(&kept.join("\n")), "what was there is kept");
    assert_eq!(now.matches("{\"measured\"").count(), whole.matches("{\"measured\"").count());
    // Rows of a state that the machine left are missing, so that the cases in the file are compared.
    let cases = |text: &str| -> BTreeSet<String> {
        let measured = text.lines().filter_map(|line| line.strip_prefix("{\"measured\":"));
        measured.filter_map(|line| Some(line.split_once("\"ran_by\"")?.0.to_owned())).collect()
    };
    assert!(!cases(&whole).is_empty());
    assert_eq!(cases(&now), cases(&whole));
    let rows = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(',').take(7).collect::<Vec<_>>().join(",")).collect()
    };
    let planned = [
        "world,transport,ranks,operation,algorithm,root,bytes",
        "threads,emulated-validate,2,bcast,binomial,0,8",
        "threads,emulated-validate,2,bcast,binomial,0,4096",
        "threads,emulated-validate,2,bcast,linear,0,8",
        "threads,emulated-validate,2,bcast,linear,0,4096",
        "threads,emulated-validate,2,barrier,dissemination,,0",
        "threads,emulated-validate,2,barrier,linear,,0",
    ];
    for printed in [rows(&first.stdout), rows(&resumed.stdout)] {
        let of_plan: Vec<&str> = planned.into_iter().filter(|row| printed.iter().any(|one| one == row)).collect();
        assert!(printed.len() > 1, "{printed:?}");
        assert_eq!(printed, of_plan, "rows of the plan, in its order");
    }
    let again = validate(&folder, &["--resume", "--out", "results/validate-001", "-q", "--format", "csv"]);
    assert_eq!(again.stdout, resumed.stdout, "everything told comes from the campaign");
}

#[test]
fn a_machine_file_takes_the_place_of_a_calibration() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(validate(&folder, &SMALL).code, 0);
    let machine = "results/validate-001/machine-threads-validate-2.toml";
    let done = validate(&folder, &[&SMALL[..], &["--machine", machine, "--format", "json"]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    // Beside other programs a case may have no window that began in time, and so no row.
    let rows = told["rows"].as_array().map_or(0, Vec::len);
    assert!((1..=6).contains(&rows), "{told}");
    assert_eq!(told["parameters"][0]["machine"], "threads-validate-2");
    assert!(!folder.path().join("results/validate-002/calibration-threads-validate-2.json").exists());
}

#[test]
fn mistakes_are_refused_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "name = 3\n").unwrap();
    let mut page = Page::new();
    let refusals: [(&[&str], &str); 11] = [
        (&["bcast", "--reference", "warm"], "--reference"),
        (&["brodcast"], "brodcast"),
        (&["ibcast", "--world", "threads"], "'ibcast'"),
        (&["bcast", "--world", "lam"], "--world"),
        (&["bcast", "--world", "threads", "--transport", "native"], "--transport"),
        (&["bcast", "--world", "threads", "--model", "logp"], "--model"),
        (&["bcast", "--world", "threads", "--algorithm", "library"], "--algorithm"),
        (&["bcast", "--world", "threads", "--algorithm", "bruck"], "'bruck'"),
        (&["bcast", "--world", "threads", "--bytes", "8..x"], "--bytes"),
        (&["bcast", "--world", "threads", "--ranks", "1"], "--ranks"),
        (&["bcast", "--world", "threads", "--machine", "bad.toml"], "bad.toml line 1"),
    ];
    for (arguments, place) in refusals {
        let done = validate(&folder, arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        assert_eq!(done.stdout, "");
        page.add(arguments, &done);
    }
    let without = validate(&folder, &["--resume"]);
    assert_eq!(without.code, 2, "{without:?}");
    page.add(&["--resume"], &without);
    insta::assert_snapshot!(page);
    assert!(!folder.path().join("results").exists(), "nothing was begun");
}

/// Some launches of two real ranks, held against every model; the pairs of launches that say how much launches differ,
/// of which there are none if the machine changed its state in all of them.
fn pairs_of_two_real_ranks(library: &str, other: &str, launches: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let named = &format!("library,library:binomial,library:{other},binomial")[..];
    let count = launches.to_string();
    let few = ["--ranks", "2", "--bytes", "64,1KiB", "--launches", &count, "-q", "--format", "json"];
    let done = validate(&folder, &[&["bcast", "--world", library, "--algorithm", named][..], &few[..]].concat());
    assert_eq!(done.code, 0, "{library}: {done:?}");
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let models = told["models"].as_str().expect("models").split(',').count();
    assert!(models >= 2, "{library}: {told}");
    // The library's choice, two that it is made to use, and one of ours, at two lengths; what was measured while the
    // machine changed its state is left out.
    let rows = told["rows"].as_array().map_or(0, Vec::len);
    assert!((models..=4 * 2 * models).contains(&rows) && rows.is_multiple_of(models), "{library}: {told}");
    // There is nothing to compare with where all that the library was made to use was left out, and no length at all
    // where its own choice was.
    let lengths = told["library"].as_array().map_or(&[][..], Vec::as_slice);
    let all_told = lengths.len() == 2 && lengths.iter().all(|length| length["by_measurement"].is_string());
    assert!(all_told || rows < 4 * 2 * models, "{library}: {told}");
    // Without two launches in one state nothing is told of how much launches differ.
    let evidence = told["evidence"].as_array().expect("evidence");
    let pairs = evidence.first().map_or(0, |evidence| evidence["pairs"].as_u64().expect("pairs"));
    assert!(pairs <= 4 * launches * (launches - 1) / 2, "two algorithms at two lengths: {told}");
    pairs
}

#[test]
fn two_real_ranks_are_held_against_every_model_and_the_library_is_asked_what_it_uses() {
    for (library, other) in [("openmpi", "scatter_allgather"), ("mpich", "scatter_ring_allgather")] {
        if mpi_program(library).is_some() {
            // Where a busy machine changes its state all the time, more launches find two in the same one.
            let some = (2..12).any(|launches| pairs_of_two_real_ranks(library, other, launches) > 0);
            assert!(some, "{library}: no two launches in the same state");
        }
    }
}

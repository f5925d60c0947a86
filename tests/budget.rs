//! `parallax budget`: simulated ranks, threads, MPI; what is refused; campaigns that are gone on with.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::said::{Page, said};
use std::path::Path;

/// A budget of ranks whose network is known.
fn budget(folder: &tempfile::TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).arg("budget").args(arguments))
}

fn json(done: &Done) -> serde_json::Value {
    assert_eq!(done.code, 0, "{done:?}");
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

/// The cases of rows: all rows of a case together.
fn cases(all: &serde_json::Value) -> Vec<Vec<&serde_json::Value>> {
    let rows = all["rows"].as_array().expect("rows");
    let case = |row: &serde_json::Value| {
        ["world", "transport", "ranks", "operation", "algorithm", "root", "bytes", "line_ns", "slower"]
            .map(|axis| row[axis].clone())
    };
    rows.chunk_by(|one, next| case(one) == case(next)).map(|rows| rows.iter().collect()).collect()
}

/// One side's numbers: the first, the bars by the first of their errors, what is left over, the last, in ps.
type Numbers = (i64, Vec<(String, i64)>, i64, i64);

/// The numbers of a side; none where it has none.
fn numbers(case: &[&serde_json::Value], side: &str) -> Option<Numbers> {
    let rows: Vec<_> = case.iter().filter(|row| row["source"] == side && !row["time_us"].is_null()).collect();
    let ps = |row: &serde_json::Value| (row["time_us"].as_f64().expect("a number") * 1e6).round() as i64;
    let part = |part: &str| rows.iter().find(|row| row["part"] == part).map(|row| ps(row));
    let bars = rows.iter().filter(|row| row["part"].as_str().is_some_and(|part| part.starts_with('E')));
    let name = |row: &serde_json::Value| row["name"].as_str().unwrap().split('+').next().unwrap().to_owned();
    Some((part("from")?, bars.map(|row| (name(row), ps(row))).collect(), part("remainder")?, part("to")?))
}

fn adds_up(case: &[&serde_json::Value], side: &str) {
    let (from, bars, remainder, to) = numbers(case, side).expect(side);
    assert_eq!(from + bars.iter().map(|(_, bar)| bar).sum::<i64>() + remainder, to, "{case:#?}");
}

#[test]
fn simulated_ranks_are_asked_without_any_measurement() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--world", "simulated", "--ranks", "4", "--bytes", "8,1KiB", "--set", "alpha=5us,beta=1ns/B"];
    let arguments = [&["bcast,allreduce", "--benchmark", "mpptest", "--format", "json"], &flags[..]].concat();
    let all = json(&budget(&folder, &arguments));
    let cases = cases(&all);
    assert_eq!(cases.len(), 4);
    for case in &cases {
        adds_up(case, "predicted");
        assert!(numbers(case, "measured").is_none());
        let (_, bars, ..) = numbers(case, "predicted").unwrap();
        let rotates = bars.iter().any(|(error, _)| error == "root-changes");
        assert_eq!(rotates, case[0]["operation"] == "bcast", "an allreduce has no root that could change");
    }
    let place = folder.path().join("results/budget-001");
    for file in ["report.html", "summary.txt", "budget.csv", "pictures/budget-4.svg", "pictures/budget-4.csv"] {
        assert!(place.join(file).is_file(), "{file}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "bcast",
        "--from",
        "osu",
        "--to",
        "reprompi",
        "--world",
        "simulated",
        "--ranks",
        "5",
        "--noise",
        "exponential:mean=5us,rate=1kHz",
    ];
    let (one, other) = (budget(&folder, &arguments), budget(&folder, &arguments));
    assert_eq!(one.code, 0, "{one:?}");
    let table = |done: &Done| done.stdout.split("Report:").next().unwrap_or_default().to_owned();
    assert_eq!(table(&one), table(&other));
    assert!(one.stdout.contains("reprompi") && one.stdout.contains("osu"), "{one:?}");
}

#[test]
fn threads_measure_what_is_predicted_of_a_loop() {
    let folder = tempfile::tempdir().unwrap();
    let ends = ["--from", "reference,aggregation=mean", "--to", "reference,aggregation=mean,buffer=same,E6,E9"];
    let flags = [
        "--world",
        "threads",
        "--ranks",
        "4",
        "--rounds",
        "6",
        "--launches",
        "2",
        "--samples",
        "2",
        "--format",
        "json",
    ];
    let all = json(&budget(&folder, &[&["bcast", "--algorithm", "linear"], &ends[..], &flags[..]].concat()));
    let case = &cases(&all)[0];
    adds_up(case, "predicted");
    adds_up(case, "measured");
    let (_, predicted, ..) = numbers(case, "predicted").unwrap();
    let (from, measured, ..) = numbers(case, "measured").unwrap();
    // Linear broadcasts of the emulated network take 100 µs per message: 231 µs in the mean, a barrier 200.
    assert!(from >= 225_000_000, "an emulated network is never faster: {case:?}");
    let start = |bars: &[(String, i64)]| bars.iter().find(|(error, _)| error == "unsynchronised-loop").unwrap().1;
    assert!(start(&predicted) > 0, "a loop with a barrier inside adds: {predicted:?}");
    assert!(start(&measured) >= 100_000_000, "two rounds of 100 µs, of which noise hides half at most: {case:?}");
    let measurement = &all["measurements"][0];
    assert_eq!((&measurement["rounds"], &measurement["launches"]), (&6.into(), &2.into()));
}

/// The lines of a campaign.
fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_campaign_that_was_cut_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "bcast",
        "--to",
        "reference,E2,E9",
        "--world",
        "threads",
        "--rounds",
        "4",
        "--launches",
        "2",
        "--samples",
        "1",
    ];
    let whole = budget(&folder, &arguments);
    assert_eq!(whole.code, 0, "{whole:?}");
    let file = folder.path().join("results/budget-001/campaign.jsonl");
    let all = lines(&file);
    let rounds = |lines: &[String]| lines.iter().filter(|line| line.starts_with("{\"round\"")).count();
    assert_eq!(rounds(&all), 4 * 2, "E2 is another view of the last one's own runs");
    let third = all.iter().position(|line| line.starts_with("{\"round\"")).unwrap() + 3;
    let kept = all[..third].join("\n") + "\n" + &all[third][..40];
    std::fs::write(&file, kept).unwrap();
    let resumed = finish(parallax(&folder).args(["budget", "--resume"]));
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let again = lines(&file);
    assert_eq!(again[..third], all[..third], "what was there stays");
    assert_eq!(rounds(&again), 4 * 2);
    assert_eq!(again.last().unwrap(), "{\"finished\":{}}");
    let other = finish(
        parallax(&folder)
            .args(["budget", "--resume", "--out", "results/budget-001"])
            .args(arguments)
            .args(["--seed", "2"]),
    );
    assert_eq!(other.code, 2, "{other:?}");
    insta::assert_snapshot!(said(&other, &[]));
}

#[test]
fn what_makes_no_budget_is_refused_before_anything_is_begun() {
    let mut page = Page::new();
    for (arguments, place) in [
        (&["bcast"][..], "--benchmark"),
        (&["bcast", "--benchmark", "netpipe"], "--benchmark"),
        (&["bcast", "--benchmark", "osu:t_avg"], "--benchmark"),
        (&["bcast", "--from", "osu", "--to", "imb"], "--to"),
        (&["allreduce", "--from", "osu", "--to", "imb:t_max"], "--to"),
        (&["bcast", "--to", "reference,root=3"], "--to"),
        (&["ibcast", "--benchmark", "osu"], "ibcast"),
        (&["brodcast", "--benchmark", "osu"], "brodcast"),
        (&["bcast", "--benchmark", "osu", "--world", "simulated", "--ranks", "1"], "--ranks"),
        (&["bcast", "--benchmark", "osu", "--world", "cluster"], "--world"),
        (&["bcast", "--benchmark", "osu", "--world", "threads", "--set", "alpha=5us"], "--set"),
        (&["bcast", "--benchmark", "osu", "--world", "simulated", "--machine", "none.toml"], "--machine"),
        (&["bcast", "--benchmark", "osu", "--world", "simulated", "--clocks", "colour=3"], "--clocks"),
        (&["bcast", "--benchmark", "osu", "--world", "threads", "--benchmark-clock", "mpi_wtime"], "--benchmark-clock"),
        (&["bcast", "--benchmark", "osu", "--world", "threads", "--root", "7"], "--root"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let done = budget(&folder, arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
        assert!(!folder.path().join("results").exists(), "{arguments:?} began something");
    }
    insta::assert_snapshot!(page);
}

#[test]
fn a_machine_file_predicts_with_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let first = ["bcast", "--to", "E9", "--world", "threads", "--rounds", "2", "--launches", "1", "--samples", "1"];
    let measured = budget(&folder, &first);
    assert_eq!(measured.code, 0, "{measured:?}");
    let machine = "results/budget-001/machine-threads-measure-2.toml";
    let arguments = ["bcast", "--to", "E9", "--world", "simulated", "--machine", machine, "--format", "json"];
    let all = json(&budget(&folder, &arguments));
    let to = all["rows"].as_array().unwrap().iter().find(|row| row["part"] == "to").unwrap();
    let [low, value, high] = ["time_low_us", "time_us", "time_high_us"].map(|name| to[name].as_f64().unwrap());
    // Beside busy cores the interval of a calibrated network may reach down to nothing.
    assert!(low <= value && value <= high && value > 90.0, "{to}");
}

#[test]
fn both_libraries_lead_from_the_reference_to_a_benchmark() {
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let flags = ["--world", library, "--rounds", "4", "--launches", "2", "--format", "json"];
        let all = json(&budget(&folder, &[&["allreduce", "--benchmark", "osu"], &flags[..]].concat()));
        let cases = cases(&all);
        let with = |side: &'static str| cases.iter().filter(move |case| numbers(case, side).is_some());
        assert!(with("predicted").count() > 0, "{library}: {all}");
        with("predicted").for_each(|case| adds_up(case, "predicted"));
        // One for each state that was met; where it changed in every round, no round has all numbers in one state.
        for case in with("measured") {
            adds_up(case, "measured");
            let (_, bars, ..) = numbers(case, "measured").unwrap();
            let errors: Vec<&str> = bars.iter().map(|(error, _)| error.as_str()).collect();
            assert_eq!(errors, ["barrier-skew", "buffer-reuse", "one-rank", "bad-clock"], "{library}");
            assert_eq!(all["measurements"][0]["has_intervals"], false);
        }
        let campaign = lines(&folder.path().join("results/budget-001/campaign.jsonl"));
        // The reference, E5, E4 and both; E2 and E7 are computed from the last.
        assert_eq!(campaign.iter().filter(|line| line.starts_with("{\"round\"")).count(), 4 * 4, "{library}");
    }
}

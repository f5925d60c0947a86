//! `parallax probe clocks` and `parallax probe sync` as a user meets them.

mod common;

use common::command::{finish, mpi_program, parallax};
use common::said::Page;
use models::clock::ClockSpread;
use models::wtime::KNOWN;
use serde_json::Value;

/// What a command prints as JSON.
fn json(arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let done = finish(parallax(&folder).args(arguments).args(["--format", "json"]));
    assert_eq!(done.code, 0, "{arguments:?}: {done:?}");
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {done:?}"))
}

fn rows(all: &Value) -> &Vec<Value> {
    all["rows"].as_array().expect("a list of rows")
}

#[test]
fn simulated_ranks_are_all_within_their_bounds() {
    let arguments = [
        "probe",
        "sync",
        "--world",
        "simulated",
        "--ranks",
        "2..6",
        "--tries",
        "3",
        "--asymmetry",
        "3us",
        "--jitter",
        "1us",
    ];
    let all = json(&[&arguments[..], &["--noise", "exponential:mean=20us,rate=1000Hz"]].concat());
    assert_eq!(rows(&all).len(), 7 * 3, "seven algorithms on 2, 4 and 6 ranks");
    for row in rows(&all) {
        let judged = row["judged"].as_u64().unwrap();
        assert_eq!(judged, 3 * (row["ranks"].as_u64().unwrap() - 1), "rank 0 is the reference: {row}");
        assert_eq!((row["contained"].as_u64(), row["contradicted"].as_u64()), (Some(judged), Some(0)), "{row}");
    }
}

#[test]
fn threads_share_a_clock_and_their_true_offset_of_zero_is_within_every_bound() {
    let all = json(&["probe", "sync", "--world", "threads", "--ranks", "3", "--tries", "2"]);
    assert_eq!(rows(&all).len(), 7);
    for row in rows(&all) {
        assert_eq!((row["contained"].as_u64(), row["shared"].as_u64()), (Some(4), Some(0)), "{row}");
    }
    let detected = json(&["probe", "sync", "--world", "threads", "--ranks", "3", "--tries", "2", "--detect-sharing"]);
    for row in rows(&detected) {
        assert_eq!((row["shared"].as_u64(), row["error_max_us"].as_f64()), (Some(4), Some(0.0)), "{row}");
        assert!(row["bound_max_us"].as_f64().unwrap() > 0.0, "that they share a clock is measured, too: {row}");
    }
}

#[test]
fn a_report_card_says_what_is_wrong_with_gettimeofday() {
    let all = json(&["probe", "clocks", "--ranks", "0", "--clock", "gettimeofday,clock_monotonic_raw"]);
    let [coarse, raw] = &all["clocks"].as_array().unwrap()[..] else { panic!("{all}") };
    assert_eq!((coarse["verdict"].as_str(), coarse["granularity_ns"].as_f64()), (Some("limited"), Some(1e3)));
    assert!(coarse["remarks"].as_str().unwrap().contains("1000 ns"), "{coarse}");
    assert_eq!(raw["backwards"], 0);
    assert!(raw["null_us"].is_null(), "no ranks were asked for");
}

#[test]
fn waits_are_timed_by_any_clock() {
    let all =
        json(&["probe", "clocks", "--world", "threads", "--clock", "clock_monotonic,gettimeofday", "--sync", "hca3o"]);
    for clock in all["clocks"].as_array().unwrap() {
        // Ranks that wait for 2 µs are not done sooner, but for the clock's steps. (On a busy machine no window may be valid.)
        for wait in ["up_us", "down_us"] {
            assert!(clock[wait].as_f64().is_none_or(|us| us > 0.9), "{wait}: {clock}");
        }
    }
}

#[test]
fn mistakes_end_with_code_2_and_say_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        (&["probe", "sync", "--sync", "ntp"][..], "--sync"),
        (&["probe", "sync", "--ranks", "1"], "--ranks"),
        (&["probe", "sync", "--world", "moon"], "'moon'"),
        (&["probe", "sync", "--world", "simulated", "--clock", "tsc"], "--clock"),
        (&["probe", "clocks", "--clock", "sundial"], "'sundial'"),
        (&["probe", "clocks", "--world", "threads", "--clock", "mpi_wtime"], "--clock"),
        (&["probe", "clocks", "--ranks", "1"], "--ranks"),
        (&["probe", "clocks", "--clocks", "largest-skw=3ppm"], "--clocks"),
        (&["probe", "clocks", "--ranks", "0", "--clocks", "granularity=1us"], "--clocks"),
        (
            &["measure", "barrier", "--clock", "mpi_wtime", "--world", "openmpi", "--clocks", "granularity=1us"],
            "--clocks",
        ),
    ] {
        let done = finish(parallax(&folder).args(arguments));
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn mpi_ranks_synchronise_the_counter_and_the_librarys_own_clock() {
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let compare = ["probe", "sync", "--world", library, "--ranks", "3", "--tries", "2"];
        for row in rows(&json(&compare)) {
            assert_eq!(
                (row["contained"].as_u64(), row["contradicted"].as_u64()),
                (Some(4), Some(0)),
                "{library}: {row}"
            );
        }
        for row in rows(&json(&[&compare[..], &["--clock", "mpi_wtime"]].concat())) {
            // Every process may count from another origin: nobody knows the truth, and no reading denies it.
            assert_eq!((row["contained"].as_u64(), row["contradicted"].as_u64()), (None, Some(0)), "{library}: {row}");
        }
        let all = json(&["probe", "clocks", "--world", library, "--clock", "mpi_wtime"]);
        assert_eq!(all["clocks"][0]["clock"], "mpi_wtime", "{library}: {all}");
        assert!(all["clocks"][0]["up_us"].as_f64().is_none_or(|us| us > 0.9), "{library}: {all}");
    }
}

/// What is wrong with clocks on purpose: rates by up to 20 %, so that two ranks that wait for 2 µs report another number.
const WRONG: &str = "largest-offset=5ms,largest-skew=200000ppm,read-cost=900ns";

/// Imperfect clocks of real ranks show what was drawn: offsets are found within their bounds, and no wait is reported shorter than
/// the clocks count it.
fn show_what_was_drawn(world: &str) {
    let all = json(&["probe", "clocks", "--world", world, "--clocks", WRONG, "--seed", "8"]);
    let clock = &all["clocks"][0];
    assert!(clock["clock"].as_str().unwrap().ends_with(", imperfect"), "{world}: {clock}");
    let drawn = &all["drawn"][0];
    let spread = ClockSpread::parse_over(ClockSpread::default(), WRONG).unwrap();
    let [first, second] = [0, 1].map(|rank| spread.sample_clock(8, rank));
    // By hand: rank 1 waits 2 µs, rank 0 1 µs, and a reading takes 0.9 µs.
    let up = (2.0 * (1.0 + second.skew_ppm / 1e6)).max(1.0 + first.skew_ppm / 1e6) + 0.9;
    assert!((drawn["drawn_up_us"].as_f64().unwrap() - up).abs() < 1e-9 && (up - 2.9).abs() > 0.05, "{world}: {drawn}");
    for (wait, truth) in [("null_low_us", 0.9), ("up_low_us", up)] {
        assert!(clock[wait].as_f64().is_none_or(|us| us > truth - 0.02), "{world}: {wait} {truth}: {clock}");
    }
    let of = |name: &str| drawn[name].as_f64().unwrap();
    // 5 ms of offset, and what the rates make of the time since the clocks began.
    let apart = first.offset.0 as f64 / 1e6 - second.offset.0 as f64 / 1e6;
    let drift_ppm = first.skew_ppm - second.skew_ppm;
    assert!((of("injected_us") - apart).signum() == drift_ppm.signum(), "{world}: {drawn}");
    assert!(of("drifted_us").signum() == drift_ppm.signum(), "{world}: {drawn}");
}

#[test]
fn imperfect_clocks_of_threads_show_what_was_drawn() {
    show_what_was_drawn("threads");
}

#[test]
fn imperfect_clocks_of_mpi_ranks_show_what_was_drawn() {
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        show_what_was_drawn(library);
    }
}

/// Where rates differ by less than synchronisations assume, what was drawn lies within their bounds.
#[test]
fn offsets_that_were_drawn_are_found_within_their_bounds() {
    let there = ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some());
    for world in ["threads"].into_iter().chain(there) {
        let clocks = "largest-offset=5ms,largest-skew=40ppm";
        let all = json(&["probe", "clocks", "--world", world, "--clocks", clocks, "--seed", "3"]);
        let offset = &all["drawn"][0];
        let of = |name: &str| offset[name].as_f64().unwrap();
        assert!(of("error_us").abs() <= of("bound_us"), "{world}: {offset}");
        assert!(
            of("injected_us").abs() > 100.0 * of("bound_us").min(1.0),
            "a perfect clock would be found at 0: {offset}"
        );
    }
}

/// What libraries were found to read, from ranks of each that is here.
#[test]
fn what_mpi_wtime_reads_is_found_from_real_ranks() {
    for (library, follows, begins) in
        [("openmpi", "monotonic", "each rank's own start"), ("mpich", "the wall clock", "the last full hour")]
    {
        if mpi_program(library).is_none() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let done = finish(parallax(&folder).args(["probe", "clocks", "--world", library, "--clock", "mpi_wtime"]));
        assert_eq!(done.code, 0, "{library}: {done:?}");
        let told = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, told) = told.split_once("MPI_Wtime of ").unwrap_or_else(|| panic!("{done:?}"));
        let (told, _) = told.split_once(" on; ranks of one host are ").unwrap_or_else(|| panic!("{done:?}"));
        assert!(told.contains(follows) && told.contains(begins), "{library}: {told}");
        assert!(!done.stdout.contains("says otherwise"), "{library}: {done:?}");
    }
}

/// The guide's table is the program's.
#[test]
fn the_guide_says_what_mpi_wtime_reads() {
    let text = include_str!("../docs/guide/errors.md");
    for known in &KNOWN {
        let row = format!(
            "| {} | {} | {} | {} | {} | {} |",
            known.library.title,
            known.of_versions(),
            known.follows,
            known.begins,
            known.says_global,
            known.source
        );
        assert!(text.lines().any(|line| line == row), "docs/guide/errors.md lacks:\n{row}");
    }
}

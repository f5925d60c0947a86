//! `parallax probe clocks` and `parallax probe sync` as a user meets them.

mod common;

use common::command::{finish, mpi_program, parallax};
use common::said::Page;
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
    assert_eq!(all["oversubscribed_ranks"], serde_json::json!([]));
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
    assert_eq!((coarse["verdict"].as_str(), coarse["card"]["granularity_ns"].as_f64()), (Some("limited"), Some(1e3)));
    assert!(coarse["remarks"].as_str().unwrap().contains("1000 ns"), "{coarse}");
    assert_eq!(raw["card"]["backwards"], 0);
    assert!(raw["waits"].is_null(), "no ranks were asked for");
}

#[test]
fn waits_are_timed_by_any_clock() {
    let all =
        json(&["probe", "clocks", "--world", "threads", "--clock", "clock_monotonic,gettimeofday", "--sync", "hca3o"]);
    for clock in all["clocks"].as_array().unwrap() {
        // Ranks that wait for 2 µs are not done sooner, but for the clock's steps. (On a busy machine no window may be valid.)
        let waits = &clock["waits"];
        for wait in ["up_us", "down_us"] {
            assert!(waits[wait]["value"].as_f64().is_none_or(|us| us > 0.9), "{wait}: {clock}");
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
        assert_eq!(all["clocks"][0]["card"]["clock"], "mpi_wtime", "{library}: {all}");
        assert!(all["clocks"][0]["waits"]["up_us"]["value"].as_f64().is_none_or(|us| us > 0.9), "{library}: {all}");
    }
}

//! `parallax algorithms`: the list for people and for programs, and what a library takes.

mod common;

use common::command::{Done, finish, parallax};
use common::said::Page;
use models::collective::{ALGORITHMS, Collective};
use serde_json::Value;

fn algorithms(arguments: &[&str]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    finish(parallax(&folder).arg("algorithms").args(arguments))
}

fn json(arguments: &[&str]) -> Value {
    let done = algorithms(&[arguments, &["--format", "json"]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    serde_json::from_str(&done.stdout).unwrap()
}

#[test]
fn every_algorithm_of_every_collective_is_listed_with_what_it_costs() {
    let done = algorithms(&[]);
    assert_eq!(done.code, 0, "{done:?}");
    for algorithm in ALGORITHMS {
        assert!(done.stdout.contains(&format!("\n{}\n", algorithm.name)), "{algorithm:?}");
    }
    assert!(done.stdout.lines().all(|line| line.chars().count() <= 100), "{}", done.stdout);
    let found = json(&["--ranks", "8", "--bytes", "100"]);
    let rows = found["algorithms"].as_array().unwrap();
    assert_eq!(rows.len(), ALGORITHMS.len());
    let first = Collective::ALL[0].name();
    let named = |name: &str| rows.iter().find(|row| row["operation"] == first && row["algorithm"] == name).unwrap();
    let binomial = named("binomial");
    let costs = (&binomial["messages"], &binomial["bytes_sent"], &binomial["rounds"]);
    assert_eq!(costs, (&7.into(), &700.into(), &3.into()));
    assert_eq!((&binomial["openmpi"], &binomial["mpich"]), (&Value::Null, &"binomial".into()));
    assert_eq!(named("binomial-doubling")["openmpi"], "binomial");
}

#[test]
fn a_billion_ranks_are_priced_at_once() {
    let found = json(&["barrier", "--ranks", "2^30"]);
    let dissemination = found["algorithms"].as_array().unwrap().iter().find(|a| a["algorithm"] == "dissemination");
    assert_eq!(dissemination.unwrap()["messages"], 30u64 << 30);
}

#[test]
fn what_a_library_takes_comes_with_its_rule() {
    let takes = |arguments: &[&str]| json(arguments)["takes"][0].clone();
    let barrier = takes(&["barrier", "--ranks", "300", "--as", "openmpi-4.1"]);
    assert_eq!((&barrier["algorithm"], &barrier["rule"]), (&"tree".into(), &"256 ≤ P < 512: tree".into()));
    let bcast = takes(&["bcast", "--ranks", "8", "--bytes", "64KiB", "--as", "mpich-4.0"]);
    assert_eq!(bcast["called"], "scatter_recursive_doubling_allgather");
    let chain = takes(&["bcast", "--ranks", "6", "--bytes", "1MiB", "--as", "openmpi-4.1"]);
    assert_eq!((&chain["algorithm"], &chain["fanout"]), (&"chain".into(), &1.into()));
    let lacking = takes(&["reduce-scatter", "--as", "mpich-4.0", "--in-order"]);
    assert!(lacking["algorithm"].is_null() && lacking["rule"].as_str().unwrap().contains("'noncommutative'"));
    let page = algorithms(&["bcast", "--ranks", "8", "--bytes", "64KiB", "--as", "mpich-4.0"]).stdout;
    insta::assert_snapshot!(page.lines().find(|line| line.contains("mpich-4.0 takes")).expect("what it takes"));
}

#[test]
fn mistakes_end_with_code_2_and_say_what_is_known() {
    let mut page = Page::new();
    for arguments in [&["brodcast"][..], &["bcast", "--as", "openmpi"], &["bcast", "--ranks", "0"]] {
        let done = algorithms(arguments);
        assert_eq!(done.code, 2, "{done:?}");
        page.add(arguments, &done);
    }
    insta::assert_snapshot!(page);
}

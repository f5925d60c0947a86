//! `parallax probe lines`, on the cores that are here.

mod common;

use common::command::{Done, finish, parallax};
use common::said::{Page, said};
use serde_json::Value;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// Threads that spin on the same cores: one test at a time.
static CORES: Mutex<()> = Mutex::new(());

fn run(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split(' ')))
}

/// How many cores this process may use.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// What is in a folder of results.
fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn all_pairs_of_cores_are_looked_at_and_written() {
    let _alone = CORES.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let done = run(&folder, "probe lines --out a");
    if done.code == 2 {
        assert_eq!(cores(), 1, "{done:?}");
        return;
    }
    assert_eq!(done.code, 0, "{done:?}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&read(&folder, "a/summary.txt")), words(&done.stdout));
    let all: Value = serde_json::from_str(&read(&folder, "a/probe-lines.json")).unwrap();
    assert!(done.stdout.starts_with(all["answer"].as_str().unwrap()), "one sentence first: {done:?}");
    let pairs = all["pairs"].as_array().unwrap();
    assert_eq!(read(&folder, "a/lines.csv").lines().count(), 1 + pairs.len());
    assert_eq!(read(&folder, "a/looks.csv").lines().count(), 1 + 5 * pairs.len());
    assert!(pairs.iter().all(|pair| pair["line_ns"].as_f64().unwrap() > 0.0), "{all}");
    assert!(read(&folder, "a/lines.svg").contains("A cache line from core to core"));
    let resumed = run(&folder, "probe lines --resume --out a");
    assert_eq!((resumed.code, &resumed.stdout), (0, &done.stdout), "nothing was lacking: {resumed:?}");
    assert_eq!(run(&folder, "report a").code, 0);
    assert!(read(&folder, "a/report.html").contains("How long does a cache line take from core to core?"));
    let compared = run(&folder, "compare a a --format csv");
    assert_eq!(compared.stdout.lines().count(), 1 + pairs.len(), "{compared:?}");
    let again = run(&folder, "probe lines --out a");
    assert_eq!(again.code, 2, "{again:?}");
    insta::assert_snapshot!(said(&again, &[]));
}

#[test]
fn a_pair_is_watched_over_time() {
    let _alone = CORES.lock().unwrap_or_else(PoisonError::into_inner);
    // A look waits for both cores; where others use them, a short time has one look only.
    let watched = ["300ms", "2s", "10s"].iter().find_map(|time| {
        let folder = tempfile::tempdir().unwrap();
        let done = run(&folder, &format!("probe lines --cores 0,1 --for {time} --format json --quiet --out a"));
        if done.code == 2 {
            // One core, or others than these.
            assert!(cores() == 1 || done.stderr.contains("--cores"), "{done:?}");
            return Some(None);
        }
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
        let all: Value = serde_json::from_str(&done.stdout).unwrap();
        let looks = all["looks"].as_array().unwrap().len();
        assert!(looks > 0, "{all}");
        (looks > 1).then_some(Some((folder, done, all)))
    });
    let Some((folder, done, all)) = watched.expect("more than one look in ten seconds") else { return };
    assert_eq!(read(&folder, "a/probe-lines.json"), done.stdout);
    let looks = all["looks"].as_array().unwrap();
    let at: Vec<f64> = looks.iter().map(|look| look["at_s"].as_f64().unwrap()).collect();
    assert!(at.windows(2).all(|two| two[0] < two[1]), "in the order of time: {at:?}");
    let shares: f64 = all["classes"].as_array().unwrap().iter().map(|class| class["share"].as_f64().unwrap()).sum();
    let whole = shares + all["unclear_share"].as_f64().unwrap();
    assert!((whole - 1.0).abs() < 1e-9, "every look is of a class or unclear: {all}");
    assert!(read(&folder, "a/summary.txt").contains("visits"));
}

#[test]
fn what_cannot_be_looked_at_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for line in ["probe lines --cores 0,99999", "probe lines --for 1ms", "probe lines --for long"] {
        let done = run(&folder, line);
        assert_eq!(done.code, 2, "{line}: {done:?}");
        // Which cores there are is the machine's.
        let (said, _) = done.stderr.split_once("it may use ").unwrap_or((&done.stderr, ""));
        page.add(&[line], &Done { stderr: said.to_owned(), ..done });
    }
    if cores() > 1 {
        insta::assert_snapshot!(page);
    }
    assert!(!folder.path().join("results").exists(), "nothing is made in vain");
}

#[cfg(feature = "meters")]
#[test]
fn a_pattern_of_one_rank_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(&folder, "probe pattern bisection --ranks 1 --world threads");
    assert_eq!(done.code, 2, "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
    assert!(!folder.path().join("results").exists(), "nothing is made in vain");
}

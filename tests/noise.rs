//! `parallax noise collect` on real ranks: files that are whole and read again, and what is refused.

mod common;

use common::command::{Done, Running, finish, mpi_program, parallax};
use common::said::said;
use models::noise::read;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

fn run(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split(' ')))
}

fn json(folder: &TempDir, line: &str) -> Value {
    let done = run(folder, line);
    assert_eq!(done.code, 0, "{line}: {done:?}");
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn a_thread_records_files_that_are_told_kept_and_played() {
    let folder = tempfile::tempdir().unwrap();
    for (method, most) in [("selfish", ""), ("fwq", " --threshold 1us"), ("selfish", " --most 48B --threshold 20ns")] {
        let out = format!("{method}{}", most.len());
        let all = json(
            &folder,
            &format!("noise collect --ranks 1 --time 200ms --method {method}{most} --format json --quiet --out {out}"),
        );
        let rank = &all["collections"][0]["ranks"][0];
        let (detours, kept) = (rank["watched"]["detours"].as_u64().unwrap(), rank["kept"].as_u64().unwrap());
        assert!(rank["watched"]["time"].as_u64().unwrap() >= 200_000_000_000, "{rank}");
        assert!(rank["watched"]["kept"].as_array().unwrap().is_empty(), "detours are in the file alone");
        let name = format!("{out}/rank-000000.detours");
        let trace = read::trace(&name, &fs::read(folder.path().join(&name)).unwrap(), None).unwrap();
        assert_eq!(trace.detours.len() as u64, kept, "{rank}");
        assert_eq!(trace.says("detours"), Some(detours.to_string().as_str()));
        assert_eq!((trace.says("rank"), trace.says("method")), (Some("0"), Some(method)));
        let taken: u64 = trace.detours.iter().map(|detour| detour.duration.0).sum();
        if most.contains("--most") {
            // Whoever plays the file plays the time that it covers, and no quiet time behind.
            assert_eq!(kept, 3.min(detours), "{rank}");
            assert_eq!(trace.length.0, rank["covered"].as_u64().unwrap());
        } else {
            assert_eq!((kept, taken), (detours, rank["watched"]["taken"].as_u64().unwrap()));
        }
        let shown = json(&folder, &format!("noise show {out} --format json"));
        assert!(shown["length_us"].as_f64().unwrap() > 0.0, "{shown}");
        let played = run(&folder, &format!("simulate barrier --ranks 8 --noise trace:{out} --realisations 3"));
        assert_eq!(played.code, 0, "{played:?}");
    }
    let counted = json(&folder, "noise collect --ranks 1 --time 100ms --method ftq --format json --quiet --out ftq");
    let name = folder.path().join("ftq/rank-000000.counts");
    let work = read::counts("ftq", &fs::read(name).unwrap()).unwrap();
    assert_eq!(work.counts.len(), 100);
    assert_eq!(counted["collections"][0]["ranks"][0]["work"]["most"].as_u64(), Some(work.most()));

    let report = run(&folder, "report fwq16");
    assert_eq!(report.code, 0, "{report:?}");
    let compared = run(&folder, "compare fwq16 fwq16 --format csv");
    assert_eq!(compared.code, 0, "{compared:?}");
    let resumed = run(&folder, "noise collect --resume --out fwq16");
    assert_eq!(resumed.code, 0, "{resumed:?}");
}

#[test]
fn ranks_of_both_libraries_record_as_threads_do() {
    for world in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let all = json(
            &folder,
            &format!("noise collect --ranks 1 --time 100ms --world {world} --format json --quiet --out a"),
        );
        assert_eq!(all["world"], world, "{all}");
        assert!(folder.path().join("a/rank-000000.detours").exists());
    }
}

#[test]
fn a_killed_collection_leaves_whole_files_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let line = "noise collect --ranks 1 --time 2s --quiet --out a";
    let mut running = Running::start(parallax(&folder).args(line.split(' ')));
    common::command::wait_for("a process of ranks", || running.world_of_threads());
    running.signal(libc::SIGKILL);
    running.finish();
    assert!(!folder.path().join("a/rank-000000.detours").exists(), "it was not done");
    let resumed = run(&folder, "noise collect --resume --out a --quiet --format json");
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let bytes = fs::read(folder.path().join("a/rank-000000.detours")).unwrap();
    read::trace("a", &bytes, None).unwrap();
}

#[test]
fn what_cannot_be_recorded_is_said_before_anything_is() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "noise collect --time 2d",
        "noise collect --time 1us",
        "noise collect --ranks 70000",
        "noise collect --cpus 0-",
        "noise collect --cpus 0,0",
        "noise collect --method fwq --quantum 1ns",
        "noise collect --method ftq --interval 1us",
        "noise collect --method ftq --interval 1s --time 10ms",
        "noise collect --method ftq --most 16B",
        "noise collect --cpus 65000 --time 10ms --out a",
        "noise collect --cpus 0 --ranks 2 --time 10ms --out a",
    ];
    let mut all = Vec::new();
    for line in lines {
        let done = run(&folder, line);
        assert_eq!(done.code, 2, "{line}: {done:?}");
        let host = measure::board::host_name();
        let cpus = measure::cpus::allowed().iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        all.push(said(&done, &[(&host, "HOST"), (&format!("run on {cpus}"), "run on CPUS")]));
    }
    assert!(!folder.path().join("a").exists(), "nothing is left");
    insta::assert_snapshot!(all.join("\n"));
}

//! Messages between two ranks and the memory of ranks, as users ask for them: simulated, on threads, on MPI.

mod common;

use common::command::{Done, Running, exists, finish, mpi_program, parallax, wait_for};
use common::said::{DIED, Page, said};
use measure::board::Board;
use programs::rank::Phase;
use serde_json::Value;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Real ranks of two tests at once would starve each other on few cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split(' ')))
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn simulated_latencies_are_those_of_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "probe latency --world simulated --set alpha=5us,beta=1ns/B --bytes 0,1,1000 --iterations 20 --skip 1 --out a";
    let done = run(&folder, line);
    assert_eq!(done.code, 0, "{done:?}");
    let expected = "0                         5.00\n1                         5.00\n1000                      6.00\n";
    assert_eq!(std::fs::read_to_string(folder.path().join("a/latency.txt")).unwrap(), expected);
    let all = json(&folder.path().join("a/probe-latency.json"));
    let last = &all["results"][2];
    assert_eq!(["exchanges", "min_us", "max_us"].map(|name| last[name].as_f64()), [20.0, 6.0, 6.0].map(Some), "{all}");
    assert_eq!((&all["environment"][0]["said"], &all["oversubscribed"]), (&"hockney".into(), &false.into()));
    let again = run(&folder, line);
    assert_eq!(again.code, 2, "{again:?}");
    insta::assert_snapshot!(said(&again, &[]));
    let printed = run(&folder, &line.replace("--out a", "--format json --quiet --out b"));
    assert_eq!((printed.stderr.as_str(), printed.code), ("", 0), "{printed:?}");
    let printed: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(printed["results"], all["results"]);
}

#[test]
fn simulated_bandwidths_double_both_ways_and_the_line_is_the_networks() {
    let folder = tempfile::tempdir().unwrap();
    let line = "probe bandwidth --world simulated --ranks 3 --set alpha=5us,beta=2ns/B --bytes 0,1000,100000 --iterations 5 --iterations-large 5 --quiet --out a";
    let done = run(&folder, line);
    assert_eq!(done.code, 0, "{done:?}");
    for expected in [
        "rank 2: latency s = T/2N at 0 B = 5.000 µs, median 5.00 µs",
        "ranks 0 and 2: T(L) = s + L/R fits with s = 5.00 µs, R = 500 MB/s",
    ] {
        assert!(done.stdout.contains(expected), "{expected} is missing: {done:?}");
    }
    let all = json(&folder.path().join("a/probe-bandwidth.json"));
    let rate = |nth: usize| all["results"][nth]["bandwidth_mb_per_s"].as_f64().unwrap();
    assert!((rate(2) - 100_000.0 / 205.0).abs() < 1e-6 && (rate(5) - 2.0 * rate(2)).abs() < 1e-6, "{all}");
    assert!(folder.path().join("a/bandwidth-0-2.svg").is_file());
}

#[test]
fn a_measured_matrix_is_what_simulated_ranks_take_and_return() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let measured =
        run(&folder, "probe matrix --world threads --ranks 3 --set alpha=200us,beta=0ns/B --pings 5 --skip 1 --out a");
    assert_eq!(measured.code, 0, "{measured:?}");
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let file = "a/latency_matrix3_measured.txt";
    let simulate = "--model hockney --set alpha=1us,beta=0ns/B --platform matrix=a/latency_matrix3_measured.txt";
    for order in ["", " --at-once"] {
        let out = format!("b{}", order.trim());
        let line = format!("probe matrix --world simulated --ranks 3 {simulate} --out {out}{order}");
        let done = run(&folder, &line);
        assert_eq!(done.code, 0, "{done:?}");
        assert_eq!(text(&format!("{out}/latency_matrix3_measured.txt")), text(file), "{order}");
    }
    let broadcast = run(&folder, &format!("simulate bcast --algorithm linear --ranks 3 {simulate}"));
    assert_eq!(broadcast.code, 0, "{broadcast:?}");
    let svg = text("a/matrix.svg");
    assert!(svg.starts_with("<svg") && svg.contains("Latencies of 3 ranks"), "{svg}");
    assert_eq!(json(&folder.path().join("a/probe-matrix.json"))["results"].as_array().unwrap().len(), 3);
}

#[test]
fn threads_never_undercut_the_network_that_they_play() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let line = "probe latency --world threads --ranks 3 --set alpha=300us,beta=0ns/B --bytes 1..4 --iterations 4 --skip 1 --out a";
    let done = run(&folder, line);
    assert_eq!(done.code, 0, "{done:?}");
    let all = json(&folder.path().join("a/probe-latency.json"));
    for result in all["results"].as_array().unwrap() {
        assert!(result["min_us"].as_f64().unwrap() >= 299.0, "{result}");
    }
    assert_eq!(all["results"][0]["world"], "threads");
    let cores = all["cores"].as_u64().unwrap();
    assert_eq!(all["oversubscribed"], cores < 3);
    assert_eq!(done.stdout.contains("oversubscribed: 3 ranks share"), cores < 3, "{done:?}");
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("small.txt"), "0 1\n1 0\n").unwrap();
    std::fs::write(folder.path().join("ragged.txt"), "0 1\n1\n").unwrap();
    let simulated = "probe matrix --world simulated --ranks 3 --platform";
    let mut page = Page::new();
    for (line, place) in [
        ("probe latency --world threads --ranks 1", "--ranks"),
        ("probe matrix --world threads --ranks 257", "--ranks"),
        ("probe matrix --world simulated --ranks 1025", "--ranks"),
        ("probe latency --world threads --bytes 8..4", "8..4"),
        ("probe latency --world threads --bytes 1,two", "--bytes"),
        ("probe latency --world threads --bytes 2GiB", "--bytes"),
        ("probe latency --world threads --iterations 0", "--iterations"),
        ("probe latency --world threads --model loggp", "--model"),
        ("probe latency --world threads --noise fixed:duration=1us,rate=1Hz", "--noise"),
        ("probe bandwidth --world elsewhere", "--world"),
        (&format!("{simulated} matrix=small.txt"), "small.txt"),
        (&format!("{simulated} matrix=ragged.txt"), "ragged.txt line 2"),
        (&format!("{simulated} matrix=none.txt"), "none.txt"),
        ("probe matrix --world simulated --statistic mode", "--statistic"),
        ("probe matrix --world simulated --ranks 1000 --pings 1000", "499500000"),
        ("probe memory --world simulated", "--world"),
        ("probe memory --world threads --operations broadcast", "'broadcast'"),
        ("probe memory --world threads --ranks 2,257", "--ranks"),
    ] {
        let done = run(&folder, line);
        assert_eq!(done.code, 2, "{line}: {done:?}");
        assert!(done.stderr.contains(place), "{line}: {done:?}");
        assert!(!done.stderr.contains("panicked"), "{line}: {done:?}");
        page.add(&[line], &done);
    }
    insta::assert_snapshot!(page);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| name.to_string_lossy().ends_with(".txt")), "{left:?}");
}

#[test]
fn memory_is_shown_for_each_number_of_ranks() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let done = run(&folder, "probe memory --world threads --ranks 1,2,3 --operations bcast,pairs --again 2 --out m");
    assert_eq!(done.code, 0, "{done:?}");
    let all = json(&folder.path().join("m/probe-memory.json"));
    let rows = all["memory"].as_array().unwrap();
    let moments: Vec<&str> = rows.iter().step_by(3).filter_map(|row| row["moment"].as_str()).collect();
    assert_eq!(moments, ["ready to measure", "first bcast", "further bcast", "first pairs", "further pairs"]);
    assert_eq!((rows.len(), all["pages"].as_array().unwrap().len()), (5 * 3, 5 * (1 + 2 + 3)));
    assert!(moments.iter().all(|moment| done.stdout.contains(moment)), "{done:?}");
}

const LIBRARIES: [&str; 2] = ["openmpi", "mpich"];

fn libraries() -> impl Iterator<Item = &'static str> {
    LIBRARIES.into_iter().filter(|library| mpi_program(library).is_some())
}

#[test]
fn all_tests_run_on_two_to_four_ranks_of_both_libraries() {
    let _alone = alone();
    for library in libraries() {
        let folder = tempfile::tempdir().unwrap();
        let few = "--iterations 20 --skip 2 --iterations-large 5 --skip-large 1";
        for (nth, (name, line, pairs)) in [
            ("probe-latency", format!("probe latency --ranks 2 --bytes 1..64KiB {few}"), 17),
            ("probe-latency", format!("probe latency --ranks 4 --bytes 1..8 {few}"), 4),
            ("probe-bandwidth", format!("probe bandwidth --ranks 3 --bytes 0,1,8192,65536 {few}"), 2 * 2 * 4),
            ("probe-matrix", "probe matrix --ranks 4 --pings 6 --skip 1".to_owned(), 6),
            ("probe-matrix", "probe matrix --ranks 3 --pings 6 --skip 1 --at-once".to_owned(), 3),
        ]
        .into_iter()
        .enumerate()
        {
            let done = run(&folder, &format!("{line} --world {library} --out {nth}"));
            assert_eq!(done.code, 0, "{library}, {line}: {done:?}");
            let written = nth.to_string();
            let all = json(&folder.path().join(&written).join(format!("{name}.json")));
            let results = all["results"].as_array().unwrap();
            assert_eq!(results.len(), pairs, "{library}, {line}");
            assert!(results.iter().all(|result| result["min_us"].as_f64().unwrap() > 0.0), "{library}: {all}");
            assert!(all["launch"].as_str().unwrap().contains("parallax-mpi"), "{all}");
            let campaign = std::fs::read_to_string(folder.path().join(&written).join("campaign.jsonl")).unwrap();
            assert!(
                ["before-init", "after-init", "ready"].iter().all(|moment| campaign.contains(moment)),
                "{campaign}"
            );
            assert!(!folder.path().join(written).join("job").exists());
        }
    }
}

#[test]
fn both_libraries_are_larger_after_their_initialisation() {
    let _alone = alone();
    for library in libraries() {
        let folder = tempfile::tempdir().unwrap();
        let done = run(
            &folder,
            &format!("probe memory --world {library} --ranks 2,3 --operations pairs,allreduce --format json"),
        );
        assert_eq!(done.code, 0, "{library}: {done:?}");
        let all: Value = serde_json::from_str(&done.stdout).unwrap();
        let rows = all["memory"].as_array().unwrap();
        let moments: Vec<&str> = rows.iter().step_by(2).filter_map(|row| row["moment"].as_str()).collect();
        let expected = ["before MPI_Init", "after MPI_Init", "ready to measure", "first pairs", "first allreduce"];
        assert_eq!(moments, expected, "{library}");
        let rss = |moment: usize, launch: usize| rows[2 * moment + launch]["rss_mb"].as_f64().unwrap();
        assert!(rss(1, 0) > rss(0, 0) && rss(1, 1) > rss(0, 1), "{library}: {all}");
    }
}

#[test]
fn a_killed_rank_is_named_with_the_test_and_nothing_is_left() {
    let _alone = alone();
    for library in libraries() {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("probe latency --world {library} --ranks 2 --bytes 1 --iterations 5000000 --out a");
        let board = folder.path().join(format!("a/job-{library}-2-0/board"));
        let mut running = Running::start(parallax(&folder).args(line.split(' ')));
        let ranks = wait_for("both ranks to measure", || {
            let measuring = Board::open(&board, 2).is_ok_and(|board| board.status(1).phase == Phase::PointToPoint);
            let ranks: Vec<u32> = running.descendants().into_iter().filter(|&process| is_rank(process)).collect();
            (ranks.len() == 2 && measuring).then_some(ranks)
        });
        // SAFETY: a plain system call on a process that we started.
        unsafe { libc::kill(ranks[1] as i32, libc::SIGKILL) };
        let done = running.finish();
        assert_eq!(done.code, 1, "{library}: {done:?}");
        let named = format!("(process {} on ", ranks[1]);
        let phase = "in phase 'point to point' of latency";
        let said = &done.stderr;
        assert!(said.contains(&named) && said.contains(phase) && said.contains(DIED), "{library}: {done:?}");
        for rank in ranks {
            wait_for("both ranks to be gone", || !exists(rank));
        }
        assert!(done.stderr.contains("resume with: parallax probe latency --resume --out a"), "{library}: {done:?}");
        assert!(
            folder.path().join("a/campaign.jsonl").exists() && !folder.path().join("a/probe-latency.json").exists()
        );
    }
}

#[test]
fn a_test_of_real_ranks_is_a_campaign_that_is_gone_on_with_reported_compared_and_stored() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let few = "--world threads --set alpha=300us,beta=0ns/B --bytes 1..4 --iterations 6 --skip 1";
    for out in ["a", "b"] {
        let done = run(&folder, &format!("probe latency {few} --out {out}"));
        assert_eq!(done.code, 0, "{done:?}");
    }
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (whole, said) = (text("a/campaign.jsonl"), text("a/probe-latency.json"));
    let refused = run(&folder, &format!("probe latency {few} --out a"));
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{refused:?}");
    assert_eq!((text("a/campaign.jsonl"), text("a/probe-latency.json")), (whole.clone(), said.clone()));
    for (given, code) in [("--bytes 1..8", 2), ("--ranks 3", 2), ("--set alpha=1us", 2), ("--format json", 0), (few, 0)]
    {
        let again = run(&folder, &format!("probe latency --resume --out a {given}"));
        assert_eq!(again.code, code, "{given}: {again:?}");
    }
    assert_eq!(text("a/probe-latency.json"), said, "nothing was measured again");
    // As if the command had been killed while its ranks exchanged messages.
    let first = whole.split_inclusive('\n').next().unwrap();
    std::fs::write(folder.path().join("a/campaign.jsonl"), first).unwrap();
    let gone_on = run(&folder, "probe latency --resume --out a");
    assert_eq!(gone_on.code, 0, "{gone_on:?}");
    assert!(text("a/campaign.jsonl").ends_with("{\"finished\":{}}\n") && text("a/probe-latency.json") != said);

    let reported = run(&folder, "report a");
    assert_eq!(reported.code, 0, "{reported:?}");
    let page = text("a/report.html");
    assert!(page.contains("How long does a message take from one rank to another?") && page.contains("ping-pong"));
    let compared = run(&folder, "compare a b --format csv");
    assert_eq!(compared.code, 0, "{compared:?}");
    assert_eq!(compared.stdout.matches(",ping-pong,").count(), 3, "three lengths: {compared:?}");
    assert_eq!(run(&folder, "store add a").code, 0);
    let shown = run(&folder, "store list");
    assert!(shown.stdout.lines().any(|line| line.contains("probe-latency")), "{shown:?}");
}

/// True for the processes of ranks, not for the launcher's own.
fn is_rank(process: u32) -> bool {
    let program = std::fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
    program.file_name().is_some_and(|name| Path::new(name).to_string_lossy().starts_with("parallax-mpi"))
}

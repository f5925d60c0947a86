//! `parallax shm measure` and `shm tune` on real ranks, and queues in shared memory as algorithms of other commands.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::said::said;
use serde_json::Value;
use tempfile::TempDir;

fn shm(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).arg("shm").args(line.split_whitespace()))
}

/// A campaign of `shm measure` or `shm tune`, as JSON.
fn measured(folder: &TempDir, line: &str) -> Value {
    let done = shm(folder, &format!("{line} --launches 1 -q --format json"));
    assert_eq!(done.code, 0, "{line}: {done:?}");
    serde_json::from_str(&done.stdout).expect("an object")
}

#[test]
fn threads_are_measured_through_queues_and_every_byte_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let line = "measure --world threads --ranks 2,3 --bytes 0,20000 --fragment 1KiB --buffers 2,8 --sets 2 --tree flat,chain \
                --root 1 --check --out threads";
    let found = measured(&folder, line);
    let lines = std::fs::read_to_string(folder.path().join("threads/campaign.jsonl")).unwrap();
    let measured = lines.lines().filter(|line| line.starts_with("{\"measured\"")).count();
    assert_eq!(measured, 2 * 2 * 2 * 2, "ranks, messages, buffers, trees: {lines}");
    // Where cores are busy, not every case has a valid window.
    let rows = found["rows"].as_array().expect("rows");
    assert!((1..=measured).contains(&rows.len()), "{found}");
    assert!(rows.iter().all(|row| row["time_us"].as_f64().is_some_and(|us| us > 0.0)), "{found}");
    let page = std::fs::read_to_string(folder.path().join("threads/report.html")).unwrap();
    assert!(page.contains("Broadcasts through shared memory"));
    let again = finish(parallax(&folder).args(["report", "threads"]));
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("threads/report.html")).unwrap(),
        page,
        "the same page again"
    );
}

/// A campaign of threads of a quiet machine, put where it can be gone on with: on a busy one too little may be measured in one state.
fn quiet(folder: &TempDir, campaign: &str) {
    let own = folder.path().join(campaign);
    std::fs::create_dir(&own).unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/campaigns");
    std::fs::copy(format!("{golden}/{campaign}/campaign.jsonl"), own.join("campaign.jsonl")).unwrap();
}

#[test]
fn parameters_are_fitted_to_what_threads_take() {
    let folder = tempfile::tempdir().unwrap();
    quiet(&folder, "tune");
    let again = |line: &str| -> Value {
        let done = shm(&folder, &format!("{line} --resume --out tune -q --format json"));
        assert_eq!(done.code, 0, "{line}: {done:?}");
        serde_json::from_str(&done.stdout).expect("an object")
    };
    let found = again("tune");
    let fit = &found["fits"][0];
    let all = ["t_ns_per_byte", "tw_ns", "two_and_ta_ns"].map(|key| fit[key].as_f64().expect("a number"));
    assert!(all.iter().all(|of| *of > 0.0), "{found}");
    assert!(fit["deviation"].as_f64().is_some(), "half of the fragments check it: {found}");
    let rows = std::fs::read_to_string(folder.path().join("tune/tuned.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 4 * 2, "{rows}");
    // Kept in a machine file, they predict measured broadcasts.
    let calibrated = finish(parallax(&folder).args("calibrate --world simulated --longest 64 --out m.toml".split(' ')));
    assert_eq!(calibrated.code, 0, "{calibrated:?}");
    again("tune --machine m.toml");
    let kept = std::fs::read_to_string(folder.path().join("m.toml")).unwrap();
    assert!(kept.contains("[[queues]]") && kept.contains("t_ns_per_byte"), "{kept}");
    let found = again("measure --machine m.toml");
    let rows = found["rows"].as_array().expect("rows");
    assert!(rows.len() == 8 && rows.iter().all(|row| row["predicted_us"].as_f64().is_some()), "{found}");
    // Predictions are held against measurements as those of other algorithms are.
    quiet(&folder, "validate-queues");
    let measured = "bcast --world threads --ranks 2 --bytes 64KiB --algorithm shared:4KiB:4,linear --machine m.toml --launches 1 --out held";
    for (line, is_quiet) in [("--resume --out validate-queues", true), (measured, false)] {
        let done = finish(parallax(&folder).args(format!("validate {line} -q --format json").split(' ')));
        assert_eq!(done.code, 0, "{done:?}");
        let found: Value = serde_json::from_str(&done.stdout).expect("an object");
        let rows = found["rows"].as_array().expect("rows");
        let models = |name: &str| -> Vec<&str> {
            let own =
                rows.iter().filter(|row| row["algorithm"].as_str().is_some_and(|algorithm| algorithm.contains(name)));
            own.map(|row| row["model"].as_str().expect("a name")).collect()
        };
        let (queue, linear) = (models("4KiB"), models("linear"));
        assert!(queue == ["queues"] || queue.is_empty() && !is_quiet, "{found}");
        assert!(!linear.contains(&"queues") && (!linear.is_empty() || !is_quiet), "{found}");
    }
}

#[test]
fn queues_on_another_numa_node_make_times_doubtful() {
    let folder = tempfile::tempdir().unwrap();
    quiet(&folder, "tune");
    let kept = folder.path().join("tune/campaign.jsonl");
    let text = std::fs::read_to_string(&kept).unwrap();
    let placed = r#""placement":{"node":1,"pages":12,"elsewhere":4},"stamps":"#;
    std::fs::write(&kept, text.replace(r#""stamps":"#, placed)).unwrap();
    let done = shm(&folder, "measure --resume --out tune -q");
    let words = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("Of rank 0's queue 4 of 12 pages are not on NUMA node 1, on which the rank ran"),
        "{done:?}"
    );
}

#[test]
fn a_machine_is_tuned_or_says_that_it_is_too_busy() {
    let folder = tempfile::tempdir().unwrap();
    let line = "tune --world threads --bytes 64KiB --fragment 1KiB..8KiB --buffers 1,4 --launches 1 -q --out tuned";
    let done = shm(&folder, line);
    let is_busy = done.code == 2 && done.stderr.contains("measure again");
    assert!(is_busy || done.code == 0 && folder.path().join("tuned/tuned.csv").exists(), "{done:?}");
}

#[test]
fn mpi_ranks_share_windows_and_are_held_against_the_library() {
    for (library, against) in [("openmpi", "library,library:sm"), ("mpich", "library")] {
        if mpi_program(library).is_none() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let queues = "--bytes 1,30000 --fragment 4KiB --buffers 1,4 --check";
        let found = measured(&folder, &format!("measure --world {library} {queues} --against {against} --out mpi"));
        let rows = found["rows"].as_array().expect("rows");
        let named = |name: &str| rows.iter().any(|row| row["algorithm"].as_str() == Some(name));
        let names = ["shared:4KiB:1:1:flat", "shared:4KiB:4:1:flat"].into_iter().chain(against.split(','));
        // On a machine that changes its state, what was measured in a state with too few looks has no row.
        let lines = std::fs::read_to_string(folder.path().join("mpi/campaign.jsonl")).unwrap();
        assert!(
            names.into_iter().all(|name| named(name) || lines.contains(name.trim_start_matches("library:"))),
            "{found}"
        );
        let queues = ["64B:4:2:chain", "coll-sm:64B:4", "mvapich:64B:3", "release-gather:64B:4"];
        let named = queues.map(|queue| format!("--operation shared:{queue} ")).concat();
        let line = format!("probe data --world {library} --ranks 3 {named}--broadcasts 1000");
        let done = finish(parallax(&folder).args(line.split(' ')));
        assert!(done.code == 0 && done.stdout.contains("4000 calls on every rank, every byte right"), "{done:?}");
    }
}

#[test]
fn queues_that_are_none_are_refused_where_algorithms_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let said: Vec<String> = [
        "shm measure --world threads --fragment 0",
        "shm measure --world threads --tree ring",
        "shm tune --world threads --machine absent.toml",
        "validate bcast --world threads --algorithm shared:4KiB:4",
        "validate bcast --world threads --algorithm shared:4KiB:4 --machine openmpi",
        "validate reduce --world threads --algorithm shared:4KiB:4",
        "shm tune --world threads --fragment 4KiB",
        "shm measure --world threads --against library",
        "shm measure --world threads --against shared:foo",
        "shm measure --world threads --against shared:x:4",
        "measure bcast --world threads --algorithm shared:8KiB",
        "measure allreduce --world threads --algorithm shared:8KiB:4",
        "probe data --world threads --operation shared:8KiB:4:3",
    ]
    .iter()
    .map(|line| {
        let done = finish(parallax(&folder).args(line.split(' ')));
        assert_eq!(done.code, 2, "{line}: {done:?}");
        said(&done, &[])
    })
    .collect();
    insta::assert_snapshot!(said.join("\n"));
    let too_long = shm(&folder, "measure --world threads --fragment 1GiB --buffers 512");
    assert!(too_long.code == 2 && too_long.stderr.contains("ranks would need about"), "{too_long:?}");
}

const QUEUES: &str = r#"# Do two buffers help?
methods = ["window"]
calls = 1
expectation = "they do"

[window]
stop = { counts = { starts = 400, valid = 8 } }

[emulated]
alpha = "50 us"
beta = "1 ns/B"
send_rule = "eager"

[[case]]
world = "threads"
transport = "emulated"
ranks = [2]
operation = "bcast"
algorithms = ["shared:4KiB:1,2", "linear"]
bytes = "32 KiB"
buffers = ["touched"]

[[expect]]
says = "Two buffers take no time"
quantity = "time"
of = { buffers = 2, rank = "slowest" }
over = { buffers = 1 }
at_most = 0.001
answers = "Two buffers take {found} of the time of one."
"#;

/// Queues of a scenario are measured only; messages beside them are predicted by what was calibrated.
#[test]
fn a_scenario_measures_queues_beside_messages_and_says_what_is_not_met() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str, name: &str| {
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
        let done = finish(parallax(&folder).args(["run", &format!("{name}.toml"), "--quiet", "--out", name]));
        assert_eq!(done.code, 0, "{done:?}");
        let file = |file: &str| std::fs::read_to_string(folder.path().join(name).join(file)).unwrap();
        (done.stdout, file("campaign.jsonl"), file("summary.txt"), file("report.html"))
    };
    let (said, lines, summary, page) = run(QUEUES, "both");
    // Where cores are busy, not every case has a valid window: then it says so.
    let is_busy = said.contains("no valid window");
    assert!(
        is_busy || said.contains("Expected was: Two buffers take no time. Found is ") && said.contains("NOT MET"),
        "{said}"
    );
    assert!(is_busy || said.contains("Queues in shared memory: 4 numbers, measured only"), "{said}");
    let starting = |begin: &str| lines.lines().filter(|line| line.starts_with(begin)).collect::<Vec<_>>();
    assert_eq!(starting("{\"measured\"").len(), 3, "no loop is traced: {lines}");
    assert!(
        starting("{\"predicted\"").iter().all(|line| line.contains("linear")) && !starting("{\"predicted\"").is_empty()
    );
    assert!(
        is_busy || summary.contains("measured only: shared:4KiB:2:1:flat passes through shared memory"),
        "{summary}"
    );
    assert!(is_busy || page.contains("Broadcasts through shared memory") && page.contains("measured only"));
    // Of queues alone nothing is calibrated, as nothing is predicted.
    let (said, lines, ..) = run(&QUEUES.replacen(", \"linear\"", "", 1), "alone");
    assert!(!lines.contains("{\"machine\"") && !lines.contains("{\"predicted\""), "{lines}");
    assert!(said.contains("no valid window") || said.contains("measured only"), "{said}");
    let again = finish(parallax(&folder).args("run alone.toml --quiet --resume --out alone".split(' ')));
    assert_eq!(again.code, 0, "{again:?}");
    let file = folder.path().join("alone/campaign.jsonl");
    let measured = |text: &str| text.lines().filter(|line| line.starts_with("{\"measured\"")).count();
    assert_eq!(measured(&std::fs::read_to_string(file).unwrap()), measured(&lines), "nothing was missing");
}

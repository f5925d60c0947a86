//! Ranks on several hosts: those that `netlab` makes on this machine, with delays and clock offsets that are known.
//!
//! Skipped, with the reason, where hosts cannot be made, unless PARALLAX_REQUIRE_NETLAB is set.
#![cfg(target_os = "linux")]

mod common;

use common::command::{Done, Running, finish, mpi_program, parallax, scenario, wait_for};
use common::said::Page;
use measure::board::Board;
use measure::job::{Job, Outcome, Task};
use models::clock::{Basis, ClockKind, Ticks, Timescale};
use models::network::{Hockney, SendRule};
use models::time::{PerByte, Span};
use programs::observation::{Carrier, World};
use programs::sync::{Sharing, Sync, Trial, TrialSettings};
use scenario::store::{Line, read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Ranks of two tests at once would starve each other on few cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `netlab`, where hosts can be made.
fn program() -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_BIN_EXE_parallax")).with_file_name("netlab");
    let why = match Command::new(&file).args(["2", "--", "true"]).output() {
        Ok(done) if done.status.success() => return Some(file),
        Ok(done) => String::from_utf8_lossy(&done.stderr).into_owned(),
        Err(error) => format!("{}: {error}; scripts/build makes it", file.display()),
    };
    assert!(std::env::var_os("PARALLAX_REQUIRE_NETLAB").is_none(), "no hosts can be made here: {why}");
    eprintln!("skipped: {why}");
    None
}

/// As few cases as tell something: every one crosses hosts many times.
fn small(world: &str, ranks: u32) -> String {
    scenario(world, ranks, "1 ms")
        .replace("\"linear\", \"binomial\"", "\"linear\"")
        .replace("\"barrier-loop\", ", "")
        .replace("samples = 4", "samples = 2")
}

/// A command in a lab, in a folder of its own.
fn in_lab(folder: &TempDir, lab: &[&str], words: &[&str]) -> Option<Command> {
    let mut command = Command::new(program()?);
    command.args(lab).arg("--").args(words).current_dir(folder.path()).env_remove("COLUMNS");
    Some(command)
}

/// `parallax run` of a scenario in a lab; what it left is in results/hosts-001.
fn run(folder: &TempDir, lab: &[&str], text: &str) -> Option<Done> {
    std::fs::write(folder.path().join("hosts.toml"), text).unwrap();
    let words = [env!("CARGO_BIN_EXE_parallax"), "run", "hosts.toml"];
    Some(finish(&mut in_lab(folder, lab, &words)?))
}

fn lines(folder: &TempDir) -> Vec<Line> {
    read(folder.path().join("results/hosts-001/campaign.jsonl")).expect("a campaign").lines
}

#[test]
fn every_host_is_a_node_of_its_own_to_both_libraries() {
    let _alone = alone();
    for library in ["openmpi", "mpich"] {
        let Some(program) = mpi_program(library) else { continue };
        let folder = tempfile::tempdir().unwrap();
        let launcher = format!("mpirun.{library}");
        // MPICH 4.0.2 does not always return from MPI_Finalize here (UCX over TCP, three ranks or more): all have spoken then.
        let patience = ["timeout", "--kill-after=1", "15"];
        let words = [&launcher, "-n", "4", program.to_str().expect("a plain path"), "--hello"];
        let Some(mut command) = in_lab(&folder, &["2", "--slots", "2"], &[&patience[..], &words].concat()) else {
            return;
        };
        let done = finish(&mut command);
        assert!(done.code == 0 || library == "mpich", "{library}: {done:?}");
        let mut said: Vec<serde_json::Value> =
            done.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        said.sort_by_key(|hello| hello["rank"].as_u64());
        let places: Vec<_> = said.iter().map(|hello| (hello["host"].as_str().unwrap(), &hello["of_node"])).collect();
        let two = &serde_json::json!(2);
        assert_eq!(places, [("node1", two), ("node1", two), ("node2", two), ("node2", two)], "{library}: {done:?}");
    }
}

#[test]
fn a_campaign_runs_across_hosts_and_no_message_is_faster_than_the_network() {
    let _alone = alone();
    for library in ["openmpi", "mpich"] {
        if mpi_program(library).is_none() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let text = small(library, 2);
        let Some(done) = run(&folder, &["2", "--delay", "2ms", "--rate", "200mbit"], &text) else { return };
        assert_eq!(done.code, 0, "{library}: {done:?}");
        let lines = lines(&folder);
        let measured = lines.iter().filter_map(|line| match line {
            Line::Measured(observation) => Some(observation),
            _ => None,
        });
        // Half a round trip is no shorter than the delay: the relay holds every frame that long.
        let bounds: Vec<f64> = measured.map(|observation| observation.ranks[1].clock.bound.as_us()).collect();
        assert_eq!(bounds.len(), 3, "two methods and the trace");
        assert!(bounds.iter().all(|&bound| bound >= 2_000.0), "{library}: {bounds:?}");
        let facts = lines.iter().find_map(|line| match line {
            Line::Campaign { environment, .. } => Some(environment),
            _ => None,
        });
        let hosts = facts.and_then(|facts| facts.iter().find(|(label, _)| label == "hosts of MPI ranks (cores)"));
        assert_eq!(hosts.map(|(_, value)| value.as_str()), Some("node1 (1), node2 (1)"), "{library}");
    }
}

#[test]
fn clocks_of_hosts_are_brought_together_within_their_bounds() {
    let _alone = alone();
    if mpi_program("openmpi").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = small("openmpi", 3);
    let Some(done) = run(&folder, &["3", "--offset", "0s,5s,-1.5ms"], &text) else { return };
    assert_eq!(done.code, 0, "{done:?}");
    let mut compared = 0;
    for line in lines(&folder) {
        let Line::Measured(observation) = line else { continue };
        let reference = observation.ranks[0].clock.scale;
        for record in &observation.ranks[1..] {
            let (first, last) =
                (record.stamps.first().expect("stamps").start, record.stamps.last().expect("stamps").end);
            for (clock, reading) in [(&record.clock, first), (&record.clock_after, last)] {
                // All hosts read one counter; its rate and the reading from which it counts are found on each.
                let truth_ps = local_ps(&reference, reading) - local_ps(&clock.scale, reading);
                let error_ps = (clock.offset_ps as f64 - truth_ps).abs();
                assert!(error_ps <= clock.bound.0 as f64, "{error_ps} ps off, {clock:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 3 * 2 * 2, "three cases, two ranks, before and after");
}

#[test]
fn hosts_of_a_group_are_nearer_to_each_other_than_to_others() {
    let _alone = alone();
    if mpi_program("openmpi").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let asked = "probe matrix --world openmpi --ranks 4 --pings 4 --skip 1 --statistic min --out times";
    let words: Vec<&str> = [env!("CARGO_BIN_EXE_parallax")].into_iter().chain(asked.split(' ')).collect();
    let lab = ["4", "--delay", "50ms", "--near", "2:1ms"];
    let Some(mut command) = in_lab(&folder, &lab, &words) else { return };
    let done = finish(&mut command);
    assert_eq!(done.code, 0, "{done:?}");
    let matrix = std::fs::read_to_string(folder.path().join("times/latency_matrix4_measured.txt")).unwrap();
    let us: Vec<f64> = matrix.split_whitespace().map(|number| number.parse().unwrap()).collect();
    assert_eq!(us.len(), 16, "{matrix}");
    for (place, &time_us) in us.iter().enumerate() {
        let (from, to) = (place / 4, place % 4);
        // No frame overtakes the relay, and the least of four is far from a delay that is fifty times as long.
        assert_eq!(from / 2 != to / 2, time_us >= 50_000.0, "from {from} to {to}: {matrix}");
    }
}

/// The local time of a reading, also before the origin.
fn local_ps(scale: &Timescale, reading: Ticks) -> f64 {
    (i128::from(reading.0) - i128::from(scale.origin.0)) as f64 / scale.ticks_per_second * 1e12
}

/// The monotonic clock of a host is what its time namespace says: here the truth is another offset for each host.
#[test]
fn every_synchronisation_recovers_offsets_of_hosts_within_its_bounds() {
    let _alone = alone();
    let Some(program) = mpi_program("openmpi") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [job, results, board] = ["job.json", "results.jsonl", "board"].map(|name| folder.path().join(name));
    let settings = TrialSettings { syncs: Sync::ALL.to_vec(), tries: 3, sharing: Sharing::Detect };
    let asked = Job {
        ranks: 3,
        cores: 2,
        hosts: 3,
        world: World::OPENMPI,
        carrier: Carrier::Native,
        emulated: Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager },
        clock: ClockKind::ClockMonotonic,
        clocks: None,
        tasks: vec![Task::CompareSync(settings)],
    };
    std::fs::write(&job, serde_json::to_vec(&asked).unwrap()).unwrap();
    std::fs::write(&results, "").unwrap();
    let _watched = Board::create(&board, asked.ranks).unwrap();
    let paths = [&program, &job, &results, &board].map(|path| path.to_str().expect("a plain path"));
    let [program, job, results_path, board] = paths;
    let words = ["mpirun.openmpi", "-n", "3", program, "--job", job, "--results", results_path, "--board", board];
    let Some(mut command) = in_lab(&folder, &["3", "--offset", "0s,5s,-1.5ms"], &words) else { return };
    let done = finish(&mut command);
    assert_eq!(done.code, 0, "{done:?}");
    let text = std::fs::read_to_string(&results).unwrap();
    let Ok(Outcome::SyncCompared(trials)) = serde_json::from_str(text.trim()) else { panic!("{text}") };
    assert_eq!(trials.len(), 3 * Sync::ALL.len());
    for Trial { sync, ranks } in &trials {
        let reference = ranks[0].clock.scale;
        for (rank, ahead_ns) in [(1, 5_000_000_000), (2, -1_500_000)] {
            let clock = &ranks[rank].clock;
            let reading = clock.scale.reading(clock.at);
            // What rank 0's host reads at that instant: ticks of this clock are nanoseconds.
            let reading_of_0 = Ticks(reading.0.checked_add_signed(-ahead_ns).expect("no clock began so late"));
            let truth_ps = local_ps(&reference, reading_of_0) - local_ps(&clock.scale, reading);
            let error_ps = (clock.offset_ps as f64 - truth_ps).abs();
            assert!(error_ps <= clock.bound.0 as f64, "{sync}, rank {rank}: {error_ps} ps off, {clock:?}");
            assert_eq!(clock.basis, Basis::Measured, "{sync}, rank {rank}: {clock:?}");
        }
    }
}

#[test]
fn a_rank_that_is_killed_on_another_host_is_named_with_it() {
    let _alone = alone();
    if mpi_program("openmpi").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hosts.toml"), scenario("openmpi", 2, "5 ms")).unwrap();
    let words = [env!("CARGO_BIN_EXE_parallax"), "run", "hosts.toml"];
    let Some(mut command) = in_lab(&folder, &["2"], &words) else { return };
    let mut running = Running::start(&mut command);
    let campaign = folder.path().join("results/hosts-001/campaign.jsonl");
    running.wait_for("the first case", || {
        std::fs::read_to_string(&campaign).unwrap_or_default().contains("{\"measured\"")
    });
    let on_node2 = |process: &u32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let program = std::fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
        program.to_string_lossy().contains("parallax-mpi")
            && String::from_utf8_lossy(&environment).contains("OMPI_COMM_WORLD_RANK=1")
    };
    let victim = wait_for("rank 1", || running.descendants().into_iter().find(on_node2));
    // SAFETY: a plain system call on a process that we started.
    unsafe { libc::kill(victim as i32, libc::SIGKILL) };
    let done = running.finish();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains("rank 1 (process ") && done.stderr.contains(" on node2) in phase '"), "{done:?}");
    assert!(done.stderr.contains("--resume"), "{done:?}");
}

#[test]
fn the_launch_line_names_the_hosts_and_wrong_host_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.toml"), scenario("openmpi", 3, "1 ms")).unwrap();
    std::fs::write(folder.path().join("good"), "a slots=2\nb:1\n").unwrap();
    std::fs::write(folder.path().join("bad"), "a slots=2\nb slots\n").unwrap();
    if mpi_program("openmpi").is_some() {
        let done = finish(parallax(&folder).args(["run", "s.toml", "--print-launch", "--hosts", "good"]));
        assert!(done.stdout.contains(" --host a:2,b:1 "), "{done:?}");
        assert!(!done.stdout.contains("OVERSUBSCRIBE"), "three ranks, three cores: {done:?}");
        let crowded = finish(
            parallax(&folder).args(["run", "s.toml", "--print-launch", "--hosts", "good"]).env("PARALLAX_CORES", "2"),
        );
        assert!(crowded.stdout.contains("OVERSUBSCRIBE"), "the hosts share two cores: {crowded:?}");
    }
    let mut page = Page::new();
    for (file, place) in [("bad", "bad line 2: "), ("none", "none: ")] {
        let done = finish(parallax(&folder).args(["run", "s.toml", "--hosts", file]));
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains(place), "{done:?}");
        page.add(&["run", "s.toml", "--hosts", file], &done);
        assert!(!folder.path().join("results").exists(), "nothing was begun");
    }
    insta::assert_snapshot!(page);
}

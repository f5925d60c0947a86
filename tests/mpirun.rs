//! Real MPI ranks, 2 to 4 of them, started by Open MPI's and MPICH's launchers.

mod common;

use common::command::{Running, exists, finish, mpi_program, parallax, scenario, wait_for};
use common::said::{DIED, STOPPED};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

const LIBRARIES: [&str; 2] = ["openmpi", "mpich"];

/// Ranks of two tests at once would starve each other on few cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The libraries that are here; without any, the test says that it was skipped.
fn libraries() -> Vec<&'static str> {
    LIBRARIES.into_iter().filter(|library| mpi_program(library).is_some()).collect()
}

#[test]
fn every_byte_is_right_on_two_three_and_four_ranks_of_both_libraries() {
    let _alone = alone();
    for library in libraries() {
        for ranks in ["2", "3", "4"] {
            let folder = tempfile::tempdir().unwrap();
            let done = finish(parallax(&folder).args(["probe", "data", "--world", library, "--ranks", ranks]));
            assert_eq!(done.code, 0, "{library}, {ranks} ranks: {done:?}");
            assert_eq!(done.stdout.matches("every byte right").count(), 2, "native and emulated: {done:?}");
        }
    }
}

#[test]
fn a_scenario_runs_on_both_libraries_and_its_first_answer_is_about_them() {
    let _alone = alone();
    for library in libraries() {
        for ranks in [2, 4] {
            let folder = tempfile::tempdir().unwrap();
            let native = scenario(library, ranks, "1 ms").replace("\"linear\", \"binomial\"", "\"linear\"");
            let text = format!(
                "{native}\n[[case]]\nworld = \"{library}\"\ntransport = \"native\"\nranks = [2]\noperation = \"bcast\"\nalgorithms = [\"linear\", \"library\"]\nbytes = \"8 B\"\n"
            );
            std::fs::write(folder.path().join("both.toml"), text).unwrap();
            let done = finish(parallax(&folder).args(["run", "both.toml"]));
            assert_eq!(done.code, 0, "{library}, {ranks} ranks: {done:?}");
            let campaign = std::fs::read_to_string(folder.path().join("results/both-001/campaign.jsonl")).unwrap();
            assert_eq!(campaign.matches("{\"measured\"").count(), 4 + 2 * 4, "one line for each case");
            assert!(!campaign.contains("left-out"), "{done:?}");
            // The emulated network cannot be faster than its parameters, whatever the machine is doing.
            assert!(done.stdout.contains("Report: results/both-001/report.html"), "{done:?}");
        }
    }
}

#[test]
fn a_killed_rank_ends_the_run_and_is_named_with_host_and_phase() {
    let _alone = alone();
    for library in libraries() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("long.toml"), scenario(library, 3, "5 ms")).unwrap();
        let mut running = Running::start(parallax(&folder).args(["run", "long.toml"]));
        let campaign = folder.path().join("results/long-001/campaign.jsonl");
        running.wait_for("the first case", || {
            std::fs::read_to_string(&campaign).unwrap_or_default().contains("{\"measured\"")
        });
        let ranks = running.descendants().into_iter().filter(|&p| is_rank(p)).collect::<Vec<_>>();
        assert_eq!(ranks.len(), 3, "{library}");
        // SAFETY: a plain system call on a process that we started.
        unsafe { libc::kill(ranks[1] as i32, libc::SIGKILL) };
        let done = running.finish();
        assert_eq!(done.code, 1, "{library}: {done:?}");
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        // MPICH's launcher hears of the end while the kernel still clears up behind the rank, and kills the others: now
        // and then one of these is gone first, for the launcher, too.
        let may_be_named = if library == "mpich" { &ranks[..] } else { &ranks[1..2] };
        let named = may_be_named
            .iter()
            .any(|process| done.stderr.contains(&format!("(process {process} on {}) in phase '", host.trim())));
        assert!(named && done.stderr.contains(DIED), "{library}: {done:?}");
        assert!(done.stderr.contains("--resume"), "{library}: {done:?}");
        for rank in ranks {
            wait_for("the other ranks to be gone", || !exists(rank));
        }
        let resumed = finish(parallax(&folder).args(["run", "long.toml", "--resume"]));
        assert_eq!(resumed.code, 0, "{library}: {resumed:?}");
    }
}

#[test]
fn a_stopped_rank_ends_the_run_and_is_named() {
    let _alone = alone();
    for library in libraries() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("long.toml"), scenario(library, 3, "5 ms")).unwrap();
        let mut running = Running::start(parallax(&folder).args(["run", "long.toml", "--timeout", "4"]));
        let campaign = folder.path().join("results/long-001/campaign.jsonl");
        running.wait_for("the first case", || {
            std::fs::read_to_string(&campaign).unwrap_or_default().contains("{\"measured\"")
        });
        let ranks = running.descendants().into_iter().filter(|&p| is_rank(p)).collect::<Vec<_>>();
        // SAFETY: a plain system call on a process that we started.
        unsafe { libc::kill(ranks[2] as i32, libc::SIGSTOP) };
        let done = running.finish();
        assert_eq!(done.code, 1, "{library}: {done:?}");
        let named = done.stderr.contains(&format!("(process {} on ", ranks[2]));
        assert!(named && done.stderr.contains(STOPPED) && done.stderr.contains(" 2 s"), "{library}: {done:?}");
        for rank in ranks {
            wait_for("all ranks to be gone", || !exists(rank));
        }
    }
}

#[test]
fn a_launcher_of_the_other_library_is_caught_by_run_and_doctor() {
    let _alone = alone();
    let (Some(openmpi), Some(mpich)) = (mpi_program("openmpi"), mpi_program("mpich")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swapped.toml");
    std::fs::write(&path, scenario("openmpi", 2, "1 ms")).unwrap();
    let swapped = |command: &mut std::process::Command| {
        finish(command.env("PARALLAX_MPI_OPENMPI", &mpich).env("PARALLAX_MPI_MPICH", &openmpi))
    };
    let done = swapped(parallax(&folder).arg("run").arg(&path));
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains("size 1") && done.stderr.contains("parallax doctor"), "{done:?}");
    let doctor = swapped(parallax(&folder).arg("doctor"));
    // Releases that lie elsewhere may be there, too.
    for wrong in ["parallax-mpi-mpich: loads MPICH", "parallax-mpi-openmpi: loads Open MPI"] {
        assert!(doctor.stdout.contains(wrong), "{wrong}: {doctor:?}");
    }
    assert_eq!(doctor.code, 1, "{doctor:?}");
}

#[test]
fn without_mpi_the_run_says_so_and_uses_threads() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let threads = scenario("threads", 2, "300 us");
    let text = format!(
        "{threads}[[case]]\nworld = \"openmpi\"\ntransport = \"emulated\"\nranks = [2]\noperation = \"bcast\"\nalgorithms = [\"linear\"]\nbytes = \"8 B\"\n"
    );
    std::fs::write(folder.path().join("both.toml"), text).unwrap();
    // A copy of the command alone in its folder, and nothing on the path: a machine without MPI.
    let alone = folder.path().join("parallax");
    std::fs::copy(env!("CARGO_BIN_EXE_parallax"), &alone).unwrap();
    std::fs::set_permissions(&alone, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = std::process::Command::new(&alone);
    command.args(["run", "both.toml"]).current_dir(folder.path()).env("PATH", "");
    command.env_remove("PARALLAX_MPI_OPENMPI").env_remove("PARALLAX_MPI_MPICH");
    let done = finish(&mut command);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.lines().any(|line| line.contains("2 ranks on Open MPI")), "{done:?}");
    assert!(done.stdout.contains("threads"), "{done:?}");
}

/// True for the processes of ranks, not for the launcher's own.
fn is_rank(process: u32) -> bool {
    let program = std::fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
    program.file_name().is_some_and(|name| Path::new(name).to_string_lossy().starts_with("parallax-mpi"))
}

#[test]
fn ranks_of_both_libraries_are_calibrated_and_simulations_take_their_machines() {
    let _alone = alone();
    for library in libraries() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["--world", library, "--longest", "64KiB", "--launches", "2", "--out", "m.toml"];
        let done = finish(parallax(&folder).arg("calibrate").args(arguments));
        assert_eq!(done.code, 0, "{library}: {done:?}");
        let text = std::fs::read_to_string(folder.path().join("m.toml")).unwrap();
        let found = programs::machine::Machine::parse("m.toml", &text).unwrap();
        assert!(found.hockney.alpha_us.value > 0.0 && found.connect_us.is_some(), "{found:?}");
        assert!(found.idle.len() == 11 && found.exit_skew[0].ranks == 2 && found.clock.is_some(), "{found:?}");
        let samples = std::fs::read_to_string(folder.path().join("m/samples.jsonl")).unwrap();
        assert_eq!(samples.matches("{\"explored\":{\"connect\"").count(), 2, "a fresh launch for each first message");
        let call = ["allreduce", "--algorithm", "ring", "--ranks", "8", "--bytes", "8"];
        let done = finish(parallax(&folder).arg("simulate").args(call).args(["--machine", "m.toml"]));
        assert_eq!(done.code, 0, "{library}: {done:?}");
    }
}

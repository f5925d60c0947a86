//! Faults while `parallax measure` runs: ranks killed in every phase, ranks stopped for long and for a moment.

mod common;

use common::command::{Running, finish, mpi_program, state_of, wait_for};
use common::place::Place;
use common::said::{DIED, STOPPED};
use measure::board::{Board, Status, host_name};
use programs::rank::Phase;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Sixteen cases on two ranks, each long enough to be caught.
const CASES: [&str; 14] = [
    "--launches",
    "1",
    "bcast",
    "--method",
    "window,loop",
    "--bytes",
    "8..1KiB",
    "--calls",
    "5000",
    "--samples",
    "20",
    "--warmup",
    "5000",
    "--world",
];

/// Ranks of two tests at once would starve each other on few cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The command, for ranks that share a core, as far as it knows: they give way to each other, and windows are few.
fn measure(place: &Place) -> Command {
    let mut command = place.parallax();
    command.arg("measure").env("PARALLAX_CORES", "1");
    command
}

fn libraries() -> Vec<&'static str> {
    ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()).collect()
}

fn kill(process: u32, signal: i32) {
    // SAFETY: a plain system call on a process that we started.
    unsafe { libc::kill(process as i32, signal) };
}

/// Stops the process of a rank when it is in a phase: it is there for certain then, and stays.
fn stop_in(running: &mut Running, board: &Path, rank: u32, phase: Phase) -> Status {
    let until = Instant::now() + Duration::from_secs(100);
    while Instant::now() < until {
        assert!(!running.has_ended(), "rank {rank} was not caught in phase '{phase}': {:?}", running.finish());
        let Ok(board) = Board::open(board, 2) else { continue };
        // The command makes a new board for each launch: look at this one for a while only.
        for _ in 0..1_000 {
            std::thread::sleep(Duration::from_micros(20));
            let status = board.status(rank);
            if status.process == 0 || status.phase != phase {
                continue;
            }
            kill(status.process, libc::SIGSTOP);
            while !matches!(state_of(status.process), Some('T' | 'Z' | 'X') | None) {
                std::thread::yield_now();
            }
            if board.status(rank).phase == phase {
                return board.status(rank);
            }
            kill(status.process, libc::SIGCONT);
        }
    }
    panic!("rank {rank} was never in phase '{phase}'");
}

#[test]
fn a_rank_killed_in_any_phase_is_named_and_the_campaign_goes_on_until_it_is_whole() {
    let _alone = alone();
    let phases = [
        (Phase::FirstCall, 0),
        (Phase::Loop, 0),
        (Phase::Window, 1),
        (Phase::ClockSynchronisation, 1),
        (Phase::Collecting, 0),
        (Phase::Starting, 1),
    ];
    for library in libraries() {
        let place = Place::new();
        let board = place.work().join(format!("results/measure-001/job-{library}-2-0/board"));
        for (attempt, (phase, victim)) in phases.into_iter().enumerate() {
            let before = place.lines();
            let mut command = measure(&place);
            let mut running = match attempt {
                0 => Running::start(command.args(CASES).arg(library)),
                _ => Running::start(command.arg("--resume")),
            };
            if phase != Phase::Starting {
                running.wait_for("one more case", || place.measured() > before.matches("{\"measured\"").count());
            }
            let caught = stop_in(&mut running, &board, victim, phase);
            kill(caught.process, libc::SIGKILL);
            let done = running.finish();
            assert_eq!(done.code, 1, "{library}, {phase}: {done:?}");
            let (process, host) = (caught.process, host_name());
            let named = format!("rank {victim} (process {process} on {host}) in phase '{phase}'");
            // MPICH's launcher kills the other rank while the kernel still clears up behind this one: now and then the other
            // is gone first, for the launcher, too.
            let other_first = library == "mpich" && done.stderr.contains(&format!("rank {} (process ", 1 - victim));
            assert!(done.stderr.contains(&named) || other_first, "{named}: {}", done.stderr);
            assert!(done.stderr.contains(DIED), "{named}: {}", done.stderr);
            let cure = "parallax measure --resume --out results/measure-001";
            assert!(done.stderr.contains(cure), "{library}, {phase}: {done:?}");
            assert!(place.lines().starts_with(&before), "{library}, {phase}: what was there stays");
            place.assert_nothing_left();
        }
        let kept = place.lines();
        let done = finish(measure(&place).arg("--resume"));
        assert_eq!(done.code, 0, "{library}: {done:?}");
        assert!(place.lines().starts_with(&kept), "{library}: what was there stays");
        assert_eq!(place.measured(), 24, "{library}: each case once");
        assert!(!board.exists(), "{library}: the job's folder is gone");
        place.assert_nothing_left();
    }
}

#[test]
fn a_rank_that_is_killed_before_it_signs_in_is_named() {
    let _alone = alone();
    for library in libraries() {
        let place = Place::new();
        let mut running = Running::start(measure(&place).args(CASES).arg(library));
        let rank = wait_for("rank 1", || starting_rank(&running, 1));
        kill(rank, libc::SIGSTOP);
        // The command looks a hundred times a second.
        std::thread::sleep(Duration::from_secs(2));
        kill(rank, libc::SIGKILL);
        let done = running.finish();
        assert_eq!(done.code, 1, "{library}: {done:?}");
        let named = format!("rank 1 (process {rank} on {}) in phase 'starting'", host_name());
        assert!(done.stderr.contains(&named) && done.stderr.contains(DIED), "{library}: {named}: {done:?}");
        place.assert_nothing_left();
    }
}

/// The process that becomes a rank, as soon as its program runs.
fn starting_rank(running: &Running, rank: u32) -> Option<u32> {
    let file = |process: u32, name: &str| std::fs::read(format!("/proc/{process}/{name}")).unwrap_or_default();
    let has = |bytes: &[u8], at: usize, word: &str| bytes.split(|&byte| byte == 0).nth(at) == Some(word.as_bytes());
    let told = [format!("PMI_RANK={rank}"), format!("OMPI_COMM_WORLD_RANK={rank}")];
    running.descendants().into_iter().find(|&process| {
        let environment = file(process, "environ");
        let mut words = environment.split(|&byte| byte == 0);
        has(&file(process, "cmdline"), 1, "--job") && words.any(|word| told.iter().any(|told| word == told.as_bytes()))
    })
}

#[test]
fn a_rank_stopped_for_longer_than_the_patience_is_named_as_stopped() {
    let _alone = alone();
    for library in libraries() {
        let place = Place::new();
        let mut command = measure(&place);
        command.args(CASES).args([library, "--timeout", "4"]);
        let mut running = Running::start(&mut command);
        running.wait_for("the first case", || place.measured() > 0);
        let board = place.work().join(format!("results/measure-001/job-{library}-2-0/board"));
        let caught = stop_in(&mut running, &board, 1, Phase::Loop);
        let done = running.finish();
        assert_eq!(done.code, 1, "{library}: {done:?}");
        let named = format!("rank 1 (process {} on {}) in phase 'loop' of ", caught.process, host_name());
        assert!(done.stderr.contains(&named), "{library}: {named}: {}", done.stderr);
        assert!(done.stderr.contains(STOPPED) && done.stderr.contains(" 2 s"), "{library}: {done:?}");
        assert!(place.measured() > 0, "{library}");
        place.assert_nothing_left();
    }
}

#[test]
fn a_rank_stopped_for_a_moment_loses_nothing() {
    let _alone = alone();
    for library in libraries() {
        let place = Place::new();
        let mut running = Running::start(measure(&place).args(CASES).arg(library));
        let board = place.work().join(format!("results/measure-001/job-{library}-2-0/board"));
        running.wait_for("the first case", || place.measured() > 0);
        let caught = stop_in(&mut running, &board, 1, Phase::Loop);
        std::thread::sleep(Duration::from_secs(1));
        kill(caught.process, libc::SIGCONT);
        let done = running.finish();
        assert_eq!(done.code, 0, "{library}: {done:?}");
        assert_eq!(place.measured(), 24, "{library}: nothing is lost");
        place.assert_nothing_left();
    }
}

#[test]
fn ranks_end_with_the_command_whatever_their_launcher_does() {
    let _alone = alone();
    for library in libraries() {
        let place = Place::new();
        let mut running = Running::start(measure(&place).args(CASES).arg(library));
        let board = place.work().join(format!("results/measure-001/job-{library}-2-0/board"));
        running.wait_for("the first case", || place.measured() > 0);
        let ranks: Vec<u32> = Board::open(&board, 2).unwrap().all().iter().map(|status| status.process).collect();
        let launcher = parent_of(ranks[0]);
        kill(launcher, libc::SIGSTOP);
        running.signal(libc::SIGKILL);
        running.finish();
        // Whose parent is stopped cannot be laid to rest.
        let gone = |&rank: &u32| matches!(state_of(rank), None | Some('Z' | 'X'));
        wait_for("both ranks to be gone", || ranks.iter().all(gone));
        kill(launcher, libc::SIGCONT);
        place.assert_nothing_left();
        let done = finish(measure(&place).arg("--resume"));
        assert_eq!(done.code, 0, "{library}: {done:?}");
        assert_eq!(place.measured(), 24, "{library}: each case once");
    }
}

#[test]
fn ranks_end_with_a_command_that_is_killed_while_they_start() {
    let _alone = alone();
    for library in libraries() {
        // From before the launcher is there to after the first rank has signed in.
        for moment in 0..10 {
            let place = Place::new();
            let mut running = Running::start(measure(&place).args(CASES).arg(library));
            std::thread::sleep(Duration::from_millis(20) * moment);
            running.signal(libc::SIGKILL);
            running.finish();
            place.assert_nothing_left();
        }
    }
}

#[test]
fn nothing_stays_of_a_launch_whose_command_or_launcher_is_killed() {
    let _alone = alone();
    for library in libraries() {
        for (killed, signal) in [("command", libc::SIGKILL), ("command", libc::SIGINT), ("launcher", libc::SIGKILL)] {
            let place = Place::new();
            let mut running = Running::start(measure(&place).args(CASES).arg(library));
            let board = place.work().join(format!("results/measure-001/job-{library}-2-0/board"));
            let all_there =
                || Board::open(&board, 2).is_ok_and(|board| board.all().iter().all(|rank| rank.process != 0));
            running.wait_for("both ranks", all_there);
            let before = place.lines();
            match killed {
                "command" => running.signal(signal),
                _ => kill(launcher_of(Board::open(&board, 2).unwrap().status(0).process), signal),
            }
            let done = running.finish();
            assert_ne!(done.code, 0, "{library}, {killed}: {done:?}");
            place.assert_nothing_left();
            assert!(place.lines().starts_with(&before), "{library}, {killed}: what was there stays");
        }
    }
}

#[test]
fn a_resume_right_after_a_kill_waits_for_the_ranks_that_were_killed() {
    let _alone = alone();
    for library in libraries() {
        let place = Place::new();
        let mut running = Running::start(measure(&place).args(CASES).arg(library));
        running.wait_for("a campaign", || place.lines().contains('\n'));
        // Ranks that start, ranks that have started.
        for moment in [0, 50, 150, 400] {
            std::thread::sleep(Duration::from_millis(moment));
            running.signal(libc::SIGKILL);
            running.finish();
            running = Running::start(measure(&place).arg("--resume"));
        }
        let done = running.finish();
        assert_eq!(done.code, 0, "{library}: {done:?}");
        assert_eq!(place.measured(), 24, "{library}: each case once");
        place.assert_nothing_left();
    }
}

/// The process that this program's guard has started, above a rank.
fn launcher_of(rank: u32) -> u32 {
    let name = |process: u32| std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    let above = std::iter::successors(Some(rank), |process| Some(parent_of(*process)).filter(|parent| *parent > 1));
    let mut family = above.collect::<Vec<_>>().into_iter();
    family.find(|process| name(parent_of(*process)).trim() == "parallax-guard").expect("a launcher below a guard")
}

fn parent_of(process: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields = stat.rsplit_once(") ").unwrap().1;
    fields.split(' ').nth(1).unwrap().parse().unwrap()
}

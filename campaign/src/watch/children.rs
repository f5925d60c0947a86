//! Processes of one launch: their start, their output, and their end without remains.

use super::deaths::Deaths;
use crate::launch::{end_with_us, stop};
use anyhow::Context;
use measure::board::{Status, host_name};
use programs::rank::Phase;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Number of lines of a launch's output that are kept.
const KEPT_LINES: usize = 200;
/// Number of lines of the output that are shown.
const SHOWN_LINES: usize = 12;

/// Launcher (or the threads world) with everything that it started.
pub(super) struct Children {
    child: Child,
    output: Arc<Mutex<Vec<String>>>,
    readers: Vec<JoinHandle<()>>,
    deaths: Deaths,
    over: bool,
}

impl Children {
    /// Starts the command, which is ended if this program is killed. The lock of `held` is kept until nothing of it is
    /// left.
    pub(super) fn start(mut command: Command, held: &File) -> anyhow::Result<Children> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        end_with_us(&mut command, Some(held));
        let name = command.get_program().display().to_string();
        let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        let output = Arc::new(Mutex::new(Vec::new()));
        let mut readers = Vec::new();
        let pipes: [Option<Box<dyn Read + Send>>; 2] =
            [child.stdout.take().map(|pipe| Box::new(pipe) as _), child.stderr.take().map(|pipe| Box::new(pipe) as _)];
        for pipe in pipes.into_iter().flatten() {
            let output = Arc::clone(&output);
            readers.push(std::thread::spawn(move || keep_lines(pipe, &output)));
        }
        Ok(Children { child, output, readers, deaths: Deaths::default(), over: false })
    }

    /// Returns the launcher's exit status, if it has ended. All its output has then been read.
    pub(super) fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let ended = self.child.try_wait()?;
        if ended.is_some_and(|status| status.success()) {
            self.over = true;
        }
        if ended.is_some() {
            // A rank that outlived its launcher may hold a pipe open, so that the readers get only a short time.
            let until = Instant::now() + Duration::from_millis(500);
            while self.readers.iter().any(|reader| !reader.is_finished()) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        Ok(ended)
    }

    /// Returns the rank whose process ended first, although it had not finished. Launchers soon end the others too.
    pub(super) fn first_dead(&mut self, ranks: &[Status]) -> Option<Status> {
        self.deaths.attend(ranks);
        let process = self.deaths.first()?;
        // Ranks that are threads share a process, whose end does not identify the faulty one.
        let mut of_process = ranks.iter().filter(|status| status.process == process);
        let alone = of_process.next().is_some() && of_process.next().is_none();
        ranks
            .iter()
            .filter(|_| alone)
            .find(|status| status.process == process && status.phase != Phase::Finished)
            .cloned()
    }

    /// Returns the rank whose process the launcher's output names (`PID 314`, as all libraries' launchers write), if it
    /// names only one: Intel MPI's names every rank that was ended, rank 0 first.
    pub(super) fn named_by_launcher(&self, ranks: &[Status]) -> Option<Status> {
        named(&self.output.lock().ok()?, ranks)
    }

    /// Returns the rank on another host that Open MPI's launcher saw end first (`process rank 1 with PID 314 on node b
    /// exited`). The kernel reports nothing of other hosts, and the ranks of this one are ended right after.
    pub(super) fn seen_elsewhere(&self, ranks: &[Status]) -> Option<Status> {
        let of_this_host = host_name();
        self.seen_by_open_mpi(ranks).filter(|status| status.host != of_this_host && status.process != 0)
    }

    /// Returns the rank that Open MPI's launcher saw end first, on any host, whether it has signed in here or not.
    pub(super) fn seen_by_open_mpi(&self, ranks: &[Status]) -> Option<Status> {
        self.output.lock().ok()?.iter().find_map(|line| numbered(line, ranks))
    }

    /// Returns the last lines of the launch's output, without repetitions and ornaments.
    pub(super) fn last_words(&self) -> String {
        let Ok(output) = self.output.lock() else { return String::new() };
        let mut shown: Vec<&str> = Vec::new();
        for line in output.iter().map(|line| line.trim()) {
            let ornament = line.chars().all(|c| !c.is_alphanumeric());
            if !ornament && !shown.contains(&line) {
                shown.push(line);
            }
        }
        let skipped = shown.len().saturating_sub(SHOWN_LINES);
        shown[skipped..].iter().map(|line| format!("  | {line}")).collect::<Vec<_>>().join("\n")
    }

    /// Ends everything that was started, first by a request.
    pub(super) fn end(&mut self) {
        if !std::mem::replace(&mut self.over, true) {
            stop(&mut self.child);
        }
    }
}

impl Drop for Children {
    /// No started process outlives the watch, however that ends.
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the rank whose process is named, if it is the only one.
fn named(output: &[String], ranks: &[Status]) -> Option<Status> {
    let numbers = output.iter().flat_map(|line| {
        line.split("PID ")
            .skip(1)
            .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok())
    });
    let numbers: BTreeSet<u32> = numbers.filter(|process| *process != 0).collect();
    let mut all = numbers.iter().filter_map(|process| ranks.iter().find(|status| status.process == *process));
    let first = all.next();
    first.filter(|_| all.next().is_none()).cloned()
}

/// Returns the rank that has ended according to a line of Open MPI's launcher: one that is on the host in the line, or
/// has not signed in.
fn numbered(line: &str, ranks: &[Status]) -> Option<Status> {
    let (_, rest) = line.split_once(" noticed that process rank ")?;
    let (rank, rest) = rest.split_once(' ')?;
    let (_, rest) = rest.split_once(" on node ")?;
    let host = rest.split(' ').next()?;
    let rank: u32 = rank.parse().ok()?;
    let status = ranks.iter().find(|status| status.rank == rank)?;
    let unseen = status.process == 0;
    (unseen || status.host == host).then(|| Status { host: host.to_owned(), ..status.clone() })
}

fn keep_lines(pipe: impl Read, output: &Mutex<Vec<String>>) {
    for line in BufReader::new(pipe).lines().map_while(Result::ok) {
        if let Ok(mut lines) = output.lock() {
            if lines.len() >= KEPT_LINES {
                lines.remove(0);
            }
            lines.push(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(rank: u32, process: u32, host: &str) -> Status {
        Status {
            rank,
            process,
            host: host.to_owned(),
            phase: Phase::Loop,
            task: 0,
            progress: 0,
            heartbeats: 0,
            lost: Default::default(),
        }
    }

    #[test]
    fn the_rank_that_open_mpi_saw_end_is_found_by_its_number_and_host() {
        let ranks = [status(0, 18, "node1"), status(1, 19, "node2"), status(2, 0, "")];
        let line = |rank: u32, host: &str| {
            format!("mpirun noticed that process rank {rank} with PID 0 on node {host} exited on signal 9 (Killed).")
        };
        assert_eq!(numbered(&line(1, "node2"), &ranks), Some(ranks[1].clone()));
        assert_eq!(numbered(&line(1, "node1"), &ranks), None);
        assert_eq!(numbered(&line(2, "node3"), &ranks), Some(status(2, 0, "node3")), "it was not seen");
        assert_eq!(numbered("PID 19 on node node2", &ranks), None);
    }

    #[test]
    fn a_launcher_that_names_all_ranks_names_nobody() {
        let ranks = [status(0, 314, "node1"), status(1, 315, "node1")];
        let said = |lines: &[&str]| named(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>(), &ranks);
        assert_eq!(said(&["=   PID 315 RUNNING AT node1", "=   EXIT CODE: 9"]), Some(ranks[1].clone()), "MPICH's");
        let of_intel = ["=   RANK 0 PID 314 RUNNING AT node1", "=   RANK 1 PID 315 RUNNING AT node1"];
        assert_eq!(said(&of_intel), None);
        assert_eq!(said(&["process rank 1 with PID 0 on node node1"]), None);
    }
}

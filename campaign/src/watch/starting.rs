//! Ranks between their process's start and their signing in on the board: MPI_Init may never return once one of them
//! has died, and not all launchers notice (Intel MPI 2021.18 waits for ever for a rank that died before it met the
//! launcher).

use crate::serve::JOB;
use measure::board::{Status, host_name};
use measure::job::Job;
use programs::observation::World;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Variables in which launchers pass a process its rank, observed in processes that each had started: `PMI_RANK` by
/// those of MPICH 4.0.2 and 5.0.2, of Intel MPI 2021.18, and by Slurm for PMI-2, `OMPI_COMM_WORLD_RANK` by Open MPI
/// 4.1.4 to 5.0.11, and the others by Slurm (srun(1)), Flux (flux-environment(7)) and launchers that use PMIx.
const RANK: [&str; 5] = ["PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID", "FLUX_TASK_RANK"];

/// Least pause between two looks at ranks that start, as a duration, and as a multiple of a look's duration.
const REST: (Duration, u32) = (Duration::from_millis(10), 4);

/// Processes of ranks that have not all signed in.
pub(super) struct Starting {
    /// Path behind `--job` on the command line of each rank.
    job: Vec<u8>,
    host: String,
    /// Whether all ranks are on this host and processes of their own, so that a rank without a process is missing.
    all_here: bool,
    is_over: bool,
    rest: Duration,
    /// Process of each rank that has been found, whether it still runs or not.
    seen: BTreeMap<u32, u32>,
    /// Ranks that had a process at the last look, and the time since which these have been the same.
    alive: (Instant, Vec<u32>),
}

impl Starting {
    pub(super) fn new(job: &Job, folder: &Path) -> Starting {
        let file = folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(JOB);
        Starting {
            job: file.into_os_string().into_encoded_bytes(),
            host: host_name(),
            all_here: job.hosts == 1 && matches!(job.world, World::Mpi(_)),
            is_over: false,
            rest: REST.0,
            seen: BTreeMap::new(),
            alive: (Instant::now(), Vec::new()),
        }
    }

    /// Completes the board's states with the processes of ranks on this host that have not signed in. It costs nothing
    /// once all have, or there is an outcome.
    pub(super) fn complete(&mut self, ranks: &mut [Status], outcomes: usize) {
        self.is_over |= outcomes > 0 || ranks.iter().all(|rank| rank.process != 0);
        if !self.is_over {
            let began = Instant::now();
            self.look(ranks.len() as u32);
            self.rest = REST.0.max(REST.1 * began.elapsed());
        }
        for rank in ranks.iter_mut().filter(|rank| rank.process == 0) {
            if let Some(process) = self.seen.get(&rank.rank) {
                (rank.process, rank.host) = (*process, self.host.clone());
            }
        }
    }

    /// Returns the time until the next look. `None` once all ranks have signed in.
    pub(super) fn rest(&self) -> Option<Duration> {
        (!self.is_over).then_some(self.rest)
    }

    fn look(&mut self, ranks: u32) {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut alive: Vec<(u32, u32)> = numbers
            .filter(|process| is_rank(&read(*process, "cmdline"), &self.job))
            .filter_map(|process| Some((rank_of(&read(process, "environ"))?, process)))
            .filter(|(rank, _)| *rank < ranks)
            .collect();
        alive.sort_unstable();
        self.seen.extend(alive.iter().copied());
        let alive: Vec<u32> = alive.into_iter().map(|(rank, _)| rank).collect();
        if alive != self.alive.1 {
            self.alive = (Instant::now(), alive);
        }
    }

    /// Returns a rank that has no process, although others have, if this has not changed for `patience`.
    pub(super) fn missing(&self, ranks: &[Status], patience: Duration) -> Option<Status> {
        let (since, alive) = &self.alive;
        if self.is_over || !self.all_here || alive.is_empty() || since.elapsed() < patience {
            return None;
        }
        let missing = ranks.iter().find(|status| !alive.contains(&status.rank))?;
        Some(Status { host: self.host.clone(), ..missing.clone() })
    }
}

/// Whether a process is a rank of this job by its command line, which has the words of `serve::arguments` right after
/// the program. In a launcher's command line they are further behind.
fn is_rank(command: &[u8], job: &[u8]) -> bool {
    let mut words = command.split(|&byte| byte == 0).skip(1);
    words.next() == Some(b"--job") && words.next() == Some(job)
}

/// Returns the rank that a launcher has passed to a process.
fn rank_of(environment: &[u8]) -> Option<u32> {
    let variables = || environment.split(|&byte| byte == 0).filter_map(|word| std::str::from_utf8(word).ok());
    let value = |name: &str| variables().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    RANK.iter().find_map(|name| value(name))
}

/// Returns a file of a process. Empty if the process is gone, or belongs to another user.
fn read(process: u32, file: &str) -> Vec<u8> {
    std::fs::read(format!("/proc/{process}/{file}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_told_from_its_launcher_and_from_ranks_of_other_jobs() {
        let command = |words: &[&str]| words.join("\0").into_bytes();
        let rank = command(&["/opt/parallax-mpi-mpich", "--job", "/w/a/job.json", "--results", "/w/a/results.jsonl"]);
        assert!(is_rank(&rank, b"/w/a/job.json"));
        assert!(!is_rank(&rank, b"/w/b/job.json"));
        let launcher = command(&["mpiexec", "-n", "2", "/opt/parallax-mpi-mpich", "--job", "/w/a/job.json"]);
        assert!(!is_rank(&launcher, b"/w/a/job.json"));
        assert!(!is_rank(b"", b"/w/a/job.json"));
    }

    #[test]
    fn the_launcher_that_is_nearest_says_the_rank() {
        // Within a job of Slurm's the rank is that of the library's launcher.
        assert_eq!(rank_of(b"PATH=/bin\0SLURM_PROCID=7\0PMI_RANK=3\0PMI_RANKS=9\0"), Some(3));
        assert_eq!(rank_of(b"OMPI_COMM_WORLD_RANK=12\0"), Some(12));
        assert_eq!(rank_of(b"PMI_RANK=\0HOME=/root"), None);
    }
}

//! Ranks on this host that are no descendants of this process, because a batch system's daemon starts them. Their CPU
//! time belongs to the command, but the system does not count it so.

use measure::board::{Board, Status, host_name};
use measure::processes::{descends_from, status_of};
use measure::usage::count_as_own;
use models::time::Span;

/// Numbers of the ranks' processes, each with its CPU time that was counted so far. `None` for a descendant, whose time
/// the system counts.
#[derive(Default)]
pub(super) struct StartedByOthers(Vec<(u32, Option<Span>)>);

impl StartedByOthers {
    /// Counts the CPU time that they have used since the last look.
    pub(super) fn look(&mut self, board: &Board) {
        board.all().iter().filter_map(|status| self.new_time(status)).for_each(count_as_own);
    }

    /// Returns the CPU time that the process of a rank has used since the last look. `None` where the system counts it
    /// as ours, or the process is not on this host.
    fn new_time(&mut self, Status { process, host, .. }: &Status) -> Option<Span> {
        if *process == 0 || *host != host_name() {
            return None;
        }
        let index = self.0.iter().position(|(known, _)| known == process).unwrap_or_else(|| {
            let us = std::process::id();
            let is_ours = *process == us || descends_from(*process, us);
            self.0.push((*process, (!is_ours).then_some(Span::ZERO)));
            self.0.len() - 1
        });
        let counted = self.0[index].1.as_mut()?;
        let used = status_of(*process)?.used;
        let new = Span(used.0.saturating_sub(counted.0));
        *counted = used.max(*counted);
        Some(new)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use programs::rank::Phase;
    use std::process::{Command, Stdio};

    fn rank(process: u32, host: &str) -> Status {
        Status {
            rank: 0,
            process,
            host: host.to_owned(),
            phase: Phase::Starting,
            task: 0,
            progress: 0,
            heartbeats: 0,
            lost: Default::default(),
        }
    }

    #[test]
    fn time_of_a_rank_that_is_no_descendant_is_counted_once() {
        // The shell ends at once, and its child then belongs to another process.
        let script = "sh -c 'while :; do :; done' >/dev/null & echo $!";
        let said = Command::new("sh").args(["-c", script]).stderr(Stdio::null()).output().expect("sh runs");
        let process: u32 = String::from_utf8_lossy(&said.stdout).trim().parse().expect("a process");
        let used = || status_of(process).expect("works").used;
        while used() < Span::from_ms(100) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let mut others = StartedByOthers::default();
        let first = others.new_time(&rank(process, &host_name())).expect("counted");
        while used() < first + Span::from_ms(100) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let second = others.new_time(&rank(process, &host_name())).expect("counted");
        let together = first + second;
        assert!(first >= Span::from_ms(100) && together >= Span::from_ms(200) && together <= used(), "{together:?}");
        assert_eq!(others.new_time(&rank(process, "another-host")), None);
        // SAFETY: a plain system call; the number is that of the process started above, which nobody else ends.
        unsafe { libc::kill(process as i32, libc::SIGKILL) };
    }

    #[test]
    fn time_of_a_child_and_of_this_process_is_the_system_s_to_count() {
        let mut child = Command::new("sleep").arg("1000").spawn().expect("sleep runs");
        let mut others = StartedByOthers::default();
        for process in [child.id(), std::process::id(), 0] {
            assert_eq!(others.new_time(&rank(process, &host_name())), None);
        }
        child.kill().and_then(|()| child.wait()).expect("ended");
    }
}

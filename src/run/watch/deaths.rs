//! Which of the ranks' processes ended first: the kernel tells, before a launcher has reacted.

use measure::board::{Status, host_name};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Listens to the end of every rank's process. A launcher that loses a rank kills the others within a
/// millisecond, and MPICH's then reports the lowest of them: only who was first is to blame.
#[derive(Default)]
pub struct Deaths {
    attended: Vec<u32>,
    ends: Arc<Mutex<Vec<(Instant, u32)>>>,
}

impl Deaths {
    /// Begins to listen to processes that have signed in since the last look.
    pub fn attend(&mut self, ranks: &[Status]) {
        for &Status { process, ref host, .. } in ranks {
            // The host is asked for only when somebody new has signed in: this is called many times a second.
            if process != 0 && !self.attended.contains(&process) && *host == host_name() {
                self.attended.push(process);
                let ends = Arc::clone(&self.ends);
                std::thread::spawn(move || {
                    wait_for_end(process);
                    if let Ok(mut ends) = ends.lock() {
                        ends.push((Instant::now(), process));
                    }
                });
            }
        }
    }

    /// Every process that was listened to.
    pub fn attended(&self) -> &[u32] {
        &self.attended
    }

    /// The process that ended first.
    pub fn first(&self) -> Option<u32> {
        let ends = self.ends.lock().ok()?;
        ends.iter().min().map(|(_, process)| *process)
    }
}

/// Returns when a process, which need not be a child, has ended.
#[cfg(target_os = "linux")]
fn wait_for_end(process: u32) {
    // SAFETY: plain system calls; the descriptor is ours and closed here, the pollfd is live.
    unsafe {
        let descriptor = libc::syscall(libc::SYS_pidfd_open, process as libc::pid_t, 0) as i32;
        if descriptor < 0 {
            // It has ended already, or this kernel or container does not lend such descriptors.
            return ask_until_gone(process);
        }
        let mut ended = libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
        while libc::poll(&raw mut ended, 1, -1) < 0 {}
        libc::close(descriptor);
    }
}

#[cfg(not(target_os = "linux"))]
fn wait_for_end(process: u32) {
    ask_until_gone(process);
}

/// Returns when a process is no longer there, by asking now and then.
fn ask_until_gone(process: u32) {
    // SAFETY: signal 0 only asks whether the process exists.
    while unsafe { libc::kill(process as i32, 0) } == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::rank::Phase;
    use std::process::{Child, Command};

    fn status(process: u32) -> Status {
        Status { rank: 0, process, host: host_name(), phase: Phase::Loop, task: 0, progress: 0, heartbeats: 0 }
    }

    #[test]
    fn the_first_end_is_told_from_those_that_follow() {
        let mut sleepers: Vec<Child> =
            (0..4).map(|_| Command::new("sleep").arg("60").spawn().expect("sleep runs")).collect();
        let mut deaths = Deaths::default();
        deaths.attend(&sleepers.iter().map(|child| status(child.id())).collect::<Vec<_>>());
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(deaths.first(), None);
        let victim = sleepers[2].id();
        sleepers[2].kill().expect("it is ours");
        while deaths.first().is_none() {
            std::thread::yield_now();
        }
        for child in &mut sleepers {
            let _ = child.kill();
            let _ = child.wait();
        }
        assert_eq!(deaths.first(), Some(victim));
    }
}

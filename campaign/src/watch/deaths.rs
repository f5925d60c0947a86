//! First end among the ranks' processes, as the kernel reports it before a launcher has reacted.

use measure::board::{Status, host_name};
use std::sync::{Arc, Mutex};

/// Listener to the end of every rank's process. A launcher that loses a rank kills the others within a millisecond, and
/// MPICH's then reports the lowest of them. Only the first one is to blame.
#[derive(Default)]
pub(super) struct Deaths {
    attended: Vec<u32>,
    #[cfg(target_os = "linux")]
    queue: queue::Queue,
    /// Processes that the queue does not accept, in the order in which they were found to have ended.
    asked: Arc<Mutex<Vec<u32>>>,
}

impl Deaths {
    /// Begins to listen to processes that have signed in since the last look.
    pub(super) fn attend(&mut self, ranks: &[Status]) {
        for &Status { process, ref host, .. } in ranks {
            // The host is compared only when a new process has signed in, because this is called many times a second.
            if process != 0 && !self.attended.contains(&process) && *host == host_name() {
                self.attended.push(process);
                if !self.queue_takes(process) {
                    let asked = Arc::clone(&self.asked);
                    std::thread::spawn(move || {
                        ask_until_gone(process);
                        if let Ok(mut asked) = asked.lock() {
                            asked.push(process);
                        }
                    });
                }
            }
        }
    }

    /// Returns the process that ended first.
    pub(super) fn first(&mut self) -> Option<u32> {
        #[cfg(target_os = "linux")]
        if let Some(process) = self.queue.first() {
            return Some(process);
        }
        self.asked.lock().ok()?.first().copied()
    }

    #[cfg(target_os = "linux")]
    fn queue_takes(&mut self, process: u32) -> bool {
        self.queue.add(process).is_ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn queue_takes(&mut self, _process: u32) -> bool {
        false
    }
}

#[cfg(target_os = "linux")]
mod queue {
    //! Queue of ends in the kernel (epoll over pidfds), which keeps them in the order in which they happened, however
    //! late it is read.

    use std::io::{Error, Result};
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    #[derive(Default)]
    pub(super) struct Queue {
        descriptor: Option<OwnedFd>,
        /// Descriptors of the processes, which must stay open for the queue to receive their ends.
        processes: Vec<OwnedFd>,
        first: Option<u32>,
    }

    /// Returns a descriptor that a system call has just made, or its error.
    fn owned(descriptor: i64) -> Result<OwnedFd> {
        if descriptor < 0 {
            return Err(Error::last_os_error());
        }
        // SAFETY: the descriptor is new and nobody else's.
        Ok(unsafe { OwnedFd::from_raw_fd(descriptor as i32) })
    }

    impl Queue {
        /// Begins to listen to a process, which need not be a child. Fails where it has ended already, or where this
        /// kernel or container does not provide descriptors of processes.
        pub(super) fn add(&mut self, process: u32) -> Result<()> {
            if self.descriptor.is_none() {
                // SAFETY: a plain system call.
                self.descriptor = Some(owned(i64::from(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) }))?);
            }
            let queue = self.descriptor.as_ref().expect("just made").as_raw_fd();
            // SAFETY: plain system calls; the event is live and copied by the kernel.
            unsafe {
                let of_process = owned(libc::syscall(libc::SYS_pidfd_open, process as libc::pid_t, 0))?;
                let events = (libc::EPOLLIN | libc::EPOLLONESHOT) as u32;
                let mut event = libc::epoll_event { events, u64: u64::from(process) };
                if libc::epoll_ctl(queue, libc::EPOLL_CTL_ADD, of_process.as_raw_fd(), &raw mut event) < 0 {
                    return Err(Error::last_os_error());
                }
                self.processes.push(of_process);
            }
            Ok(())
        }

        /// Returns the process that ended first.
        pub(super) fn first(&mut self) -> Option<u32> {
            if let (None, Some(queue)) = (self.first, &self.descriptor) {
                let mut event = libc::epoll_event { events: 0, u64: 0 };
                // SAFETY: room for one event is passed; it returns at once.
                let ended = unsafe { libc::epoll_wait(queue.as_raw_fd(), &raw mut event, 1, 0) };
                self.first = (ended == 1).then_some(event.u64 as u32);
            }
            self.first
        }
    }
}

/// Returns when a process has ended, by polling.
fn ask_until_gone(process: u32) {
    // SAFETY: signal 0 only asks whether the process exists.
    while unsafe { libc::kill(process as i32, 0) } == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use programs::rank::Phase;
    use std::process::{Child, Command};

    fn status(process: u32) -> Status {
        Status {
            rank: 0,
            process,
            host: host_name(),
            phase: Phase::Loop,
            task: 0,
            progress: 0,
            heartbeats: 0,
            lost: Default::default(),
        }
    }

    #[test]
    fn the_first_end_is_told_from_those_that_follow_however_late_one_looks() {
        let mut sleepers: Vec<Child> =
            (0..4).map(|_| Command::new("sleep").arg("60").spawn().expect("sleep runs")).collect();
        let mut deaths = Deaths::default();
        deaths.attend(&sleepers.iter().map(|child| status(child.id())).collect::<Vec<_>>());
        assert_eq!(deaths.first(), None);
        let order = [2, 0, 3, 1];
        let victim = sleepers[order[0]].id();
        for index in order {
            sleepers[index].kill().expect("it is ours");
            // It has ended when it can be waited for.
            sleepers[index].wait().expect("it is ours");
        }
        assert_eq!(deaths.first(), Some(victim));
        assert_eq!(deaths.first(), Some(victim), "asked again");
    }
}

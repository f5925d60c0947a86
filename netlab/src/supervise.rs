//! Waiting for a child while signals come: a request to stop is passed on to the child, which is still waited for.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Time that a process may take after it was asked to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Keeps signals for [`wait`]. To be called before the first fork.
///
/// # Errors
///
/// Fails if the system has no descriptor left.
pub(crate) fn keep_signals() -> nix::Result<SignalFd> {
    let mut kept = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGCHLD] {
        kept.add(signal);
    }
    kept.thread_block()?;
    SignalFd::with_flags(&kept, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)
}

/// Lets a child have all signals again.
///
/// # Errors
///
/// Never fails in practice.
pub(crate) fn release_signals() -> nix::Result<()> {
    SigSet::empty().thread_set_mask()
}

/// Waits for `child`, reaps others, and passes requests to stop on to it. After a grace it is killed. Returns the exit
/// code.
///
/// # Errors
///
/// Fails if there is no such child.
pub(crate) fn wait(child: Pid, signals: &SignalFd) -> nix::Result<u8> {
    let mut kill_at: Option<Instant> = None;
    loop {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(who, code)) if who == child => return Ok(code as u8),
                Ok(WaitStatus::Signaled(who, signal, _)) if who == child => return Ok(128 + signal as u8),
                Ok(WaitStatus::StillAlive) => break,
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error),
            }
        }
        let left = kill_at.map(|at| at.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            let _ = kill(child, Signal::SIGKILL);
            kill_at = None;
        }
        let timeout = left.map_or(PollTimeout::NONE, |left| {
            PollTimeout::try_from(left + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX)
        });
        let _ = poll(&mut [PollFd::new(signals.as_fd(), PollFlags::POLLIN)], timeout);
        while let Ok(Some(told)) = signals.read_signal() {
            let Ok(signal) = Signal::try_from(told.ssi_signo as i32) else { continue };
            if signal == Signal::SIGCHLD {
                continue;
            }
            // A terminal signals the whole group: a signal from the kernel has come to the child, too.
            if told.ssi_code <= 0 {
                let _ = kill(child, signal);
            }
            kill_at = kill_at.or(Some(Instant::now() + GRACE));
        }
    }
}

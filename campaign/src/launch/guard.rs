//! A process that ends what another one has started, when that one is gone.
//!
//! The kernel tells a launcher by a signal that its parent has died, but a launcher that is just starting may lose it. So a
//! guard, which does nothing else, waits for the end of both; where the launcher is the second and takes its time, the
//! guard ends it by force.

use libc::{c_int, c_uint, pid_t, pollfd};
use std::io;

/// How long a launcher may take to end by itself, in ms; ranks end within five seconds in any case.
const GRACE_MS: c_int = 3_000;

/// Leaves a guard beside this process, which is about to become a launcher, for when `us`, its parent, dies. Between fork and
/// exec: system calls alone.
///
/// # Errors
/// No process can be made. A kernel without pidfd_open(2), before Linux 5.3, gets no guard.
pub(super) fn leave_guard(us: pid_t) -> io::Result<()> {
    // SAFETY: plain system calls on numbers; of all memory only this function's own variables are touched, as is allowed
    // in a child of a process with several threads.
    unsafe {
        let (parent, launcher) = (pidfd_open(us), pidfd_open(libc::getpid()));
        if parent < 0 || launcher < 0 {
            return Ok(());
        }
        match libc::fork() {
            -1 => return Err(io::Error::last_os_error()),
            // The guard's own parent ends at once: a launcher that waits for all its children must not wait for the guard.
            0 => match libc::fork() {
                0 => guard(parent, launcher),
                child => libc::_exit(c_int::from(child < 0)),
            },
            middle => {
                let mut status = 0;
                while libc::waitpid(middle, &raw mut status, 0) < 0 && *libc::__errno_location() == libc::EINTR {}
            }
        }
        libc::close(parent);
        libc::close(launcher);
        Ok(())
    }
}

/// Waits for the first end of the two.
///
/// # Safety
/// In a process of its own, which it ends.
unsafe fn guard(parent: c_int, launcher: c_int) -> ! {
    // SAFETY: plain system calls on numbers and on this function's own variables.
    unsafe {
        // Not the signals of the launcher's group, nor anybody's files, locks and pipes.
        libc::setsid();
        let (low, high) = (parent.min(launcher) as c_uint, parent.max(launcher) as c_uint);
        for (first, last) in [(0, low.wrapping_sub(1)), (low + 1, high - 1), (high + 1, c_uint::MAX)] {
            if first <= last && !(first == 0 && low == 0) {
                libc::syscall(libc::SYS_close_range, first, last, 0);
            }
        }
        libc::prctl(libc::PR_SET_NAME, c"parallax-guard".as_ptr());
        let on = |fd| pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut both = [on(parent), on(launcher)];
        while libc::poll(both.as_mut_ptr(), 2, -1) < 0 {}
        if both[1].revents == 0 {
            let mut alone = [on(launcher)];
            if libc::poll(alone.as_mut_ptr(), 1, GRACE_MS) == 0 {
                libc::syscall(libc::SYS_pidfd_send_signal, launcher, libc::SIGKILL, 0, 0);
            }
        }
        libc::_exit(0)
    }
}

/// A file that becomes readable when a process ends.
fn pidfd_open(process: pid_t) -> c_int {
    // SAFETY: a plain system call.
    unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) as c_int }
}

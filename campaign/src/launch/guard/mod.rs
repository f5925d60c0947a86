//! A process between this program and a launcher: it waits for the end of either, ends all that the launcher started, and removes
//! what a launch that was ended by force leaves behind. It is the launcher's parent, and becomes that of every process that
//! loses its own; it ends as the launcher did, when nothing of the launch is left.
//!
//! It is there for the case that this program is killed, so it cannot be a thread of it; and it is no program of its own, because
//! any program that uses this crate may start launchers. Therefore it runs by system calls alone, between fork and exec.

mod family;
mod raw;
mod sessions;
mod shared;

use family::{Family, signal};
use libc::{c_int, c_uint, pid_t, pollfd};
use raw::Fd;
use shared::SharedMemory;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

/// How long a launcher may take to end when it is asked to: Open MPI's gives its ranks a second between two signals, then removes its
/// files.
pub(super) const LAUNCHER_GRACE: Duration = Duration::from_secs(3);
/// How long its processes may outlive a launcher that has ended by itself.
const FAMILY_GRACE: Duration = Duration::from_millis(300);
/// A process that the system does not end, because it waits for a device, is given up after this time.
pub(super) const LAST_GRACE: Duration = Duration::from_secs(5);

/// What a guard is told before there is one.
pub(super) struct Orders {
    /// Where launchers have temporary files.
    pub temporary: CString,
    /// A descriptor that the guard keeps until nothing of the launch is left, with the lock that it holds.
    pub held: Option<RawFd>,
}

/// Makes a guard of this process, which was about to become a launcher, and goes on in a child of it. `us` is who spawns. Between fork
/// and exec: system calls alone.
///
/// # Errors
/// No process can be made, or who spawns has ended.
pub(super) fn post(us: pid_t, orders: &Orders) -> io::Result<()> {
    // SAFETY: plain system calls on numbers; of all memory only this function's own variables are touched, as is allowed
    // in a child of a process with several threads.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        follow(us)?;
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        let shared = SharedMemory::listen();
        let guard = libc::getpid();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // A group of its own: signals to this program's group, or to the guard's, are not for it.
                libc::setpgid(0, 0);
                libc::sigprocmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
                follow(guard)
            }
            launcher => Guard::new(launcher, shared, orders).stand(),
        }
    }
}

/// Has the kernel ask this process to end (SIGTERM) when the thread that made it ends.
fn follow(parent: pid_t) -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        // It may have ended in between, of which the kernel says nothing any more.
        if libc::getppid() == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
    }
}

/// Closes all descriptors but two (−1 is none): other files, locks and pipes are not the guard's.
fn close_all_but(one: c_int, two: c_int) {
    let (low, high) = (one.min(two), one.max(two));
    let mut from: c_uint = 0;
    for kept in [low, high].into_iter().filter(|kept| *kept >= 0).map(|kept| kept as c_uint) {
        if from < kept {
            close_range(from, kept - 1);
        }
        from = kept + 1;
    }
    close_range(from, c_uint::MAX);
}

fn close_range(first: c_uint, last: c_uint) {
    // SAFETY: plain system calls on numbers.
    unsafe {
        // Not before Linux 5.9: then one by one.
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for descriptor in first..=last.min(65_535) {
                libc::close(descriptor as c_int);
            }
        }
    }
}

struct Guard<'a> {
    launcher: pid_t,
    /// How it ended, as wait(2) says.
    ended: Option<c_int>,
    /// No process of the launch is left.
    alone: bool,
    /// Processes that may have given their number to a folder: the launcher, and those that it started, if it is a script.
    launchers: [pid_t; 64],
    shared: SharedMemory,
    temporary: &'a CStr,
}

impl<'a> Guard<'a> {
    fn new(launcher: pid_t, shared: SharedMemory, orders: &'a Orders) -> Guard<'a> {
        close_all_but(shared.news(), orders.held.unwrap_or(-1));
        // SAFETY: a plain system call on a string that is live.
        unsafe { libc::prctl(libc::PR_SET_NAME, c"parallax-guard".as_ptr()) };
        let mut launchers = [0; 64];
        launchers[0] = launcher;
        Guard { launcher, ended: None, alone: false, launchers, shared, temporary: &orders.temporary }
    }

    /// Until nothing of the launch is left.
    fn stand(mut self) -> ! {
        let signals = signals();
        let mut force: Option<Instant> = None;
        while self.ended.is_none() {
            let to_force = force.map(|at| at.saturating_duration_since(Instant::now()));
            if self.wait(&signals, to_force) && force.is_none() {
                self.halt_ranks();
                self.ask();
                force = Some(Instant::now() + LAUNCHER_GRACE);
            }
            if self.ended.is_none() && force.is_some_and(|at| at <= Instant::now()) {
                // SAFETY: a plain system call; the launcher has not been waited for.
                unsafe { libc::kill(self.launcher, libc::SIGKILL) };
            }
        }
        self.clear(&signals);
        leave_as(self.ended.unwrap_or(0))
    }

    /// Waits for news at most so long; whether this program is gone, or wants the launch to end.
    fn wait(&mut self, signals: &Fd, at_most: Option<Duration>) -> bool {
        let on = |fd| pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut both = [on(signals.0), on(self.shared.news())];
        let at_most = at_most.into_iter().chain(self.shared.next_look()).min();
        // Rounded up: a wait that ends too early would be repeated at once.
        let ms = at_most.map_or(-1, |time| c_int::try_from(time.as_millis() + 1).unwrap_or(c_int::MAX));
        // SAFETY: a plain system call on a live array of two.
        unsafe { libc::poll(both.as_mut_ptr(), 2, ms) };
        self.shared.hear();
        if self.shared.next_look().is_some_and(|time| time.is_zero()) {
            self.look();
        }
        let mut asked = false;
        let mut signal = [0; size_of::<libc::signalfd_siginfo>()];
        while let [a, b, c, d, ..] = *raw::read(signals, &mut signal) {
            asked |= u32::from_ne_bytes([a, b, c, d]) == libc::SIGTERM as u32;
        }
        self.lay_to_rest();
        asked
    }

    /// Lays to rest who has ended.
    fn lay_to_rest(&mut self) {
        let mut status = 0;
        loop {
            // SAFETY: a plain system call that fills a number.
            match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
                process if process == self.launcher => self.ended = Some(status),
                process if process > 0 => {}
                none => {
                    self.alone = none < 0;
                    return;
                }
            }
        }
    }

    fn look(&mut self) {
        let began = Instant::now();
        let family = Family::look();
        self.shared.look(&family, began);
        self.know(&family);
    }

    fn know(&mut self, family: &Family) {
        // The first are the launcher's own; ranks have no folders.
        for process in family.members() {
            if !self.launchers.contains(process)
                && let Some(free) = self.launchers.iter_mut().find(|number| **number == 0)
            {
                *free = *process;
            }
        }
    }

    /// Ends the ranks. They stand still before that: what they have made in shared memory is seen in them only.
    fn halt_ranks(&mut self) {
        let family = Family::look();
        self.know(&family);
        signal(family.ranks(self.launcher), libc::SIGSTOP);
        self.shared.look_closely(family.members().iter().copied());
        signal(family.ranks(self.launcher), libc::SIGKILL);
    }

    /// Ends all processes that are left.
    fn halt_all(&mut self) {
        let family = Family::look();
        signal(family.members().iter().copied(), libc::SIGSTOP);
        self.shared.look_closely(family.members().iter().copied());
        signal(family.members().iter().copied(), libc::SIGKILL);
    }

    /// Asks the launcher, and what is in its group, to end.
    fn ask(&self) {
        // SAFETY: plain system calls; the launcher has not been waited for.
        unsafe {
            libc::kill(-self.launcher, libc::SIGTERM);
            // Where it has no group of its own yet.
            libc::kill(self.launcher, libc::SIGTERM);
        }
    }

    /// Ends what has outlived the launcher, by force if need be, and removes what the launch left behind.
    fn clear(&mut self, signals: &Fd) {
        let ended = Instant::now();
        let grace = if self.ended == Some(0) { FAMILY_GRACE } else { Duration::ZERO };
        while !self.alone && ended.elapsed() < LAST_GRACE {
            if ended.elapsed() >= grace {
                self.halt_all();
            }
            self.wait(signals, Some(Duration::from_millis(10)));
        }
        self.shared.remove();
        let known = self.launchers.iter().take_while(|number| **number != 0).count();
        sessions::remove(self.temporary, &self.launchers[..known]);
    }
}

/// A descriptor that tells of children's ends and of the wish to end; signals are blocked.
fn signals() -> Fd {
    // SAFETY: plain system calls on a set that is live.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        libc::sigaddset(&raw mut set, libc::SIGTERM);
        Fd(libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK))
    }
}

/// Ends this process as another one ended: with its exit code, or by its signal.
fn leave_as(status: c_int) -> ! {
    // SAFETY: plain system calls on numbers.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            // The other one has left a core, if anybody wants one.
            libc::prctl(libc::PR_SET_DUMPABLE, 0);
            libc::signal(signal, libc::SIG_DFL);
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::kill(libc::getpid(), signal);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

//! Guard process between this program and a launcher. It waits for the end of either, ends all processes that the
//! launcher started, and removes the files that a launch leaves when it is ended by force. It is the launcher's parent,
//! and becomes that of every process that loses its own. When nothing of the launch is left, it ends with the
//! launcher's status.
//!
//! It serves the case that this program is killed, so it cannot be a thread of it. It is no program of its own either,
//! because any program that uses this crate may start launchers. Therefore it runs by system calls alone, between fork
//! and exec.

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

/// Time limit for a launcher to end on request. Open MPI's gives its ranks a second between two signals, then removes
/// its files.
pub(super) const LAUNCHER_GRACE: Duration = Duration::from_secs(3);
/// Time for which processes may outlive a launcher that has ended by itself.
const FAMILY_GRACE: Duration = Duration::from_millis(300);
/// Time after which the guard gives up a process that the system does not end, because it waits for a device.
pub(super) const LAST_GRACE: Duration = Duration::from_secs(5);

/// Instructions to a guard, made before it exists.
pub(super) struct Orders {
    /// Folder of the launcher's temporary files.
    pub temporary: CString,
    /// Descriptor of a locked file, which the guard keeps open until nothing of the launch is left.
    pub held: Option<RawFd>,
}

/// Turns this process, which was about to become a launcher, into a guard, and returns in a child of it. `us` is the
/// process that spawns. It runs between fork and exec, and so uses system calls alone.
///
/// # Errors
/// Fails if no process can be created, or the spawning process has ended.
pub(super) fn post(us: pid_t, orders: &Orders) -> io::Result<()> {
    // SAFETY: plain system calls on numbers. Only this function's own variables are touched, as is allowed in a child
    // of a process with several threads.
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
                // A group of its own keeps away signals to this program's group, and to the guard's.
                libc::setpgid(0, 0);
                libc::sigprocmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
                follow(guard)
            }
            launcher => Guard::new(launcher, shared, orders).stand(),
        }
    }
}

/// Asks the kernel to send this process SIGTERM when the thread that created it ends.
fn follow(parent: pid_t) -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        // The parent may have ended before that, and then the kernel sends no signal.
        if libc::getppid() == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
    }
}

/// Closes all descriptors except two (−1 stands for none), because other files, locks and pipes do not belong to the
/// guard.
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
        // Linux before 5.9 has no such call, so that descriptors are closed one by one.
        if libc::syscall(libc::SYS_close_range, first, last, 0) != 0 {
            for descriptor in first..=last.min(65_535) {
                libc::close(descriptor as c_int);
            }
        }
    }
}

struct Guard<'a> {
    launcher: pid_t,
    /// Status of the launcher's end, as wait(2) returns it.
    ended: Option<c_int>,
    /// Whether no process of the launch is left.
    alone: bool,
    /// Processes whose numbers may be part of a folder's name: the launcher, and those that it started, if it is a
    /// script.
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

    /// Guards until nothing of the launch is left, then ends with the launcher's status.
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

    /// Waits for news for at most a duration. Returns whether this program is gone, or wants the launch to end.
    fn wait(&mut self, signals: &Fd, at_most: Option<Duration>) -> bool {
        let on = |fd| pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut both = [on(signals.0), on(self.shared.news())];
        let at_most = at_most.into_iter().chain(self.shared.next_look()).min();
        // The wait is rounded up, because one that ends too early would be repeated at once.
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

    /// Collects the status of each child that has ended.
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
        // The first ones belong to the launcher. Ranks have no folders.
        for process in family.members() {
            if !self.launchers.contains(process)
                && let Some(free) = self.launchers.iter_mut().find(|number| **number == 0)
            {
                *free = *process;
            }
        }
    }

    /// Ends the ranks. They are stopped before that, because the files that they made in shared memory can be found
    /// only through them.
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

    /// Asks the launcher and its process group to end.
    fn ask(&self) {
        // SAFETY: plain system calls; the launcher has not been waited for.
        unsafe {
            libc::kill(-self.launcher, libc::SIGTERM);
            // The launcher may have no group of its own yet.
            libc::kill(self.launcher, libc::SIGTERM);
        }
    }

    /// Ends the processes that have outlived the launcher, by force if necessary, and removes the files that the launch
    /// left.
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

/// Returns a descriptor that reports the ends of children and requests to end. These signals are blocked.
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

/// Ends this process with the status of another one: with its exit code, or by its signal.
fn leave_as(status: c_int) -> ! {
    // SAFETY: plain system calls on numbers.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            // The other process has already left a core file, if cores are enabled.
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

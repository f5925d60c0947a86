//! Time on cores of everything that does this process's work: itself, the processes that it started, and those that
//! others started for it.

use crate::processes::descendants;
use models::time::Span;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Time on cores of processes that do this process's work and are no descendants of it, in ps.
static COUNTED: AtomicU64 = AtomicU64::new(0);

/// Counts time of a process that does this one's work and is no descendant of it, such as a rank that a batch system's
/// daemon starts.
pub fn count_as_own(used: Span) {
    COUNTED.fetch_add(used.0, Relaxed);
}

/// Returns all of that time so far, `None` where the system does not count it.
pub(super) fn time() -> Option<Span> {
    let mut ended = of_ended()?;
    loop {
        let alive: u64 = descendants(std::process::id()).iter().map(|process| process.used.0).sum();
        let now = of_ended()?;
        // A process that ended meanwhile may be counted twice, or not at all: then once more.
        if now == ended {
            return Some(Span(of_this()?.0 + ended.0 + alive + COUNTED.load(Relaxed)));
        }
        ended = now;
    }
}

/// Returns the time of this process alone.
fn of_this() -> Option<Span> {
    #[cfg(target_os = "linux")]
    return super::resources(libc::RUSAGE_SELF).map(|used| sum(&used));
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the time of its children that have ended and were waited for, with theirs.
fn of_ended() -> Option<Span> {
    #[cfg(target_os = "linux")]
    return super::resources(libc::RUSAGE_CHILDREN).map(|used| sum(&used));
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(target_os = "linux")]
fn sum(used: &libc::rusage) -> Span {
    let span = |time: libc::timeval| Span::from_us(time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64);
    span(used.ru_utime) + span(used.ru_stime)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::processes::status_of;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    /// A launcher as this process sees it: a child that works little and waits for its own child, which works all the
    /// time.
    #[test]
    fn what_a_grandchild_works_is_own_time_while_it_works_and_after_its_end() {
        let script = "sh -c 'while :; do :; done' & echo $!; wait";
        let mut child = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().expect("sh runs");
        let before = time().expect("counted");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let grandchild: u32 = line.trim().parse().expect("a process");
        let used = |process| status_of(process).map_or(Span::ZERO, |status| status.used);
        while used(grandchild) < Span::from_ms(300) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // The time of a process is counted in steps of 10 ms.
        let at_least = Span::from_ms(280);
        let during = time().expect("counted");
        assert!(during.0 - before.0 >= at_least.0, "{before:?}, then {during:?}");
        // SAFETY: a plain system call; the number is that of a child of a child that waits for it.
        assert_eq!(unsafe { libc::kill(grandchild as i32, libc::SIGKILL) }, 0);
        child.wait().expect("ends when its child has");
        let after = time().expect("counted");
        assert!(after.0 - before.0 >= at_least.0, "{before:?}, then {after:?}");
    }
}

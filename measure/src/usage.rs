//! Counts of the operating system for this rank and its host (Linux, elsewhere those that there are).

mod own;

use models::time::Span;
use programs::observation::Usage;
use std::fs;
use std::time::Instant;

pub use own::count_as_own;

/// Number of jiffies of `/proc/stat` in a second: fixed for programs on all architectures that matter.
pub(crate) const JIFFIES_PER_SECOND: u64 = 100;

/// Returns the counts of the calling thread so far, since `begin`, and of its host if `of_host`.
pub fn usage(begin: Instant, of_host: bool, moved: u64) -> Usage {
    let (on_core, waited_for_core) = (on_core(), waited_for_core());
    let (host_busy, host_stolen) = if of_host { host().unzip() } else { (None, None) };
    let elapsed = Span::from_ns(begin.elapsed().as_nanos() as u64);
    Usage { elapsed, on_core, waited_for_core, preempted: preempted(), moved, host_busy, host_stolen }
}

/// Returns the time of the calling thread on a core, to the moment: what `/proc` says of it is as old as the last tick
/// of the kernel, and many cases take less than one.
fn on_core() -> Span {
    #[cfg(target_os = "linux")]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call fills in what it is given.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } == 0 {
            return Span::from_ns(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64);
        }
    }
    Span::ZERO
}

/// Returns the time in which the thread was ready to run without a core.
fn waited_for_core() -> Span {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|ns| ns.parse().ok()).map_or(Span::ZERO, Span::from_ns)
}

/// Number of times that the thread lost its core though it wanted to go on.
fn preempted() -> u64 {
    of_thread(|counted| counted.ru_nivcsw)
}

/// Returns the number of minor page faults of the thread: pages that it touched and was given, new ones or such as were
/// given back.
pub fn page_faults() -> u64 {
    of_thread(|counted| counted.ru_minflt)
}

/// Returns one count of the calling thread, 0 where nothing is counted.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
fn of_thread(count: impl Fn(&libc::rusage) -> libc::c_long) -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(counted) = resources(libc::RUSAGE_THREAD) {
        return u64::try_from(count(&counted)).unwrap_or(0);
    }
    0
}

/// Returns the operating system's counts for a thread, a process, or its children that have ended.
#[cfg(target_os = "linux")]
fn resources(of: libc::c_int) -> Option<libc::rusage> {
    // SAFETY: rusage is made of numbers, of which 0 is one; the call fills it in.
    let (failed, counted) = unsafe {
        let mut counted: libc::rusage = std::mem::zeroed();
        (libc::getrusage(of, &raw mut counted) != 0, counted)
    };
    (!failed).then_some(counted)
}

/// Returns the time that all cores were busy, and the time that was stolen from them.
fn host() -> Option<(Span, Span)> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    busy_and_stolen(text.lines().next()?)
}

fn busy_and_stolen(line: &str) -> Option<(Span, Span)> {
    (line.split_whitespace().next()? == "cpu").then(|| counted(line))
}

/// Returns busy and stolen time of `cpu user nice system idle iowait irq softirq steal …`.
fn counted(line: &str) -> (Span, Span) {
    let words = line.split_whitespace().skip(1);
    let counted: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
    let jiffies = |at: usize| counted.get(at).copied().unwrap_or(0);
    let busy = [0, 1, 2, 5, 6].map(jiffies).iter().sum::<u64>();
    let span = |jiffies: u64| Span::from_ms(jiffies * 1_000 / JIFFIES_PER_SECOND);
    (span(busy), span(jiffies(7)))
}

/// Returns the time that a hypervisor has taken from one CPU so far, in steps of 10 ms.
pub fn stolen_from(cpu: u32) -> Span {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let name = format!("cpu{cpu}");
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(&name));
    line.map_or(Span::ZERO, |line| counted(line).1)
}

/// Watch over the use of this host by others, as seen by a process that has ranks started.
pub struct HostWatch {
    begin: Instant,
    busy_and_stolen: Option<(Span, Span)>,
    own: Option<Span>,
}

/// Use of a host by others, in cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OthersUse {
    /// Cores that were used by programs that are neither this process nor started by it, directly or by others, nor
    /// [counted as its own](count_as_own).
    pub programs: f64,
    /// Cores that a hypervisor took.
    pub stolen: f64,
}

impl HostWatch {
    /// Begins to watch, with a first look.
    pub fn begin() -> HostWatch {
        HostWatch { begin: Instant::now(), busy_and_stolen: host(), own: own::time() }
    }

    /// Returns the use since the beginning. `None` where nothing is counted, or the time was too short: the counts of a
    /// host move in steps of 10 ms.
    pub fn others(&self) -> Option<OthersUse> {
        let elapsed_s = self.begin.elapsed().as_secs_f64();
        let ((busy_before, stolen_before), (busy, stolen)) = (self.busy_and_stolen?, host()?);
        let seconds = |after: Span, before: Span| after.as_seconds() - before.as_seconds();
        let others_s = seconds(busy, busy_before) - seconds(own::time()?, self.own?);
        let per_second = |s: f64| (s / elapsed_s).max(0.0);
        (elapsed_s >= Usage::SHORTEST_SECONDS)
            .then(|| OthersUse { programs: per_second(others_s), stolen: per_second(seconds(stolen, stolen_before)) })
    }
}

/// Returns the core on which the calling thread runs, -1 on systems other than Linux.
pub fn core() -> i32 {
    #[cfg(target_os = "linux")]
    // SAFETY: the call takes nothing and touches nothing of ours.
    return unsafe { libc::sched_getcpu() };
    #[cfg(not(target_os = "linux"))]
    -1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_all_cores_is_read() {
        let line = "cpu  100 2 30 4000 50 6 7 80 9 0";
        assert_eq!(busy_and_stolen(line), Some((Span::from_ms(1_450), Span::from_ms(800))));
        assert_eq!(busy_and_stolen("cpu0 1 2 3 4"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_busy_thread_is_seen_on_its_core() {
        let begin = Instant::now();
        let before = usage(begin, true, 0);
        while begin.elapsed().as_millis() < 30 {
            std::hint::spin_loop();
        }
        let seen = usage(begin, true, 3).since(&before);
        assert!(seen.elapsed >= Span::from_ms(29), "{seen:?}");
        assert!(seen.on_core > Span::ZERO, "{seen:?}");
        assert_eq!(seen.moved, 3);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn times_shorter_than_a_tick_are_counted_too() {
        let (mut counted_s, mut used_s) = (0.0, 0.0);
        for _ in 0..100 {
            let begin = Instant::now();
            let before = (usage(begin, true, 0), on_core());
            while (on_core().0 - before.1.0) < Span::from_us(300).0 {
                std::hint::spin_loop();
            }
            let seen = usage(begin, true, 0).since(&before.0);
            (counted_s, used_s) = (counted_s + seen.on_core.as_seconds(), used_s + 300e-6);
        }
        assert!(counted_s >= used_s, "{counted_s} s of {used_s} s");
    }
}

//! Disturbing a machine on purpose: bursts of work on CPUs, copies in memory, files, messages to this machine itself.
//! Each generator ends at a deadline or when it is stopped, leaves nothing behind, and counts what it reached.

mod cpu;
mod io;
mod memory;
mod net;

pub use cpu::Bursts;
pub use io::{FileMode, FileStep, FileWork};
pub use memory::{Copies, Direction};
pub use net::{Messages, Protocol, Serving};

use models::time::Span;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// End of generators: a deadline, or an earlier stop.
#[derive(Debug)]
pub struct Until {
    deadline: Instant,
    told: AtomicBool,
}

impl Until {
    /// Makes an end `time` from this moment, unless generators are stopped before.
    pub fn after(time: Duration) -> Until {
        Until { deadline: Instant::now() + time, told: AtomicBool::new(false) }
    }

    /// Ends all generators that share this end.
    pub fn stop(&self) {
        self.told.store(true, Relaxed);
    }

    /// Returns whether generators are to end.
    pub fn is_over(&self) -> bool {
        self.told.load(Relaxed) || Instant::now() >= self.deadline
    }

    /// Sleeps until an instant, or until the end if that is earlier.
    fn sleep_until(&self, instant: Instant) {
        const LONGEST_NAP: Duration = Duration::from_millis(100);
        while !self.is_over() {
            let left = instant.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(LONGEST_NAP));
        }
    }
}

/// Counts of what generators have reached so far. Their threads count together.
#[derive(Debug, Default)]
pub struct Reached {
    events: AtomicU64,
    bytes: AtomicU64,
    busy_ns: AtomicU64,
    late_ns: AtomicU64,
    lost: AtomicU64,
}

/// Copy of [`Reached`] at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bursts, passes, operations on files, or messages answered.
    pub events: u64,
    /// Number of bytes that were moved.
    pub bytes: u64,
    /// Sum of the events' durations.
    pub busy: Span,
    /// Sum of the delays with which events began after their planned times.
    pub late: Span,
    /// Number of events that were left out because the one before took too long, and of messages without an answer.
    pub lost: u64,
}

impl Reached {
    /// Returns the counts at this moment.
    pub fn counts(&self) -> Counts {
        let read = |count: &AtomicU64| count.load(Relaxed);
        Counts {
            events: read(&self.events),
            bytes: read(&self.bytes),
            busy: Span::from_ns(read(&self.busy_ns)),
            late: Span::from_ns(read(&self.late_ns)),
            lost: read(&self.lost),
        }
    }

    /// Counts one event that took this time and moved these bytes.
    fn add(&self, took: Duration, bytes: u64) {
        self.busy_ns.fetch_add(took.as_nanos() as u64, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
        self.events.fetch_add(1, Relaxed);
    }
}

impl Counts {
    /// Returns the sums of both counts.
    pub fn plus(&self, other: &Counts) -> Counts {
        Counts {
            events: self.events + other.events,
            bytes: self.bytes + other.bytes,
            busy: self.busy + other.busy,
            late: self.late + other.late,
            lost: self.lost + other.lost,
        }
    }

    /// Returns the counts that were added since `before`.
    pub fn since(&self, before: &Counts) -> Counts {
        let less = |now: u64, then: u64| now.saturating_sub(then);
        Counts {
            events: less(self.events, before.events),
            bytes: less(self.bytes, before.bytes),
            busy: Span(less(self.busy.0, before.busy.0)),
            late: Span(less(self.late.0, before.late.0)),
            lost: less(self.lost, before.lost),
        }
    }
}

/// Generator that disturbs the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Generator {
    /// Bursts of work on CPUs.
    Cpu(Bursts),
    /// Passes over blocks of memory.
    Memory(Copies),
    /// Work on a file.
    Io(FileWork),
    /// Messages to this machine itself.
    Net(Messages),
}

impl Generator {
    /// Works until the end, on threads of its own, while `reached` counts. Returns notes on how it worked that readers
    /// of the result must know.
    ///
    /// # Errors
    ///
    /// Says what keeps it from working.
    pub fn run(&self, until: &Until, reached: &Reached) -> Result<Vec<String>, String> {
        match self {
            Generator::Cpu(bursts) => bursts.run(until, reached),
            Generator::Memory(copies) => copies.run(until, reached),
            Generator::Io(files) => files.run(until, reached),
            Generator::Net(messages) => messages.run(until, reached),
        }
    }
}

/// Runs one function on `threads` threads, by their numbers. Returns their results, or the error of the first that
/// failed. After a failure all end.
fn on_threads<T: Send>(
    threads: usize,
    until: &Until,
    work: impl Fn(usize) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|number| {
                let work = &work;
                std::thread::Builder::new().name(format!("generator {number}")).spawn_scoped(scope, move || {
                    let ended = work(number);
                    if ended.is_err() {
                        until.stop();
                    }
                    ended
                })
            })
            .collect();
        let ended = started.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err("a thread of the generator failed".to_owned())),
            Err(error) => {
                until.stop();
                Err(format!("cannot start a thread: {error}"))
            }
        });
        let all: Vec<Result<T, String>> = ended.collect();
        all.into_iter().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(generator: &Generator, ms: u64) -> Counts {
        let (until, reached) = (Until::after(Duration::from_millis(ms)), Reached::default());
        generator.run(&until, &reached).expect("it works");
        reached.counts()
    }

    #[test]
    fn bursts_are_as_long_as_asked_at_least_and_no_more_often() {
        let cpus = vec![crate::cpus::allowed()[0] as u32];
        let (period, duration) = (Span::from_ms(5), Span::from_us(300));
        let bursts = Bursts { cpus, period, duration, is_random: false, is_common: true, seed: 1 };
        let counts = reached(&Generator::Cpu(bursts), 200);
        assert!((1..=41).contains(&(counts.events + counts.lost)), "{counts:?}");
        assert!(counts.events > 0 && counts.busy >= Span::from_us(100 * counts.events), "{counts:?}");
    }

    #[test]
    fn copies_files_and_messages_move_bytes() {
        let memory =
            Copies { bytes: 1 << 20, steps: vec![Direction::Write, Direction::Read], threads: 2, repeats: Some(3) };
        let counts = reached(&Generator::Memory(memory), 60_000);
        assert_eq!((counts.events, counts.bytes), (12, 12 << 20));
        let folder = tempfile::tempdir().unwrap();
        let steps = vec![FileStep::Create, FileStep::Write, FileStep::Read];
        for mode in FileMode::ALL {
            let folder = folder.path().to_owned();
            let files =
                FileWork { folder, volume: 1 << 20, piece: 1 << 16, mode, steps: steps.clone(), repeats: Some(2) };
            let (until, reached) = (Until::after(Duration::from_secs(60)), Reached::default());
            match files.run(&until, &reached) {
                Ok(_) => assert_eq!(reached.counts().bytes, 4 << 20, "{mode}"),
                // Not every file system bypasses its cache.
                Err(error) => assert!(mode == FileMode::Direct, "{mode}: {error}"),
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
        for protocol in Protocol::ALL {
            for serving in Serving::ALL {
                let messages = Messages {
                    protocol,
                    serving,
                    bytes: 1_000,
                    rate_hz: None,
                    at_once: 2,
                    send_buffer: None,
                    receive_buffer: None,
                };
                let counts = reached(&Generator::Net(messages), 100);
                assert!(counts.events > 0 && counts.bytes == counts.events * 2_000, "{protocol} {serving}: {counts:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_done_is_said_and_ends_all() {
        let bursts = Bursts {
            cpus: vec![60_000],
            period: Span::from_ms(1),
            duration: Span::from_us(1),
            is_random: false,
            is_common: false,
            seed: 1,
        };
        let until = Until::after(Duration::from_secs(100));
        let said = bursts.run(&until, &Reached::default()).unwrap_err();
        assert!(said.starts_with("CPU 60000: "), "{said}");
        assert!(until.is_over());
    }
}

//! Examination of ranks as threads: two of them must exchange messages, and nothing should interrupt them for long.

use super::Finding;
use programs::observation::World;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{Builder, JoinHandle, yield_now};
use std::time::{Duration, Instant};

pub(super) const WORLD: &str = "threads";

/// Number of exchanges between the two threads.
const ROUNDS: u32 = 2_000;
/// Time limit for all exchanges. Even two threads on one busy core take turns faster than this.
const LONG_ENOUGH: Duration = Duration::from_secs(5);

/// Returns all findings about threads.
pub(super) fn examine() -> Vec<Finding> {
    debug_assert_eq!(WORLD, World::Threads.name());
    vec![meeting(two_threads_meet(LONG_ENOUGH)), interruptions(longest_interruption(Duration::from_millis(200)))]
}

/// Reason why two threads did not exchange messages.
#[derive(Debug)]
pub(super) enum Missed {
    /// The second thread could not be started.
    NotStarted(std::io::Error),
    /// An answer did not come in time.
    TooSlow,
}

pub(super) fn meeting(result: Result<Duration, Missed>) -> Finding {
    match result {
        Ok(round_trip) => {
            let us = round_trip.as_nanos() as f64 / 1e3;
            Finding::ok("two ranks", format!("started, and answered each other in {us:.2} µs a round trip"))
        }
        Err(Missed::NotStarted(error)) => Finding::problem(
            "two ranks",
            format!("a second thread could not be started: {error}"),
            "Raise the limit on processes (ulimit -u, or the container's --pids-limit).",
        ),
        Err(Missed::TooSlow) => Finding::problem(
            "two ranks",
            format!("two threads did not exchange {ROUNDS} answers within {} s", LONG_ENOUGH.as_secs()),
            "The machine is overloaded: look with top for what runs, and try again.",
        ),
    }
}

/// Returns the mean duration of a round trip between two threads.
fn two_threads_meet(limit: Duration) -> Result<Duration, Missed> {
    static BALL: AtomicU32 = AtomicU32::new(0);
    let end = Instant::now() + limit;
    BALL.store(0, Ordering::Release);
    let other: JoinHandle<bool> = Builder::new()
        .spawn(move || (0..ROUNDS).all(|round| hit(&BALL, 2 * round + 1, end)))
        .map_err(Missed::NotStarted)?;
    let began = Instant::now();
    let mine = (0..ROUNDS).all(|round| hit(&BALL, 2 * round, end));
    let theirs = other.join().unwrap_or(false);
    if mine && theirs { Ok(began.elapsed() / ROUNDS) } else { Err(Missed::TooSlow) }
}

/// Waits until the ball has this number, and returns it with the next one. False if it did not arrive in time.
fn hit(ball: &AtomicU32, number: u32, end: Instant) -> bool {
    for tries in 1u64.. {
        if ball.load(Ordering::Acquire) == number {
            ball.store(number + 1, Ordering::Release);
            return true;
        }
        spin_loop();
        // Spinning alone would starve the other thread where both share a core.
        if tries.is_multiple_of(200) {
            yield_now();
            if Instant::now() > end {
                return false;
            }
        }
    }
    unreachable!("the range does not end")
}

/// Returns the longest time between two clock readings of a thread that does nothing else.
fn longest_interruption(span: Duration) -> Duration {
    let end = Instant::now() + span;
    let mut last = Instant::now();
    let mut longest = Duration::ZERO;
    while last < end {
        let now = Instant::now();
        longest = longest.max(now - last);
        last = now;
    }
    longest
}

pub(super) fn interruptions(longest: Duration) -> Finding {
    let says = format!("the longest in 0.2 s took {:.2} ms", longest.as_nanos() as f64 / 1e6);
    if longest < Duration::from_millis(1) {
        return Finding::ok("interruptions", says);
    }
    Finding::note(
        "interruptions",
        says,
        "Another process uses this core. Stop other work, or expect a few durations that are longer by as much.",
    )
}

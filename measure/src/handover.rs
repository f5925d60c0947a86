//! Rank 0's results, one at a time: it goes on when whoever watches has taken the last one.
//!
//! Reading a result, and putting it on a disk, takes a core for milliseconds, which ranks on all cores would have to give up in
//! the middle of what they measure next. While rank 0 waits for that its core is free.

use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::{Duration, Instant};

/// Rank 0 has nothing for whoever watches.
const NOTHING: u32 = 0;
/// Rank 0 has written a result, and waits.
const WRITTEN: u32 = 1;
/// Nobody took a result for so long that rank 0 waits no more.
const GIVEN_UP: u32 = 2;

/// Where there is no way to be woken.
#[cfg(not(target_os = "linux"))]
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// A word of shared memory about which both agree; it starts at zero.
#[derive(Default)]
#[repr(transparent)]
pub struct Handover(AtomicU32);

impl Handover {
    /// Rank 0 has written a result: returns when it has been taken. If that takes longer than `patience`, as on a host from
    /// which the word is not seen, rank 0 goes on, and does not wait again.
    pub fn hand_over(&self, patience: Duration) {
        if self.0.load(Relaxed) == GIVEN_UP {
            return;
        }
        self.0.store(WRITTEN, Release);
        self.wake();
        let until = Instant::now() + patience;
        while self.0.load(Acquire) == WRITTEN {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let _ = self.0.compare_exchange(WRITTEN, GIVEN_UP, Relaxed, Relaxed);
                return;
            }
            self.sleep(WRITTEN, left);
        }
    }

    /// Returns when rank 0 has written a result, or after `at_most`.
    pub fn wait(&self, at_most: Duration) {
        let until = Instant::now() + at_most;
        loop {
            let now = self.0.load(Acquire);
            let left = until.saturating_duration_since(Instant::now());
            if now == WRITTEN || left.is_zero() {
                return;
            }
            self.sleep(now, left);
        }
    }

    /// All results that were seen to be written have been taken. Called without one, it does nothing.
    pub fn taken(&self) {
        if self.0.compare_exchange(WRITTEN, NOTHING, Release, Relaxed).is_ok() {
            self.wake();
        }
    }

    /// Sleeps while the word is this one, `at_most` so long; may return earlier.
    #[cfg(target_os = "linux")]
    fn sleep(&self, word: u32, at_most: Duration) {
        let time = libc::timespec {
            tv_sec: at_most.as_secs() as libc::time_t,
            tv_nsec: at_most.subsec_nanos() as libc::c_long,
        };
        // SAFETY: the word and the time are live; the kernel compares, and sleeps. Processes share the word, so it is no
        // private one.
        unsafe { libc::syscall(libc::SYS_futex, self.0.as_ptr(), libc::FUTEX_WAIT, word, &raw const time) };
    }

    #[cfg(target_os = "linux")]
    fn wake(&self) {
        // SAFETY: the word is live; nothing is written.
        unsafe { libc::syscall(libc::SYS_futex, self.0.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }

    #[cfg(not(target_os = "linux"))]
    fn sleep(&self, _word: u32, at_most: Duration) {
        std::thread::sleep(at_most.min(LOOK_EVERY));
    }

    #[cfg(not(target_os = "linux"))]
    fn wake(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    const LONG: Duration = Duration::from_secs(100);

    #[test]
    fn rank_0_writes_no_result_before_the_last_one_was_taken() {
        let (handover, written) = (Handover::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..100 {
                    written.fetch_add(1, Relaxed);
                    handover.hand_over(LONG);
                }
            });
            for count in 1..=100 {
                handover.wait(LONG);
                assert_eq!(written.load(Relaxed), count);
                handover.taken();
            }
        });
        assert_eq!(handover.0.load(Relaxed), NOTHING);
    }

    #[test]
    fn where_nobody_takes_anything_rank_0_waits_once() {
        let handover = Handover::default();
        handover.hand_over(Duration::from_millis(1));
        assert_eq!(handover.0.load(Relaxed), GIVEN_UP);
        let begin = Instant::now();
        handover.hand_over(LONG);
        handover.taken();
        assert!(begin.elapsed() < LONG, "it does not wait again");
        assert_eq!(handover.0.load(Relaxed), GIVEN_UP);
    }

    #[test]
    fn whoever_watches_looks_around_now_and_then_without_results() {
        let handover = Handover::default();
        handover.wait(Duration::from_millis(1));
        handover.taken();
        assert_eq!(handover.0.load(Relaxed), NOTHING);
    }
}

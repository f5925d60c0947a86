//! Handover of rank 0's results, one at a time: it goes on when the watching command has taken the last one.
//!
//! Reading a result, and putting it on a disk, takes a core for milliseconds, which ranks on all cores would have to
//! give up in the middle of what they measure next. While rank 0 waits for that its core is free.

use crate::shared::Word;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::{Duration, Instant};

/// State of the word while rank 0 has nothing to hand over.
const NOTHING: u32 = 0;
/// State of the word while rank 0 has written a result, and waits.
const WRITTEN: u32 = 1;
/// State of the word after rank 0 has given up: no result was taken for so long that it waits no more.
const GIVEN_UP: u32 = 2;

/// Interval of looks at the word where the system cannot wake a waiter.
#[cfg(not(target_os = "linux"))]
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Word of shared memory that coordinates both sides. It starts at zero.
#[derive(Default)]
#[repr(transparent)]
pub struct Handover(AtomicU32);

/// Word whose readers can sleep until it changes, as Linux has futexes.
trait Futex: Word<u32> {
    /// Sleeps while the word equals `word`, at most for `at_most`. May return earlier.
    fn sleep(&self, word: u32, at_most: Duration);
    /// Wakes all that sleep on the word.
    fn wake(&self);
}

/// Rank 0's side: returns when its result has been taken, or gives up for good when no time is `left`.
fn hand_over(word: &impl Futex, left: impl Fn() -> Duration) {
    if word.load(Relaxed) == GIVEN_UP {
        return;
    }
    word.store(WRITTEN, Release);
    word.wake();
    while word.load(Acquire) == WRITTEN {
        let left = left();
        if left.is_zero() {
            word.exchange(WRITTEN, GIVEN_UP, Relaxed);
            return;
        }
        word.sleep(WRITTEN, left);
    }
}

/// The watcher's side: returns when a result is written, or when no time is `left`.
fn wait(word: &impl Futex, left: impl Fn() -> Duration) {
    loop {
        let now = word.load(Acquire);
        let left = left();
        if now == WRITTEN || left.is_zero() {
            return;
        }
        word.sleep(now, left);
    }
}

/// Marks the written result as taken.
fn taken(word: &impl Futex) {
    if word.exchange(WRITTEN, NOTHING, Release) {
        word.wake();
    }
}

impl Handover {
    /// Hands over a result that rank 0 has written: returns when it has been taken. If that takes longer than
    /// `patience`, as on a host from which the word is not seen, rank 0 goes on, and does not wait again.
    pub fn hand_over(&self, patience: Duration) {
        hand_over(&self.0, within(patience));
    }

    /// Returns when rank 0 has written a result, or after `at_most`.
    pub fn wait(&self, at_most: Duration) {
        wait(&self.0, within(at_most));
    }

    /// Notes that all results seen to be written have been taken. Without a written result it does nothing.
    pub fn taken(&self) {
        taken(&self.0);
    }
}

/// Returns a function that gives the rest of a time that begins with this call.
fn within(time: Duration) -> impl Fn() -> Duration {
    let until = Instant::now() + time;
    move || until.saturating_duration_since(Instant::now())
}

impl Futex for AtomicU32 {
    #[cfg(target_os = "linux")]
    fn sleep(&self, word: u32, at_most: Duration) {
        let time = libc::timespec {
            tv_sec: at_most.as_secs() as libc::time_t,
            tv_nsec: at_most.subsec_nanos() as libc::c_long,
        };
        // SAFETY: the word and the time are live; the kernel compares, and sleeps. Processes share the word, so it is
        // no private one.
        unsafe { libc::syscall(libc::SYS_futex, self.as_ptr(), libc::FUTEX_WAIT, word, &raw const time) };
    }

    #[cfg(target_os = "linux")]
    fn wake(&self) {
        // SAFETY: the word is live; nothing is written.
        unsafe { libc::syscall(libc::SYS_futex, self.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
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

    /// A word of loom's: who sleeps lets others run until the word is another.
    impl Futex for loom::sync::atomic::AtomicU32 {
        fn sleep(&self, word: u32, _at_most: Duration) {
            if self.load(Relaxed) == word {
                loom::thread::yield_now();
            }
        }

        fn wake(&self) {}
    }

    #[test]
    fn in_every_interleaving_each_result_is_read_once_and_never_while_it_is_written() {
        const RESULTS: u32 = 2;
        loom::model(|| {
            let word = loom::sync::Arc::new(loom::sync::atomic::AtomicU32::new(NOTHING));
            // What loom knows of who reads and writes it: two at once are an error, and so is what no order forbids.
            let result = loom::sync::Arc::new(loom::cell::UnsafeCell::new(0));
            let (of_rank, to_write) = (word.clone(), result.clone());
            let rank = loom::thread::spawn(move || {
                for count in 1..=RESULTS {
                    // SAFETY: loom checks that nobody else has it.
                    to_write.with_mut(|place| unsafe { *place = count });
                    hand_over(&*of_rank, || LONG);
                }
            });
            for count in 1..=RESULTS {
                wait(&*word, || LONG);
                // SAFETY: loom checks that nobody writes it.
                assert_eq!(result.with(|place| unsafe { *place }), count);
                taken(&*word);
            }
            rank.join().expect("rank 0 ends");
            assert_eq!(word.load(Relaxed), NOTHING);
        });
    }

    #[test]
    fn in_every_interleaving_rank_0_gives_up_or_its_result_is_taken() {
        loom::model(|| {
            let word = loom::sync::Arc::new(loom::sync::atomic::AtomicU32::new(NOTHING));
            let of_rank = word.clone();
            let rank = loom::thread::spawn(move || hand_over(&*of_rank, || Duration::ZERO));
            taken(&*word);
            rank.join().expect("rank 0 ends");
            let end = word.load(Relaxed);
            assert!(end == GIVEN_UP || end == NOTHING, "{end}");
            taken(&*word);
            assert_eq!(word.load(Relaxed), end, "nothing is taken that was given up");
        });
    }

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

//! Waiting for an instant: spinning where every rank has a core, sleeping first where it has not.

use crate::clock::ClockSource;
use models::clock::{Ticks, Timescale};
use models::time::Span;
use std::hint::spin_loop;

/// Way in which a rank waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Spinning, where nobody else wants the core.
    Spin,
    /// Sleeping until shortly before, then yielding in turn with the other ranks on the core.
    SleepThenYield,
}

/// Last part of a wait, in which no turn pauses.
const CLOSE: Span = Span::from_us(1);

/// Time by which a sleeper is woken early, since wake-ups are late by tens of µs.
const EARLY: Span = Span::from_us(80);

impl Patience {
    /// Chooses by the number of cores: spinning ranks that outnumber the cores starve each other.
    pub fn for_ranks(ranks_here: u32, cores: u32) -> Patience {
        if ranks_here > cores { Patience::SleepThenYield } else { Patience::Spin }
    }

    /// Returns once the clock reads `due` or later. The last few µs are spun. `meanwhile` is called now and then.
    pub fn wait_until(self, clock: impl ClockSource, scale: &Timescale, due: Ticks, mut meanwhile: impl FnMut()) {
        if self == Patience::SleepThenYield {
            loop {
                let left = scale.span(clock.read(), due);
                if left <= EARLY {
                    break;
                }
                sleep(Span((left - EARLY).0.min(LONGEST_NAP.0)));
                meanwhile();
            }
        }
        // A turn that pauses ends up to some tens of nanoseconds late, by which ranks then start apart: the last turns
        // do not.
        while scale.span(clock.read(), due) > CLOSE {
            self.breathe();
        }
        while clock.read() < due {}
    }

    /// Takes one turn of a waiting loop.
    #[inline(always)]
    pub fn breathe(self) {
        match self {
            Patience::Spin => spin_loop(),
            Patience::SleepThenYield => std::thread::yield_now(),
        }
    }
}

/// Longest sleep between two looks at whatever else needs attention.
const LONGEST_NAP: Span = Span::from_ms(2);

/// Gives the core away for about this time.
pub fn sleep(span: Span) {
    std::thread::sleep(span.into());
}

/// Asks the kernel to wake this thread as exactly as it can (it may be 50 µs late by default).
pub fn wake_exactly() {
    #[cfg(target_os = "linux")]
    // SAFETY: PR_SET_TIMERSLACK takes a number of nanoseconds and touches nothing of ours.
    unsafe {
        libc::prctl(libc::PR_SET_TIMERSLACK, 1usize);
    }
}

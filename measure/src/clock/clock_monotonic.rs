//! `CLOCK_MONOTONIC`, in nanoseconds: never set, but NTP adjusts its rate, by up to 500 ppm.

use super::rate::Rate;
use super::{RealClock, read_posix};
use models::clock::{ClockKind, Ticks};

/// Clock `CLOCK_MONOTONIC` of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct ClockMonotonic;

impl RealClock for ClockMonotonic {
    fn kind(&self) -> ClockKind {
        ClockKind::ClockMonotonic
    }

    fn name(&self) -> &'static str {
        "clock_monotonic"
    }

    #[inline(always)]
    fn read(&self) -> Ticks {
        read_posix(libc::CLOCK_MONOTONIC)
    }

    fn rate(&self) -> Rate {
        Rate::known(1e9)
    }
}

//! `CLOCK_MONOTONIC`, in nanoseconds: never set, but NTP adjusts its rate, by up to 500 ppm.

use super::rate::Rate;
use super::{ClockSource, read_posix};
use models::clock::{ClockKind, Ticks};

/// `CLOCK_MONOTONIC`.
#[derive(Clone, Copy, Debug)]
pub struct ClockMonotonic;

impl ClockSource for ClockMonotonic {
    const KIND: ClockKind = ClockKind::ClockMonotonic;
    const NAME: &'static str = "clock_monotonic";
    const SPECIALISED: bool = false;

    #[inline(always)]
    fn read() -> Ticks {
        read_posix(libc::CLOCK_MONOTONIC)
    }

    fn trusted() -> Result<(), String> {
        Ok(())
    }

    fn rate() -> Rate {
        Rate::known(1e9)
    }
}

//! `CLOCK_MONOTONIC_RAW`, in nanoseconds: never set, and its rate is the hardware's. Others are compared with it.

use super::rate::Rate;
use super::{ClockSource, read_posix};
use models::clock::{ClockKind, Ticks};

/// `CLOCK_MONOTONIC_RAW`.
#[derive(Clone, Copy, Debug)]
pub struct ClockMonotonicRaw;

impl ClockSource for ClockMonotonicRaw {
    const KIND: ClockKind = ClockKind::ClockMonotonicRaw;
    const NAME: &'static str = "clock_monotonic_raw";
    const SPECIALISED: bool = true;

    #[inline(always)]
    fn read() -> Ticks {
        #[cfg(target_os = "linux")]
        return read_posix(libc::CLOCK_MONOTONIC_RAW);
        #[cfg(not(target_os = "linux"))]
        return read_posix(libc::CLOCK_MONOTONIC);
    }

    fn trusted() -> Result<(), String> {
        Ok(())
    }

    fn rate() -> Rate {
        Rate::known(1e9)
    }
}

//! `CLOCK_MONOTONIC_RAW`, in nanoseconds: never set, and its rate is the hardware's. Others are compared with it.

use super::rate::Rate;
use super::{RealClock, read_posix};
use models::clock::{ClockKind, Ticks};

/// Clock `CLOCK_MONOTONIC_RAW` of the operating system, elsewhere than on Linux `CLOCK_MONOTONIC`.
#[derive(Clone, Copy, Debug)]
pub struct ClockMonotonicRaw;

impl RealClock for ClockMonotonicRaw {
    fn kind(&self) -> ClockKind {
        ClockKind::ClockMonotonicRaw
    }

    fn name(&self) -> &'static str {
        "clock_monotonic_raw"
    }

    #[inline(always)]
    fn read(&self) -> Ticks {
        #[cfg(target_os = "linux")]
        return read_posix(libc::CLOCK_MONOTONIC_RAW);
        #[cfg(not(target_os = "linux"))]
        return read_posix(libc::CLOCK_MONOTONIC);
    }

    fn rate(&self) -> Rate {
        Rate::known(1e9)
    }
}

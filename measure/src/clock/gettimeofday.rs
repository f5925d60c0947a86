//! `gettimeofday`, in microseconds: coarse, adjusted and set by NTP and by hand. It is offered to show these faults.

use super::RealClock;
use super::rate::Rate;
use models::clock::{ClockKind, Ticks};

/// Clock of the call `gettimeofday`.
#[derive(Clone, Copy, Debug)]
pub struct Gettimeofday;

impl RealClock for Gettimeofday {
    fn kind(&self) -> ClockKind {
        ClockKind::Gettimeofday
    }

    fn name(&self) -> &'static str {
        "gettimeofday"
    }

    fn is_in_time_namespace(&self) -> bool {
        false
    }

    #[inline(always)]
    fn read(&self) -> Ticks {
        let mut now = libc::timeval { tv_sec: 0, tv_usec: 0 };
        // SAFETY: the pointer is to a live timeval; the second one may be null.
        unsafe { libc::gettimeofday(&raw mut now, std::ptr::null_mut()) };
        Ticks(now.tv_sec as u64 * 1_000_000 + now.tv_usec as u64)
    }

    fn rate(&self) -> Rate {
        Rate::known(1e6)
    }
}

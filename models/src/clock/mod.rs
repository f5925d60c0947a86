//! Clocks: raw ticks and their scale, imperfect clocks of simulated ranks, and the global clock that a synchronisation
//! makes of a local one.

mod beside;
mod card;
mod drawn;
mod global;
mod imperfect;
mod kind;
mod spread;
mod walk;

pub use beside::{Begins, Beside, ClockConclusions, ClockReadings, Follows};
pub use card::{LARGEST_DISAGREEMENT_PPM, Processes, ReportCard, Verdict};
pub use drawn::DrawnClocks;
pub use global::{Basis, Drift, GlobalClock, share_one_clock};
pub use imperfect::{ClockModel, Jump};
pub use kind::ClockKind;
pub use spread::ClockSpread;
pub use walk::RateWalk;

use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// A raw reading of one rank's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticks(pub u64);

/// Scale of a clock's ticks: its rate, and the reading from which time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timescale {
    /// Rate of the clock, in Hz.
    pub ticks_per_second: f64,
    /// Reading that counts as time zero.
    pub origin: Ticks,
    /// Steps in which the clock moves, in ticks.
    pub granularity_ticks: u64,
}

impl Timescale {
    /// Scale of a clock that counts picoseconds from zero.
    pub const PICOSECONDS: Timescale = Timescale { ticks_per_second: 1e12, origin: Ticks(0), granularity_ticks: 1 };

    /// Returns the picoseconds per tick as a fixed-point number with 32 binary places: exact enough (2⁻³² ps a tick)
    /// and, unlike f64 arithmetic on readings, monotone.
    fn ps_per_tick(&self) -> u128 {
        (1e12 / self.ticks_per_second * 4_294_967_296.0).round() as u128
    }

    /// Whether a tick is a picosecond, as on simulated clocks: wide products and quotients, which take long, are
    /// needless then.
    fn counts_picoseconds(&self) -> bool {
        self.ticks_per_second == Timescale::PICOSECONDS.ticks_per_second
    }

    /// Returns the local time of a reading; readings before the origin are time zero.
    #[inline]
    pub fn time(&self, reading: Ticks) -> Time {
        let ticks = reading.0.saturating_sub(self.origin.0);
        if self.counts_picoseconds() {
            return Time(ticks);
        }
        Time(((u128::from(ticks) * self.ps_per_tick()) >> 32) as u64)
    }

    /// Returns the first reading whose local time is `at` or later.
    #[inline]
    pub fn reading(&self, at: Time) -> Ticks {
        if self.counts_picoseconds() {
            return Ticks(self.origin.0 + at.0);
        }
        let ticks = (u128::from(at.0) << 32).div_ceil(self.ps_per_tick());
        Ticks(self.origin.0 + ticks as u64)
    }

    /// Returns the smallest step of the clock, rounded up to whole picoseconds.
    pub fn granularity(&self) -> Span {
        Span((1e12 / self.ticks_per_second * self.granularity_ticks as f64).ceil() as u64)
    }

    /// Returns the duration between two readings, zero if they run backwards.
    pub fn span(&self, from: Ticks, to: Ticks) -> Span {
        self.time(to).since(self.time(from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_and_times_are_inverse_and_monotone() {
        let scale =
            Timescale { ticks_per_second: 2_445_432_107.0, origin: Ticks(987_654_321_987), granularity_ticks: 1 };
        let mut last = Time::ZERO;
        for step in 0..10_000u64 {
            let reading = Ticks(scale.origin.0 + step * step * 77_777);
            let time = scale.time(reading);
            assert!(time >= last);
            last = time;
            let back = scale.reading(time).0;
            assert!(back <= reading.0 && reading.0 - back <= 1, "reading {reading:?} came back as {back}");
            assert!(scale.time(scale.reading(time)) <= time + Span(410));
        }
    }

    #[test]
    fn a_year_of_ticks_keeps_its_picoseconds() {
        let scale = Timescale { ticks_per_second: 1e9, ..Timescale::PICOSECONDS };
        assert_eq!(scale.time(Ticks(100 * 86_400 * 1_000_000_000)), Time(100 * 86_400 * 1_000_000_000_000));
    }
}

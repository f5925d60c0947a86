//! The global clock that a synchronisation makes of a local one: an offset, a drift where one was fitted, and a bound.

use super::{Ticks, Timescale};
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// A local clock corrected to rank 0's clock: global = local + offset + drift · (local − at), within the bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlobalClock {
    /// Scale of the local clock.
    pub scale: Timescale,
    /// Global minus local time when it was measured, in picoseconds.
    pub offset_ps: i64,
    /// Bound of the offset's error when it was measured: the true offset lay within ± this.
    pub bound: Span,
    /// Local time when the offset was measured; a drift counts from here.
    #[serde(default)]
    pub at: Time,
    /// Change of the offset over time, where that was worth fitting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// Evidence on which the bound rests.
    #[serde(default)]
    pub basis: Basis,
}

/// Fitted change of the offset. One picosecond a second is a rate of 10⁻¹².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    /// Growth of the offset, in picoseconds per second.
    pub ps_per_second: i64,
    /// Standard error of that growth, in picoseconds per second.
    pub error_ps_per_second: u64,
}

/// Evidence on which the bound of a global clock rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Readings that ranks have exchanged.
    #[default]
    Measured,
    /// The rank reads the same clock as another; exchanged readings did not contradict that.
    Shared,
    /// Exchanged readings contradicted each other, or that two ranks read one clock: a clock jumped, or rates differ by
    /// more than is assumed. The bound comes from the newest readings, and proves nothing.
    Contradicted,
}

/// A rate of one, in units of a drift.
const ONE: i128 = 1_000_000_000_000;
/// Largest drift, half of a clock's own rate: clocks always run forward.
const LARGEST_DRIFT: i64 = 500_000_000_000;

impl Drift {
    /// Returns a drift from parts per million and its standard error. A drift beyond ± 50 % is no clock's, and is cut
    /// off there.
    pub fn from_ppm(ppm: f64, error_ppm: f64) -> Drift {
        let ps_per_second = ((ppm * 1e6).round() as i64).clamp(-LARGEST_DRIFT, LARGEST_DRIFT);
        Drift { ps_per_second, error_ps_per_second: (error_ppm.abs() * 1e6).ceil() as u64 }
    }
}

impl GlobalClock {
    /// Returns rank 0's own clock, which is the global one by definition.
    pub fn reference(scale: Timescale) -> GlobalClock {
        GlobalClock::constant(scale, 0, Span::ZERO)
    }

    /// Returns a clock with an offset that was measured and does not change.
    pub fn constant(scale: Timescale, offset_ps: i64, bound: Span) -> GlobalClock {
        GlobalClock { scale, offset_ps, bound, at: Time::ZERO, drift: None, basis: Basis::Measured }
    }

    /// Returns the global time of a local reading.
    pub fn time(&self, reading: Ticks) -> Time {
        self.global(self.scale.time(reading))
    }

    /// Returns the global time of a local time; never below zero.
    pub fn global(&self, local: Time) -> Time {
        let global = i128::from(local.0) + self.exact_offset_at(local);
        Time(global.clamp(0, i128::from(u64::MAX)) as u64)
    }

    /// Returns the first local reading whose global time is `at` or later.
    pub fn reading(&self, at: Time) -> Ticks {
        let since = i128::from(at.0) - i128::from(self.offset_ps) - i128::from(self.at.0);
        // ⌊x · rate⌋ ≥ y exactly where x ≥ ⌈y / rate⌉.
        let elapsed = if self.drift.is_none() { since } else { -(-since * ONE).div_euclid(self.rate()) };
        let local = i128::from(self.at.0) + elapsed;
        self.scale.reading(Time(local.clamp(0, i128::from(u64::MAX)) as u64))
    }

    /// Returns global minus local time at a local time, in picoseconds.
    pub fn offset_at(&self, local: Time) -> i64 {
        self.exact_offset_at(local).clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    }

    fn exact_offset_at(&self, local: Time) -> i128 {
        // Most clocks have no drift fitted, and dividing such numbers takes long.
        if self.drift.is_none() {
            return i128::from(self.offset_ps);
        }
        let since = i128::from(local.0) - i128::from(self.at.0);
        i128::from(self.offset_ps) + (since * (self.rate() - ONE)).div_euclid(ONE)
    }

    /// Returns the time by which this clock has moved when it was synchronised `again`, at that moment, in picoseconds:
    /// a global time of the first synchronisation was short of it by then.
    pub fn moved_ps(&self, again: &GlobalClock) -> i64 {
        again.offset_ps.saturating_sub(self.offset_at(again.at))
    }

    /// Returns the picoseconds of global time in 10¹² of local time.
    fn rate(&self) -> i128 {
        let drift = self.drift.map_or(0, |drift| drift.ps_per_second.clamp(-LARGEST_DRIFT, LARGEST_DRIFT));
        ONE + i128::from(drift)
    }
}

/// Whether all ranks read one clock, so that nothing had to be synchronised and bounds are those of a check; for each
/// rank its clock before and after its calls.
pub fn share_one_clock<'a>(ranks: impl IntoIterator<Item = (u32, [&'a GlobalClock; 2])>) -> bool {
    let mut count = 0;
    // Rank 0's own clock is the global one by definition.
    let is_shared = |(rank, clocks): (u32, [&GlobalClock; 2])| {
        count += 1;
        rank == 0 || clocks.iter().all(|clock| clock.basis == Basis::Shared)
    };
    ranks.into_iter().all(is_shared) && count > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_global_clock_adds_its_offset_both_ways() {
        let clock = GlobalClock::constant(Timescale::PICOSECONDS, -500, Span(3));
        assert_eq!(clock.time(Ticks(1_700)), Time(1_200));
        assert_eq!(clock.reading(Time(1_200)), Ticks(1_700));
    }

    #[test]
    fn a_drift_counts_from_when_it_was_measured() {
        let at = Time(3_000_000_000_000);
        let clock = GlobalClock {
            at,
            drift: Some(Drift::from_ppm(-20.0, 0.5)),
            ..GlobalClock::constant(Timescale::PICOSECONDS, 1_000, Span(3))
        };
        assert_eq!(clock.offset_at(at), 1_000);
        let before_zero = GlobalClock::constant(Timescale::PICOSECONDS, -500, Span(3));
        assert_eq!((before_zero.offset_at(Time(0)), before_zero.global(Time(0))), (-500, Time(0)));
        assert_eq!(clock.offset_at(at + Span(1_000_000_000_000)), 1_000 - 20_000_000, "20 µs less after a second");
        let again = GlobalClock { at: Time(5_000_000_000_000), drift: None, offset_ps: -40_000_000, ..clock };
        assert_eq!(clock.moved_ps(&again), -1_000);
    }

    #[test]
    fn the_form_of_old_files_is_read() {
        let text = r#"{"scale":{"ticks_per_second":1e9,"origin":5,"granularity_ticks":1},"offset_ps":-7,"bound":40}"#;
        let scale = Timescale { ticks_per_second: 1e9, origin: Ticks(5), granularity_ticks: 1 };
        assert_eq!(serde_json::from_str::<GlobalClock>(text).unwrap(), GlobalClock::constant(scale, -7, Span(40)));
    }

    proptest! {
        #[test]
        fn times_and_readings_are_inverse_and_monotone_under_any_drift(
            at in 0u64..10_000_000_000_000, offset_ps in -5_000_000_000_000i64..5_000_000_000_000, ppm in -300.0..300.0f64,
            due in 6_000_000_000_000u64..90_000_000_000_000, later in 0u64..1_000_000_000,
        ) {
            let clock = GlobalClock {
                at: Time(at),
                drift: Some(Drift::from_ppm(ppm, 1.0)),
                ..GlobalClock::constant(Timescale::PICOSECONDS, offset_ps, Span::ZERO)
            };
            let reading = clock.reading(Time(due));
            prop_assert!(clock.time(reading) >= Time(due));
            prop_assert!(reading.0 == 0 || clock.time(Ticks(reading.0 - 1)) < Time(due), "{reading:?} is not the first");
            prop_assert!(clock.time(Ticks(reading.0 + later)) >= clock.time(reading));
            let first = clock.reading(clock.time(reading)).0;
            prop_assert!(first <= reading.0 && reading.0 - first <= 1, "a slow clock shows one time twice at most");
        }
    }
}

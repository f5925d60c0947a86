//! The rate of a clock: known, or measured against `CLOCK_MONOTONIC_RAW` over the same interval.

use super::{ClockMonotonicRaw, ClockSource, RealClock};
use models::clock::LARGEST_DISAGREEMENT_PPM;
use std::hint::spin_loop;

/// Rate of a clock with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Rate of the clock in Hz.
    pub ticks_per_second: f64,
    /// Difference of two measurements in ppm, 0 where the rate is known.
    pub repeated_ppm: f64,
}

/// Duration of one measurement in ns. Reads are bracketed by some 50 ns on either side, so that it is right to 1 ppm.
const OVER_NS: u64 = 100_000_000;
/// Number of measurements: one that is interrupted within a bracket is repeated.
const TRIES: u32 = 3;

impl Rate {
    /// Makes a rate that needs no measurement.
    pub fn known(ticks_per_second: f64) -> Rate {
        Rate { ticks_per_second, repeated_ppm: 0.0 }
    }

    /// Checks that repeated measurements agree.
    ///
    /// # Errors
    ///
    /// Says how far they are apart.
    pub fn agreed(&self) -> Result<(), String> {
        if self.repeated_ppm <= LARGEST_DISAGREEMENT_PPM {
            return Ok(());
        }
        Err(format!("two measurements of its rate differ by {:.2} ppm, more than 1", self.repeated_ppm))
    }
}

/// Measures the rate over two intervals in a row that agree. After some tries it takes the two that agreed best.
pub(super) fn measured(clock: impl ClockSource) -> Rate {
    let mut best: Option<Rate> = None;
    for _ in 0..TRIES {
        let points = [bracketed(clock), later(clock), later(clock)];
        let first = frequency(points[0], points[1]);
        let second = frequency(points[1], points[2]);
        let both = Rate {
            ticks_per_second: frequency(points[0], points[2]),
            repeated_ppm: (second / first - 1.0).abs() * 1e6,
        };
        if best.is_none_or(|best| both.repeated_ppm < best.repeated_ppm) {
            best = Some(both);
        }
        if both.agreed().is_ok() {
            break;
        }
    }
    best.expect("there is a first try")
}

/// Returns by how much a clock of this rate runs faster than the raw clock over one interval, and the uncertainty of
/// that, both in ppm.
pub(super) fn against_raw(clock: impl ClockSource, ticks_per_second: f64, granularity_ticks: u64) -> (f64, f64) {
    let (first, last) = (bracketed(clock), later(clock));
    let ns = (last.ns - first.ns) as f64;
    let unsure_ticks = first.bracket.max(last.bracket) + granularity_ticks;
    let unsure = unsure_ticks as f64 / ticks_per_second * 1e9 / ns * 1e6;
    ((frequency(first, last) / ticks_per_second - 1.0) * 1e6, unsure)
}

/// Readings of a clock and of the raw clock at the same moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RatePoint {
    bracket: u64,
    ticks: u64,
    ns: u64,
}

/// Takes the reading with the narrowest bracket of fifty tries.
fn bracketed(clock: impl ClockSource) -> RatePoint {
    let attempt = |_| {
        let before = clock.read().0;
        let ns = ClockMonotonicRaw.read().0;
        let bracket = clock.read().0.saturating_sub(before);
        RatePoint { bracket, ticks: before + bracket / 2, ns }
    };
    (0..50).map(attempt).min().expect("fifty tries")
}

fn later(clock: impl ClockSource) -> RatePoint {
    let first = ClockMonotonicRaw.read().0;
    while ClockMonotonicRaw.read().0 < first + OVER_NS {
        spin_loop();
    }
    bracketed(clock)
}

fn frequency(first: RatePoint, last: RatePoint) -> f64 {
    last.ticks.saturating_sub(first.ticks) as f64 / ((last.ns - first.ns) as f64 / 1e9)
}

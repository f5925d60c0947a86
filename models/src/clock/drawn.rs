//! Clocks that are imperfect on purpose: drawn for each rank from one spread by one seed, so that what they show is
//! known. Ranks of simulated worlds and real ones have the same clocks by the same seed.

use super::{ClockModel, ClockSpread, GlobalClock};
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Imperfect clocks, one for each rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnClocks {
    /// Ranges from which the clocks are drawn.
    pub spread: ClockSpread,
    /// Seed by which they are drawn.
    pub seed: u64,
}

impl DrawnClocks {
    /// Returns a rank's clock. True time counts from 0 for all ranks alike.
    pub fn clock_model(&self, rank: u32) -> ClockModel {
        self.spread.sample_clock(self.seed, rank)
    }

    /// Returns the time by which a rank's synchronised clock was ahead of rank 0's clock when it was synchronised, in
    /// ps: both clocks are known, and so is the true time at which the rank's clock had its reading.
    pub fn error_ps(&self, rank: u32, found: &GlobalClock) -> i64 {
        let continuous = |rank| ClockModel { granularity: Span::ZERO, ..self.clock_model(rank) };
        let (own, first) = (continuous(rank), continuous(0));
        let shown = |clock: &ClockModel, at: Time| i128::from(clock.reading(at).0);
        let at = own.true_time(found.scale.reading(found.at));
        let true_offset = shown(&first, at) - shown(&own, at);
        (i128::from(found.offset_ps) - true_offset) as i64
    }

    /// Returns the time in µs that windows report of a wait of these true durations in µs, rank by rank, by these
    /// clocks: the longest, as its rank's clock counts it, and one reading.
    pub fn wait_us(&self, of_rank: impl Iterator<Item = f64>) -> f64 {
        let counted = (0..).zip(of_rank).map(|(rank, us)| us * (1.0 + self.clock_model(rank).skew_ppm / 1e6));
        counted.fold(0.0, f64::max) + self.spread.read_cost.as_us()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timescale;

    #[test]
    fn the_error_of_a_synchronisation_is_what_it_is_off_the_drawn_clocks() {
        let spread = ClockSpread { largest_offset: Span::from_ms(5), largest_skew_ppm: 50.0, ..ClockSpread::default() };
        let drawn = DrawnClocks { spread, seed: 7 };
        let (first, own) = (drawn.clock_model(0), drawn.clock_model(1));
        let at = Time(3_000_000_000_000);
        let local = own.reading(at);
        let truth = first.reading(at).0 as i64 - local.0 as i64;
        // 150 µs of drift after 3 s, beside up to 5 ms of offset.
        assert!(truth.unsigned_abs() > 1_000_000, "{truth}");
        for off in [0, 123_000, -4_000] {
            let found = GlobalClock {
                at: Timescale::PICOSECONDS.time(local),
                ..GlobalClock::constant(Timescale::PICOSECONDS, truth + off, Span::ZERO)
            };
            assert!((drawn.error_ps(1, &found) - off).abs() <= 2, "{off}: {}", drawn.error_ps(1, &found));
        }
    }

    #[test]
    fn a_wait_is_reported_as_the_rank_that_waits_longest_counts_it() {
        let spread =
            ClockSpread { largest_skew_ppm: 200_000.0, read_cost: Span::from_ns(900), ..ClockSpread::default() };
        let drawn = DrawnClocks { spread, seed: 3 };
        let by_hand = [1.0, 2.0].map(|us| us * (1.0 + drawn.clock_model(us as u32 - 1).skew_ppm / 1e6));
        assert_eq!(drawn.wait_us([1.0, 2.0].into_iter()), by_hand[0].max(by_hand[1]) + 0.9);
        assert_eq!(drawn.wait_us([0.0, 0.0].into_iter()), 0.9);
    }
}

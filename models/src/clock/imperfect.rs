//! The imperfect clock of a simulated rank: offset, rate error, granularity, cost of a read.

use super::Ticks;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// How a rank's clock differs from true time. It counts picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockModel {
    /// Reading at true time zero.
    pub offset: Span,
    /// Rate error in parts per million: positive runs fast.
    pub skew_ppm: f64,
    /// Readings are rounded down to multiples of this; zero means continuous.
    pub granularity: Span,
    /// CPU time that one read takes; the reading is taken at its end.
    pub read_cost: Span,
}

impl ClockModel {
    /// A perfect clock: reads true time, at once.
    pub const PERFECT: ClockModel =
        ClockModel { offset: Span::ZERO, skew_ppm: 0.0, granularity: Span::ZERO, read_cost: Span::ZERO };

    /// What the clock shows at a true time. Monotone in the true time.
    pub fn reading(&self, at: Time) -> Ticks {
        let gained = (i128::from(at.0) * self.skew_per_quintillion()).div_euclid(QUINTILLION);
        let exact = (i128::from(at.0) + gained + i128::from(self.offset.0)) as u64;
        Ticks(exact - exact.checked_rem(self.granularity.0).unwrap_or(0))
    }

    /// The first true time at which the clock shows `reading` or more.
    pub fn true_time(&self, reading: Ticks) -> Time {
        let granularity = self.granularity.0.max(1);
        let shown = reading.0.div_ceil(granularity) * granularity;
        let elapsed = i128::from(shown.saturating_sub(self.offset.0));
        let rate = QUINTILLION + self.skew_per_quintillion();
        let mut guess = Time((elapsed * QUINTILLION).div_euclid(rate) as u64);
        while self.reading(guess) < reading {
            guess += Span(1);
        }
        while guess.0 > 0 && self.reading(Time(guess.0 - 1)) >= reading {
            guess = Time(guess.0 - 1);
        }
        guess
    }

    fn skew_per_quintillion(&self) -> i128 {
        (self.skew_ppm * 1e12).round() as i128
    }
}

const QUINTILLION: i128 = 1_000_000_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn true_time_is_the_first_time_that_shows_the_reading(
            offset in 0u64..10_000_000, skew in -200.0..200.0f64, granularity in 0u64..2_000, due in 0u64..1_000_000_000_000,
        ) {
            let clock = ClockModel { offset: Span(offset), skew_ppm: skew, granularity: Span(granularity), read_cost: Span::ZERO };
            let due = Ticks(due);
            let first = clock.true_time(due);
            prop_assert!(clock.reading(first) >= due);
            prop_assert!(first == Time::ZERO || clock.reading(Time(first.0 - 1)) < due);
        }
    }

    #[test]
    fn a_clock_that_runs_20_ppm_fast_gains_20_us_a_second() {
        let clock = ClockModel { offset: Span::from_ms(5), skew_ppm: 20.0, ..ClockModel::PERFECT };
        assert_eq!(clock.reading(Time(1_000_000_000_000)), Ticks(1_005_020_000_000));
    }
}

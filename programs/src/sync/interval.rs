//! Limits that are proven of an offset: a lower and an upper one, each from the moment it was learned.
//!
//! A limit holds at one moment. From there on the offset can change by no more than the assumed difference of rates
//! times the time that has passed, so limits grow old instead of false.

use models::time::{Span, Time};

/// Largest difference between the rates of two clocks, in parts per million: crystals are specified within ± 50.
pub const LARGEST_RATE_DIFFERENCE_PPM: u64 = 100;

/// Offset further away than any of two clocks (53 days), in picoseconds, and far from overflow.
pub(super) const UNKNOWN: i64 = i64::MAX / 2;

/// One limit of an offset, in picoseconds, at a local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub ps: i64,
    pub at: Time,
}

/// Both limits of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub low: Limit,
    pub high: Limit,
    /// Rate at which limits grow old, in parts per million.
    pub ppm: u64,
    /// Time by which a reading may be older than the moment it was taken.
    pub grain: Span,
    /// Whether the lower limit was found above the upper one: an assumption is wrong.
    pub contradicted: bool,
}

impl Interval {
    /// Returns the interval of an offset of which nothing is known.
    pub(super) fn unknown(ppm: u64, grain: Span) -> Interval {
        let limit = |ps| Limit { ps, at: Time::ZERO };
        Interval { low: limit(-UNKNOWN), high: limit(UNKNOWN), ppm, grain, contradicted: false }
    }

    /// Returns the interval of an offset that is zero for ever: a clock against itself.
    pub(super) fn zero() -> Interval {
        let zero = Limit { ps: 0, at: Time::ZERO };
        Interval { low: zero, high: zero, ppm: 0, grain: Span::ZERO, contradicted: false }
    }

    /// Returns the lower limit at another moment, in picoseconds.
    pub(super) fn low_at(&self, now: Time) -> i64 {
        self.low.ps.saturating_sub(self.slack(self.low.at, now)).max(-UNKNOWN)
    }

    /// Returns the upper limit at another moment, in picoseconds.
    pub(super) fn high_at(&self, now: Time) -> i64 {
        self.high.ps.saturating_add(self.slack(self.high.at, now)).min(UNKNOWN)
    }

    /// Returns the distance of both limits at a moment, in picoseconds.
    pub(super) fn width_at(&self, now: Time) -> i64 {
        self.high_at(now).saturating_sub(self.low_at(now))
    }

    fn slack(&self, from: Time, to: Time) -> i64 {
        if self.ppm == 0 {
            return 0;
        }
        let passed = from.0.abs_diff(to.0);
        // Wide products and quotients take long, and little time passes between exchanges.
        if let Some(grown) = passed.checked_add(self.grain.0).and_then(|passed| passed.checked_mul(self.ppm)) {
            return grown.div_ceil(1_000_000).min(UNKNOWN as u64) as i64;
        }
        let passed = u128::from(passed) + u128::from(self.grain.0);
        (passed * u128::from(self.ppm)).div_ceil(1_000_000).min(UNKNOWN as u128) as i64
    }

    /// Takes in the limits that one exchange has proven, the newest knowledge there is. Where they contradict earlier
    /// limits, those are given up.
    pub(super) fn learn(&mut self, low: Limit, high: Limit) {
        if low.ps > self.low_at(low.at) {
            self.low = low;
        }
        if high.ps < self.high_at(high.at) {
            self.high = high;
        }
        let now = low.at.max(high.at);
        if self.low_at(now) > self.high_at(now) {
            (self.low, self.high) = (low, high);
            self.contradicted = true;
            if self.low_at(now) > self.high_at(now) {
                // The clock was set back within the exchange.
                (self.low, self.high) = (high, low);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000_000;

    fn limit(ps: i64, at: u64) -> Limit {
        Limit { ps, at: Time(at) }
    }

    #[test]
    fn limits_grow_old_by_the_assumed_difference_of_rates() {
        let mut interval = Interval::unknown(100, Span::ZERO);
        interval.learn(limit(-50, 0), limit(70, SECOND));
        assert_eq!(interval.low_at(Time(SECOND)), -50 - 100_000_000);
        assert_eq!(interval.high_at(Time(SECOND)), 70);
        assert_eq!(interval.high_at(Time(0)), 70 + 100_000_000, "before as after");
        interval.learn(limit(-100_000_060, SECOND), limit(80, SECOND));
        assert_eq!((interval.low, interval.high), (limit(-50, 0), limit(70, SECOND)), "nothing new");
        interval.learn(limit(0, SECOND), limit(80, SECOND));
        assert_eq!((interval.low_at(Time(SECOND)), interval.high_at(Time(SECOND))), (0, 70));
        assert!(!interval.contradicted);
    }

    #[test]
    fn the_newest_of_two_contradicting_exchanges_is_believed_and_the_contradiction_is_kept() {
        let mut interval = Interval::unknown(100, Span::ZERO);
        interval.learn(limit(10, 0), limit(20, 0));
        interval.learn(limit(500, 0), limit(600, 0));
        assert_eq!((interval.low_at(Time(0)), interval.high_at(Time(0))), (500, 600));
        interval.learn(limit(510, 0), limit(590, 0));
        assert!(interval.contradicted);
    }
}

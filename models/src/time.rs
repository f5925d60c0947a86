//! Simulated time: integer picoseconds, with instants and durations as distinct types.
//!
//! Unit: 1 ps = 10⁻¹² s; the range of `u64` is 213 days. Sums saturate at the end of that range instead of wrapping.
//! The runner of a simulation checks for [`Time::END`] and reports it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};
use std::time::Duration;

/// Instant, in picoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

/// Duration between two instants, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub u64);

impl Time {
    /// Start of the run.
    pub const ZERO: Time = Time(0);
    /// End of the representable range; a result that reads `END` has overflowed.
    pub const END: Time = Time(u64::MAX);

    /// Duration from `earlier` to `self`; zero if `earlier` is later.
    pub fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// Duration of length zero.
    pub const ZERO: Span = Span(0);

    /// Duration of `n` whole nanoseconds.
    pub const fn from_ns(n: u64) -> Span {
        Span(n * 1_000)
    }

    /// Duration of `n` whole microseconds.
    pub const fn from_us(n: u64) -> Span {
        Span(n * 1_000_000)
    }

    /// Duration of `n` whole milliseconds.
    pub const fn from_ms(n: u64) -> Span {
        Span(n * 1_000_000_000)
    }

    /// Nearest whole picosecond of a duration in seconds; negative numbers and NaN give zero.
    pub fn from_seconds(seconds: f64) -> Span {
        Span((seconds * 1e12).round() as u64)
    }

    /// Duration in nanoseconds, for printing and statistics.
    pub fn as_ns(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// Duration in microseconds, for printing and statistics.
    pub fn as_us(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Duration in seconds, for printing and statistics.
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

/// Cost per byte, in picoseconds per byte. It is kept as f64, and multiplied and rounded once (200 Gb/s is 0.04 ns/B:
/// whole nanoseconds, even whole picoseconds, are too coarse).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerByte(pub f64);

impl PerByte {
    /// Cost of `n` nanoseconds per byte.
    pub fn from_ns(n: f64) -> PerByte {
        PerByte(n * 1e3)
    }

    /// Cost in nanoseconds per byte.
    pub fn as_ns(self) -> f64 {
        self.0 / 1e3
    }

    /// Cost of `bytes` bytes, rounded once to the nearest picosecond.
    #[inline]
    pub fn for_bytes(self, bytes: u64) -> Span {
        // `f64::round` is a call into the maths library on plain x86-64. For numbers that are not negative the result
        // is the same.
        let exact = self.0 * bytes as f64;
        let whole = exact as u64;
        Span(whole.saturating_add(u64::from(exact - whole as f64 >= 0.5)))
    }
}

impl From<Span> for Duration {
    /// Converts to nanoseconds, without the fraction of a nanosecond.
    fn from(span: Span) -> Duration {
        Duration::from_nanos(span.0 / 1_000)
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Span {
    type Output = Span;
    fn mul(self, factor: u64) -> Span {
        Span(self.0.saturating_mul(factor))
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

impl fmt::Display for Span {
    /// Writes three significant digits in the largest fitting unit: `2.50 µs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // From 999.5 on, three digits are 1.00 in the next unit.
        let (value, unit) = match self.0 {
            0..1_000 => return write!(f, "{} ps", self.0),
            1_000..999_500 => (self.0 as f64 / 1e3, "ns"),
            999_500..999_500_000 => (self.0 as f64 / 1e6, "µs"),
            999_500_000..999_500_000_000 => (self.0 as f64 / 1e9, "ms"),
            _ => (self.0 as f64 / 1e12, "s"),
        };
        let digits = if value < 9.995 {
            2
        } else if value < 99.95 {
            1
        } else {
            0
        };
        write!(f, "{value:.digits$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_multiplied_once_and_rounded_once() {
        let two_hundred_gbit = PerByte::from_ns(0.04);
        assert_eq!(two_hundred_gbit.for_bytes(1), Span(40));
        assert_eq!(two_hundred_gbit.for_bytes(65_536), Span(2_621_440));
        assert_eq!(PerByte(0.4).for_bytes(1), Span(0));
        assert_eq!(PerByte(0.4).for_bytes(10), Span(4));
    }

    #[test]
    fn rounding_agrees_with_the_maths_library() {
        let below_half = 0.5f64.next_down();
        let above = (1u64 << 52) as f64 + 0.5;
        for exact in [0.0, below_half, 0.5, 1.5, 2.5, 1e6 + 0.5, above, 9e15, 1e300, f64::INFINITY, f64::NAN, -3.0] {
            assert_eq!(PerByte(exact).for_bytes(1), Span(exact.round() as u64), "{exact}");
        }
    }

    #[test]
    fn sums_saturate_instead_of_wrapping() {
        assert_eq!(Time(u64::MAX - 1) + Span(5), Time::END);
        assert_eq!(Time(3).since(Time(5)), Span::ZERO);
    }

    #[test]
    fn spans_print_with_three_digits_and_a_unit() {
        assert_eq!(Span(999).to_string(), "999 ps");
        assert_eq!(Span::from_ns(2_500).to_string(), "2.50 µs");
        assert_eq!([999_499, 999_500].map(|ps| Span(ps).to_string()), ["999 ns", "1.00 µs"]);
        assert_eq!([999_499_999, 999_500_000].map(|ps| Span(ps).to_string()), ["999 µs", "1.00 ms"]);
        assert_eq!([999_499_999_999, 999_500_000_000].map(|ps| Span(ps).to_string()), ["999 ms", "1.00 s"]);
        assert_eq!(Span::from_us(12_345).to_string(), "12.3 ms");
        assert_eq!(Span::from_ms(250_000).to_string(), "250 s");
    }
}

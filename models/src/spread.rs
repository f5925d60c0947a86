//! Spread of a set of times.

use crate::time::{Span, Time};
use serde::{Serialize, Serializer};

/// Quantiles that are reported, in percent.
pub const QUANTILES: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Least, mean, greatest and quantiles of a set of times, or of durations since time zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// Number of the times.
    pub count: usize,
    /// Earliest of the times.
    pub min: Time,
    /// Mean of the times, rounded to the nearest ps.
    pub mean: Time,
    /// Latest of the times.
    pub max: Time,
    /// Quantiles at the percentages of [`QUANTILES`], by [`at_share`]; the one at 50 is the median.
    #[serde(serialize_with = "named")]
    pub quantiles: [Time; 7],
}

/// Serialises each quantile under its name, like `p05`.
fn named<S: Serializer>(quantiles: &[Time; 7], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(QUANTILES.iter().zip(quantiles).map(|(percent, time)| (format!("p{percent:02}"), time)))
}

impl Spread {
    /// Spread of times, of which there is at least one. It changes their order.
    pub fn from_times(times: &mut [Time]) -> Spread {
        let count = times.len();
        let sum: u128 = times.iter().map(|time| u128::from(time.0)).sum();
        let mean = Time(((sum + count as u128 / 2) / count as u128) as u64);
        let quantiles = QUANTILES.map(|percent| at_share(times, percent));
        let min = times.iter().copied().min().unwrap_or_default();
        let max = times.iter().copied().max().unwrap_or_default();
        Spread { count, min, mean, max, quantiles }
    }

    /// Spread of `count` equal times.
    pub fn same(time: Time, count: usize) -> Spread {
        Spread { count, min: time, mean: time, max: time, quantiles: [time; 7] }
    }
}

/// Quantile at `percent` percent of times, of which there is at least one. It changes their order. The quantile lies at
/// (n − 1) · percent / 100 of the times in order, between two of them on a straight line (type 7 of Hyndman and Fan
/// 1996, the default of R and NumPy): the median of an even number is the mean of the two in the middle. It is rounded
/// to the nearest ps, and half a ps to the even one.
pub fn at_share(times: &mut [Time], percent: u8) -> Time {
    let place = (times.len() - 1) as u128 * u128::from(percent.min(100));
    let (below, between) = ((place / 100) as usize, place % 100);
    let (_, &mut low, above) = times.select_nth_unstable(below);
    let high = above.iter().min().copied().unwrap_or(low);
    let hundredths = u128::from(low.0) * 100 + u128::from(high.0 - low.0) * between;
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    let is_up = rest > 50 || (rest == 50 && whole % 2 == 1);
    Time((whole + u128::from(is_up)) as u64)
}

/// Median of durations by [`at_share`]; zero if there are none.
pub fn median(spans: impl IntoIterator<Item = Span>) -> Span {
    let mut times: Vec<Time> = spans.into_iter().map(|span| Time(span.0)).collect();
    if times.is_empty() { Span::ZERO } else { Span(at_share(&mut times, 50).0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_spread_of_the_first_hundred_numbers() {
        let mut times: Vec<Time> = (1..=100).rev().map(Time).collect();
        let spread = Spread::from_times(&mut times);
        assert_eq!((spread.count, spread.min, spread.mean, spread.max), (100, Time(1), Time(51), Time(100)));
        // NumPy: percentile(arange(1, 101), …) is 1.99, 5.95, 25.75, 50.5, 75.25, 95.05, 99.01.
        assert_eq!(spread.quantiles, [2, 6, 26, 50, 75, 95, 99].map(Time));
        assert_eq!(Spread::from_times(&mut [Time(7)]), Spread::same(Time(7), 1));
        assert_eq!(Spread::from_times(&mut [Time(7); 3]), Spread::same(Time(7), 3));
        assert_eq!(serde_json::to_value(spread).unwrap()["quantiles"]["p05"], 6);
    }

    #[test]
    fn the_median_is_between_the_two_in_the_middle_and_half_a_picosecond_goes_to_the_even_one() {
        let of = |ps: &[u64]| median(ps.iter().map(|&ps| Span(ps))).0;
        assert_eq!([of(&[4, 1, 3, 10]), of(&[5, 2]), of(&[1, 2]), of(&[2, 3]), of(&[9, 7, 1])], [4, 4, 2, 2, 7]);
        assert_eq!((of(&[]), of(&[u64::MAX, u64::MAX - 2])), (0, u64::MAX - 1));
    }

    proptest! {
        #[test]
        fn spreads_are_ordered(mut times in prop::collection::vec((0u64..1_000).prop_map(Time), 1..50)) {
            let Spread { count, min, mean, max, quantiles } = Spread::from_times(&mut times);
            prop_assert!(min <= quantiles[0] && quantiles.is_sorted() && quantiles[6] <= max);
            prop_assert!(min <= mean && mean <= max && count == times.len());
        }
    }
}

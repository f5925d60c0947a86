//! How times spread.

use crate::time::Time;
use serde::{Serialize, Serializer};

/// The quantiles that are told, in percent.
pub const QUANTILES: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Least, mean, greatest and quantiles of a set of times, or of durations since time zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// The earliest.
    pub min: Time,
    /// The mean, rounded to the nearest ps.
    pub mean: Time,
    /// The latest.
    pub max: Time,
    /// The least times that so many percent ([`QUANTILES`]) do not exceed.
    #[serde(serialize_with = "named")]
    pub quantiles: [Time; 7],
}

/// Each under its name: `p05`.
fn named<S: Serializer>(quantiles: &[Time; 7], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(QUANTILES.iter().zip(quantiles).map(|(percent, time)| (format!("p{percent:02}"), time)))
}

impl Spread {
    /// Of times, which are left in another order. There is at least one.
    pub fn of(times: &mut [Time]) -> Spread {
        let count = times.len();
        let sum: u128 = times.iter().map(|time| u128::from(time.0)).sum();
        let mean = Time(((sum + count as u128 / 2) / count as u128) as u64);
        let quantiles = QUANTILES.map(|percent| {
            let index = (count * usize::from(percent)).div_ceil(100).max(1) - 1;
            *times.select_nth_unstable(index).1
        });
        let min = times.iter().copied().min().unwrap_or_default();
        let max = times.iter().copied().max().unwrap_or_default();
        Spread { count, min, mean, max, quantiles }
    }

    /// The spread of `count` equal times.
    pub fn same(time: Time, count: usize) -> Spread {
        Spread { count, min: time, mean: time, max: time, quantiles: [time; 7] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_spread_of_the_first_hundred_numbers() {
        let mut times: Vec<Time> = (1..=100).rev().map(Time).collect();
        let spread = Spread::of(&mut times);
        assert_eq!((spread.count, spread.min, spread.mean, spread.max), (100, Time(1), Time(51), Time(100)));
        assert_eq!(spread.quantiles, [1, 5, 25, 50, 75, 95, 99].map(Time));
        assert_eq!(Spread::of(&mut [Time(7)]), Spread::same(Time(7), 1));
        assert_eq!(Spread::of(&mut [Time(7); 3]), Spread::same(Time(7), 3));
    }

    #[test]
    fn quantiles_are_the_least_that_so_many_do_not_exceed() {
        let mut times: Vec<Time> = (1..=200).rev().map(Time).collect();
        let spread = Spread::of(&mut times);
        assert_eq!(spread.quantiles, [2, 10, 50, 100, 150, 190, 198].map(Time));
        assert_eq!(spread.mean, Time(101), "100.5 rounded up");
        assert_eq!(serde_json::to_value(spread).unwrap()["quantiles"]["p05"], 10);
    }

    proptest! {
        #[test]
        fn spreads_are_ordered(mut times in prop::collection::vec((0u64..1_000).prop_map(Time), 1..50)) {
            let Spread { count, min, mean, max, quantiles } = Spread::of(&mut times);
            prop_assert!(min <= quantiles[0] && quantiles.is_sorted() && quantiles[6] <= max);
            prop_assert!(min <= mean && mean <= max && count == times.len());
        }
    }
}

//! How finish times spread.

use crate::simulation::Finish;
use models::time::Time;

/// The quantiles that are told, in percent.
pub const QUANTILES: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Least, mean, greatest and quantiles of a set of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The earliest.
    pub min: Time,
    /// The mean, rounded to the nearest ps.
    pub mean: Time,
    /// The latest.
    pub max: Time,
    /// The least times that so many percent ([`QUANTILES`]) do not exceed.
    pub quantiles: [Time; 7],
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
        Spread { min, mean, max, quantiles }
    }
}

impl Finish {
    /// How the ranks' finish times spread; needs no room of its own.
    pub fn into_spread(self) -> Spread {
        match self {
            Finish::Same(time, _) => Spread { min: time, mean: time, max: time, quantiles: [time; 7] },
            Finish::Each(mut times) => Spread::of(&mut times),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_the_first_hundred_numbers() {
        let mut times: Vec<Time> = (1..=100).rev().map(Time).collect();
        let spread = Spread::of(&mut times);
        assert_eq!((spread.min, spread.mean, spread.max), (Time(1), Time(51), Time(100)));
        assert_eq!(spread.quantiles, [1, 5, 25, 50, 75, 95, 99].map(Time));
        assert_eq!(Spread::of(&mut [Time(7)]).quantiles, [Time(7); 7]);
    }
}

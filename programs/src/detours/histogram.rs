//! Histogram of durations with bins whose width is less than 1 %: bounded memory for any number of durations.

use super::span;
use models::clock::Timescale;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Number of bits behind a number's first one that select its bin: bins are 1/128 wide.
const BITS: u32 = 7;
const BINS: usize = ((64 - BITS + 1) << BITS) as usize;

/// Histogram of durations in ticks.
pub(super) struct Histogram {
    counts: Vec<u64>,
    sums: Vec<u64>,
    /// Lower end of the range of bins that contains all durations.
    first: usize,
    last: usize,
}

/// Bin of durations that lie close together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// Mean of the bin's durations.
    pub mean: Span,
    /// Number of durations in the bin.
    pub count: u64,
}

/// Bin of a number: one per number below 256, then by its eight leading bits.
fn bin(value: u64) -> usize {
    let shift = (64 - value.leading_zeros()).saturating_sub(BITS + 1);
    ((shift as usize) << BITS) + (value >> shift) as usize
}

impl Histogram {
    pub(super) fn new() -> Histogram {
        Histogram { counts: vec![0; BINS], sums: vec![0; BINS], first: BINS - 1, last: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, value: u64) {
        let bin = bin(value);
        self.counts[bin] += 1;
        self.sums[bin] = self.sums[bin].wrapping_add(value);
        self.first = self.first.min(bin);
        self.last = self.last.max(bin);
    }

    /// Removes a duration that was added before.
    #[inline]
    pub(super) fn remove(&mut self, value: u64) {
        let bin = bin(value);
        self.counts[bin] -= 1;
        self.sums[bin] = self.sums[bin].wrapping_sub(value);
    }

    /// Mean of the fullest bin, and among equally full ones of that with the shortest durations; 0 where nothing was
    /// added.
    pub(super) fn mode(&self) -> u64 {
        let mut best = (0, 0);
        for bin in self.first..=self.last.max(self.first) {
            if self.counts[bin] > best.0 {
                best = (self.counts[bin], bin);
            }
        }
        self.sums[best.1].checked_div(best.0).unwrap_or(0)
    }

    /// All bins with durations in them, in order.
    pub(super) fn bins(&self, scale: &Timescale) -> Vec<Bin> {
        let some = (0..BINS).filter(|&bin| self.counts[bin] > 0);
        some.map(|bin| Bin { mean: span(scale, self.sums[bin] / self.counts[bin]), count: self.counts[bin] }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_mode_is_the_mean_of_the_fullest_bin() {
        let mut all = Histogram::new();
        assert_eq!(all.mode(), 0);
        [3_000, 3_002, 3_001, 9_000, 9_000, 4_000].into_iter().for_each(|value| all.add(value));
        assert_eq!(all.mode(), 3_001);
        [3_000, 3_001, 3_002].into_iter().for_each(|value| all.remove(value));
        assert_eq!(all.mode(), 9_000);
        let counts: Vec<u64> = all.bins(&Timescale::PICOSECONDS).iter().map(|bin| bin.count).collect();
        assert_eq!(counts, [1, 2]);
    }

    proptest! {
        #[test]
        fn bins_are_in_order_and_narrow(value in any::<u64>(), more in 0_u64..1_000) {
            let larger = value.saturating_add(more);
            prop_assert!(bin(value) <= bin(larger) && bin(larger) < BINS);
            let apart = value.saturating_add(value / 64).saturating_add(2);
            prop_assert!(apart == u64::MAX || bin(apart) > bin(value), "two values 1.6 % apart share a bin");
        }
    }
}

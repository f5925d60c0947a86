//! Numbers of one axis, listed or in ranges, found by index.

use std::collections::BTreeSet;

/// Numbers in a fixed order. Ranges are stored by their rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Runs, each with the index of its first number.
    runs: Vec<(u64, NumberRule)>,
    count: u64,
}

/// Numbers given by one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberRule {
    One(u64),
    Step { from: u64, step: u64 },
    Factor { from: u64, factor: u64 },
}

impl Numbers {
    /// Returns a list of one number.
    pub fn one(number: u64) -> Numbers {
        let mut numbers = Numbers::default();
        numbers.push(number);
        numbers
    }

    pub(super) fn push(&mut self, number: u64) {
        self.add(NumberRule::One(number), 1);
    }

    /// Appends `from`, `from + step`, … up to `to`, with `step` ≥ 1 and `from` ≤ `to`.
    pub(super) fn push_steps(&mut self, from: u64, to: u64, step: u64) {
        self.add(NumberRule::Step { from, step }, ((to - from) / step).saturating_add(1));
    }

    /// Appends `from`, `from · factor`, … up to `to`, with `factor` ≥ 2 and 1 ≤ `from` ≤ `to`.
    pub(super) fn push_factors(&mut self, from: u64, to: u64, factor: u64) {
        let mut count = 1;
        let mut last = from;
        while let Some(next) = last.checked_mul(factor).filter(|&next| next <= to) {
            last = next;
            count += 1;
        }
        self.add(NumberRule::Factor { from, factor }, count);
    }

    /// Appends `count` numbers at equal ratios, both ends included, rounded. There are fewer where they would lie
    /// closer than 1.
    pub(super) fn push_ratios(&mut self, from: u64, to: u64, count: u32) {
        // A first number of 0 has no ratio to the next, so it is added separately.
        let (low, high) = (from.max(1), to.max(1));
        let (ratio, steps) = (high as f64 / low as f64, f64::from(count - 1));
        let number = |step| ((low as f64 * ratio.powf(f64::from(step) / steps)).round() as u64).clamp(low, high);
        let all = (0..count).map(number).filter(|number| *number <= to).chain([from, to]);
        all.collect::<BTreeSet<u64>>().into_iter().for_each(|number| self.push(number));
    }

    fn add(&mut self, run: NumberRule, count: u64) {
        self.runs.push((self.count, run));
        self.count = self.count.saturating_add(count);
    }

    /// Returns the count of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number with an index below [`Numbers::count`].
    pub fn get(&self, index: u64) -> u64 {
        let run = self.runs.partition_point(|(first, _)| *first <= index) - 1;
        let (first, run) = self.runs[run];
        run.get(index - first)
    }

    /// Returns the numbers that are no greater than a limit. Only the first 2^20 numbers of a list are considered.
    pub(super) fn up_to(&self, limit: u64) -> Numbers {
        if self.range().1 <= limit {
            return self.clone();
        }
        self.filter_map(|number| (number <= limit).then_some(number))
    }

    /// Returns each number changed by `change`, in order, without repetitions. Only the first 2^20 numbers are
    /// considered.
    pub(super) fn map(&self, change: impl Fn(u64) -> u64) -> Numbers {
        let mut known = BTreeSet::new();
        self.filter_map(|number| Some(change(number)).filter(|changed| known.insert(*changed)))
    }

    fn filter_map(&self, mut change: impl FnMut(u64) -> Option<u64>) -> Numbers {
        const MOST: u64 = 1 << 20;
        let mut numbers = Numbers::default();
        (0..self.count.min(MOST)).filter_map(|index| change(self.get(index))).for_each(|number| numbers.push(number));
        numbers
    }

    /// Returns the least and the greatest number, or zeros for an empty list.
    pub fn range(&self) -> (u64, u64) {
        let ends = self.runs.iter().map(|(first, _)| first).chain([&self.count]).collect::<Vec<_>>();
        let each =
            self.runs.iter().zip(ends.windows(2)).map(|((_, run), ends)| (run.get(0), run.get(ends[1] - ends[0] - 1)));
        each.reduce(|all, run| (all.0.min(run.0), all.1.max(run.1))).unwrap_or_default()
    }
}

impl NumberRule {
    fn get(self, index: u64) -> u64 {
        match self {
            NumberRule::One(number) => number,
            NumberRule::Step { from, step } => from.saturating_add(step.saturating_mul(index)),
            NumberRule::Factor { from, factor } => from.saturating_mul(factor.saturating_pow(index.min(64) as u32)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_found_by_index() {
        let mut numbers = Numbers::default();
        numbers.push(7);
        numbers.push_steps(10, 15, 2);
        numbers.push_factors(3, 100, 3);
        let all: Vec<u64> = (0..numbers.count()).map(|index| numbers.get(index)).collect();
        assert_eq!(all, [7, 10, 12, 14, 3, 9, 27, 81]);
        assert_eq!(numbers.range(), (3, 81));
    }

    #[test]
    fn numbers_are_limited_and_changed_in_order() {
        let mut numbers = Numbers::default();
        numbers.push_factors(1, 16, 2);
        let of = |numbers: &Numbers| (0..numbers.count()).map(|index| numbers.get(index)).collect::<Vec<_>>();
        assert_eq!(of(&numbers.up_to(5)), [1, 2, 4]);
        assert_eq!(numbers.up_to(16), numbers);
        assert_eq!(of(&numbers.map(|number| number.min(4))), [1, 2, 4]);
        assert_eq!(numbers.up_to(0).count(), 0);
    }

    #[test]
    fn equal_ratios_are_rounded_and_close_ones_fall_together() {
        let of = |from, to, count| {
            let mut numbers = Numbers::default();
            numbers.push_ratios(from, to, count);
            numbers.iter().collect::<Vec<_>>()
        };
        assert_eq!(of(1, 100, 3), [1, 10, 100]);
        assert_eq!(of(2, 5, 10), [2, 3, 4, 5]);
        assert_eq!(of(0, 100, 3), [0, 1, 10, 100]);
        assert_eq!(of(7, 7, 4), [7]);
        assert_eq!(of(0, 0, 2), [0]);
        assert_eq!(of(2, 1 << 20, 20).len(), 20);
    }

    #[test]
    fn the_longest_ranges_do_not_overflow() {
        let mut numbers = Numbers::default();
        numbers.push_factors(1, u64::MAX, 2);
        assert_eq!((numbers.count(), numbers.get(63)), (64, 1 << 63));
        numbers.push_steps(0, u64::MAX, 1);
        assert_eq!((numbers.count(), numbers.get(64), numbers.get(65)), (u64::MAX, 0, 1));
    }
}

//! Aggregation of the times of all ranks and samples to the one number that a benchmark prints (E2).
//!
//! The order matters: the largest rank mean (IMB's `t_max`) is not the mean of the largest times (MPIPerf's `Mean`),
//! which is never smaller.

use crate::method::Method;
use crate::observation::{Counted, Observation, RankRecord, rank_times_ps, times_ps};
use serde::{Deserialize, Serialize};

/// Aggregation of ranks and samples to one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Aggregation {
    /// Order of the aggregation over ranks and over samples.
    pub first: First,
    /// Aggregation over the ranks' times.
    pub ranks: OverRanks,
    /// Aggregation over the samples' times.
    pub samples: OverSamples,
    /// Begin of a synchronised call's time.
    pub counted: Counted,
}

/// Order of the aggregation over ranks and over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum First {
    /// First over each rank's samples, then over the ranks.
    Samples,
    /// First over each sample's ranks, then over the samples.
    #[default]
    Ranks,
}

/// Aggregation of all ranks' times to one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverRanks {
    /// Time of rank 0, whatever the others' times.
    RankZero,
    /// Mean of all ranks' times.
    Mean,
    /// Time of the fastest rank.
    Min,
    /// Time of the slowest rank: the time of the collective.
    #[default]
    Max,
}

/// Aggregation of all samples' times to one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverSamples {
    /// Mean of all samples' times.
    Mean,
    /// Median of the times; of an even number, the mean of the middle two.
    #[default]
    Median,
    /// Mean without this share of the values at each end, rounded down to whole values.
    TrimmedMean {
        /// Share at each end, from 0 to less than 0.5.
        share: f64,
    },
    /// Least of all samples' times.
    Min,
    /// Largest of all samples' times.
    Max,
}

/// Number that a benchmark with this aggregation prints for the records of all ranks, in µs. It is negative where a
/// barrier was subtracted that took longer, and `None` where there is no valid time on every rank.
pub fn reported_us(ranks: &[RankRecord], aggregation: &Aggregation) -> Option<f64> {
    let times = times_of(ranks, aggregation.counted)?;
    let ps = match aggregation.first {
        First::Samples => {
            let of_ranks: Vec<f64> = times.iter().map(|times| aggregation.samples.aggregate(times)).collect();
            aggregation.ranks.aggregate(&of_ranks)
        }
        First::Ranks => aggregation.samples.aggregate(&of_samples_ps(&times, aggregation)),
    };
    Some(ps / 1e6)
}

/// Numbers that the benchmark would print of each sample alone, in their order, in µs. `None` where there is no valid
/// time on every rank.
pub fn each_us(ranks: &[RankRecord], aggregation: &Aggregation) -> Option<Vec<f64>> {
    let times = times_of(ranks, aggregation.counted)?;
    Some(of_samples_ps(&times, aggregation).into_iter().map(|ps| ps / 1e6).collect())
}

/// Times of each rank in ps, if every rank has any.
fn times_of(ranks: &[RankRecord], counted: Counted) -> Option<Vec<Vec<f64>>> {
    let of_rank = |times: Vec<(u32, i64)>| times.into_iter().map(|(_, ps)| ps as f64).collect();
    let times: Vec<Vec<f64>> = times_ps(ranks, counted).into_iter().map(of_rank).collect();
    let least = times.iter().map(Vec::len).min()?;
    (least > 0).then_some(times)
}

/// Aggregate over ranks for each sample that every rank has, in ps.
fn of_samples_ps(times: &[Vec<f64>], aggregation: &Aggregation) -> Vec<f64> {
    let samples = times.iter().map(Vec::len).min().unwrap_or(0);
    let at = |index: usize| times.iter().map(|times| times[index]).collect::<Vec<f64>>();
    (0..samples).map(|index| aggregation.ranks.aggregate(&at(index))).collect()
}

impl OverRanks {
    /// Aggregates at least one value, in rank order.
    pub fn aggregate(self, values: &[f64]) -> f64 {
        match self {
            OverRanks::RankZero => values[0],
            OverRanks::Mean => mean(values),
            OverRanks::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
            OverRanks::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

impl OverSamples {
    /// Aggregates at least one value.
    fn aggregate(self, values: &[f64]) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        match self {
            OverSamples::Mean => mean(values),
            OverSamples::Median if n % 2 == 1 => sorted[n / 2],
            OverSamples::Median => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
            OverSamples::TrimmedMean { share } => {
                // At least one value always remains.
                let dropped = dropped_at_each_end(n, share).min((n - 1) / 2);
                mean(&sorted[dropped..n - dropped])
            }
            OverSamples::Min => sorted[0],
            OverSamples::Max => sorted[n - 1],
        }
    }
}

/// Returns ⌊n·share⌋, where a product that falls short of a whole number by rounding alone counts as that number: 29 %
/// of 100 is 29.
pub fn dropped_at_each_end(n: usize, share: f64) -> usize {
    (n as f64 * share + 1e-9).floor() as usize
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// One number in µs for each independent repeat of a rank: a block of a loop, the mean of a barrier-loop's
/// block (its calls share what the block met), a valid start of a method with synchronised clocks.
pub fn samples_us(method: Method, ranks: &[RankRecord], rank: usize) -> Vec<f64> {
    let times = rank_times_ps(ranks, rank, Counted::FromFirstStart);
    if method.is_synchronised() {
        return times.iter().map(|(_, ps)| *ps as f64 / 1e6).collect();
    }
    let mean = |block: &[(u32, i64)]| block.iter().map(|(_, ps)| *ps).sum::<i64>() as f64 / 1e6 / block.len() as f64;
    times.chunk_by(|(a, _), (b, _)| a == b).map(mean).collect()
}

/// One number of all ranks' times of each sample, in µs. A sample is what [`samples_us`] says.
pub fn over_ranks_us(method: Method, records: &[RankRecord], over: OverRanks) -> Vec<f64> {
    let ranks: Vec<Vec<f64>> = (0..records.len()).map(|rank| samples_us(method, records, rank)).collect();
    let samples = ranks.iter().map(Vec::len).min().unwrap_or(0);
    let of = |sample: usize| over.aggregate(&ranks.iter().map(|times| times[sample]).collect::<Vec<f64>>());
    (0..samples).map(of).collect()
}

/// The slowest rank's time of each sample, in µs.
pub fn slowest_us(observation: &Observation) -> Vec<f64> {
    over_ranks_us(observation.case.timing.method, &observation.ranks, OverRanks::Max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Stamp;
    use models::clock::{GlobalClock, Ticks, Timescale};

    /// Ranks whose calls take so many ps.
    fn records(times: &[&[u64]]) -> Vec<RankRecord> {
        let stamp = |(index, &ps): (usize, &u64)| {
            let start = Ticks(1_000_000_000 * index as u64);
            Stamp { block: index as u32, calls: 1, due: None, start, end: Ticks(start.0 + ps), valid: true }
        };
        let record = |(rank, times): (usize, &&[u64])| {
            let stamps: Vec<Stamp> = times.iter().enumerate().map(stamp).collect();
            RankRecord::new(rank as u32, GlobalClock::reference(Timescale::PICOSECONDS), stamps)
        };
        times.iter().enumerate().map(record).collect()
    }

    fn reported(times: &[&[u64]], first: First, ranks: OverRanks, samples: OverSamples) -> f64 {
        let aggregation = Aggregation { first, ranks, samples, counted: Counted::default() };
        (reported_us(&records(times), &aggregation).unwrap() * 1e6).round()
    }

    #[test]
    fn the_largest_mean_is_not_the_mean_of_the_largest() {
        let times: &[&[u64]] = &[&[10, 50, 30], &[40, 20, 30]];
        assert_eq!(reported(times, First::Samples, OverRanks::Max, OverSamples::Mean), 30.0);
        assert_eq!(reported(times, First::Ranks, OverRanks::Max, OverSamples::Mean), 40.0);
        assert_eq!(each_us(&records(times), &Aggregation::default()), Some(vec![40.0 / 1e6, 50.0 / 1e6, 30.0 / 1e6]));
    }

    #[test]
    fn every_choice_over_ranks_and_samples() {
        let times: &[&[u64]] = &[&[10, 20, 60, 30], &[100, 200, 600, 300]];
        let of = |ranks, samples| reported(times, First::Samples, ranks, samples);
        assert_eq!(of(OverRanks::RankZero, OverSamples::Mean), 30.0);
        assert_eq!(of(OverRanks::Mean, OverSamples::Mean), 165.0);
        assert_eq!(of(OverRanks::Max, OverSamples::Median), 250.0);
        assert_eq!(of(OverRanks::Min, OverSamples::Min), 10.0);
        assert_eq!(of(OverRanks::Min, OverSamples::Max), 60.0);
        assert_eq!(of(OverRanks::Min, OverSamples::TrimmedMean { share: 0.25 }), 25.0);
        assert_eq!(of(OverRanks::Min, OverSamples::TrimmedMean { share: 0.5 }), 25.0, "something is always left");
    }

    #[test]
    fn a_share_of_the_values_is_a_whole_number_of_them() {
        assert_eq!(dropped_at_each_end(7, 0.25), 1);
        assert_eq!(dropped_at_each_end(100, 0.29), 29);
        assert_eq!(dropped_at_each_end(0, 0.25), 0);
    }

    #[test]
    fn what_a_subtracted_barrier_took_longer_is_negative() {
        let mut ranks = records(&[&[100]]);
        ranks[0].subtracted = records(&[&[130]])[0].stamps.clone();
        assert_eq!(reported_us(&ranks, &Aggregation::default()), Some(-30.0 / 1e6));
    }

    #[test]
    fn without_a_valid_time_on_every_rank_nothing_is_reported() {
        let mut ranks = records(&[&[100], &[100]]);
        ranks[1].stamps[0].valid = false;
        assert_eq!(reported_us(&ranks, &Aggregation::default()), None);
        assert_eq!(reported_us(&[], &Aggregation::default()), None);
        assert_eq!(each_us(&ranks, &Aggregation::default()), None);
    }
}

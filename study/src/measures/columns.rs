//! The values of every measure, sample by sample.

use super::Measure;
use models::time::Time;
use programs::observation::{Counted, RankRecord, Stamp, sample_ps};

/// Sample that is valid on every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Index of the sample among all stamps.
    pub index: usize,
    /// Number of its block (loop methods) or stage (window).
    pub block: u32,
}

/// Values of one measure over all samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Measure that the values are of.
    pub measure: Measure,
    /// One value per sample, in µs; `None` where the method does not have this measure: no start was due, a loop of
    /// barriers was subtracted, or there is no such root.
    pub values_us: Option<Vec<f64>>,
}

/// Values of all measures of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// Instant from which the ranks' times count.
    pub counted: Counted,
    /// Rank whose time is the root's.
    pub root: u32,
    /// Samples that are valid on every rank.
    pub samples: Vec<Sample>,
    /// Number of samples that are not valid on every rank; they are in no column.
    pub left_out: usize,
    /// One column for each of [`Measure::ALL`], in that order.
    pub columns: Vec<Column>,
}

/// Computes all measures of all valid samples of one case. Without a valid sample no column has values.
///
/// The ranks' times (root, mean, min) count from the instant that `counted` names; the others are what their names say.
/// Where the root changes from sample to sample, the column keeps to the given one.
pub fn columns(ranks: &[RankRecord], root: u32, counted: Counted) -> Columns {
    let stamps = ranks.iter().map(|record| record.stamps.len()).max().unwrap_or_default();
    let seen: Vec<(usize, InSample)> =
        (0..stamps).filter_map(|index| Some((index, InSample::from_ranks(ranks, index, counted)?))).collect();
    let column = |measure: Measure| {
        let values: Option<Vec<f64>> = seen.iter().map(|(_, sample)| sample.value_us(measure, root)).collect();
        Column { measure, values_us: values.filter(|values| !values.is_empty()) }
    };
    Columns {
        counted,
        root,
        samples: seen.iter().map(|&(index, ref seen)| Sample { index, block: seen.stamps[0].block }).collect(),
        left_out: stamps - seen.len(),
        columns: Measure::ALL.map(column).into(),
    }
}

impl Columns {
    /// Returns the values of one measure, in µs.
    pub fn values_us(&self, measure: Measure) -> Option<&[f64]> {
        self.columns.iter().find(|column| column.measure == measure)?.values_us.as_deref()
    }
}

/// One sample on all ranks.
struct InSample<'a> {
    ranks: &'a [RankRecord],
    stamps: Vec<&'a Stamp>,
    /// Times of the ranks per call, in ps.
    times: Vec<i64>,
    /// Times of the ranks per call, each from its own start, in ps.
    own: Vec<i64>,
    /// Whether a loop of barriers is subtracted from the times: there is no global time then.
    subtracted: bool,
}

impl<'a> InSample<'a> {
    fn from_ranks(ranks: &'a [RankRecord], index: usize, counted: Counted) -> Option<InSample<'a>> {
        let times = sample_ps(ranks, index, counted).filter(|times| !times.is_empty())?;
        let own = sample_ps(ranks, index, Counted::FromOwnStart)?;
        let stamps = ranks.iter().map(|record| &record.stamps[index]).collect();
        let subtracted = ranks.iter().any(|record| record.subtracted.len() > index);
        Some(InSample { ranks, stamps, times, own, subtracted })
    }

    fn value_us(&self, measure: Measure, root: u32) -> Option<f64> {
        let us = |ps: i64| ps as f64 / 1e6;
        let calls = f64::from(self.stamps[0].calls.max(1));
        match measure {
            Measure::FromDue => Some(between_us(self.due()?, self.ends().max()?) / calls).filter(|_| !self.subtracted),
            Measure::FromFirstStart => {
                Some(between_us(self.starts().min()?, self.ends().max()?) / calls).filter(|_| !self.subtracted)
            }
            Measure::LongestLocal => self.own.iter().copied().max().map(us),
            Measure::Root => {
                let place = self.ranks.iter().position(|record| record.rank == root)?;
                Some(us(self.times[place]))
            }
            Measure::Mean => Some(self.times.iter().map(|&ps| us(ps)).sum::<f64>() / self.times.len() as f64),
            Measure::Min => self.times.iter().copied().min().map(us),
            Measure::StartSkew => Some(between_us(self.starts().min()?, self.starts().max()?)),
            Measure::ExitSkew => Some(between_us(self.ends().min()?, self.ends().max()?)),
        }
    }

    /// Returns the start that was due on all ranks: the earliest, as each rank rounds it to its own clock.
    fn due(&self) -> Option<Time> {
        let due = |(record, stamp): (&RankRecord, &&Stamp)| Some(record.clock.time(stamp.due?));
        let due: Option<Vec<Time>> = self.ranks.iter().zip(&self.stamps).map(due).collect();
        due?.into_iter().min()
    }

    fn starts(&self) -> impl Iterator<Item = Time> + '_ {
        self.ranks.iter().zip(&self.stamps).map(|(record, stamp)| record.clock.time(stamp.start))
    }

    fn ends(&self) -> impl Iterator<Item = Time> + '_ {
        self.ranks.iter().zip(&self.stamps).map(|(record, stamp)| record.clock.time(stamp.end))
    }
}

/// Returns the time from one instant to another, in µs; negative where `to` is earlier, as clocks with wrong offsets
/// may have it.
fn between_us(from: Time, to: Time) -> f64 {
    to.since(from).as_us() - from.since(to).as_us()
}

//! Times that a method obtains, from raw stamps.

use super::{RankRecord, Stamp};
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Returns one rank's time in one window: from the first start of any rank to this rank's end, on the global clock.
///
/// Not from the due time: that would count the last turn of the waiting loop and a clock read, some 0.1 µs.
pub fn window_time(ranks: &[RankRecord], rank: usize, window: usize) -> Span {
    let starts = ranks.iter().filter_map(|record| Some(record.clock.time(record.stamps.get(window)?.start)));
    let first = starts.min().unwrap_or_default();
    ranks[rank].clock.time(ranks[rank].stamps[window].end).since(first)
}

/// Moment from which a call's time counts where all ranks start together by their clocks. Other calls count from the
/// rank's own start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Time from the first start of any rank, on the global clock (MPIPerf; ReproMPI's `global`).
    #[default]
    FromFirstStart,
    /// Time from the rank's own start, on its own clock (ReproMPI's `local`).
    FromOwnStart,
}

/// Returns for every rank the valid times per call that the method obtains, with their blocks, in ps. A time is
/// negative where a subtracted barrier took longer.
pub fn times_ps(ranks: &[RankRecord], counted: Counted) -> Vec<Vec<(u32, i64)>> {
    let starts = first_starts(ranks);
    ranks.iter().map(|record| record_times_ps(record, &starts, counted)).collect()
}

/// Returns for one rank the valid times per call that the method obtains, with their blocks, in ps.
pub fn rank_times_ps(ranks: &[RankRecord], rank: usize, counted: Counted) -> Vec<(u32, i64)> {
    record_times_ps(&ranks[rank], &first_starts(ranks), counted)
}

/// Returns one rank's valid times per call, with their blocks, as the method reports them; zero in place of a negative
/// time.
pub fn times_per_call(ranks: &[RankRecord], rank: usize) -> Vec<(u32, Span)> {
    let times = rank_times_ps(ranks, rank, Counted::FromFirstStart);
    times.into_iter().map(|(block, ps)| (block, Span(u64::try_from(ps).unwrap_or(0)))).collect()
}

/// Returns the first start of any rank in every window; nothing where there are no windows.
fn first_starts(ranks: &[RankRecord]) -> Vec<Time> {
    let mut first: Vec<Time> = Vec::new();
    for record in ranks {
        for (index, stamp) in record.stamps.iter().enumerate().filter(|(_, stamp)| stamp.due.is_some()) {
            let start = record.clock.time(stamp.start);
            first.resize(first.len().max(index + 1), Time::END);
            first[index] = first[index].min(start);
        }
    }
    first
}

fn record_times_ps(record: &RankRecord, first_starts: &[Time], counted: Counted) -> Vec<(u32, i64)> {
    let time = |(index, stamp): (usize, &Stamp)| {
        let first = if stamp.due.is_some() { first_starts[index] } else { Time::ZERO };
        (stamp.block, stamp_ps(record, index, stamp, first, counted))
    };
    record.stamps.iter().enumerate().filter(|(_, stamp)| stamp.valid).map(time).collect()
}

/// Returns the times per call of all ranks in one sample, in ps, as [`times_ps`] has them; `None` unless it is valid on
/// every rank.
pub fn sample_ps(ranks: &[RankRecord], index: usize, counted: Counted) -> Option<Vec<i64>> {
    let stamp = |record: &RankRecord| record.stamps.get(index).copied().filter(|stamp| stamp.valid);
    let stamps: Vec<Stamp> = ranks.iter().map(stamp).collect::<Option<_>>()?;
    let due = ranks.iter().zip(&stamps).filter(|(_, stamp)| stamp.due.is_some());
    let first = due.map(|(record, stamp)| record.clock.time(stamp.start)).min().unwrap_or_default();
    let times = ranks.iter().zip(&stamps).map(|(record, stamp)| stamp_ps(record, index, stamp, first, counted));
    Some(times.collect())
}

/// Returns one stamp's time per call, in ps.
fn stamp_ps(record: &RankRecord, index: usize, stamp: &Stamp, first_start: Time, counted: Counted) -> i64 {
    let signed = |span: Span| i64::try_from(span.0).unwrap_or(i64::MAX);
    let span = match (stamp.due, counted) {
        (Some(_), Counted::FromFirstStart) => record.clock.time(stamp.end).since(first_start),
        (Some(_), Counted::FromOwnStart) | (None, _) => record.clock.scale.span(stamp.start, stamp.end),
    };
    let barriers = record.subtracted.get(index).map(|barriers| record.clock.scale.span(barriers.start, barriers.end));
    let ps = signed(span) - signed(barriers.unwrap_or_default());
    ps / i64::from(stamp.calls.max(1))
}

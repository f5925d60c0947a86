//! A trace by lanes: one lane for each CPU of each rank, with its intervals in order and the sums of them.

use models::time::{Span, Time};
use programs::trace::{Activity, Interval, Trace, TracedCall, TracedSample};
use std::ops::Range;

/// The slice of one rank in elements that are sorted by ranks.
fn of_rank<T>(all: &[T], rank: u32, of: impl Fn(&T) -> u32) -> &[T] {
    let first = all.partition_point(|one| of(one) < rank);
    let count = all[first..].partition_point(|one| of(one) == rank);
    &all[first..first + count]
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub rank: u32,
    pub cpu: u32,
    /// Its intervals within [`Lanes::intervals`].
    range: Range<usize>,
}

/// A trace, lane by lane; every rank has at least one.
pub(super) struct Lanes<'a> {
    pub trace: &'a Trace,
    /// All intervals, sorted by rank, CPU and start.
    intervals: Vec<Interval>,
    pub lanes: Vec<Lane>,
    /// Entry of the first rank, or the first event where that is earlier.
    pub begin: Time,
    /// Time of the last event.
    pub end: Time,
}

impl<'a> Lanes<'a> {
    /// Sorts a trace into lanes.
    pub(super) fn from_trace(trace: &'a Trace) -> Lanes<'a> {
        let mut intervals = trace.intervals.clone();
        intervals.sort_by_key(|i| (i.rank, i.cpu, i.start, i.end));
        let mut lanes = Vec::new();
        let mut from = 0;
        let mut next_rank = 0;
        for run in intervals.chunk_by(|a, b| (a.rank, a.cpu) == (b.rank, b.cpu)) {
            let (rank, cpu) = (run[0].rank, run[0].cpu);
            lanes.extend((next_rank..rank).map(|rank| Lane { rank, cpu: 0, range: from..from }));
            next_rank = rank.saturating_add(1);
            lanes.push(Lane { rank, cpu, range: from..from + run.len() });
            from += run.len();
        }
        lanes.extend((next_rank..ranks(trace)).map(|rank| Lane { rank, cpu: 0, range: from..from }));
        Lanes { trace, intervals, lanes, begin: begin(trace), end: end(trace) }
    }

    /// Whether several calls, or calls and barriers, are distinguished.
    pub(super) fn has_calls(&self) -> bool {
        !self.trace.samples.is_empty() || self.trace.calls.iter().any(|call| call.number != Some(0))
    }

    /// A rank's calls; empty where they are not distinguished.
    pub(super) fn calls(&self, rank: u32) -> &'a [TracedCall] {
        if !self.has_calls() {
            return &[];
        }
        of_rank(&self.trace.calls, rank, |call| call.rank)
    }

    /// The samples that a method timed on a rank.
    pub(super) fn samples(&self, rank: u32) -> &'a [TracedSample] {
        of_rank(&self.trace.samples, rank, |sample| sample.rank)
    }

    pub(super) fn ranks(&self) -> u32 {
        self.lanes.last().map_or(0, |lane| lane.rank.saturating_add(1))
    }

    /// The intervals of a lane, in order.
    pub(super) fn intervals(&self, lane: &Lane) -> &[Interval] {
        &self.intervals[lane.range.clone()]
    }

    /// The lanes of a rank, as indices.
    pub(super) fn of_rank(&self, rank: u32) -> Range<usize> {
        let first = self.lanes.partition_point(|lane| lane.rank < rank);
        let count = self.lanes[first..].partition_point(|lane| lane.rank == rank);
        first..first + count
    }

    /// Name of a lane: `rank 3`, or `rank 3 cpu 1` where ranks have several CPUs.
    pub(super) fn name(&self, lane: &Lane) -> String {
        let name = self.trace.name(lane.rank);
        if self.of_rank(lane.rank).len() == 1 && lane.cpu == 0 { name } else { format!("{name} cpu {}", lane.cpu) }
    }

    /// The lane and the interval of a rank that hold an instant (its ends included): one of the wanted activity, else
    /// any that has a length.
    pub(super) fn holding(&self, rank: u32, at: Time, wanted: Activity) -> Option<(usize, Interval)> {
        let mut held = None;
        for index in self.of_rank(rank) {
            let own = self.intervals(&self.lanes[index]);
            let begun = own.partition_point(|interval| interval.start <= at);
            let holding = own[..begun].iter().rev().take_while(|interval| interval.end >= at);
            for interval in holding.filter(|interval| interval.end > interval.start) {
                if interval.activity == wanted {
                    return Some((index, *interval));
                }
                held = held.or(Some((index, *interval)));
            }
        }
        held
    }

    /// Sums of a rank's time over all its CPUs.
    pub(super) fn sums(&self, rank: u32) -> Sums {
        let mut sums = Sums::default();
        let lanes = self.of_rank(rank);
        let cpus = lanes.len() as u64;
        for lane in &self.lanes[lanes] {
            for interval in self.intervals(lane) {
                let slot = Activity::ALL.iter().position(|&activity| activity == interval.activity);
                let sum = &mut sums.spans[slot.expect("all activities are listed")];
                *sum = *sum + interval.end.since(interval.start);
            }
        }
        let at = |times: &[Time]| times.get(rank as usize).copied();
        if let (Some(entry), Some(finish)) = (at(&self.trace.entry), at(&self.trace.finish)) {
            sums.idle = finish.since(entry) * cpus - sums.spans.iter().copied().sum();
        }
        sums
    }
}

/// Number of ranks that occur in a trace.
fn ranks(trace: &Trace) -> u32 {
    let listed = trace.entry.len().max(trace.finish.len());
    let flown = trace.flights.iter().map(|flight| flight.from.max(flight.to).saturating_add(1)).max();
    u32::try_from(listed).unwrap_or(u32::MAX).max(flown.unwrap_or(0))
}

fn begin(trace: &Trace) -> Time {
    let starts = trace.intervals.iter().map(|interval| interval.start);
    let departures = trace.flights.iter().map(|flight| flight.departed);
    trace.entry.iter().copied().chain(starts).chain(departures).min().unwrap_or_default()
}

fn end(trace: &Trace) -> Time {
    let ends = trace.intervals.iter().map(|interval| interval.end.max(interval.start));
    let arrivals = trace.flights.iter().map(|flight| flight.departed.max(flight.arrived).max(flight.received));
    trace.finish.iter().chain(&trace.entry).copied().chain(ends).chain(arrivals).max().unwrap_or_default()
}

/// Times that one rank spent in each activity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Time in each of [`Activity::ALL`].
    pub spans: [Span; Activity::ALL.len()],
    /// Time between entry and exit without any activity.
    pub idle: Span,
}

/// The first and the last exit of some ranks.
pub(super) fn exits(trace: &Trace, ranks: &Range<u32>) -> Option<(Time, Time)> {
    let finish = trace.finish.get(ranks.start as usize..ranks.end as usize)?;
    Some((*finish.iter().min()?, *finish.iter().max()?))
}

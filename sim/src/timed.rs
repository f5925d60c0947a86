//! What simulated ranks did while calls were timed: the calls and the readings of clocks in a trace.

use crate::engine::SimError;
use crate::predict::Predictor;
use crate::simulation::{Outcome, Simulation};
use models::method::{Method, Order};
use models::observation::{RankRecord, Stamp, sample_ps};
use models::time::Time;
use models::trace::{Mark, Moment, Trace};

/// A trace with the calls in it, and with what was timed. Times count from the simulation's begin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimedTrace {
    /// What every rank did; of a method, while the samples that are shown were taken.
    pub trace: Trace,
    /// Each rank's stay in each call, by rank and time.
    pub calls: Vec<TracedCall>,
    /// What lies between two readings of a rank's clock, by rank and time; nothing where no method times the calls.
    pub samples: Vec<TracedSample>,
}

/// One rank's stay in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedCall {
    /// The rank.
    pub rank: u32,
    /// Which of the timed calls, from 0; none for a barrier of the method.
    pub number: Option<u32>,
    /// Entry.
    pub from: Time,
    /// Exit.
    pub to: Time,
}

/// What one rank timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedSample {
    /// The rank.
    pub rank: u32,
    /// True time of the first reading.
    pub from: Time,
    /// True time of the second reading.
    pub to: Time,
    /// Calls between them.
    pub calls: u32,
    /// What the method makes of them: the time of one call, in ps, which a subtracted barrier can make negative.
    pub says_ps: i64,
}

/// No picture shows more calls of a rank.
const MOST_SHOWN: u32 = 64;

impl Simulation {
    /// As [`Simulation::traced`], with the calls.
    ///
    /// # Errors
    /// As [`Simulation::traced`].
    pub fn traced_calls(&self) -> Result<(Outcome, TimedTrace), SimError> {
        let (outcome, trace) = self.traced()?;
        let mut calls = Vec::new();
        for rank in 0..self.shape.ranks {
            let marks = of_rank(&trace.marks, rank);
            calls.extend((0..).zip(0..marks.len()).map(|(number, index)| call(&marks, index, &trace, Some(number))));
        }
        Ok((outcome, TimedTrace { trace, calls, samples: Vec::new() }))
    }
}

impl Predictor {
    /// What simulated ranks do while a method times an order's calls: its first valid samples, of at most `calls` calls
    /// where a sample has one.
    ///
    /// # Errors
    /// As [`Predictor::predict`]; no sample is valid on all ranks.
    pub fn traced(&self, order: &Order, calls: u32) -> Result<(Vec<RankRecord>, TimedTrace), SimError> {
        let (ranks, trace) = self.record_traced(order)?;
        let shown = Shown::of(&ranks, calls.min(MOST_SHOWN))?;
        let mut timed = TimedTrace { trace, ..TimedTrace::default() };
        let mut begins = vec![Time::END; ranks.len()];
        for record in &ranks {
            let marks = of_rank(&timed.trace.marks, record.rank);
            let stretches = shown.stretches(record, &marks);
            let Some(&(_, first, _)) = stretches.first() else { continue };
            begins[record.rank as usize] = marks[before(&marks, first, &ranks[0])].at;
            timed.add(record.rank, order.settings.method, &stretches, &marks, &shown);
        }
        timed.cut(&begins);
        Ok((ranks, timed))
    }
}

impl TimedTrace {
    /// One rank's samples and calls.
    fn add(&mut self, rank: u32, method: Method, stretches: &[(usize, usize, usize)], marks: &[Mark], shown: &Shown) {
        let mut number = 0;
        let mut next = stretches.first().map_or(0, |&(_, first, _)| first.saturating_sub(1));
        for &(sample, first, last) in stretches {
            for index in next..first {
                self.push(marks, index, None);
            }
            let stamp = shown.stamp(sample);
            let inside = last - first - 1;
            let timed = |place: usize| inside < 2 * stamp.calls as usize || (place % 2 == 1) == subtracts(method);
            for (place, index) in (first + 1..last).enumerate() {
                let is_timed = timed(place);
                self.push(marks, index, is_timed.then_some(number));
                number += u32::from(is_timed);
            }
            let says_ps = shown.says_ps(sample, rank);
            let (from, to) = (marks[first].at, marks[last].at);
            self.samples.push(TracedSample { rank, from, to, calls: stamp.calls, says_ps });
            next = last;
        }
    }

    fn push(&mut self, marks: &[Mark], index: usize, number: Option<u32>) {
        if marks[index].moment == Moment::Call {
            self.calls.push(call(marks, index, &self.trace, number));
        }
    }

    /// Leaves out what a rank does before its begin and after its last sample.
    fn cut(&mut self, begins: &[Time]) {
        let mut ends = vec![Time::ZERO; begins.len()];
        for sample in &self.samples {
            ends[sample.rank as usize] = ends[sample.rank as usize].max(sample.to);
        }
        let stay = |rank: u32| (begins[rank as usize], ends[rank as usize]);
        let trace = &mut self.trace;
        trace.intervals.retain_mut(|interval| {
            let (begin, end) = stay(interval.rank);
            (interval.start, interval.end) = (interval.start.max(begin), interval.end.min(end));
            interval.start < interval.end
        });
        trace.flights.retain(|flight| flight.departed >= stay(flight.from).0 && flight.received <= stay(flight.to).1);
        trace.marks.retain(|mark| (stay(mark.rank).0..=stay(mark.rank).1).contains(&mark.at));
        trace.entry = begins.to_vec();
        trace.finish = ends;
    }
}

/// A subtracting method has a barrier before each call in its timed region; others that have one there have it behind.
fn subtracts(method: Method) -> bool {
    method == Method::BarrierSubtract
}

/// The moment from which a rank's first sample is shown: the entry into the barrier before it, or its first reading.
fn before(marks: &[Mark], first: usize, any: &RankRecord) -> usize {
    let is_due = any.valid().any(|stamp| stamp.due.is_some());
    let barrier = first.checked_sub(1).filter(|&index| !is_due && marks[index].moment == Moment::Call);
    barrier.unwrap_or(first)
}

/// A rank's moments, in the order of its program.
fn of_rank(marks: &[Mark], rank: u32) -> Vec<Mark> {
    marks.iter().copied().filter(|mark| mark.rank == rank).collect()
}

/// The call that begins at a mark: it ends at the next one.
fn call(marks: &[Mark], index: usize, trace: &Trace, number: Option<u32>) -> TracedCall {
    let Mark { rank, at: from, .. } = marks[index];
    let to = marks.get(index + 1).map_or_else(|| trace.finish[rank as usize], |next| next.at);
    TracedCall { rank, number, from, to }
}

/// The samples that are shown: of the first block that has some which are valid on every rank.
struct Shown<'a> {
    ranks: &'a [RankRecord],
    /// Their places among each rank's stamps, with what the method makes of them on each rank.
    samples: Vec<(usize, Vec<i64>)>,
}

impl<'a> Shown<'a> {
    fn of(ranks: &'a [RankRecord], calls: u32) -> Result<Shown<'a>, SimError> {
        let all = ranks.first().map_or(0, |record| record.stamps.len());
        let valid = (0..all).filter_map(|index| Some((index, sample_ps(ranks, index, Default::default())?)));
        let (mut samples, mut block, mut so_far) = (Vec::new(), None, 0);
        for (index, says) in valid {
            let stamp = &ranks[0].stamps[index];
            if *block.get_or_insert(stamp.block) != stamp.block || so_far > 0 && so_far + stamp.calls > calls {
                break;
            }
            so_far += stamp.calls;
            samples.push((index, says));
        }
        if samples.is_empty() {
            return Err(SimError::Order("no start was valid on all ranks; give the method longer windows".to_owned()));
        }
        Ok(Shown { ranks, samples })
    }

    fn stamp(&self, sample: usize) -> &Stamp {
        &self.ranks[0].stamps[self.samples[sample].0]
    }

    fn says_ps(&self, sample: usize, rank: u32) -> i64 {
        self.samples[sample].1[rank as usize]
    }

    /// Where the samples' two readings are among a rank's marks. Coarse clocks show the same for a while: the two readings
    /// of a sample have no other one between them.
    fn stretches(&self, record: &RankRecord, marks: &[Mark]) -> Vec<(usize, usize, usize)> {
        let readings: Vec<usize> = (0..marks.len()).filter(|&index| marks[index].moment != Moment::Call).collect();
        let mut pairs = readings.windows(2).map(|pair| (pair[0], pair[1]));
        let mut found = Vec::new();
        for (sample, &(index, _)) in self.samples.iter().enumerate() {
            let stamp = &record.stamps[index];
            let shows = |index: usize, ticks| marks[index].moment == Moment::Reading(ticks);
            let is_sample = |&(first, last): &(usize, usize)| {
                let inside = (last - first - 1) as u32;
                let fits = inside == stamp.calls || inside == 2 * stamp.calls || inside == 0;
                fits && shows(first, stamp.start) && shows(last, stamp.end)
            };
            let Some((first, last)) = pairs.find(is_sample) else { break };
            found.push((sample, first, last));
        }
        found
    }
}

#[cfg(test)]
#[path = "timed_tests.rs"]
mod tests;

//! Actions of simulated ranks while calls were timed: the calls and the readings of clocks in a trace.

use crate::engine::SimError;
use crate::predict::Predictor;
use crate::simulation::{Simulation, SimulationOutcome};
use models::time::Time;
use programs::method::{Method, Order};
use programs::observation::{RankRecord, Stamp, sample_ps};
use programs::trace::{Mark, Moment, Trace, TracedCall, TracedSample};

/// Most calls of a rank that a picture shows.
const MOST_SHOWN: u32 = 64;

impl Simulation {
    /// Records what every rank did as [`Simulation::traced`] does, with the calls.
    ///
    /// # Errors
    ///
    /// Fails where [`Simulation::traced`] fails.
    pub fn traced_calls(&self) -> Result<(SimulationOutcome, Trace), SimError> {
        let (outcome, mut trace) = self.traced()?;
        for marks in by_rank(&trace.marks, self.shape.ranks) {
            let calls = (0..).zip(0..marks.len()).map(|(number, index)| call(&marks, index, &trace, Some(number)));
            let calls: Vec<TracedCall> = calls.collect();
            trace.calls.extend(calls);
        }
        Ok((outcome, trace))
    }
}

impl Predictor {
    /// Records what simulated ranks do while a method times an order's calls: its first valid samples, of at most
    /// `calls` calls where a sample has one.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails, and if no sample is valid on all ranks.
    pub fn traced(&self, order: &Order, calls: u32) -> Result<(Vec<RankRecord>, Trace), SimError> {
        let (ranks, trace) = self.record_traced(order)?;
        let shown = Shown::from_records(&ranks, calls.min(MOST_SHOWN))?;
        let mut seen = SeenTrace { trace, method: order.settings.method };
        let mut begins = vec![Time::END; ranks.len()];
        for (record, marks) in ranks.iter().zip(by_rank(&seen.trace.marks, order.shape.ranks)) {
            let stretches = shown.stretches(record, &marks);
            let Some(&(_, first, _)) = stretches.first() else { continue };
            begins[record.rank as usize] = marks[before(&marks, first, &ranks[0])].at;
            seen.add(record.rank, &stretches, &marks, &shown);
        }
        seen.cut(&begins);
        Ok((ranks, seen.trace))
    }
}

/// Trace in which a method's samples are looked for.
struct SeenTrace {
    trace: Trace,
    method: Method,
}

impl SeenTrace {
    /// Adds one rank's samples and calls.
    fn add(&mut self, rank: u32, stretches: &[(usize, usize, usize)], marks: &[Mark], shown: &Shown) {
        let mut number = 0;
        let mut next = stretches.first().map_or(0, |&(_, first, _)| first.saturating_sub(1));
        for &(sample, first, last) in stretches {
            for index in next..first {
                self.push(marks, index, None);
            }
            let stamp = shown.stamp(sample);
            let inside = last - first - 1;
            let subtracts = subtracts(self.method);
            let timed = |place: usize| inside < 2 * stamp.calls as usize || (place % 2 == 1) == subtracts;
            for (place, index) in (first + 1..last).enumerate() {
                let is_timed = timed(place);
                self.push(marks, index, is_timed.then_some(number));
                number += u32::from(is_timed);
            }
            let says_ps = shown.says_ps(sample, rank);
            let (from, to) = (marks[first].at, marks[last].at);
            self.trace.samples.push(TracedSample { rank, from, to, calls: stamp.calls, says_ps });
            next = last;
        }
    }

    fn push(&mut self, marks: &[Mark], index: usize, number: Option<u32>) {
        if marks[index].moment == Moment::Call {
            let call = call(marks, index, &self.trace, number);
            self.trace.calls.push(call);
        }
    }

    /// Leaves out the actions of a rank before its begin and after its last sample.
    fn cut(&mut self, begins: &[Time]) {
        let trace = &mut self.trace;
        let mut ends = vec![Time::ZERO; begins.len()];
        for sample in &trace.samples {
            ends[sample.rank as usize] = ends[sample.rank as usize].max(sample.to);
        }
        let stay = |rank: u32| (begins[rank as usize], ends[rank as usize]);
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

/// Returns whether a method subtracts: such a method has a barrier before each call in its timed region. Others that
/// have one there have it behind.
fn subtracts(method: Method) -> bool {
    method == Method::BarrierSubtract
}

/// Returns the moment from which a rank's first sample is shown: the entry into the barrier before it, or its first
/// reading.
fn before(marks: &[Mark], first: usize, any: &RankRecord) -> usize {
    let is_due = any.valid().any(|stamp| stamp.due.is_some());
    let barrier = first.checked_sub(1).filter(|&index| !is_due && marks[index].moment == Moment::Call);
    barrier.unwrap_or(first)
}

/// Returns every rank's moments, in the order of its program.
fn by_rank(marks: &[Mark], ranks: u32) -> Vec<Vec<Mark>> {
    let mut all = vec![Vec::new(); ranks as usize];
    marks.iter().for_each(|mark| all[mark.rank as usize].push(*mark));
    all
}

/// Returns the call that begins at a mark, which ends at the next one.
fn call(marks: &[Mark], index: usize, trace: &Trace, number: Option<u32>) -> TracedCall {
    let Mark { rank, at: from, .. } = marks[index];
    let to = marks.get(index + 1).map_or_else(|| trace.finish[rank as usize], |next| next.at);
    TracedCall { rank, number, from, to }
}

/// Samples that are shown: those of the first block that has some which are valid on every rank.
struct Shown<'a> {
    ranks: &'a [RankRecord],
    /// Their places among each rank's stamps, with the value that the method gives them on each rank.
    samples: Vec<(usize, Vec<i64>)>,
}

impl<'a> Shown<'a> {
    fn from_records(ranks: &'a [RankRecord], calls: u32) -> Result<Shown<'a>, SimError> {
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

    /// Returns the places of the samples' two readings among a rank's marks. Coarse clocks show the same for a while:
    /// the two readings of a sample have no other one between them.
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

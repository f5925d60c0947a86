//! Activities of the ranks in the first block of a traced loop, in the form of any run's trace.
//!
//! A receive is split where its message's send begins: before that the rank waits for a message that does not exist
//! yet, after that the message is on its way. The n-th receive from a rank belongs to that rank's n-th send to this
//! one.

use models::time::{Span, Time};
use programs::observation::{Observation, RankRecord, Stamp, TracedStep};
use programs::trace::{Activity, Flight, Interval, Trace, TracedCall, TracedSample};
use std::collections::BTreeMap;

/// Times at which the sends from one rank to another begin, in order.
type Sends = BTreeMap<(u32, u32), Vec<Time>>;

/// Returns the first block of an observation, on the global clock from the first entry on; `None` where no call was
/// stamped.
pub(crate) fn first_block(observation: &Observation) -> Option<Trace> {
    let blocks: Vec<Block> = observation.ranks.iter().map(Block::first).collect();
    let zero = blocks.iter().filter_map(Block::begin).min()?;
    let mut sends = Sends::new();
    for block in &blocks {
        for (_, step) in block.steps() {
            if let Some(to) = step.sent_to {
                sends.entry((block.record.rank, to)).or_default().push(block.record.clock.time(step.start));
            }
        }
    }
    let mut reading = Reading { trace: Trace::default(), zero };
    blocks.iter().for_each(|block| reading.add(block, &sends, observation.case.subject.bytes));
    let mut trace = reading.trace;
    trace.flights.sort_by_key(|flight| (flight.departed, flight.from, flight.to));
    Some(trace)
}

/// Total time that a rank waited for messages that had not been sent yet.
pub(crate) fn waited(trace: &Trace, rank: u32) -> Span {
    let waits = trace.intervals.iter().filter(|bar| bar.rank == rank && bar.activity == Activity::Waiting);
    waits.map(|bar| bar.end.since(bar.start)).sum()
}

/// Time from a rank's first entry to its last exit.
pub(crate) fn in_loop(trace: &Trace, rank: u32) -> Span {
    let sample = trace.samples.iter().find(|sample| sample.rank == rank);
    sample.map(|sample| sample.to.since(sample.from)).unwrap_or_default()
}

/// A trace under construction.
struct Reading {
    trace: Trace,
    zero: Time,
}

impl Reading {
    fn time(&self, at: Time) -> Time {
        Time::ZERO + at.since(self.zero)
    }

    fn add(&mut self, block: &Block, sends: &Sends, bytes: u64) {
        let (record, rank) = (block.record, block.record.rank);
        let (mut first, mut last) = (Time::END, Time::ZERO);
        for (number, stamp) in (0..).zip(&block.stamps) {
            let (from, to) = record.global(stamp.start, stamp.end);
            let (from, to) = (self.time(from), self.time(to));
            (first, last) = (first.min(from), last.max(to));
            self.trace.calls.push(TracedCall { rank, number: Some(number), from, to });
        }
        let first = first.min(last);
        self.trace.entry.push(first);
        self.trace.finish.push(last);
        let calls = block.stamps.len() as u32;
        self.trace.samples.push(TracedSample { rank, from: first, to: last, calls, says_ps: 0 });
        let mut received = BTreeMap::<u32, usize>::new();
        for (_, step) in block.steps() {
            let (from, to) = record.global(step.start, step.end);
            let Some(sender) = step.received_from else {
                self.push(rank, Activity::Sending, from, to);
                continue;
            };
            let nth = received.entry(sender).or_default();
            let sent = sends.get(&(sender, rank)).and_then(|begins| begins.get(*nth)).copied();
            *nth += 1;
            // Clocks agree only within their bounds: a send never counts as begun after its receipt.
            let departed = sent.unwrap_or(from).clamp(from, to.max(from));
            self.push(rank, Activity::Waiting, from, departed);
            self.push(rank, Activity::Receiving, departed, to);
            if let Some(sent) = sent {
                let (departed, arrived) = (self.time(sent.min(to)), self.time(to));
                self.trace.flights.push(Flight { from: sender, to: rank, bytes, departed, arrived, received: arrived });
            }
        }
    }

    fn push(&mut self, rank: u32, activity: Activity, from: Time, to: Time) {
        let (start, end) = (self.time(from), self.time(to));
        if end > start {
            self.trace.intervals.push(Interval { rank, cpu: 0, activity, start, end });
        }
    }
}

struct Block<'a> {
    record: &'a RankRecord,
    stamps: Vec<&'a Stamp>,
}

impl<'a> Block<'a> {
    fn first(record: &'a RankRecord) -> Block<'a> {
        Block { record, stamps: record.stamps.iter().filter(|stamp| stamp.block == 0).collect() }
    }

    fn begin(&self) -> Option<Time> {
        self.stamps.first().map(|stamp| self.record.clock.time(stamp.start))
    }

    /// The steps within this block's calls, with the index of their call.
    fn steps(&self) -> impl Iterator<Item = (usize, &'a TracedStep)> {
        self.record.steps.iter().filter_map(|step| {
            let within = |stamp: &&Stamp| stamp.start <= step.start && step.end <= stamp.end;
            self.stamps.iter().position(within).map(|call| (call, step))
        })
    }
}

//! What the ranks did in the first block of a traced loop, as bars and messages on one time axis.

use models::observation::{Observation, RankRecord, Stamp, TracedStep};
use models::time::{Span, Time};
use std::collections::BTreeMap;

models::named! {
    /// What a rank does during a bar.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Activity {
        /// In a send.
        Sending => "sending",
        /// In a receive whose message has not been sent yet.
        Waiting => "waiting",
        /// In a receive whose message is on its way.
        Receiving => "receiving",
    }
    /// The word used in files.
    fn name;
}

/// A stretch of one rank's time. Instants count from the first rank's entry into the first call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bar {
    /// The rank.
    pub rank: u32,
    /// Which call of the loop, from 0.
    pub call: usize,
    /// What it did.
    pub activity: Activity,
    /// Begin.
    pub from: Span,
    /// End.
    pub to: Span,
}

/// One rank's stay in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The rank.
    pub rank: u32,
    /// Which call of the loop, from 0.
    pub call: usize,
    /// Entry.
    pub from: Span,
    /// Exit.
    pub to: Span,
}

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// Who sent it.
    pub sender: u32,
    /// Who received it.
    pub receiver: u32,
    /// In which call of the receiver.
    pub call: usize,
    /// Begin of the send.
    pub sent: Span,
    /// End of the receive.
    pub received: Span,
}

/// The first block of a traced loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// Each rank's calls, by rank and call.
    pub calls: Vec<Call>,
    /// What each rank did in them, by rank and time; bars without length are left out.
    pub bars: Vec<Bar>,
    /// Who sent what to whom.
    pub messages: Vec<Message>,
    /// The last exit.
    pub end: Span,
}

/// The begins of the sends from one rank to another, in order.
type Sends = BTreeMap<(u32, u32), Vec<Time>>;

impl Trace {
    /// Reads the first block of an observation; nothing where no call was stamped.
    pub(crate) fn of(observation: &Observation) -> Option<Trace> {
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
        let mut trace = Trace::default();
        for block in &blocks {
            trace.add(block, &sends, zero);
        }
        trace.end = trace.calls.iter().map(|call| call.to).max()?;
        Some(trace)
    }

    fn add(&mut self, block: &Block, sends: &Sends, zero: Time) {
        let record = block.record;
        for (call, stamp) in block.stamps.iter().enumerate() {
            let (from, to) = record.global(stamp.start, stamp.end);
            self.calls.push(Call { rank: record.rank, call, from: from.since(zero), to: to.since(zero) });
        }
        let mut received = BTreeMap::<u32, usize>::new();
        for (call, step) in block.steps() {
            let (from, to) = record.global(step.start, step.end);
            let Some(sender) = step.received_from else {
                self.push(Bar {
                    rank: record.rank,
                    call,
                    activity: Activity::Sending,
                    from: from.since(zero),
                    to: to.since(zero),
                });
                continue;
            };
            let nth = received.entry(sender).or_default();
            let sent = sends.get(&(sender, record.rank)).and_then(|begins| begins.get(*nth)).copied();
            *nth += 1;
            // Clocks agree within their bounds only: a send never counts as begun after its receipt.
            let departed = sent.unwrap_or(from).clamp(from, to.max(from));
            let bar = Bar {
                rank: record.rank,
                call,
                activity: Activity::Waiting,
                from: from.since(zero),
                to: departed.since(zero),
            };
            self.push(bar);
            self.push(Bar { activity: Activity::Receiving, from: departed.since(zero), to: to.since(zero), ..bar });
            if let Some(sent) = sent {
                let (sent, received) = (sent.since(zero), to.since(zero));
                self.messages.push(Message { sender, receiver: record.rank, call, sent, received });
            }
        }
    }

    fn push(&mut self, bar: Bar) {
        if bar.to > bar.from {
            self.bars.push(bar);
        }
    }

    /// How long a rank waited, in all, for messages that had not been sent yet.
    pub(crate) fn waited(&self, rank: u32) -> Span {
        let waits = self.bars.iter().filter(|bar| bar.rank == rank && bar.activity == Activity::Waiting);
        waits.map(|bar| bar.to - bar.from).sum()
    }

    /// From a rank's first entry to its last exit.
    pub(crate) fn in_loop(&self, rank: u32) -> Span {
        let own = || self.calls.iter().filter(|call| call.rank == rank);
        let first = own().map(|call| call.from).min().unwrap_or_default();
        own().map(|call| call.to).max().unwrap_or_default() - first
    }

    /// How many calls each rank made.
    pub(crate) fn calls(&self) -> usize {
        self.calls.iter().map(|call| call.call + 1).max().unwrap_or(0)
    }

    /// The highest rank, plus one.
    pub(crate) fn ranks(&self) -> u32 {
        self.calls.iter().map(|call| call.rank + 1).max().unwrap_or(0)
    }
}

/// One rank's first block.
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

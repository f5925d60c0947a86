//! What every world yields: raw stamps per rank and repetition. Observations of simulated ranks
//! are a prediction, those of real ranks a measurement; both are read by the same code.

use crate::clock::{GlobalClock, Ticks};
use crate::collective::{Collective, Counts, Shape};
use crate::method::Method;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Raw clock readings around one or more calls by one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Which independent repeat of the whole method (loop methods) or which stage (window).
    pub block: u32,
    /// How many calls lie between the two readings.
    pub calls: u32,
    /// When the call was due, on the local clock; only windows have a due time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub due: Option<Ticks>,
    /// Reading just before.
    pub start: Ticks,
    /// Reading just after.
    pub end: Ticks,
    /// False where a window's start was late or its end overran, on any rank.
    pub valid: bool,
}

/// One step of an algorithm as one rank saw it; recorded by `loop-trace` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedStep {
    /// Reading before the step.
    pub start: Ticks,
    /// Reading after the step.
    pub end: Ticks,
    /// Rank this step sent to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sent_to: Option<u32>,
    /// Rank this step received from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub received_from: Option<u32>,
}

/// How the adapting window went; the same on every rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowRecord {
    /// Upper bound used for announcing a stage's start.
    pub announce: Span,
    /// Window length δ of each stage after stage 0.
    pub deltas: Vec<Span>,
    /// A start later than due by more than this was late.
    pub late_tolerance: Span,
    /// True if the adaption wanted a longer window than the cap allows.
    pub capped: bool,
}

/// How method `round-time` went; the same lead on every rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundTimeRecord {
    /// How far ahead each start was announced.
    pub announce: Span,
    /// How long all rounds took, on this rank.
    pub spent: Span,
}

/// All that one rank recorded in one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankRecord {
    /// The rank.
    pub rank: u32,
    /// Its clock, synchronised before the first call.
    pub clock: GlobalClock,
    /// The offset and its bound, measured again after the last call.
    pub clock_after: GlobalClock,
    /// The cold first call, kept apart from all others; where a method includes it, the method's first stamp.
    pub cold: Stamp,
    /// The timed calls.
    pub stamps: Vec<Stamp>,
    /// Only for `barrier-subtract`: for each stamp the loop of barriers alone that is taken from it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub subtracted: Vec<Stamp>,
    /// Only for the window method.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub window: Option<WindowRecord>,
    /// Only for the method `round-time`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub round_time: Option<RoundTimeRecord>,
    /// Only for `loop-trace`: every step, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub steps: Vec<TracedStep>,
}

impl RankRecord {
    /// A record of these timed calls and nothing else, the first of them counting as the cold one.
    pub fn new(rank: u32, clock: GlobalClock, stamps: Vec<Stamp>) -> RankRecord {
        let never = Stamp { block: 0, calls: 1, due: None, start: Ticks(0), end: Ticks(0), valid: false };
        RankRecord {
            rank,
            clock,
            clock_after: clock,
            cold: stamps.first().copied().unwrap_or(never),
            stamps,
            subtracted: Vec::new(),
            window: None,
            round_time: None,
            steps: Vec::new(),
        }
    }

    /// This rank's own duration of one call: (end − start) / calls.
    pub fn time_per_call(&self, stamp: &Stamp) -> Span {
        Span(self.clock.scale.span(stamp.start, stamp.end).0 / u64::from(stamp.calls.max(1)))
    }

    /// The valid stamps.
    pub fn valid(&self) -> impl Iterator<Item = &Stamp> {
        self.stamps.iter().filter(|stamp| stamp.valid)
    }

    /// Global times of a stamp's two readings.
    pub fn global(&self, start: Ticks, end: Ticks) -> (Time, Time) {
        (self.clock.time(start), self.clock.time(end))
    }
}

/// One rank's time in one window: from the first start of any rank to this rank's end, on the global clock.
///
/// Not from the due time: that would count the last turn of the waiting loop and a clock read, some 0.1 µs.
pub fn window_time(ranks: &[RankRecord], rank: usize, window: usize) -> Span {
    let starts = ranks.iter().filter_map(|record| Some(record.clock.time(record.stamps.get(window)?.start)));
    let first = starts.min().unwrap_or_default();
    ranks[rank].clock.time(ranks[rank].stamps[window].end).since(first)
}

/// From where a call's time counts that all ranks start together by their clocks. Other calls count from the rank's
/// own start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// From the first start of any rank, on the global clock (MPIPerf; ReproMPI's `global`).
    #[default]
    FromFirstStart,
    /// From the rank's own start, on its own clock (ReproMPI's `local`).
    FromOwnStart,
}

/// For every rank the valid times per call that the method obtains, with their blocks, in ps. What a subtracted
/// barrier took longer is negative.
pub fn times_ps(ranks: &[RankRecord], counted: Counted) -> Vec<Vec<(u32, i64)>> {
    let starts = first_starts(ranks);
    ranks.iter().map(|record| record_times_ps(record, &starts, counted)).collect()
}

/// The same for one rank.
pub fn rank_times_ps(ranks: &[RankRecord], rank: usize, counted: Counted) -> Vec<(u32, i64)> {
    record_times_ps(&ranks[rank], &first_starts(ranks), counted)
}

/// One rank's valid times per call, with their blocks, as the method reports them; nothing where it is negative.
pub fn times_per_call(ranks: &[RankRecord], rank: usize) -> Vec<(u32, Span)> {
    let times = rank_times_ps(ranks, rank, Counted::FromFirstStart);
    times.into_iter().map(|(block, ps)| (block, Span(u64::try_from(ps).unwrap_or(0)))).collect()
}

/// The first start of any rank in every window; empty where there are no windows.
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
    let signed = |span: Span| i64::try_from(span.0).unwrap_or(i64::MAX);
    let time = |(index, stamp): (usize, &Stamp)| {
        let span = match (stamp.due, counted) {
            (Some(_), Counted::FromFirstStart) => record.clock.time(stamp.end).since(first_starts[index]),
            (Some(_), Counted::FromOwnStart) | (None, _) => record.clock.scale.span(stamp.start, stamp.end),
        };
        let barriers =
            record.subtracted.get(index).map(|barriers| record.clock.scale.span(barriers.start, barriers.end));
        let ps = signed(span) - signed(barriers.unwrap_or_default());
        (stamp.block, ps / i64::from(stamp.calls.max(1)))
    };
    record.stamps.iter().enumerate().filter(|(_, stamp)| stamp.valid).map(time).collect()
}

/// Where a case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum World {
    /// Threads of one process.
    Threads,
    /// Processes started by Open MPI's launcher.
    Openmpi,
    /// Processes started by MPICH's launcher.
    Mpich,
}

impl World {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            World::Threads => "threads",
            World::Openmpi => "openmpi",
            World::Mpich => "mpich",
        }
    }

    /// The name people read.
    pub fn title(self) -> &'static str {
        match self {
            World::Threads => "threads",
            World::Openmpi => "Open MPI",
            World::Mpich => "MPICH",
        }
    }
}

/// What carries the messages of the collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carrier {
    /// Messages are held back until a modelled network would have delivered them.
    Emulated,
    /// Whatever the message library uses between these processes.
    Native,
}

impl Carrier {
    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Carrier::Emulated => "emulated",
            Carrier::Native => "native",
        }
    }
}

/// Who implements the operation under study.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Implementation {
    /// One of our algorithms, by name.
    Own(String),
    /// The message library's own call.
    Library,
}

impl Implementation {
    /// The algorithm's name, or `library`.
    pub fn name(&self) -> &str {
        match self {
            Implementation::Own(name) => name,
            Implementation::Library => "library",
        }
    }
}

/// One thing to be predicted and measured. Its display form is its key in files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Case {
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
    /// How many ranks.
    pub ranks: u32,
    /// Which collective.
    pub collective: Collective,
    /// By whose algorithm.
    pub implementation: Implementation,
    /// Root rank.
    pub root: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank; with uneven counts
    /// their mean, rounded up.
    pub bytes: u64,
    /// Length of segments, where messages are cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment_bytes: Option<u64>,
    /// Fanout, radix, number of chains or ways, where it is not the algorithm's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fanout: Option<u32>,
    /// Lengths of the blocks, where they are uneven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// How the time is obtained.
    pub method: Method,
    /// Calls per timed loop, k.
    pub repetitions: u32,
}

impl Case {
    /// The same case by another method.
    pub fn by(&self, method: Method) -> Case {
        Case { method, ..self.clone() }
    }

    /// What one call is asked to do.
    pub fn shape(&self) -> Shape {
        Shape {
            ranks: self.ranks,
            root: self.root,
            bytes: self.bytes,
            segment_bytes: self.segment_bytes.unwrap_or(0),
            fanout: self.fanout.unwrap_or(0),
            counts: self.counts,
        }
    }

    /// What the case shares with all methods that are compared with each other.
    pub fn subject(&self) -> String {
        let subject = format!(
            "{}/{}/{} ranks/{} {}/{} B/root {}",
            self.world.name(),
            self.carrier.name(),
            self.ranks,
            self.collective,
            self.implementation.name(),
            self.bytes,
            self.root
        );
        [subject, self.variant()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    }

    /// Segments, fanout and counts in words, where the case sets them; else empty.
    pub fn variant(&self) -> String {
        let segments = self.segment_bytes.map(|bytes| format!("segments of {bytes} B"));
        let fanout = self.fanout.map(|fanout| format!("fanout {fanout}"));
        let counts = self.counts.map(|counts| format!("counts {counts:?} B"));
        [segments, fanout, counts].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} k={}", self.subject(), self.method, self.repetitions)
    }
}

/// Everything observed in one case, in one world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// What was run.
    pub case: Case,
    /// What ran it: library and version, or model, send rule and parameters.
    pub ran_by: String,
    /// True where more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// One record for each rank, in rank order.
    pub ranks: Vec<RankRecord>,
}

/// What windows around waits of known duration recorded: how far the global clock can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockCheck {
    /// Where.
    pub world: World,
    /// Over what (the waits themselves send no messages).
    pub carrier: Carrier,
    /// True where more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// WaitPatternNull: its true duration is 0.
    pub null: Vec<RankRecord>,
    /// WaitPatternUp: its true duration is as many µs as there are ranks.
    pub up: Vec<RankRecord>,
    /// WaitPatternDown: the same, and rank 0 waits the longest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<RankRecord>,
}

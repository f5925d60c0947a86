//! What every world yields: raw stamps per rank and sample. Observations of simulated ranks
//! are a prediction, those of real ranks a measurement; both are read by the same code.

mod barrier;
mod carrier;
mod case;
mod conditions;
mod key;
mod label;
mod occasion;
mod overlap;
mod placement;
mod surroundings;
mod times;
mod world;

pub use barrier::Barrier;
pub use carrier::{Carrier, Emulation};
pub use case::{Case, CasePlace, CaseSubject, CaseTiming, Implementation};
pub use conditions::Conditions;
pub use key::{CaseKey, Family};
pub use label::Label;
pub use occasion::Occasion;
pub use overlap::OverlapRecord;
pub use placement::Placement;
pub use surroundings::{Look, Looked, Usage};
pub use times::{Counted, rank_times_ps, sample_ps, times_per_call, times_ps, window_time};
pub use world::World;

use crate::clock::{DrawnClocks, GlobalClock, Ticks};
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

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
    /// Only for a call with computation meanwhile.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overlap: Option<OverlapRecord>,
    /// Only where the library was made to use an algorithm: what was read back from it on this rank.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub forced: Option<String>,
    /// Only for a broadcast through queues in shared memory, on a host of several NUMA nodes: where the rank's queue lies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub placement: Option<Placement>,
    /// Only where ranks share memory and have cores of their own: looks at the machine's state, before, between and
    /// after the timed calls.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub looks: Vec<Looked>,
    /// Only for processes: what the operating system counted while this case was measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usage: Option<Usage>,
    /// Only for processes and long calls: page faults in [`RankRecord::FAULT_CALLS`] calls behind the timed ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page_faults: Option<u64>,
    /// Only for `loop-trace`: every step, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub steps: Vec<TracedStep>,
}

impl RankRecord {
    /// Calls in which page faults are counted.
    pub const FAULT_CALLS: u32 = 3;

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
            overlap: None,
            forced: None,
            placement: None,
            looks: Vec::new(),
            usage: None,
            page_faults: None,
            steps: Vec::new(),
        }
    }

    /// Fewer page faults in a call are chance: no library gave memory back.
    const FAULTS_BY_CHANCE: f64 = 8.0;

    /// Pages that the operating system gave this rank in each call; none where they are no more than chance, or were not
    /// counted.
    pub fn page_faults_per_call(&self) -> f64 {
        let per_call = self.page_faults.map_or(0.0, |found| found as f64 / f64::from(RankRecord::FAULT_CALLS));
        if per_call >= RankRecord::FAULTS_BY_CHANCE { per_call } else { 0.0 }
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

/// Everything observed in one case, in one world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// What was run.
    pub case: Case,
    /// When.
    #[serde(default, skip_serializing_if = "Occasion::is_first")]
    pub occasion: Occasion,
    /// What ran it: library and version, or model, send rule and parameters.
    pub ran_by: String,
    /// True where more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// One record for each rank, in rank order.
    pub ranks: Vec<RankRecord>,
}

impl Observation {
    /// Of a first launch, on cores enough.
    pub fn new(case: Case, ran_by: impl Into<String>, ranks: Vec<RankRecord>) -> Observation {
        Observation { case, occasion: Occasion::default(), ran_by: ran_by.into(), oversubscribed: false, ranks }
    }

    /// What tells observations of one kind apart.
    pub fn key(&self) -> (&Case, Occasion) {
        (&self.case, self.occasion)
    }

    /// The key in words.
    pub fn name(&self) -> String {
        self.occasion.beside(&self.case)
    }
}

/// What windows around waits of known duration recorded: how far the global clock can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockCheck {
    /// Where.
    pub world: World,
    /// Over what (the waits themselves send no messages).
    pub carrier: Carrier,
    /// Under what conditions: which clock, which simulated machine.
    #[serde(default, skip_serializing_if = "Conditions::are_usual")]
    pub conditions: Conditions,
    /// When.
    #[serde(default, skip_serializing_if = "Occasion::is_first")]
    pub occasion: Occasion,
    /// True where more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// The ranks' clocks, where they are known because they were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<DrawnClocks>,
    /// WaitPatternNull: its true duration is 0.
    pub null: Vec<RankRecord>,
    /// WaitPatternUp: its true duration is as many µs as there are ranks.
    pub up: Vec<RankRecord>,
    /// WaitPatternDown: the same, and rank 0 waits the longest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<RankRecord>,
}

impl ClockCheck {
    /// The ranks whose clocks were checked.
    pub fn place(&self) -> CasePlace {
        CasePlace { world: self.world, carrier: self.carrier, ranks: self.null.len() as u32 }
    }
}

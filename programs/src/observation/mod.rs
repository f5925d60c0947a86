//! Observations, which every world yields: raw stamps per rank and sample. Those of simulated ranks are a prediction,
//! those of real ranks a measurement; both are read by the same code.

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

pub use barrier::Barrier;
pub use carrier::{Carrier, Emulation};
pub use case::{Case, CasePlace, CaseSubject, CaseTiming, Implementation};
pub use conditions::Conditions;
pub use key::{CaseKey, Family};
pub use label::Label;
pub use models::world::World;
pub use occasion::Occasion;
pub use overlap::OverlapRecord;
pub use placement::Placement;
pub use surroundings::{Looked, MachineLook, RankSurroundings, Surrounded, Usage};
pub use times::{Counted, rank_times_ps, sample_ps, times_per_call, times_ps, window_time};

use models::clock::{DrawnClocks, GlobalClock, Ticks, share_one_clock};
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Raw clock readings around one or more calls by one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Number of the independent repeat of the whole method (loop methods) or of the stage (window).
    pub block: u32,
    /// Number of calls between the two readings.
    pub calls: u32,
    /// Reading at which the call was due, on the local clock; only windows have a due time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub due: Option<Ticks>,
    /// Reading just before the first of the calls.
    pub start: Ticks,
    /// Reading just after the last of the calls.
    pub end: Ticks,
    /// Whether the stamp counts: false where a window's start was late or its end overran, on any rank.
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

/// Course of the adapting window; the same on every rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowRecord {
    /// Upper bound of the time for announcing a stage's start.
    pub announce: Span,
    /// Window length δ of each stage after stage 0.
    pub deltas: Vec<Span>,
    /// Delay after the due time above which a start was late.
    pub late_tolerance: Span,
    /// Whether the adaption wanted a longer window than the cap allows.
    pub capped: bool,
}

/// Course of the method `round-time`; the same lead on every rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundTimeRecord {
    /// Time by which each start was announced ahead.
    pub announce: Span,
    /// Duration of all rounds, on this rank.
    pub spent: Span,
}

/// Data that one rank recorded in one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankRecord {
    /// Number of the rank.
    pub rank: u32,
    /// The rank's clock, synchronised before the first call.
    pub clock: GlobalClock,
    /// The rank's clock, with offset and bound measured again after the last call.
    pub clock_after: GlobalClock,
    /// The cold first call, kept apart from all others; where a method includes it, the method's first stamp.
    pub cold: Stamp,
    /// Stamps of the timed calls.
    pub stamps: Vec<Stamp>,
    /// Loops of barriers alone, one for each stamp, that are taken from it; only for `barrier-subtract`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub subtracted: Vec<Stamp>,
    /// Course of the windows; only for the window method.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub window: Option<WindowRecord>,
    /// Course of the rounds; only for the method `round-time`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub round_time: Option<RoundTimeRecord>,
    /// Computation during calls; only for calls with computation meanwhile.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overlap: Option<OverlapRecord>,
    /// Setting that was read back from the library on this rank, in words; only where the library was made to use an
    /// algorithm.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub forced: Option<String>,
    /// Place of the rank's queue; only for a broadcast through queues in shared memory, on a host of several NUMA
    /// nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub placement: Option<Placement>,
    /// Looks at the machine's state, before, between and after the timed calls; only where ranks share memory and have
    /// cores of their own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub looks: Vec<Looked>,
    /// Counts of the operating system while this case was measured; only for processes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usage: Option<Usage>,
    /// Page faults in [`RankRecord::FAULT_CALLS`] calls behind the timed ones; only for processes and long calls.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page_faults: Option<u64>,
    /// Every step, in order; only for `loop-trace`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub steps: Vec<TracedStep>,
}

impl RankRecord {
    /// Number of calls in which page faults are counted.
    pub const FAULT_CALLS: u32 = 3;

    /// Returns a record of these timed calls and nothing else, the first of them counting as the cold one.
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

    /// Returns this rank's own duration of one call: (end − start) / calls.
    pub fn time_per_call(&self, stamp: &Stamp) -> Span {
        Span(self.clock.scale.span(stamp.start, stamp.end).0 / u64::from(stamp.calls.max(1)))
    }

    /// Returns the stamps that count.
    pub fn valid(&self) -> impl Iterator<Item = &Stamp> {
        self.stamps.iter().filter(|stamp| stamp.valid)
    }

    /// Returns the global times of a stamp's two readings.
    pub fn global(&self, start: Ticks, end: Ticks) -> (Time, Time) {
        (self.clock.time(start), self.clock.time(end))
    }
}

/// Records of all ranks in one case, in one world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Case that was run.
    pub case: Case,
    /// Launch in which it was run; the first one is not written into files.
    #[serde(default, skip_serializing_if = "Occasion::is_first")]
    pub occasion: Occasion,
    /// Description of the ranks: library and version, or model, send rule and parameters.
    pub ran_by: String,
    /// Whether more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// One record for each rank, in rank order.
    pub ranks: Vec<RankRecord>,
}

impl Observation {
    /// Returns an observation of a first launch, on cores enough.
    pub fn new(case: Case, ran_by: impl Into<String>, ranks: Vec<RankRecord>) -> Observation {
        Observation { case, occasion: Occasion::default(), ran_by: ran_by.into(), oversubscribed: false, ranks }
    }

    /// Returns the case and the occasion, by which observations of one kind differ.
    pub fn key(&self) -> (&Case, Occasion) {
        (&self.case, self.occasion)
    }

    /// Returns the case and the occasion in words.
    pub fn name(&self) -> String {
        self.occasion.beside(&self.case)
    }
}

/// Whether all ranks of these records read one clock.
pub fn are_on_one_clock(ranks: &[RankRecord]) -> bool {
    share_one_clock(ranks.iter().map(|record| (record.rank, [&record.clock, &record.clock_after])))
}

/// Records of windows around waits of known duration, which show the accuracy of the global clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockCheck {
    /// World of the ranks that waited.
    pub world: World,
    /// Carrier of their messages (the waits themselves send no messages).
    pub carrier: Carrier,
    /// Conditions of the check: its clock, and its simulated machine.
    #[serde(default, skip_serializing_if = "Conditions::are_usual")]
    pub conditions: Conditions,
    /// Launch in which the check was made; the first one is not written into files.
    #[serde(default, skip_serializing_if = "Occasion::is_first")]
    pub occasion: Occasion,
    /// Whether more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// Clocks of the ranks, where they are known because they were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<DrawnClocks>,
    /// WaitPatternNull: records of waits whose true duration is 0.
    pub null: Vec<RankRecord>,
    /// WaitPatternUp: records of waits whose true duration in µs is the number of ranks.
    pub up: Vec<RankRecord>,
    /// WaitPatternDown: records of waits of the same duration, of which rank 0 has the longest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<RankRecord>,
}

impl ClockCheck {
    /// Returns the ranks whose clocks were checked.
    pub fn place(&self) -> CasePlace {
        CasePlace { world: self.world, carrier: self.carrier, ranks: self.null.len() as u32 }
    }
}

//! Ways in which a number comes about: ten values, one for each systematic error.
//!
//! The reference is a call timed as well as it can be: every call starts at a time announced on perfect clocks, the
//! root stays, every rank has rewritten what it sends (or leaves it, or flushes it: the reference has a named state of
//! buffers), the first call is recorded apart, waiting costs nothing, and the slowest rank counts
//! ([`Method::RoundTime`]). Noise belongs to the machine and to no error: it is there in all configurations or in none.
//!
//! | error | value | what is wrong in a benchmark | settings | machine |
//! |---|---|---|---|---|
//! | E1 late initialisation | `first_call` | the first call is one of the timed calls | first call | pairs connect at their first message |
//! | E2 one rank | `aggregation` | other ranks' times than the slowest's | aggregation | – |
//! | E3 root changes | `root` | the root of call l is l mod P | root | – |
//! | E4 buffer reuse | `buffer` | always the same buffer | buffer | bytes cost what they cost in cache |
//! | E5 barrier skew | `entry` | a barrier starts every call | `barrier-loop`, `barrier-own` | – |
//! | E6 unsynchronised loop | `repeats` | k calls between two readings; its one barrier takes E5's place | `loop`, `barrier-subtract` | – |
//! | E7 bad clock | `clocks` | the clocks are as bad as they are | synchronisation | clocks |
//! | E8 idle gap | `gap` | waking up after the wait for a start costs | `round-time`, `window` | idle cost |
//! | E9 barrier inside | `barrier_inside` | every call has a barrier behind it that is timed with it | barrier inside | – |
//! | E10 kept skew | `delay` | one rank was late once, and a barrier starts every call | delay | – |

use super::SystematicError;
use crate::aggregation::Aggregation;
use crate::method::{Buffer, FirstCall, Method, MethodSettings, OneDelay, Preset, RootChoice};
use crate::sync::Sync;
use models::call::Element;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Way in which a number comes about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Name that people use: `reference`, a benchmark, a method, or the switches themselves.
    pub name: String,
    /// E1: treatment of the first call; where it is counted, pairs connect in it.
    pub first_call: FirstCall,
    /// E2: aggregation of ranks and samples to one number.
    pub aggregation: Aggregation,
    /// E3: whether the root changes from call to call.
    pub root: RootChoice,
    /// E4: buffers that the calls are given.
    pub buffer: Buffer,
    /// E5: start of a call.
    pub entry: Entry,
    /// E6: sequence of the calls.
    pub repeats: Repeats,
    /// E7: clocks by which times are taken.
    pub clocks: Clocks,
    /// E8: wait of the ranks for an announced start.
    pub gap: Gap,
    /// E9: whether every call has a barrier behind it that is timed with it.
    pub barrier_inside: bool,
    /// E10: state in which ranks enter: after one delay, or after none, which is the symmetric one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<OneDelay>,
    /// Elements of reductions; `None`: those of the caller. They are no error, but part of what is called: both ends of
    /// a budget have the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<Element>,
}

/// Start of a call that is timed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// A time on synchronised clocks.
    Announced,
    /// The barrier of the caller, mostly the library's.
    Barrier,
    /// A dissemination barrier of the benchmark's own.
    OwnBarrier,
}

/// Sequence of calls within a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repeats {
    /// Each call is started and timed on its own.
    Apart,
    /// All calls of a block follow each other between two readings.
    Loop,
    /// Each call follows a barrier between two readings, less a loop of barriers.
    LoopLessBarriers,
}

/// Clocks by which times are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clocks {
    /// Perfect clocks; on real ranks the best that there are.
    Perfect,
    /// Clocks with all their errors.
    AsTheyAre {
        /// Synchronisation of the benchmark's own, where it has one.
        sync: Option<Sync>,
    },
}

/// Wait of ranks for an announced start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Whether waking up costs what it costs. On real ranks it always does; there ranks wait as little as possible
    /// instead.
    pub costs: bool,
    /// Way in which starts are announced.
    pub starts: Starts,
    /// Benchmark whose rules hold; `None`: the caller's rules.
    pub rules: Option<Preset>,
    /// Length of every window, where it does not adapt.
    pub window: Option<Span>,
}

/// Way in which starts are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// Each start on its own.
    RoundTime,
    /// A stage of windows at a time.
    Window,
}

/// Features that a machine must have, and those that it must not have, for a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Whether pairs connect at their first message (E1): a platform's `connect`.
    pub connect: bool,
    /// Whether the clocks are imperfect (E7).
    pub bad_clocks: bool,
    /// Whether waking up costs (E8): a platform's `idle`.
    pub idle_cost: bool,
}

impl Features {
    /// Whether a machine with these features does the same as one with others, where ranks idle or not: the cost of
    /// idling has no effect on ranks that never idle.
    pub fn serve(&self, others: &Features, idled: bool) -> bool {
        *self == if idled { *others } else { Features { idle_cost: self.idle_cost, ..*others } }
    }
}

impl Configuration {
    /// Returns the errors by which two configurations differ, in their documented order.
    pub fn differences(from: &Configuration, to: &Configuration) -> Vec<SystematicError> {
        let differs = |error: &SystematicError| match error {
            SystematicError::LateInitialisation => from.first_call != to.first_call,
            SystematicError::OneRank => from.aggregation != to.aggregation,
            SystematicError::RootChanges => from.root != to.root,
            SystematicError::BufferReuse => from.buffer != to.buffer,
            SystematicError::BarrierSkew => from.entry != to.entry,
            SystematicError::UnsynchronisedLoop => from.repeats != to.repeats,
            SystematicError::BadClock => from.clocks != to.clocks,
            SystematicError::IdleGap => from.gap != to.gap,
            SystematicError::BarrierInside => from.barrier_inside != to.barrier_inside,
            SystematicError::KeptSkew => from.delay != to.delay,
        };
        SystematicError::ALL.into_iter().filter(differs).collect()
    }

    /// Returns true if two configurations obtain their numbers alike, whatever their names.
    pub fn is_like(&self, other: &Configuration) -> bool {
        Configuration::differences(self, other).is_empty()
    }

    /// Returns this configuration, with one error's value as another has it.
    pub fn with(&self, error: SystematicError, to: &Configuration) -> Configuration {
        self.with_all(&[error], to)
    }

    /// Returns this configuration, with the values of some errors as another has them.
    pub(crate) fn with_all(&self, errors: &[SystematicError], to: &Configuration) -> Configuration {
        let mut with = self.clone();
        errors.iter().for_each(|error| with.set(*error, to));
        let labels: Vec<&str> = errors.iter().map(|error| error.label()).collect();
        with.name = format!("{}, {} as in {}", self.name, labels.join("+"), to.name);
        with
    }

    fn set(&mut self, error: SystematicError, to: &Configuration) {
        match error {
            SystematicError::LateInitialisation => self.first_call = to.first_call,
            SystematicError::OneRank => self.aggregation = to.aggregation,
            SystematicError::RootChanges => self.root = to.root,
            SystematicError::BufferReuse => self.buffer = to.buffer,
            SystematicError::BarrierSkew => self.entry = to.entry,
            SystematicError::UnsynchronisedLoop => self.repeats = to.repeats,
            SystematicError::BadClock => self.clocks = to.clocks,
            SystematicError::IdleGap => self.gap = to.gap,
            SystematicError::BarrierInside => self.barrier_inside = to.barrier_inside,
            SystematicError::KeptSkew => self.delay = to.delay,
        }
    }

    /// Switches these errors one after the other, in their documented order: returns the configuration with each as
    /// `to` has it, all before it staying so.
    pub fn cumulative(&self, errors: &[SystematicError], to: &Configuration) -> Vec<(SystematicError, Configuration)> {
        let mut so_far = self.clone();
        let asked = SystematicError::ALL.into_iter().filter(|error| errors.contains(error));
        asked
            .map(|error| {
                so_far = so_far.with(error, to);
                (error, so_far.clone())
            })
            .collect()
    }

    /// Returns the method that obtains the times.
    pub fn method(&self) -> Method {
        match (self.repeats, self.entry, self.gap.starts) {
            (Repeats::Loop, ..) => Method::Loop,
            (Repeats::LoopLessBarriers, ..) => Method::BarrierSubtract,
            (Repeats::Apart, Entry::Barrier, _) => Method::BarrierLoop,
            (Repeats::Apart, Entry::OwnBarrier, _) => Method::BarrierOwn,
            (Repeats::Apart, Entry::Announced, Starts::RoundTime) => Method::RoundTime,
            (Repeats::Apart, Entry::Announced, Starts::Window) => Method::Window,
        }
    }

    /// Returns the settings by which calls are timed; counts, barrier and all that this configuration leaves open are
    /// those of `base`.
    pub fn settings(&self, base: &MethodSettings) -> MethodSettings {
        let mut settings = base.clone();
        settings.method = self.method();
        // As many calls under any method, so that a first call among them weighs the same.
        settings.round_time.starts = base.calls.saturating_mul(base.samples);
        if let Some(preset) = self.gap.rules {
            preset.rules(&mut settings);
        }
        if let Some(length) = self.gap.window {
            (settings.window.floor, settings.window.cap) = (length, length);
        }
        if let Clocks::AsTheyAre { sync: Some(sync) } = self.clocks {
            settings.sync = sync;
        }
        let factors = &mut settings.factors;
        factors.first_call = self.first_call;
        factors.aggregation = self.aggregation;
        factors.root = self.root;
        factors.buffer = self.buffer;
        factors.barrier_inside = self.barrier_inside;
        factors.delay = self.delay;
        settings
    }

    /// Returns the features that the machine must have, and those that it must not have.
    pub fn features(&self) -> Features {
        Features {
            connect: self.first_call == FirstCall::Included,
            bad_clocks: self.clocks != Clocks::Perfect,
            idle_cost: self.gap.costs,
        }
    }
}

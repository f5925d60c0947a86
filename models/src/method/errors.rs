//! The systematic errors E1 … E9 as switches: what each one means for how a call is timed and on what machine.
//!
//! With none switched on a call is timed as well as it can be: every call starts at a time announced on perfect
//! clocks, the root stays, no buffer is in cache, the first call is recorded apart, and the slowest rank counts
//! ([`Method::RoundTime`]). Each switch replaces one of these by what benchmarks do. Noise belongs to the machine and
//! to no switch: it is there in all of them, or in none.
//!
//! | switch | settings | machine |
//! |---|---|---|
//! | E1 late initialisation | the first call is one of the repetitions | pairs connect at their first message |
//! | E2 one rank | rank 0's times alone | – |
//! | E3 root changes | the root of repetition l is l mod P | – |
//! | E4 buffer reuse | always the same buffer | bytes cost what they cost in cache |
//! | E5 barrier skew | a barrier starts every call (`barrier-loop`) | – |
//! | E6 unsynchronised loop | k calls between two readings (`loop`); its one barrier takes E5's place | – |
//! | E7 bad clock | – | the clocks are as bad as they are |
//! | E8 idle gap | – | waking up costs |
//! | E9 barrier inside | every call has a barrier behind it that is timed with it | – |

use super::{Buffer, FirstCall, Method, MethodSettings, RootChoice};
use crate::aggregation::{Aggregation, First, OverRanks, OverRepetitions};
use crate::observation::Counted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What benchmarks do wrong (E1–E7: Kurnosov 2012; E8, E9: seen in today's tools), in the order in which a bias
/// budget lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystematicError {
    /// E1: connections are set up at the first use of a pair, and the first call is counted.
    LateInitialisation,
    /// E2: one rank's time is reported.
    OneRank,
    /// E3: the root changes over repetitions.
    RootChanges,
    /// E4: the buffer stays in cache.
    BufferReuse,
    /// E5: ranks leave the barrier that starts a call at different times.
    BarrierSkew,
    /// E6: a repetition overlaps the one before.
    UnsynchronisedLoop,
    /// E7: granularity, drift, offsets of the clocks.
    BadClock,
    /// E8: ranks that waited for a start are slower to go.
    IdleGap,
    /// E9: a barrier's time is reported with the call's.
    BarrierInside,
}

impl SystematicError {
    /// All, in their documented order.
    pub const ALL: [SystematicError; 9] = [
        SystematicError::LateInitialisation,
        SystematicError::OneRank,
        SystematicError::RootChanges,
        SystematicError::BufferReuse,
        SystematicError::BarrierSkew,
        SystematicError::UnsynchronisedLoop,
        SystematicError::BadClock,
        SystematicError::IdleGap,
        SystematicError::BarrierInside,
    ];

    /// `E1` … `E9`.
    pub fn label(self) -> &'static str {
        match self {
            SystematicError::LateInitialisation => "E1",
            SystematicError::OneRank => "E2",
            SystematicError::RootChanges => "E3",
            SystematicError::BufferReuse => "E4",
            SystematicError::BarrierSkew => "E5",
            SystematicError::UnsynchronisedLoop => "E6",
            SystematicError::BadClock => "E7",
            SystematicError::IdleGap => "E8",
            SystematicError::BarrierInside => "E9",
        }
    }

    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            SystematicError::LateInitialisation => "late-initialisation",
            SystematicError::OneRank => "one-rank",
            SystematicError::RootChanges => "root-changes",
            SystematicError::BufferReuse => "buffer-reuse",
            SystematicError::BarrierSkew => "barrier-skew",
            SystematicError::UnsynchronisedLoop => "unsynchronised-loop",
            SystematicError::BadClock => "bad-clock",
            SystematicError::IdleGap => "idle-gap",
            SystematicError::BarrierInside => "barrier-inside",
        }
    }
}

impl fmt::Display for SystematicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.label(), self.name())
    }
}

/// Which errors are switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Errors {
    /// E1.
    pub late_initialisation: bool,
    /// E2.
    pub one_rank: bool,
    /// E3.
    pub root_changes: bool,
    /// E4.
    pub buffer_reuse: bool,
    /// E5.
    pub barrier_skew: bool,
    /// E6.
    pub unsynchronised_loop: bool,
    /// E7.
    pub bad_clock: bool,
    /// E8.
    pub idle_gap: bool,
    /// E9.
    pub barrier_inside: bool,
}

/// What a machine must do, and what it must not, for the errors that are switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Pairs connect at their first message (E1): a platform's `connect`.
    pub connect: bool,
    /// Which of a platform's two costs per byte applies (E4): its `copying.buffer`.
    pub buffer: Buffer,
    /// The clocks are imperfect (E7).
    pub bad_clocks: bool,
    /// Waking up costs (E8): a platform's `idle`.
    pub idle_cost: bool,
}

impl Errors {
    /// None at all.
    pub const NONE: Errors = Errors {
        late_initialisation: false,
        one_rank: false,
        root_changes: false,
        buffer_reuse: false,
        barrier_skew: false,
        unsynchronised_loop: false,
        bad_clock: false,
        idle_gap: false,
        barrier_inside: false,
    };

    /// These, and this one too.
    pub fn with(mut self, error: SystematicError) -> Errors {
        *self.switch(error) = true;
        self
    }

    /// Whether one is switched on.
    pub fn has(mut self, error: SystematicError) -> bool {
        *self.switch(error)
    }

    fn switch(&mut self, error: SystematicError) -> &mut bool {
        match error {
            SystematicError::LateInitialisation => &mut self.late_initialisation,
            SystematicError::OneRank => &mut self.one_rank,
            SystematicError::RootChanges => &mut self.root_changes,
            SystematicError::BufferReuse => &mut self.buffer_reuse,
            SystematicError::BarrierSkew => &mut self.barrier_skew,
            SystematicError::UnsynchronisedLoop => &mut self.unsynchronised_loop,
            SystematicError::BadClock => &mut self.bad_clock,
            SystematicError::IdleGap => &mut self.idle_gap,
            SystematicError::BarrierInside => &mut self.barrier_inside,
        }
    }

    /// Those of `self` one after the other, in the documented order: what is switched on with each, all before it
    /// staying on.
    pub fn cumulative(self) -> impl Iterator<Item = (SystematicError, Errors)> {
        let mut so_far = Errors::NONE;
        SystematicError::ALL.into_iter().filter(move |&error| self.has(error)).map(move |error| {
            so_far = so_far.with(error);
            (error, so_far)
        })
    }

    /// How calls are timed under these errors; counts, barrier, synchronisation and the leads of starts are `base`'s.
    pub fn settings(self, base: &MethodSettings) -> MethodSettings {
        let mut settings = base.clone();
        settings.method = match (self.unsynchronised_loop, self.barrier_skew) {
            (true, _) => Method::Loop,
            (false, true) => Method::BarrierLoop,
            (false, false) => Method::RoundTime,
        };
        // As many calls under any method, so that a first call among them weighs the same.
        settings.round_time.starts = base.repetitions.saturating_mul(base.blocks);
        let factors = &mut settings.factors;
        factors.first_call = if self.late_initialisation { FirstCall::Included } else { FirstCall::Apart };
        factors.root = if self.root_changes { RootChoice::Rotating } else { RootChoice::Fixed };
        factors.buffer = self.features().buffer;
        factors.barrier_inside = self.barrier_inside;
        factors.aggregation = Aggregation {
            first: First::Ranks,
            ranks: if self.one_rank { OverRanks::RankZero } else { OverRanks::Max },
            // A median would hide the first call.
            repetitions: OverRepetitions::Mean,
            counted: Counted::FromFirstStart,
        };
        settings
    }

    /// What the machine must do, and what it must not.
    pub fn features(self) -> Features {
        Features {
            connect: self.late_initialisation,
            buffer: if self.buffer_reuse { Buffer::Same } else { Buffer::Pool },
            bad_clocks: self.bad_clock,
            idle_cost: self.idle_gap,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_accumulate_in_their_documented_order() {
        let all = SystematicError::ALL.into_iter().fold(Errors::NONE, Errors::with);
        let steps: Vec<(SystematicError, Errors)> = all.cumulative().collect();
        assert_eq!(steps.len(), 9);
        for (index, (error, errors)) in steps.iter().enumerate() {
            assert_eq!(error.label(), format!("E{}", index + 1));
            let on = SystematicError::ALL.map(|other| errors.has(other));
            assert_eq!(on.iter().filter(|&&on| on).count(), index + 1, "{error}: those before stay on, no other");
            assert!(on[..=index].iter().all(|&on| on));
        }
        assert_eq!(steps[8].1, all);
    }

    #[test]
    fn only_what_is_asked_for_accumulates() {
        let some = Errors { idle_gap: true, one_rank: true, ..Errors::NONE };
        let steps: Vec<SystematicError> = some.cumulative().map(|(error, _)| error).collect();
        assert_eq!(steps, [SystematicError::OneRank, SystematicError::IdleGap]);
    }
}

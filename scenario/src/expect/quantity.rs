//! What numbers are, and which of them are known in closed form.

use super::{Key, Number};
use models::closed_form::linear_bcast_loop_ratio;

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Time per call that a method reports, in µs: the median over its samples.
    Time,
    /// That time over the rank's true one: simulated, or where ranks are real the window method's.
    Ratio,
    /// That time over the collective's reference, that of its slowest rank.
    Misreport,
    /// The first call on this rank, in µs.
    FirstCall,
    /// Last end less first end of the calls that start together, in µs: the median.
    ExitSkew,
    /// Last start less first start of the calls that are to start together, in µs: the median.
    StartSkew,
    /// WaitPatternNull as windows time it, in µs; truly 0.
    WaitNull,
    /// WaitPatternUp as windows time it, in µs; truly as many as there are ranks.
    WaitUp,
    /// WaitPatternDown as windows time it, in µs; truly as many as there are ranks.
    WaitDown,
    /// How wrong any rank's clock may have been at the end of timing waits, in µs: what it had moved, and the error bound.
    ClockBound,
    /// The relative standard error of the mean over launches of a method's number.
    Rse,
    /// The last rank's finish of a sweep's point, in µs: of several realisations the mean.
    Finish,
    /// The exit skew of a sweep's point, in µs.
    FinishSkew,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Quantity; 13] = [
        Quantity::Time,
        Quantity::Ratio,
        Quantity::Misreport,
        Quantity::FirstCall,
        Quantity::ExitSkew,
        Quantity::StartSkew,
        Quantity::WaitNull,
        Quantity::WaitUp,
        Quantity::WaitDown,
        Quantity::ClockBound,
        Quantity::Rse,
        Quantity::Finish,
        Quantity::FinishSkew,
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Time => "time",
            Quantity::Ratio => "ratio",
            Quantity::Misreport => "misreport",
            Quantity::FirstCall => "first-call",
            Quantity::ExitSkew => "exit-skew",
            Quantity::StartSkew => "start-skew",
            Quantity::WaitNull => "wait-null",
            Quantity::WaitUp => "wait-up",
            Quantity::WaitDown => "wait-down",
            Quantity::ClockBound => "clock-bound",
            Quantity::Rse => "rse",
            Quantity::Finish => "finish",
            Quantity::FinishSkew => "finish-skew",
        }
    }

    /// Its unit, where it has one.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Ratio | Quantity::Misreport | Quantity::Rse => "",
            Quantity::Time
            | Quantity::FirstCall
            | Quantity::ExitSkew
            | Quantity::StartSkew
            | Quantity::WaitNull
            | Quantity::WaitUp
            | Quantity::WaitDown
            | Quantity::ClockBound
            | Quantity::Finish
            | Quantity::FinishSkew => "µs",
        }
    }
}

/// A closed form that numbers may be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedForm {
    /// r_i(n, k) = (i + (k − 1)(n − 1)) / (k·i) of rank i in a loop of k linear broadcasts over n ranks, and 1 for the
    /// root (Kurnosov 2012, figure 5): senders are busy for the whole of a message.
    LoopLinearBcast,
    /// As many µs as there are ranks: what WaitPatternUp and WaitPatternDown truly last (Kurnosov 2012, figure 8).
    RanksInUs,
}

impl ClosedForm {
    /// All of them.
    pub const ALL: [ClosedForm; 2] = [ClosedForm::LoopLinearBcast, ClosedForm::RanksInUs];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            ClosedForm::LoopLinearBcast => "loop-linear-bcast",
            ClosedForm::RanksInUs => "ranks-in-us",
        }
    }

    /// Its value where a number was taken; none where the number says too little of its place.
    pub fn value(self, of: &Number) -> Option<f64> {
        let ranks = of.count(Key::Ranks)?;
        Some(match self {
            ClosedForm::LoopLinearBcast => {
                linear_bcast_loop_ratio(ranks, of.count(Key::Rank)?, of.count(Key::Repetitions)?).value()
            }
            ClosedForm::RanksInUs => f64::from(ranks),
        })
    }
}

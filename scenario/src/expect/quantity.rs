//! What numbers are, and which of them are known in closed form.

use super::Number;
use crate::axis::Axis;
use models::closed_form::linear_bcast_loop_ratio;

models::named! {
    /// What a number is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Quantity {
        /// Time per call that a method reports, in µs: the median over its samples.
        Time => "time", "µs", "time per call",
        /// That time over the rank's true one: simulated, or where ranks are real the window method's.
        Ratio => "ratio", "", "reported time over the rank's reference",
        /// That time over the collective's reference, that of its slowest rank.
        Misreport => "misreport", "", "reported time over the reference",
        /// The first call on this rank, in µs.
        FirstCall => "first-call", "µs", "first call",
        /// Last end less first end of the calls that start together, in µs: the median; of a sweep's point, last less
        /// first finish.
        ExitSkew => "exit-skew", "µs", "exit skew",
        /// Last start less first start of the calls that are to start together, in µs: the median.
        StartSkew => "start-skew", "µs", "start skew",
        /// WaitPatternNull as windows time it, in µs; truly 0.
        WaitNull => "wait-null", "µs", "reported time of no wait",
        /// WaitPatternUp as windows time it, in µs; truly as many as there are ranks.
        WaitUp => "wait-up", "µs", "reported time of the waits, up",
        /// WaitPatternDown as windows time it, in µs; truly as many as there are ranks.
        WaitDown => "wait-down", "µs", "reported time of the waits, down",
        /// How wrong any rank's clock may have been at the end of timing waits, in µs: what it had moved, and the error
        /// bound.
        ClockBound => "clock-bound", "µs", "largest error of a clock",
        /// The relative standard error of the mean over launches of a method's number.
        Rse => "rse", "", "relative standard error over launches",
        /// The last rank's finish of a sweep's point, in µs: of several realisations the mean.
        Finish => "finish", "µs", "finish of the last rank",
        /// What the benchmark of a sweep's point prints, in µs, or one would print of a case by the method that it uses;
        /// [`Quantity::Misreport`] is that over the truth.
        Printed => "printed", "µs", "printed time",
        /// The time of the slowest rank in one call that all enter together, without noise, in µs: of a sweep's point
        /// with a benchmark.
        Truth => "truth", "µs", "time of the call",
        /// Memory of one rank's queue, in MiB, where a sweep's point is a broadcast through shared memory.
        QueueMemory => "queue-memory", "MiB", "memory of a queue",
    }
    /// The name used in files.
    fn name;
    /// Its unit, where it has one.
    fn unit;
    /// In words.
    fn words;
    find("quantity");
}

models::named! {
    /// A closed form that numbers may be held against.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ClosedForm {
        /// r_i(n, k) = (i + (k − 1)(n − 1)) / (k·i) of rank i in a loop of k linear broadcasts over n ranks, and 1 for
        /// the root (Kurnosov 2012, figure 5): senders are busy for the whole of a message.
        LoopLinearBcast => "loop-linear-bcast",
        /// As many µs as there are ranks: what WaitPatternUp and WaitPatternDown truly last (Kurnosov 2012, figure 8).
        RanksInUs => "ranks-in-us",
    }
    /// The name used in files.
    fn name;
    find("closed form");
}

impl ClosedForm {
    /// Its value where a number was taken; none where the number says too little of its place.
    pub fn value(self, of: &Number) -> Option<f64> {
        let ranks = of.count(Axis::Ranks)?;
        Some(match self {
            ClosedForm::LoopLinearBcast => {
                linear_bcast_loop_ratio(ranks, of.count(Axis::Rank)?, of.count(Axis::Calls)?).value()
            }
            ClosedForm::RanksInUs => f64::from(ranks),
        })
    }
}

//! Quantities of numbers, and closed forms for some of them.

use super::ExpectedNumber;
use crate::axis::Axis;
use models::closed_form::linear_bcast_loop_ratio;

models::named! {
    /// Quantity of a number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Quantity {
        /// Time per call that a method reports, in µs: the median over its samples.
        Time => "time", "µs", "time per call",
        /// That time divided by the rank's true one, which is simulated, or for real ranks the one by the window
        /// method.
        Ratio => "ratio", "", "reported time over the rank's reference",
        /// That time divided by the collective's reference, which is the one of its slowest rank.
        Misreport => "misreport", "", "reported time over the reference",
        /// Duration of the first call on this rank, in µs.
        FirstCall => "first-call", "µs", "first call",
        /// Last end less first end of the calls that start together, in µs: the median. For a sweep's point, last less
        /// first finish.
        ExitSkew => "exit-skew", "µs", "exit skew",
        /// Last start less first start of the calls that are to start together, in µs: the median.
        StartSkew => "start-skew", "µs", "start skew",
        /// Time of WaitPatternNull by windows, in µs. The true value is 0.
        WaitNull => "wait-null", "µs", "reported time of no wait",
        /// Time of WaitPatternUp by windows, in µs. The true value is the number of ranks.
        WaitUp => "wait-up", "µs", "reported time of the waits, up",
        /// Time of WaitPatternDown by windows, in µs. The true value is the number of ranks.
        WaitDown => "wait-down", "µs", "reported time of the waits, down",
        /// Largest possible error of any rank's clock at the end of timing waits, in µs: its drift, and the error
        /// bound.
        ClockBound => "clock-bound", "µs", "largest error of a clock",
        /// Relative standard error of a method's number, over the mean of launches.
        Rse => "rse", "", "relative standard error over launches",
        /// Finish of the last rank at a sweep's point, in µs: the mean over several realisations.
        Finish => "finish", "µs", "finish of the last rank",
        /// Printed time of the benchmark at a sweep's point, in µs, or the time that one would print of a case by the
        /// method that it uses. [`Quantity::Misreport`] is its ratio to the truth.
        Printed => "printed", "µs", "printed time",
        /// Time of the slowest rank in one call that all enter together, without noise, in µs, for a sweep's point with
        /// a benchmark.
        Truth => "truth", "µs", "time of the call",
        /// Memory of one rank's queue, in MiB, where a sweep's point is a broadcast through shared memory.
        QueueMemory => "queue-memory", "MiB", "memory of a queue",
    }
    /// Returns the name used in files.
    fn name;
    /// Returns the unit, empty where the quantity has none.
    fn unit;
    /// Returns the quantity in words.
    fn words;
    find("quantity");
}

models::named! {
    /// Closed form with which numbers may be compared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ClosedForm {
        /// r_i(n, k) = (i + (k − 1)(n − 1)) / (k·i) of rank i in a loop of k linear broadcasts over n ranks, and 1 for
        /// the root (Kurnosov 2012, figure 5): senders are busy for the whole of a message.
        LoopLinearBcast => "loop-linear-bcast",
        /// The number of ranks in µs: the true duration of WaitPatternUp and WaitPatternDown (Kurnosov 2012, figure 8).
        RanksInUs => "ranks-in-us",
    }
    /// Returns the name used in files.
    fn name;
    find("closed form");
}

impl ClosedForm {
    /// Returns the value of the closed form for a number's position. `None` where the position lacks an axis that it
    /// needs.
    pub fn value(self, of: &ExpectedNumber) -> Option<f64> {
        let ranks = of.count(Axis::Ranks)?;
        Some(match self {
            ClosedForm::LoopLinearBcast => {
                linear_bcast_loop_ratio(ranks, of.count(Axis::Rank)?, of.count(Axis::Calls)?).value()
            }
            ClosedForm::RanksInUs => f64::from(ranks),
        })
    }
}

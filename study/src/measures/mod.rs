//! Measures of one measurement: the stamps of one sample give all the numbers that other tools print.

mod columns;
#[cfg(test)]
mod tests;

pub use columns::{Column, Columns, Sample, columns};

models::named! {
    /// Number that is computed of one sample. Variants are in the order of their columns.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Measure {
        /// Last end − common start that was due, on the global clock, per call.
        FromDue => "from-due",
        /// Last end − first start, on the global clock, per call: the time of the collective.
        FromFirstStart => "from-first-start",
        /// The longest of the ranks' own durations, each by its own clock.
        LongestLocal => "longest-local",
        /// Time of the root rank.
        Root => "root",
        /// Mean of the ranks' times, of which OSU prints quantiles.
        Mean => "mean",
        /// Least of the ranks' times.
        Min => "min",
        /// Last start − first start, on the global clock; not per call.
        StartSkew => "start-skew",
        /// Last end − first end, on the global clock; not per call.
        ExitSkew => "exit-skew",
    }
    /// The name used in files and on the command line.
    fn name;
    Display(name);
}

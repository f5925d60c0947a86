//! Exporters: observations as the text of other benchmarks, which existing scripts parse.
//!
//! Heads, columns, their order and widths are the tool's own; one more comment names Parallax and the method. There is
//! one table for each operation, method and number of ranks, with one row for each size; traces have none. A size
//! without a valid time on every rank has no row in OSU's and IMB's tables, where a 0 could be read as a time. In
//! MPIPerf's it has a row that counts no correct run.

mod imb;
mod mpiperf;
mod osu;

use crate::import::ours::WRITTEN;
use models::call::Call;
use models::collective::Collective;
use models::quantity::Millionths;
use programs::method::Method;
use programs::observation::{Case, CaseSubject, Observation};
use render::groups::together;
use std::io::{self, Write};

/// A benchmark whose form can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// MPIPerf's report with its fourteen columns.
    Mpiperf,
    /// OSU's table with `-f` and, where every call was timed on its own, `-z`.
    Osu,
    /// IMB's table with minimum, maximum and mean.
    Imb,
}

/// Statistics in MPIPerf's form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MpiperfStatistics {
    /// Confidence of the interval: 0.95, unless another level is chosen.
    pub confidence: f64,
    /// Share of the values that the mean drops at each end: a quarter, unless another share is chosen.
    pub trim: Millionths,
}

impl Default for MpiperfStatistics {
    fn default() -> Self {
        MpiperfStatistics { confidence: 0.95, trim: Millionths(250_000) }
    }
}

/// Writes observations as a tool would have printed them; the statistics are for MPIPerf's form.
///
/// # Errors
/// Fails where writing to `out` fails.
pub fn write(
    format: Format,
    observations: &[Observation],
    statistics: MpiperfStatistics,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tables = tables(observations);
    match format {
        Format::Mpiperf => mpiperf::write(&tables, statistics, out),
        Format::Osu => osu::write(&tables, out),
        Format::Imb => imb::write(&tables, out),
    }
}

/// Observations of one launch that differ in their sizes alone.
struct Table<'a> {
    rows: Vec<&'a Observation>,
}

impl Table<'_> {
    fn case(&self) -> &Case {
        &self.rows[0].case
    }

    /// Text of a comment: the writer, the library that ran it, and the method.
    fn origin(&self) -> String {
        let Case { place, subject, timing } = self.case();
        let (ranks, method) = (place.ranks, timing.method);
        let CaseSubject { implementation, root, .. } = subject;
        let oversubscribed = if self.rows.iter().any(|row| row.oversubscribed) { ", oversubscribed" } else { "" };
        let rooted = if self.case().subject.collective.is_rooted() { format!(", root {root}") } else { String::new() };
        let variant = self.case().subject.call.variant();
        let variant = if variant.is_empty() { variant } else { format!(", {variant}") };
        let rules = timing.conditions.rules.words();
        let rules = if rules.is_empty() { rules } else { format!(", {rules}") };
        let text = format!(
            "{WRITTEN}{}: method {method}, {ranks} ranks, algorithm {}{rooted}{variant}{rules}, {}{oversubscribed}",
            env!("CARGO_PKG_VERSION"),
            implementation.name(),
            self.rows[0].ran_by
        );
        text.replace(['\n', '\r'], " ")
    }
}

/// Tables in the order of their first rows.
fn tables(observations: &[Observation]) -> Vec<Table<'_>> {
    let is_result = |observation: &&Observation| {
        // Traces are drawn, not exported.
        !observation.ranks.is_empty() && observation.case.timing.method != Method::LoopTrace
    };
    let key = |case: &Case| {
        (
            case.clone().with(|case| {
                case.subject.bytes = 0;
                case.subject.segment_bytes = None;
                case.subject.counts = None;
            }),
            case.subject.counts.is_some(),
        )
    };
    let results = observations
        .iter()
        .filter(is_result)
        .map(|observation| ((key(&observation.case), observation.occasion), observation));
    together(results).into_iter().map(|rows| Table { rows }).collect()
}

/// The size that tools print: the whole vector of a reduce-scatter, else the bytes of the case.
fn printed_bytes(case: &Case) -> u64 {
    if case.subject.collective == Collective::ReduceScatter { case.shape().total() } else { case.subject.bytes }
}

/// The operation as MPI, IMB and MPIPerf call it: `Neighbor_alltoallw`, `Ibcast`.
fn operation(case: &Case) -> String {
    let plain = is_plain(case);
    let name =
        if plain { case.subject.collective.name().to_owned() } else { case.subject.call.name(case.subject.collective) };
    let (first, rest) = name.split_at(1);
    // The blocks of a reduce-scatter may be uneven anyway.
    let uneven = plain && case.subject.counts.is_some() && case.subject.collective != Collective::ReduceScatter;
    format!("{}{}{}", first.to_uppercase(), rest.replace('-', "_"), if uneven { "v" } else { "" })
}

/// Whether the call is blocking, among all ranks, and of equal blocks or of counts that the case has.
fn is_plain(case: &Case) -> bool {
    let Call { form, progress, reach, .. } = case.subject.call;
    let usual = Call::default();
    progress == usual.progress && reach == usual.reach && (form == usual.form || case.subject.counts.is_some())
}

/// Calls within the valid stamps of rank 0.
fn calls(observation: &Observation) -> u64 {
    observation.ranks[0].valid().map(|stamp| u64::from(stamp.calls)).sum()
}

#[cfg(test)]
mod tests;

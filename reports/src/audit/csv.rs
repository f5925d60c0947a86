//! Every ratio in a line of its own, for other programs.

use super::{Audit, NOT_PAIRED, Row};
use models::observation::{Carrier, Implementation};
use render::table::{Csv, Fields, Heads};
use render::whence::Whence;
use scenario::axis::{Axis, Key};

/// Heads behind those of the case.
const HEADS: &str = "benchmark,flags,column,element,text,pairing,reference,printed_us,reference_us,ratio,ratio_low,ratio_high,\
    confidence,log_ratio_standard_error,launches,modes,never_rewritten_factor,ranks_counted_factor,rest_factor,firm,line_ns,slower";

/// A line for each ratio, units in the heads; empty for what is not known.
pub fn csv(audit: &Audit) -> String {
    let heads = (Heads(&Axis::shared_heads()), Heads(HEADS));
    let text = Csv::new(heads).rows(audit.rows.iter().map(|row| cells(audit, row))).text();
    Whence::of(&audit.environment).stamped(&text)
}

fn cells<'a>(audit: &Audit, row: &'a Row) -> impl Fields + use<'a> {
    let (ratio, interval) = row.over.ratio();
    let factor = |log: Option<f64>| log.map(f64::exp);
    // Roots may take turns, which the flags say.
    let key = Key::default()
        .named(Axis::World, row.world.name())
        .named(Axis::Transport, Carrier::Native.name())
        .counted(Axis::Ranks, Some(row.ranks))
        .named(Axis::Operation, row.collective.name())
        .named(Axis::Algorithm, Implementation::Library.name())
        .counted(Axis::Bytes, Some(row.bytes));
    let printed = (row.tool.to_lowercase(), &row.flags, &row.column, &row.element, &row.text);
    let pairing = if row.text.is_some() { NOT_PAIRED } else { "one launch" };
    let ratio = (row.printed_us, row.reference_us, ratio, interval, interval.map(|_| audit.confidence));
    let launches = (row.over.log_ratio.standard_error, row.over.log_ratio.launches, row.over.groups_found());
    let factors = (factor(row.parts.never_rewritten), factor(row.parts.ranks_counted), factor(Some(row.parts.rest)));
    (
        key.shared_cells(),
        printed,
        pairing,
        audit.reference.name(),
        ratio,
        launches,
        factors,
        row.over.is_firm(),
        row.state,
    )
}

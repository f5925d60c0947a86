//! Every ratio in a line of its own, for other programs.

use super::{Audit, NOT_PAIRED, Row};
use crate::table::{Csv, Fields, Heads};

/// The first line.
const HEADS: &str = "world,ranks,tool,flags,column,operation,bytes,element,text,pairing,line_ns,slower,reference,\
    printed_us,reference_us,ratio,ratio_low,ratio_high,log_ratio_standard_error,launches,modes,never_rewritten_factor,ranks_counted_factor,rest_factor,firm";

/// A line for each ratio, units in the heads; empty for what is not known.
pub fn csv(audit: &Audit) -> String {
    Csv::new(Heads(HEADS)).rows(audit.rows.iter().map(|row| cells(audit, row))).text()
}

fn cells<'a>(audit: &Audit, row: &'a Row) -> impl Fields + use<'a> {
    let six = |value: f64| format!("{value:.6}");
    let (ratio, interval) = row.over.ratio();
    let factor = |log: Option<f64>| log.map(f64::exp).map(six);
    let printed = (row.world.name(), row.ranks, &row.tool, &row.flags, &row.column);
    let call = (row.collective.to_string(), row.bytes, &row.element, &row.text);
    let pairing = if row.text.is_some() { NOT_PAIRED } else { "one launch" };
    let ends = interval.map(|(low, high)| (six(low), six(high)));
    let ratio = (six(row.printed_us), six(row.reference_us), six(ratio), ends);
    let launches = (row.over.log_ratio.standard_error.map(six), row.over.log_ratio.launches, row.over.groups_found());
    let factors = (factor(row.parts.never_rewritten), factor(row.parts.ranks_counted), factor(Some(row.parts.rest)));
    (printed, call, pairing, row.state, audit.reference.name(), ratio, launches, factors, row.over.is_firm())
}

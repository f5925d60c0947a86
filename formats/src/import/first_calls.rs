//! Time of first calls compared with the later ones of their row, and its effect on a mean over all calls (E1).

use super::Imported;
use models::names::counted;
use render::groups::grouped;
use render::plots::numbers::{percent, significant};
use statistics::{median, quantile};

/// Numbers of calls over which benchmarks take means.
const CALLS: [u32; 3] = [100, 1000, 10_000];

/// A sentence for each operation whose first calls are published.
pub(super) fn sentences(imported: &Imported) -> Vec<String> {
    let rows = imported.rows.iter().filter_map(|row| {
        let later = row.value("later_mean_us").filter(|later| *later > 0.0)?;
        let excess = (row.value("first_us")? - later) / later;
        Some(((row.benchmark.clone(), row.ranks), (row.value("first_over_median")?, excess)))
    });
    grouped(rows)
        .into_iter()
        .filter_map(|((operation, ranks), rows)| summarise_operation(&operation, ranks, &rows))
        .collect()
}

/// Summarises all rows of one operation, each with its first call over the median, and with the excess of the first
/// call over a later one, as a share of the latter.
fn summarise_operation(operation: &str, ranks: Option<u32>, rows: &[(f64, f64)]) -> Option<String> {
    let ratios: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let excess = median(&rows.iter().map(|row| row.1).collect::<Vec<f64>>())?;
    let [low, middle, high] = [quantile(&ratios, 0.1)?, median(&ratios)?, quantile(&ratios, 0.9)?].map(significant);
    let longer = CALLS.map(|calls| percent(excess / f64::from(calls))).join(", ");
    let place = ranks.map_or_else(String::new, |ranks| format!(" of {ranks} ranks"));
    let rows = counted(rows.len(), "row");
    Some(format!(
        "{operation}{place}, {rows}: first calls take {middle} times the median (10 to 90 % of rows: {low} to {high}) and change \
         means over {} calls by {longer}",
        CALLS.map(|calls| calls.to_string()).join(", ")
    ))
}

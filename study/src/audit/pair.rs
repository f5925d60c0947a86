//! Assignment of printed numbers to rows of calls.

use formats::import;
use models::collective::Collective;
use programs::audit::AuditedLaunch;
use programs::audit::{AuditedRow, printed};

/// A printed number with its calls.
pub(super) struct PrintedPair<'a> {
    pub column: String,
    /// Length in bytes, as the benchmark counts it.
    pub bytes: u64,
    pub printed_us: f64,
    pub seen: &'a AuditedRow,
}

/// Returns the numbers that one launch printed, with their calls, and the count of printed rows without observed calls.
///
/// The n-th printed row of an operation and a length belongs to the n-th row of such calls: both are in the order of
/// time.
pub(super) fn pairs(launch: &AuditedLaunch) -> (Vec<PrintedPair<'_>>, usize) {
    let Ok(runs) = import::read(&launch.key.program, &launch.text) else { return (Vec::new(), 0) };
    let rows = printed(&launch.rows);
    let mut taken: Vec<(Collective, u64)> = Vec::new();
    let mut pairs = Vec::new();
    let mut unseen = 0;
    for row in runs.iter().flat_map(|run| &run.rows) {
        let Some(collective) = row.collective else { continue };
        let key = (collective, row.bytes.unwrap_or(0));
        let before = taken.iter().filter(|known| **known == key).count();
        taken.push(key);
        let mut alike = rows.iter().filter(|seen| (seen.collective, seen.bytes) == key);
        let Some(seen) = alike.nth(before) else {
            unseen += usize::from(key.1 > 0 || collective == Collective::Barrier);
            continue;
        };
        let times = row.columns.iter().filter(|column| column.name.ends_with("_us"));
        pairs.extend(times.filter_map(|column| {
            let printed_us = column.value.filter(|us| *us > 0.0)?;
            Some(PrintedPair { column: column.head.clone(), bytes: key.1, printed_us, seen })
        }));
    }
    (pairs, unseen)
}

//! Which printed number belongs to which row of calls.

use crate::import;
use models::audit::AuditedLaunch;
use models::audit::{AuditedRow, printed};
use models::collective::Collective;

/// A printed number with the calls that it is of.
pub(super) struct Pair<'a> {
    /// The column's head.
    pub column: String,
    /// The length, as the benchmark counts it.
    pub bytes: u64,
    /// In µs.
    pub printed_us: f64,
    /// The calls.
    pub seen: &'a AuditedRow,
}

/// What one launch printed, number by number, with its calls; and how many printed rows no call was seen for.
///
/// The n-th printed row of an operation and a length belongs to the n-th row of such calls: both are in the order of time.
pub(super) fn pairs(launch: &AuditedLaunch) -> (Vec<Pair<'_>>, usize) {
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
            Some(Pair { column: column.head.clone(), bytes: key.1, printed_us, seen })
        }));
    }
    (pairs, unseen)
}

//! Every number of a subject by itself: its interval, the ratio's, the samples behind it, each launch.

use super::table::{micros, over, times};
use super::{Cell, Row, Subject};
use crate::over::OverReference;
use crate::summary::cells::{percent, ratio};
use render::paint::Paint;
use render::plots::numbers::with_limits;
use render::table::Table;

const HEADS: [&str; 8] = ["bytes", "method", "µs", "interval", "±", "× reference", "interval", "valid/all"];

/// A line for each number of bytes and method; then skews, first calls and fixed windows.
pub(super) fn detail_lines(subject: &Subject, paint: Paint) -> Vec<String> {
    let heads = HEADS.into_iter().chain((subject.launches > 1).then_some("each launch"));
    let mut table: Vec<Vec<String>> = Vec::new();
    for row in &subject.rows {
        for cell in &row.methods {
            table.push(line(row, cell.name().to_owned(), cell, subject.launches));
        }
        for fixed in &row.fixed_windows {
            table.push(line(row, format!("window of {} µs", fixed.window_us), &fixed.cell, subject.launches));
        }
    }
    let mut lines = Table::plain(heads, table, |column| !matches!(column, 1 | 3 | 6 | 8)).lines();
    lines[0] = paint.faint(&lines[0]);
    lines.extend(subject.rows.iter().flat_map(|row| about(row, subject)));
    lines
}

fn line(row: &Row, name: String, cell: &Cell, launches: usize) -> Vec<String> {
    let firm = cell.ratio.as_ref().filter(|over| over.is_firm()).map(OverReference::estimate);
    let limits = firm.map_or_else(String::new, |of| format!("[{}, {}]", ratio(of.low), ratio(of.high)));
    let (us, us_limits) = cell.us.map_or_else(|| (micros(None), None), |us| with_limits(&us));
    let half = cell.us.map(|us| (us.high - us.low) / 2.0 / us.value);
    let mut cells = vec![
        row.bytes.to_string(),
        name,
        us,
        us_limits.unwrap_or_default(),
        percent(half.unwrap_or(f64::NAN)),
        over(cell.ratio.as_ref()),
        limits,
        format!("{}/{}", cell.samples, cell.starts),
    ];
    if launches > 1 {
        cells.push(cell.launches_us.iter().map(|us| micros(*us)).collect::<Vec<_>>().join(" "));
    }
    cells
}

/// What belongs to no method.
fn about(row: &Row, subject: &Subject) -> Vec<String> {
    let mut said = Vec::new();
    if let (Some(start), Some(exit)) = (row.start_skew_us, row.exit_skew_us) {
        said.push(format!(
            "start skew {} µs (99 %: {}), exit skew {} µs (99 %: {}), windows of {} µs{}",
            micros(Some(start.median_us)),
            micros(Some(start.p99_us)),
            micros(Some(exit.median_us)),
            micros(Some(exit.p99_us)),
            micros(row.window_us),
            if row.window_capped { " (longer ones are not allowed)" } else { "" }
        ));
    }
    if let Some((before, after)) = row.clock_bound_us {
        said.push(format!("clocks within {} µs, {} µs at the end", micros(Some(before)), micros(Some(after))));
    }
    let unsteady = row.methods.iter().filter_map(|cell| Some((cell.name(), cell.steadiness?.words())));
    said.extend(unsteady.map(|(name, words)| format!("{name}: {words}")));
    let groups = row.ratios().filter(|(_, over)| over.modes.is_some());
    said.extend(groups.map(|(name, over)| format!("{name}: {}", over.remark())));
    for call in &row.first_calls {
        let launch = if subject.launches > 1 { format!(" of launch {}", call.launch) } else { String::new() };
        let fresh = if call.fresh { ", the very first of all" } else { "" };
        said.push(format!("first call{launch} {} µs, {}{fresh}", micros(Some(call.first_us)), times(call.ratio())));
    }
    said.into_iter().map(|text| format!("  {} B: {text}", row.bytes)).collect()
}

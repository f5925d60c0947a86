//! Details of a subject: every number with its interval, its ratio's interval, the samples behind it, and each launch.

use super::numbers::{numbers, table};
use super::page::ratio;
use super::table::{micros, times};
use super::{MeasuredRow, Subject};
use render::data::{Show, View};
use render::paint::Paint;
use render::table::Cell as Text;

/// Returns a line for each length and method or fixed window, then skews, clocks and first calls.
pub(super) fn detail_lines(subject: &Subject, confidence: f64, paint: Paint) -> Vec<String> {
    let numbers = numbers(std::slice::from_ref(subject));
    let table = table(&numbers, confidence);
    let of_methods = |place: &usize| matches!(numbers[*place].kind, "method" | "fixed-window");
    let cell = |place: usize| numbers[place].cell.expect("methods have cells");
    let counts = Show::made("valid/all", |row| {
        Text::number(format!("{}/{}", cell(row.place()).samples, cell(row.place()).starts), "")
    });
    let launches = Show::made("each launch, µs", |row| {
        let each = cell(row.place()).launches_us.iter().map(|(_, us)| micros(Some(*us)));
        Text::text(each.collect::<Vec<_>>().join(" "))
    });
    let over = Show::made("× the reference", |row| ratio(&numbers[row.place()]));
    let view = View::new(&table).rows((0..numbers.len()).filter(of_methods));
    let view = view.show(Show::all(["bytes", "name", "time_us"])).show([over, counts]);
    let mut lines = view.show((subject.launches > 1).then_some(launches)).laid_out().lines();
    lines[0] = paint.faint(&lines[0]);
    lines.extend(subject.rows.iter().flat_map(|row| about(row, subject)));
    lines
}

/// Returns the lines of a row that belong to no method.
fn about(row: &MeasuredRow, subject: &Subject) -> Vec<String> {
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

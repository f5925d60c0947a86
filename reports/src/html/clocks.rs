//! The page's table of what waits of known duration showed of the clocks.

use super::table::{Cell, Row, estimate};
use crate::comparison::ClockCheckRow;
use crate::plots::numbers::significant;
use serde::Serialize;

/// One row for each group of ranks, all in µs.
#[derive(Debug, Serialize)]
pub(super) struct Clocks {
    columns: [&'static str; 7],
    rows: Vec<Row>,
    /// Whether any of the groups was.
    oversubscribed: bool,
}

impl Clocks {
    /// Nothing where no clock was checked.
    pub(super) fn of(checks: &[ClockCheckRow]) -> Option<Clocks> {
        let columns = [
            "Ranks",
            "Waits of 0 µs, as timed (null)",
            "Waits of 1 to P µs, as timed (up)",
            "Waits of P to 1 µs, as timed (down)",
            "Truly P, µs",
            "Start skew, µs",
            "Clocks agree within, µs",
        ];
        (!checks.is_empty()).then(|| Clocks {
            columns,
            rows: checks.iter().map(row).collect(),
            oversubscribed: checks.iter().any(|check| check.oversubscribed),
        })
    }
}

fn row(check: &ClockCheckRow) -> Row {
    let cell = |text: String, note: String| Cell { text, note, class: "number" };
    let (median, most) = check.start_skew_us;
    let (before, after) = check.clock_bound_us;
    let flag = if check.oversubscribed { ", ⚠ oversubscribed" } else { "" };
    Row {
        head: format!("{} ranks, {}", check.ranks, check.world.title()),
        head_note: format!("{} network{flag}", check.carrier.name()),
        cells: vec![
            estimate(&check.null_us),
            estimate(&check.up_us),
            estimate(&check.down_us),
            cell(check.ranks.to_string(), String::new()),
            cell(significant(median), format!("99 %: {}", significant(most))),
            cell(format!("± {}", significant(before)), format!("± {} after", significant(after))),
        ],
    }
}

//! Section of the clocks' checks by waits of known duration: a row for each group of ranks, all in µs.

use crate::comparison::ClockCheckRow;
use programs::observation::World;
use render::page::{Cell, Section, Table};
use render::plots::numbers::significant;

const HEADS: [&str; 7] = [
    "Ranks",
    "Waits of 0 µs, as timed (null)",
    "Waits of 1 to P µs, as timed (up)",
    "Waits of P to 1 µs, as timed (down)",
    "Truly P, µs",
    "Start skew, µs",
    "Clocks agree within, µs",
];

/// Returns the section; `None` where no clock was checked.
pub fn section(checks: &[ClockCheckRow]) -> Option<Section> {
    if checks.is_empty() {
        return None;
    }
    let mut words =
        "Without work, a window shows how late its last rank starts; with ranks that compute for 1 to P µs it \
                     should show P µs more. Only the bounds contain the errors of the clocks themselves."
            .to_owned();
    if checks.iter().any(|check| check.oversubscribed) {
        words += " Where ranks are oversubscribed they sleep until a window begins, and start late.";
    }
    let head = HEADS;
    Some(
        Section::new("Accuracy of the clocks")
            .with_paragraphs([words])
            .with_tables([Table::new("", head, checks.iter().map(row))])
            .with_id("clocks"),
    )
}

fn row(check: &ClockCheckRow) -> Vec<Cell> {
    let (median, most) = check.start_skew_us;
    let (before, after) = check.clock_bound_us;
    let flag = if check.oversubscribed { ", ⚠ oversubscribed" } else { "" };
    let place = match check.world {
        World::Simulated => check.variant.clone(),
        World::Threads | World::Mpi(_) if check.variant.is_empty() => {
            format!("{} network{flag}", check.carrier.name())
        }
        World::Threads | World::Mpi(_) => {
            format!("{} network, {}{flag}", check.carrier.name(), check.variant)
        }
    };
    vec![
        Cell::text(format!("{} ranks, {}", check.ranks, check.world.title())).noting(place),
        Cell::estimate(&check.null_us),
        Cell::estimate(&check.up_us),
        Cell::estimate(&check.down_us),
        Cell::number(check.ranks.to_string(), ""),
        Cell::number(significant(median), format!("99 %: {}", significant(most))),
        Cell::number(format!("± {}", significant(before)), format!("± {} after", significant(after))),
    ]
}

//! Table of the clocks' checks by waits of known duration for terminals, a row for each group of ranks.

use crate::cells::number;
use crate::comparison::ClockCheckRow;
use render::page::{Cell, Mood, Table};
use render::paint::Paint;
use render::results::Look;

const CAPTION: &str = "Clocks, in µs: windows around waits of 0 µs (null) and as many µs as ranks (up, down)";
const HEADS: [&str; 9] = ["", "null", "up", "down", "skew", "99 %", "bound", "at end", ""];

/// Returns the table, in which narrow terminals leave out waits that get shorter, the 99 % quantile and the bound at the
/// end; `None` where no clock was checked.
pub fn brief(checks: &[ClockCheckRow]) -> Option<Table> {
    let table = Table::new(CAPTION, HEADS, checks.iter().map(row));
    (!checks.is_empty()).then(|| Table { spare: vec![3, 5, 7], ..table })
}

/// Returns the lines of the table; empty where no clock was checked.
pub fn table(checks: &[ClockCheckRow], width: usize, paint: Paint) -> Vec<String> {
    let look = Look { width, colour: paint.0, ..Look::IN_FILES };
    let lines = |table: Table| [paint.bold_lines(&table.caption, width, "  "), table.lines_on(look)].concat();
    brief(checks).map(lines).unwrap_or_default()
}

fn row(check: &ClockCheckRow) -> Vec<Cell> {
    let (middle, high) = check.start_skew_us;
    let (before, after) = check.clock_bound_us;
    let numbers = [check.null_us.value, check.up_us.value, check.down_us.value, middle, high, before, after];
    let flag = if check.oversubscribed { "oversubscribed" } else { "" };
    let flag = Cell { mood: Mood::Close, ..Cell::text(flag) };
    let numbers = numbers.map(|value| Cell::number(number(value), ""));
    [Cell::text(check.title())].into_iter().chain(numbers).chain([flag]).collect()
}

//! Text of the clocks' checks by waits of known duration, a line for each group of ranks.

use crate::cells::number;
use crate::comparison::ClockCheckRow;
use render::paint::Paint;

/// Width from which on the table also has waits that get shorter, the 99 % quantile and the bound at the end.
const WIDE: usize = 100;

/// Returns the table; empty where no clock was checked.
pub fn table(checks: &[ClockCheckRow], width: usize, paint: Paint) -> Vec<String> {
    if checks.is_empty() {
        return Vec::new();
    }
    let title = paint.bold("Clocks, in µs");
    let legend = if width >= WIDE {
        "  windows around waits of 0 µs (null) and as many µs as ranks (up, down)"
    } else {
        "  null: truly 0, up: truly ranks; * oversubscribed"
    };
    let heads = ["null", "up", "down", "skew", "99 %", "bound", "at end"].map(str::to_owned);
    let names = checks.iter().map(|check| check.title().chars().count() + 1).max().unwrap_or(0).max(26);
    let mut lines = vec![title + &paint.faint(legend), paint.faint(&line("", &heads, (names, width)))];
    lines.extend(checks.iter().map(|check| one(check, names, width, paint)));
    lines
}

fn one(check: &ClockCheckRow, names: usize, width: usize, paint: Paint) -> String {
    let (middle, high) = check.start_skew_us;
    let (before, after) = check.clock_bound_us;
    let cells = [check.null_us.value, check.up_us.value, check.down_us.value, middle, high, before, after].map(number);
    let flag = match check.oversubscribed {
        true if width >= WIDE => paint.warning("  oversubscribed"),
        true => paint.warning(" *"),
        false => String::new(),
    };
    line(&check.title(), &cells, (names, width)) + &flag
}

fn line(name: &str, cells: &[String; 7], (names, width): (usize, usize)) -> String {
    let [null, up, down, middle, high, before, after] = cells;
    if width >= WIDE {
        format!("  {name:<names$} {null:>7} {up:>7} {down:>7} {middle:>7} {high:>7} {before:>7} {after:>7}")
    } else {
        format!("  {name:<names$} {null:>7} {up:>7} {middle:>7} {before:>7}")
    }
}

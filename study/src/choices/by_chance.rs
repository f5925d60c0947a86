//! How often a table would stand on a side by chance: its choices are moved along the lengths.

use super::{Candidate, Choice, Side};
use models::stable::draws;
use rand::RngExt;
use render::groups::grouped;
use scenario::axis::Axis;

/// Number of times that all rows of a table are moved.
const DRAWS: u32 = 999;

/// Agreement of a table with printed numbers, beside what moved tables reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByChance {
    /// Number of calls for which the table stands on the side of printed numbers, minus those on the side of true times.
    pub found: i64,
    /// Mean of this number over moved tables.
    pub mean: f64,
    /// Share of tables, moved or not, that stand at least as much on the side of printed numbers; 1 where all are equal.
    pub p: f64,
}

/// Returns the agreement of a table with printed numbers. Each row of the table, of the choices that differ in bytes
/// alone, is moved along the lengths by a random number of places, in a circle, so that what lies beside each other
/// stays so; a table that takes one algorithm for all lengths tells nothing. `None` without a table.
pub fn by_chance<'a>(choices: impl IntoIterator<Item = &'a Choice>, seed: u64) -> Option<ByChance> {
    let rows = grouped(choices.into_iter().map(|choice| (choice.at.within(|axis| axis != Axis::Bytes), choice)));
    let moved: Vec<Vec<i64>> = rows.iter().map(|(_, row)| sides_of_moved(row)).collect();
    if rows.iter().all(|(_, row)| row.iter().all(|choice| choice.table.is_none())) {
        return None;
    }
    let found = moved.iter().map(|row| row[0]).sum();
    let mut draw = draws(seed, "choices/moved");
    let drawn: Vec<i64> =
        (0..DRAWS).map(|_| moved.iter().map(|row| row[draw.random_range(0..row.len())]).sum()).collect();
    let as_much = drawn.iter().filter(|one| **one >= found).count();
    let mean = drawn.iter().sum::<i64>() as f64 / f64::from(DRAWS);
    Some(ByChance { found, mean, p: (1 + as_much) as f64 / f64::from(1 + DRAWS) })
}

/// Returns the sum of a row's sides for each number of places by which the table's choices can be moved.
fn sides_of_moved(row: &[&Choice]) -> Vec<i64> {
    let sum = |by: usize| {
        let places = row.iter().enumerate();
        places.map(|(place, choice)| points(choice, row[(place + by) % row.len()].table.as_ref())).sum()
    };
    (0..row.len()).map(sum).collect()
}

/// Returns 1 where an algorithm, by its name, stands on the side of the printed numbers of a call, −1 on the side of
/// true times, else 0.
fn points(choice: &Choice, table: Option<&Candidate>) -> i64 {
    let Some(table) = table else { return 0 };
    let named = choice.candidates.iter().find(|one| one.algorithm == table.algorithm);
    let own = choice.table.as_ref().filter(|one| one.algorithm == table.algorithm);
    match own.or(named).map(|one| choice.side(one)) {
        Some(Side::Printed) => 1,
        Some(Side::True) => -1,
        Some(Side::Both | Side::Neither) | None => 0,
    }
}

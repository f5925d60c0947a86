//! Finish times of each rank, call or realisation of a simulation, as a table.

use models::time::Time;
use questions::show::microseconds;
use render::data::{Cell, Filled, Known, Show, Table, View};
use render::table;

/// Largest number of rows in a table for readers.
const MOST_ROWS: usize = 40;
const FINISH: Known = Known::integer("finish_ps", "ps", "its finish, or that of its last rank", "8542000");

/// Returns a table with a row for each of these times; rows count from `first`.
pub(crate) fn each(name: &'static str, which: Known, first: usize, times: &[Time]) -> Table {
    let rows: Vec<(usize, Time)> = (first..).zip(times.iter().copied()).collect();
    let columns: [Filled<(usize, Time)>; 2] =
        [(which.column(), &|(number, _)| (*number).into()), (FINISH.column(), &|(_, time)| time.0.into())];
    Table::from_rows(name, &rows, &columns)
}

/// Returns the first rows of the table for readers, with exact times.
pub(crate) fn seen(all: &Table) -> table::Table {
    let time = Show::made("finish, µs", |row| match row.cell(FINISH.name) {
        Cell::Count(ps) => table::Cell::number(microseconds(Time(*ps)), ""),
        _ => table::Cell::default(),
    });
    let more = all.rows.len().saturating_sub(MOST_ROWS);
    let more = (more > 0).then(|| format!("… {more} more: --format json prints all"));
    let view = View::new(all).rows(0..all.rows.len().min(MOST_ROWS)).noting(more.into_iter().collect());
    view.show([Show::one(&all.columns[0].name), time]).laid_out()
}

//! States of the machine as a typed table.

use super::{MetState, States};
use render::columns;
use render::data::{Filled, Known, Table};

/// Returns the table with the state of the machine in each row behind its columns: the time of a cache line to a tenth of
/// a nanosecond, and the slowdown of the slower core to a hundredth.
pub fn in_states(table: Table, states: impl IntoIterator<Item = Option<MetState>>) -> Table {
    let cells = states
        .into_iter()
        .map(|state| vec![state.map(|state| state.line_ns).into(), state.map(|state| state.slower).into()]);
    let (line, slower) = (columns::LINE_NS.column().written(1), columns::SLOWER.column().written(2));
    let behind = table.columns.len();
    table.with_columns(behind, [line.unseen(), slower.unseen()], cells)
}

impl States {
    /// Returns the states that were met, the one with most blocks of calls first.
    pub fn table(&self) -> Table {
        const WORK: Known = Known::number("work_ns", "ns", "time of the slower core for the same work", "421");
        const BLOCKS: Known = Known::integer("blocks", "", "blocks of calls during which it held", "363");
        const VISITS: Known = Known::integer("visits", "", "how often it began", "12");
        let columns: [Filled<MetState>; 6] = [
            (columns::LINE_NS.column(), &|state| state.line_ns.into()),
            (columns::SLOWER.column(), &|state| state.slower.into()),
            (WORK.column(), &|state| state.work_ns.into()),
            (BLOCKS.column(), &|state| state.stretches.into()),
            (VISITS.column(), &|state| state.visits.into()),
            (columns::LAUNCHES.column(), &|state| state.launches.into()),
        ];
        Table::from_rows("states", &self.met, &columns)
    }
}

//! Times of simulated broadcasts through shared memory, for each design and tree of notifications.

use models::names::counted;
use models::shared_broadcast::{Calls, Scheme, Taken};
use models::time::Time;
use render::columns;
use render::data::{Cell, Column, Filled, Known, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::bytes;
use render::results::Results;

/// Meaning of the columns, below the table.
const LEGEND: [&str; 5] = [
    "f: fragment, s: buffers, q: sets",
    "depth: notifications until the last rank knows of a fragment",
    "root, first reader, last reader: when they left the last call, from the begin of the first one",
    "per call: when the last rank left, over the number of calls",
    "÷ one reader: per call, over the exact formula of one call of the design numa with one reader through this queue",
];

const CALL: Known = Known::integer("call", "", "number of the call, from 1", "1");
const LEFT: Known = Known::number("left_us", "µs", "when the rank left it, from the begin of the first call", "82.54");

/// Simulated calls with their times by several schemes.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// Calls that were simulated.
    pub calls: Calls,
    /// Times of the calls, one row per scheme.
    pub rows: Vec<Taken>,
}

/// Describes calls in words for readers.
pub fn calls_in_words(calls: &Calls) -> String {
    format!(
        "{} of {} through shared memory, {} on {}",
        counted(calls.roots.len(), "broadcast"),
        bytes(calls.bytes),
        counted(calls.ranks, "rank"),
        counted(calls.nodes, "NUMA node"),
    )
}

/// Describes a scheme in words for readers.
pub fn scheme_in_words(scheme: &Scheme) -> String {
    let Scheme { design, queue, tree } = scheme;
    let (buffers, sets) = (counted(queue.buffers(), "buffer"), counted(queue.sets(), "set"));
    let sets = if design.has_sets() { format!(" in {sets}") } else { String::new() };
    format!("{design}, {tree}, {buffers} of {}{sets}", bytes(queue.fragment_bytes()))
}

impl Results for Simulated {
    fn page(&self) -> Page {
        let table = self.rows();
        let seen = View::new(&table).whole().noting(LEGEND.map(str::to_owned).to_vec()).laid_out();
        Page {
            question: "What do ranks take that share memory?".to_owned(),
            answer: calls_in_words(&self.calls),
            details: vec![self.calls.costs.to_string()],
            sections: vec![Section::default().with_tables([seen])],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        let calls = &self.calls;
        let left = |row: &Taken, which: usize| row.last_call(calls)[which].as_us().into();
        let time = |column: Column| column.shown(Style::Nanosecond);
        let columns: [Filled<Taken>; 12] = [
            (columns::DESIGN.column(), &|row| row.scheme.design.name().into()),
            (columns::TREE.column(), &|row| row.scheme.tree.to_string().into()),
            (columns::FRAGMENT.headed("f").shown(Style::Bytes), &|row| row.scheme.queue.fragment_bytes().into()),
            (columns::BUFFERS.headed("s"), &|row| row.scheme.queue.buffers().into()),
            (columns::SETS.headed("q"), &|row| row.scheme.queue.sets().into()),
            (columns::DEPTH.column(), &|row| row.depth(calls).into()),
            (time(columns::ROOT_LEFT.headed("root")), &|row| left(row, 0)),
            (time(columns::FIRST_READER.headed("first reader")), &|row| left(row, 1)),
            (time(columns::LAST_READER.headed("last reader")), &|row| left(row, 2)),
            (time(columns::PER_CALL.headed("per call")), &|row| row.per_call_us(calls).into()),
            (columns::ONE_READER.column().unseen(), &|row| row.one_reader_us(calls).into()),
            (columns::OVER_ONE_READER.headed("÷ one reader").shown(Style::Fixed(4)), &|row| {
                row.over_one_reader(calls).into()
            }),
        ];
        Table::from_rows("rows", &self.rows, &columns)
    }

    /// Returns the time at which each rank left each call.
    fn others(&self) -> Vec<Table> {
        let all = self.rows.iter().flat_map(|row| row.left.iter().enumerate().map(move |call| (row, call)));
        let all = all.flat_map(|(row, (call, left))| left.iter().enumerate().map(move |rank| (row, call, rank)));
        let rows = all.map(|(row, call, (rank, left))| {
            let scheme = [row.scheme.design.name().into(), row.scheme.tree.to_string().into()];
            let left: [Cell; 3] = [(call + 1).into(), rank.into(), left.since(Time::ZERO).as_us().into()];
            scheme.into_iter().chain(left).collect()
        });
        let columns = [columns::DESIGN, columns::TREE, CALL, columns::RANK, LEFT].map(|known| known.column());
        vec![Table::new("left", columns, rows)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let Calls { ranks, nodes, costs, bytes, roots } = &self.calls;
        let roots: Vec<String> = roots.iter().map(u32::to_string).collect();
        vec![
            ("ranks", (*ranks).into()),
            ("numa_nodes", (*nodes).into()),
            ("parameters", costs.to_string().into()),
            ("bytes", (*bytes).into()),
            ("roots", roots.join(",").into()),
        ]
    }
}

//! What simulated broadcasts through shared memory take, for each design and tree of notifications: as text.

use models::names::counted;
use models::shared_broadcast::{Calls, Scheme, Taken};
use models::time::Span;
use render::plots::numbers::{TimeUnit, bytes};
use render::table::{Cell, Table};

/// What the columns are.
const LEGEND: &str = "  f: fragment, s: buffers, q: sets\n  depth: notifications until the last rank knows of a fragment\n  \
    root, first reader, last reader: when they left the last call, from the begin of the first one\n  \
    per call: when the last rank left, over the number of calls\n  \
    ÷ one reader: per call, over the exact formula of one call of the design numa with one reader through this queue\n";

/// What calls take by some schemes.
#[derive(Clone, Debug)]
pub struct Simulated<'a> {
    /// Which calls.
    pub calls: &'a Calls,
    /// What they took.
    pub rows: &'a [Taken],
}

/// Calls in words.
pub fn calls_in_words(calls: &Calls) -> String {
    format!(
        "{} of {} through shared memory, {} on {}",
        counted(calls.roots.len(), "broadcast"),
        bytes(calls.bytes),
        counted(calls.ranks, "rank"),
        counted(calls.nodes, "NUMA node"),
    )
}

/// A scheme in words.
pub fn scheme_in_words(scheme: &Scheme) -> String {
    let Scheme { design, queue, tree } = scheme;
    let (buffers, sets) = (counted(queue.buffers(), "buffer"), counted(queue.sets(), "set"));
    let sets = if design.has_sets() { format!(" in {sets}") } else { String::new() };
    format!("{design}, {tree}, {buffers} of {}{sets}", bytes(queue.fragment_bytes()))
}

impl Simulated<'_> {
    /// For people.
    pub fn text(&self) -> String {
        let calls = self.calls;
        let unit = TimeUnit::fitting(self.rows.iter().flat_map(|row| row.last_call(calls).map(Span::as_us)));
        let head = [
            "design",
            "tree",
            "f",
            "s",
            "q",
            "depth",
            "root",
            "first reader",
            "last reader",
            "per call",
            "÷ one reader",
        ];
        let head = head.map(|name| if name == "root" { format!("root, {}", unit.symbol()) } else { name.to_owned() });
        let row = |row: &Taken| {
            let times = row.last_call(calls).map(Span::as_us).into_iter().chain([row.per_call_us(calls)]);
            let ratio = row.over_one_reader(calls).map_or("–".to_owned(), |ratio| format!("{ratio:.4}"));
            let numbers = times.map(|us| unit.exactly(us)).chain([ratio]);
            let Scheme { design, queue, tree } = row.scheme;
            let counts = [queue.buffers(), queue.sets(), row.depth(calls).into()].map(|count| count.to_string());
            let cells = std::iter::once(bytes(queue.fragment_bytes())).chain(counts).chain(numbers);
            let names = [design.to_string(), tree.to_string()].map(Cell::text).into_iter();
            names.chain(cells.map(|text| Cell::number(text, ""))).collect()
        };
        let table = Table::new("", head, self.rows.iter().map(row));
        format!("{}\n{}\n{}{LEGEND}", calls_in_words(calls), calls.costs, table.text())
    }
}

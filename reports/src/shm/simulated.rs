//! What simulated broadcasts through shared memory take, for each design and tree of notifications: as text and JSON.

use super::forecast::exactly;
use crate::plots::numbers::{TimeUnit, bytes};
use crate::table::{Cell, Table};
use models::shared_broadcast::{NodeCosts, Scheme, exact};
use models::time::{Span, Time};
use serde_json::{Value, json};

/// What the columns are.
const LEGEND: &str = "  f: fragment, s: buffers, q: sets\n  depth: notifications until the last rank knows of a fragment\n  \
    root, first reader, last reader: when they left the last call, from the begin of the first one\n  \
    per call: when the last rank left, over the number of calls\n  \
    ÷ one reader: per call, over the exact formula of one call of the design numa with one reader through this queue\n";

/// Calls of one length, back to back.
#[derive(Clone, Debug)]
pub struct SharedCalls {
    /// How many ranks.
    pub ranks: u32,
    /// On how many NUMA nodes.
    pub nodes: u32,
    /// What steps cost.
    pub costs: NodeCosts,
    /// Bytes of the message.
    pub bytes: u64,
    /// The root of each call.
    pub roots: Vec<u32>,
}

/// What they take by some schemes.
#[derive(Clone, Debug)]
pub struct Simulated {
    calls: SharedCalls,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    scheme: Scheme,
    /// When each rank left each call, by call and rank.
    left: Vec<Vec<Time>>,
}

impl SharedCalls {
    /// In words.
    pub fn words(&self) -> String {
        let SharedCalls { ranks, nodes, .. } = self;
        format!(
            "{} of {} through shared memory, {} on {}",
            count(self.roots.len() as u64, "broadcast"),
            bytes(self.bytes),
            count((*ranks).into(), "rank"),
            count((*nodes).into(), "NUMA node"),
        )
    }
}

/// A scheme in words.
pub fn words_of(scheme: &Scheme) -> String {
    let Scheme { design, queue, tree } = scheme;
    let (buffers, sets) = (count(queue.buffers(), "buffer"), count(queue.sets(), "set"));
    let sets = if design.has_sets() { format!(" in {sets}") } else { String::new() };
    format!("{design}, {tree}, {buffers} of {}{sets}", bytes(queue.fragment_bytes()))
}

fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

impl Row {
    /// When the root and the first and last reader left the last call.
    fn last_call(&self, roots: &[u32]) -> [Span; 3] {
        let (Some(&root), Some(left)) = (roots.last(), self.left.last()) else { return [Span::ZERO; 3] };
        let readers = || left.iter().enumerate().filter(|(rank, _)| *rank != root as usize).map(|(_, time)| *time);
        let root = left[root as usize];
        [root, readers().min().unwrap_or(root), readers().max().unwrap_or(root)].map(|time| time.since(Time::ZERO))
    }

    fn end(&self) -> Span {
        self.left.iter().flatten().max().copied().unwrap_or_default().since(Time::ZERO)
    }

    fn depth(&self, calls: &SharedCalls) -> u32 {
        (0..calls.ranks).map(|rank| self.scheme.tree.depth(rank, 0, calls.ranks)).max().unwrap_or(0)
    }

    /// What one reader would take, in µs.
    fn one_reader_us(&self, calls: &SharedCalls) -> f64 {
        exact(&calls.costs.one, &self.scheme.queue, calls.bytes).total().as_us()
    }
}

impl Simulated {
    /// Of each scheme, when each rank left each call, by call and rank.
    pub fn of(calls: SharedCalls, schemes: impl IntoIterator<Item = (Scheme, Vec<Vec<Time>>)>) -> Simulated {
        let rows = schemes.into_iter().map(|(scheme, left)| Row { scheme, left }).collect();
        Simulated { calls, rows }
    }

    fn per_call_us(&self, row: &Row) -> f64 {
        row.end().as_us() / self.calls.roots.len().max(1) as f64
    }

    /// None where a call takes no time.
    fn over_one_reader(&self, row: &Row) -> Option<f64> {
        let one = row.one_reader_us(&self.calls);
        (one > 0.0 && self.calls.ranks > 1).then(|| self.per_call_us(row) / one)
    }

    /// For people.
    pub fn text(&self) -> String {
        let roots = &self.calls.roots;
        let unit = TimeUnit::fitting(self.rows.iter().flat_map(|row| row.last_call(roots).map(Span::as_us)));
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
        let row = |row: &Row| {
            let times = row.last_call(roots).map(Span::as_us).into_iter().chain([self.per_call_us(row)]);
            let ratio = self.over_one_reader(row).map_or("–".to_owned(), |ratio| format!("{ratio:.4}"));
            let numbers = times.map(|us| exactly(unit, us)).chain([ratio]);
            let Scheme { design, queue, tree } = row.scheme;
            let counts = [queue.buffers(), queue.sets(), row.depth(&self.calls).into()].map(|count| count.to_string());
            let cells = std::iter::once(bytes(queue.fragment_bytes())).chain(counts).chain(numbers);
            let names = [design.to_string(), tree.to_string()].map(Cell::text).into_iter();
            names.chain(cells.map(|text| Cell::number(text, ""))).collect()
        };
        let table = Table::new("", head, self.rows.iter().map(row));
        format!("{}\n{}\n{}{LEGEND}", self.calls.words(), self.calls.costs, table.text())
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let SharedCalls { ranks, nodes, costs, bytes, roots } = &self.calls;
        let row = |row: &Row| {
            let [root, first, last] = row.last_call(roots).map(Span::as_us);
            let since = |time: &Time| time.since(Time::ZERO).as_us();
            let left: Vec<Vec<f64>> = row.left.iter().map(|call| call.iter().map(since).collect()).collect();
            let Scheme { design, queue, tree } = row.scheme;
            json!({
                "design": design.name(), "tree": tree.to_string(), "fragment_bytes": queue.fragment_bytes(),
                "buffers": queue.buffers(), "sets": queue.sets(), "depth": row.depth(&self.calls), "root_us": root, "first_reader_us": first,
                "last_reader_us": last, "per_call_us": self.per_call_us(row), "one_reader_us": row.one_reader_us(&self.calls),
                "over_one_reader": self.over_one_reader(row), "left_us": left,
            })
        };
        json!({
            "ranks": ranks, "numa_nodes": nodes, "parameters": costs.to_string(), "bytes": bytes,
            "roots": roots, "rows": self.rows.iter().map(row).collect::<Vec<Value>>(),
        })
    }
}

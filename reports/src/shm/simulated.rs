//! What simulated broadcasts through shared memory take, for each tree of notifications: as text and JSON.

use super::forecast::exactly;
use crate::plots::numbers::{TimeUnit, bytes};
use crate::table::{Cell, Table};
use models::shared_broadcast::{NodeCosts, Notified, Queue, exact};
use models::time::{Span, Time};
use serde_json::{Value, json};

/// What the columns are.
const LEGEND: &str = "  depth: notifications until the last rank knows of a fragment\n  \
    root, first reader, last reader: when they left the last call, from the begin of the first one\n  \
    per call: when the last rank left, over the number of calls\n  \
    ÷ one reader: per call, over the exact formula of one call with one reader\n";

/// Calls of one length, back to back.
#[derive(Clone, Debug)]
pub struct SharedCalls {
    /// How many ranks.
    pub ranks: u32,
    /// On how many NUMA nodes.
    pub nodes: u32,
    /// What steps cost.
    pub costs: NodeCosts,
    /// Each rank's queue.
    pub queue: Queue,
    /// Bytes of the message.
    pub bytes: u64,
    /// The root of each call.
    pub roots: Vec<u32>,
}

/// What they take with some trees.
#[derive(Clone, Debug)]
pub struct Simulated {
    calls: SharedCalls,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    tree: Notified,
    /// When each rank left each call, by call and rank.
    left: Vec<Vec<Time>>,
}

impl SharedCalls {
    /// In words.
    pub fn words(&self) -> String {
        let SharedCalls { ranks, nodes, queue, .. } = self;
        let count = |number: u64, one: &str| if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") };
        format!(
            "{} of {} through shared memory, {} on {}, {} of {} in {}",
            count(self.roots.len() as u64, "broadcast"),
            bytes(self.bytes),
            count((*ranks).into(), "rank"),
            count((*nodes).into(), "NUMA node"),
            count(queue.buffers(), "buffer"),
            bytes(queue.fragment_bytes()),
            count(queue.sets(), "set"),
        )
    }
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
        (0..calls.ranks).map(|rank| self.tree.depth(rank, 0, calls.ranks)).max().unwrap_or(0)
    }
}

impl Simulated {
    /// Of each tree, when each rank left each call, by call and rank.
    pub fn of(calls: SharedCalls, trees: impl IntoIterator<Item = (Notified, Vec<Vec<Time>>)>) -> Simulated {
        let rows = trees.into_iter().map(|(tree, left)| Row { tree, left }).collect();
        Simulated { calls, rows }
    }

    /// What one reader would take, in µs.
    fn one_reader_us(&self) -> f64 {
        exact(&self.calls.costs.one, &self.calls.queue, self.calls.bytes).total().as_us()
    }

    fn per_call_us(&self, row: &Row) -> f64 {
        row.end().as_us() / self.calls.roots.len().max(1) as f64
    }

    /// None where a call takes no time.
    fn over_one_reader(&self, row: &Row) -> Option<f64> {
        let one = self.one_reader_us();
        (one > 0.0 && self.calls.ranks > 1).then(|| self.per_call_us(row) / one)
    }

    /// For people.
    pub fn text(&self) -> String {
        let roots = &self.calls.roots;
        let unit = TimeUnit::fitting(self.rows.iter().flat_map(|row| row.last_call(roots).map(Span::as_us)));
        let head = ["tree", "depth", "root", "first reader", "last reader", "per call", "÷ one reader"];
        let head = head.map(|name| if name == "root" { format!("root, {}", unit.symbol()) } else { name.to_owned() });
        let row = |row: &Row| {
            let times = row.last_call(roots).map(Span::as_us).into_iter().chain([self.per_call_us(row)]);
            let ratio = self.over_one_reader(row).map_or("–".to_owned(), |ratio| format!("{ratio:.4}"));
            let numbers = times.map(|us| exactly(unit, us)).chain([ratio]);
            let cells = std::iter::once(row.depth(&self.calls).to_string()).chain(numbers);
            std::iter::once(Cell::text(row.tree.to_string())).chain(cells.map(|text| Cell::number(text, ""))).collect()
        };
        let table = Table::new("", head, self.rows.iter().map(row));
        format!("{}\n{}\n{}{LEGEND}", self.calls.words(), self.calls.costs, table.text())
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let SharedCalls { ranks, nodes, costs, queue, bytes, roots } = &self.calls;
        let row = |row: &Row| {
            let [root, first, last] = row.last_call(roots).map(Span::as_us);
            let since = |time: &Time| time.since(Time::ZERO).as_us();
            let left: Vec<Vec<f64>> = row.left.iter().map(|call| call.iter().map(since).collect()).collect();
            json!({
                "tree": row.tree.to_string(), "depth": row.depth(&self.calls), "root_us": root, "first_reader_us": first,
                "last_reader_us": last, "per_call_us": self.per_call_us(row), "over_one_reader": self.over_one_reader(row),
                "left_us": left,
            })
        };
        json!({
            "ranks": ranks, "numa_nodes": nodes, "parameters": costs.to_string(), "bytes": bytes,
            "fragment_bytes": queue.fragment_bytes(), "buffers": queue.buffers(), "sets": queue.sets(), "roots": roots,
            "one_reader_us": self.one_reader_us(), "rows": self.rows.iter().map(row).collect::<Vec<Value>>(),
        })
    }
}

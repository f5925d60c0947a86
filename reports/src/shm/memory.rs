//! How much memory a rank's queue takes (Kurnosov and Tokmasheva 2020, Table 1).

use models::shared_broadcast::{Queue, Size};
use render::groups::{distinct, grouped};
use render::plots::numbers::{bytes, significant};
use render::table::{Cell, Csv, Heads, Mood, Table};
use serde_json::{Value, json};

/// Queues of s = f/2, f/4, … f/512 buffers.
const HALVINGS: std::ops::RangeInclusive<u32> = 1..=9;

/// Queues of each of these fragments, a column for each rule by which they have buffers.
pub struct Memory {
    columns: Vec<String>,
    rows: Vec<(u64, Vec<Option<Queue>>)>,
}

/// What the marks mean.
pub(crate) const MARKS: &str = "· from 10 to 100 MiB, ! above 100 MiB, no mark: below 10 MiB";

impl Memory {
    /// Of fragments of these lengths. Where no buffer is left, there is no queue.
    ///
    /// # Errors
    /// As [`Queue::new`].
    pub fn of(fragments: &[u64]) -> Result<Memory, String> {
        let queue = |fragment: u64, halvings: u32| match fragment >> halvings {
            0 => Ok(None),
            buffers => Queue::new(fragment, buffers, 1).map(Some),
        };
        let row = |&fragment: &u64| {
            let queues = HALVINGS.map(|halvings| queue(fragment, halvings)).collect::<Result<_, _>>()?;
            Ok((fragment, queues))
        };
        let columns = HALVINGS.map(|halvings| format!("s = f/{}", 1 << halvings)).collect();
        Ok(Memory { columns, rows: fragments.iter().map(row).collect::<Result<_, String>>()? })
    }

    /// Of these queues, each in a column.
    pub(crate) fn of_columns(queues: &[(String, Queue)]) -> Memory {
        let columns = distinct(queues.iter().map(|(column, _)| column.clone()));
        let fragments = grouped(queues.iter().map(|(column, queue)| (queue.fragment_bytes(), (column, queue))));
        let row = |(fragment, queues): (u64, Vec<(&String, &Queue)>)| {
            let at = |column: &String| queues.iter().find(|(known, _)| *known == column).map(|(_, queue)| **queue);
            (fragment, columns.iter().map(at).collect())
        };
        let rows = fragments.into_iter().map(row).collect();
        Memory { columns, rows }
    }

    /// MiB, larger queues marked.
    pub(crate) fn table(&self, title: &str) -> Table {
        let cell = |queue: &Option<Queue>| match queue {
            None => Cell::number("–", ""),
            Some(queue) => marked(queue.bytes()),
        };
        let row = |(fragment, queues): &(u64, Vec<Option<Queue>>)| {
            std::iter::once(Cell::number(bytes(*fragment), "")).chain(queues.iter().map(cell)).collect()
        };
        let head = std::iter::once("fragment f".to_owned()).chain(self.columns.iter().cloned());
        Table::new(title, head, self.rows.iter().map(row))
    }

    /// For people: MiB, larger queues marked.
    pub fn text(&self) -> String {
        format!("Queue of one rank, b = f s, in MiB\n{}  {MARKS}\n", self.table("").text())
    }

    fn queues(&self) -> impl Iterator<Item = &Queue> {
        self.rows.iter().flat_map(|(_, queues)| queues).flatten()
    }

    /// For programs that read tables.
    pub fn csv(&self) -> String {
        let row = |queue: &Queue| {
            let lengths = [queue.fragment_bytes(), queue.buffers(), queue.bytes()];
            (lengths, Size::of(queue.bytes()).name())
        };
        Csv::new(Heads("fragment_bytes,buffers,queue_bytes,size")).rows(self.queues().map(row)).text()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let row = |queue: &Queue| {
            json!({
                "fragment_bytes": queue.fragment_bytes(), "buffers": queue.buffers(), "queue_bytes": queue.bytes(),
                "size": Size::of(queue.bytes()).name(),
            })
        };
        json!({ "rows": self.queues().map(row).collect::<Vec<Value>>() })
    }
}

fn marked(queue_bytes: u64) -> Cell {
    let (mark, mood) = match Size::of(queue_bytes) {
        Size::Small => (' ', Mood::Agrees),
        Size::Moderate => ('·', Mood::Close),
        Size::Large => ('!', Mood::Differs),
    };
    let mib = significant(queue_bytes as f64 / f64::from(1 << 20));
    let mib = if mib.contains('.') { mib.trim_end_matches('0').trim_end_matches('.') } else { &mib };
    Cell::verdict(format!("{mib} {mark}"), "", mood)
}

//! Memory of a rank's queue (Kurnosov and Tokmasheva 2020, Table 1).

use models::shared_broadcast::{Queue, Size};
use render::columns;
use render::data::{Filled, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::{bytes, significant};
use render::results::Results;
use render::table::{self, Cell, Mood};

/// Queues of s = f/2, f/4, … f/512 buffers.
const HALVINGS: std::ops::RangeInclusive<u32> = 1..=9;
/// Title of the table with its quantity.
const TITLE: &str = "Queue of one rank, b = f s, in MiB";
/// Meaning of the marks in the table.
const MARKS: &str = "· from 10 to 100 MiB, ! above 100 MiB, no mark: below 10 MiB";

/// Queues, each with the rule that gives its number of buffers.
pub struct Memory(Vec<(String, Queue)>);

impl Memory {
    /// Makes queues of fragments of these lengths by each rule. Where no buffer is left, there is no queue.
    ///
    /// # Errors
    /// Fails where [`Queue::new`] fails.
    pub fn from_fragments(fragments: &[u64]) -> Result<Memory, String> {
        let all = fragments.iter().flat_map(|&fragment| HALVINGS.map(move |halvings| (fragment, halvings)));
        let queues = all.filter(|(fragment, halvings)| fragment >> halvings > 0).map(|(fragment, halvings)| {
            Ok((format!("s = f/{}", 1 << halvings), Queue::new(fragment, fragment >> halvings, 1)?))
        });
        queues.collect::<Result<_, _>>().map(Memory)
    }

    /// Takes these queues, each with its rule.
    pub fn of_columns(queues: Vec<(String, Queue)>) -> Memory {
        Memory(queues)
    }

    fn table(&self) -> Table {
        let columns: [Filled<(String, Queue)>; 4] = [
            (columns::FRAGMENT.headed("fragment f").shown(Style::Bytes), &|(_, queue)| queue.fragment_bytes().into()),
            (columns::BUFFERS.column(), &|(_, queue)| queue.buffers().into()),
            (columns::QUEUE.column(), &|(_, queue)| queue.bytes().into()),
            (columns::SIZE.column(), &|(_, queue)| Size::for_bytes(queue.bytes()).name().into()),
        ];
        Table::from_rows("rows", &self.0, &columns)
    }

    /// Returns the memory in MiB, a row for each length of fragments, a column for each rule; larger queues are marked.
    pub fn section(&self) -> Section {
        let table = self.table();
        let view = View::new(&table).show([Show::one("fragment_bytes")]).noting(vec![MARKS.to_owned()]);
        let across = view.across(|row| self.0[row.place()].0.clone(), |row| marked(self.0[row.place()].1.bytes()));
        Section::new(TITLE).with_tables([across])
    }
}

impl Results for Memory {
    fn answer(&self) -> String {
        let sizes = || self.0.iter().map(|(_, queue)| queue.bytes());
        let ends = sizes().min().zip(sizes().max());
        ends.map_or_else(String::new, |(least, most)| format!("From {} to {}.", bytes(least), bytes(most)))
    }

    fn page(&self) -> Page {
        let question = "How much memory does the queue of one rank take?".to_owned();
        Page { question, answer: self.answer(), sections: vec![self.section()], ..Page::default() }
    }

    fn rows(&self) -> Table {
        self.table()
    }
}

fn marked(queue_bytes: u64) -> table::Cell {
    let (mark, mood) = match Size::for_bytes(queue_bytes) {
        Size::Small => (' ', Mood::Agrees),
        Size::Moderate => ('·', Mood::Close),
        Size::Large => ('!', Mood::Differs),
    };
    let mib = significant(queue_bytes as f64 / f64::from(1 << 20));
    let mib = if mib.contains('.') { mib.trim_end_matches('0').trim_end_matches('.') } else { &mib };
    Cell::verdict(format!("{mib} {mark}"), "", mood)
}

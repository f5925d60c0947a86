//! Predicted times of a broadcast through shared memory, for each message and queue.

use super::choices::Choices;
use models::names::counted;
use models::shared_broadcast::{Costs, Parts, Queue, Regime, exact, printed};
use models::time::Span;
use render::columns;
use render::data::{Cell, Column, Filled, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::TimeUnit;
use render::results::Results;
use render::table;

/// Meaning of the columns, below the table.
const LEGEND: [&str; 2] = [
    "m: message, f: fragment, s: buffers, q: sets, b: memory of a queue, u: uses of a set",
    "time = sets, u (t_WO + t_A) + first, waits for copies into the queue + notified, ⌈m/f⌉ t_W + copying, m t",
];
const BOUND: &str = "printed: the publication's formula, which is an upper bound of the time";

/// Prediction for one message through one queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForecastRow {
    /// m: bytes of the message.
    pub bytes: u64,
    pub queue: Queue,
    /// Exact time, in its parts.
    pub parts: Parts,
    /// Time by the publication's formula, with the formula that applies.
    pub bound: (Regime, Span),
    /// Time if the queue had one buffer.
    pub one_buffer: Span,
}

/// Parameters that all broadcasts of a forecast have in common.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Costs of copies and waits.
    pub costs: Costs,
    /// Bytes of a page of memory.
    pub page_bytes: u64,
    /// Memory of a queue in bytes, where it is given in place of numbers of buffers.
    pub queue_bytes: Option<u64>,
    /// Number of ranks for which the segment of shared memory is given.
    pub ranks: Option<u32>,
}

/// Broadcasts of several messages through several queues.
#[derive(Clone, Debug)]
pub struct Forecast {
    pub(super) setting: Setting,
    pub(super) rows: Vec<ForecastRow>,
}

impl ForecastRow {
    fn predict(costs: &Costs, bytes: u64, queue: Queue) -> Result<ForecastRow, String> {
        let (regime, bound) = printed(costs, &queue, bytes);
        let one = Queue::new(queue.fragment_bytes(), 1, 1)?;
        let row = ForecastRow {
            bytes,
            queue,
            parts: exact(costs, &queue, bytes),
            bound: (regime, bound.total()),
            one_buffer: exact(costs, &one, bytes).total(),
        };
        if row.bound.1.max(row.one_buffer) == Span(u64::MAX) {
            return Err(format!("a broadcast of {bytes} B takes longer than 213 days; expected smaller parameters"));
        }
        Ok(row)
    }

    /// Returns the time over that with one buffer; `None` where nothing takes time.
    pub(super) fn over_one_buffer(&self) -> Option<f64> {
        (self.one_buffer > Span::ZERO).then(|| self.parts.total().as_us() / self.one_buffer.as_us())
    }
}

impl Forecast {
    /// Predicts each of these broadcasts.
    ///
    /// # Errors
    /// Fails for times beyond those that a clock of picoseconds counts.
    pub fn predict(setting: Setting, cases: &[(u64, Queue)]) -> Result<Forecast, String> {
        let row = |&(bytes, queue): &(u64, Queue)| ForecastRow::predict(&setting.costs, bytes, queue);
        Ok(Forecast { setting, rows: cases.iter().map(row).collect::<Result<_, _>>()? })
    }

    /// Returns the bytes of the segment of all ranks, if the number of ranks is given.
    fn shared(&self, queue: &Queue) -> Option<u64> {
        self.setting.ranks.map(|ranks| queue.segment_bytes(ranks, self.setting.page_bytes))
    }

    pub(super) fn unit(&self) -> TimeUnit {
        TimeUnit::fitting(self.rows.iter().map(|row| row.parts.total().as_us()))
    }

    /// Whether the publication's formula is above the time anywhere.
    fn is_bounded(&self) -> bool {
        self.rows.iter().any(|row| row.bound.1 > row.parts.total())
    }

    pub(super) fn table(&self) -> Table {
        let bytes = |column: Column| column.shown(Style::Bytes);
        let time = |column: Column| column.shown(Style::Nanosecond);
        let ranks = self.setting.ranks.map_or_else(String::new, |ranks| counted(ranks, "rank"));
        let bound = time(columns::BOUND.headed("printed"));
        let shared = bytes(columns::SHARED_BYTES.headed(ranks));
        let columns: [Filled<ForecastRow>; 18] = [
            (bytes(columns::BYTES.headed("m")), &|row| row.bytes.into()),
            (bytes(columns::FRAGMENT.headed("f")), &|row| row.queue.fragment_bytes().into()),
            (columns::BUFFERS.headed("s"), &|row| row.queue.buffers().into()),
            (columns::SETS.headed("q"), &|row| row.queue.sets().into()),
            (bytes(columns::QUEUE.headed("b")), &|row| row.queue.bytes().into()),
            (columns::FRAGMENTS.column().unseen(), &|row| row.queue.fragments(row.bytes).into()),
            (columns::USES.column(), &|row| row.queue.uses(row.bytes).into()),
            (columns::FORMULA.column(), &|row| row.bound.0.name().into()),
            (time(columns::TIME.headed("time")), &|row| row.parts.total().as_us().into()),
            (time(columns::SETS_TIME.headed("sets")), &|row| row.parts.sets.as_us().into()),
            (time(columns::FIRST.headed("first")), &|row| row.parts.first.as_us().into()),
            (time(columns::NOTIFICATIONS.headed("notified")), &|row| row.parts.notifications.as_us().into()),
            (time(columns::COPYING.headed("copying")), &|row| row.parts.copying.as_us().into()),
            (if self.is_bounded() { bound } else { bound.unseen() }, &|row| row.bound.1.as_us().into()),
            (columns::OVER_ONE_BUFFER.headed("÷ s = 1").shown(Style::Fixed(4)), &|row| row.over_one_buffer().into()),
            (columns::RANKS.column().unseen(), &|_| self.setting.ranks.into()),
            (if self.setting.ranks.is_some() { shared } else { shared.unseen() }, &|row| {
                self.shared(&row.queue).into()
            }),
            (columns::PARAMETERS.column().unseen(), &|_| self.setting.costs.to_string().into()),
        ];
        Table::from_rows("rows", &self.rows, &columns)
    }

    /// Returns the rows as a table for readers.
    pub(super) fn seen(&self) -> table::Table {
        let table = self.table();
        let bound = self.is_bounded().then_some(BOUND);
        let notes = LEGEND.into_iter().chain(bound).map(str::to_owned).collect();
        View::new(&table).in_unit(self.unit()).whole().noting(notes).laid_out()
    }

    pub(super) fn choices(&self) -> Option<Choices> {
        Choices::choose(self)
    }
}

impl Results for Forecast {
    fn page(&self) -> Page {
        let choices = self.choices().map(|choices| choices.seen(self.unit()));
        Page {
            question: "What does a broadcast through shared memory take?".to_owned(),
            answer: format!("Broadcast through shared memory, {}", self.setting.costs),
            sections: [Some(self.seen()), choices]
                .into_iter()
                .flatten()
                .map(|table| Section::default().with_tables([table]))
                .collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn others(&self) -> Vec<Table> {
        Choices::tables(self.choices().as_ref()).into()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("parameters", self.setting.costs.to_string().into())]
    }
}

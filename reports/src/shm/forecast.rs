//! What a broadcast through shared memory takes, for each message and queue.

use super::choices::Choices;
use crate::columns;
use models::names::counted;
use models::shared_broadcast::{Costs, Parts, Queue, Regime, exact, printed};
use models::time::Span;
use render::data::{Cell, Column, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::TimeUnit;
use render::results::Results;
use render::table;

/// What the columns are.
const LEGEND: [&str; 2] = [
    "m: message, f: fragment, s: buffers, q: sets, b: memory of a queue, u: uses of a set",
    "time = sets, u (t_WO + t_A) + first, waits for copies into the queue + notified, ⌈m/f⌉ t_W + copying, m t",
];
const BOUND: &str = "printed: the publication's formula, which is an upper bound of the time";

/// One message through one queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// m: bytes of the message.
    pub bytes: u64,
    pub queue: Queue,
    /// The time, exactly.
    pub parts: Parts,
    /// The time by the publication's formula, and which one that is.
    pub bound: (Regime, Span),
    /// The time, if the queue had one buffer.
    pub one_buffer: Span,
}

/// What all broadcasts of a forecast have in common.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// What copies and waits cost.
    pub costs: Costs,
    /// Bytes of a page of memory.
    pub page_bytes: u64,
    /// Memory of a queue, where that is given in place of numbers of buffers.
    pub queue_bytes: Option<u64>,
    /// Ranks whose segment of shared memory is said.
    pub ranks: Option<u32>,
}

/// Broadcasts of several messages through several queues.
#[derive(Clone, Debug)]
pub struct Forecast {
    pub(super) setting: Setting,
    pub(super) rows: Vec<Row>,
}

impl Row {
    fn of(costs: &Costs, bytes: u64, queue: Queue) -> Result<Row, String> {
        let (regime, bound) = printed(costs, &queue, bytes);
        let one = Queue::new(queue.fragment_bytes(), 1, 1)?;
        let row = Row {
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

    /// The time over that with one buffer; none where nothing takes time.
    pub(super) fn over_one_buffer(&self) -> Option<f64> {
        (self.one_buffer > Span::ZERO).then(|| self.parts.total().as_us() / self.one_buffer.as_us())
    }
}

impl Forecast {
    /// Predicts each of these broadcasts.
    ///
    /// # Errors
    /// Times beyond what a clock of picoseconds counts.
    pub fn of(setting: Setting, cases: &[(u64, Queue)]) -> Result<Forecast, String> {
        let row = |&(bytes, queue): &(u64, Queue)| Row::of(&setting.costs, bytes, queue);
        Ok(Forecast { setting, rows: cases.iter().map(row).collect::<Result<_, _>>()? })
    }

    /// Bytes of the segment of all ranks, if there is a number of them.
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
        let columns = [
            bytes(columns::BYTES.headed("m")),
            bytes(columns::FRAGMENT.headed("f")),
            columns::BUFFERS.headed("s"),
            columns::SETS.headed("q"),
            bytes(columns::QUEUE.headed("b")),
            columns::FRAGMENTS.column(),
            columns::USES.column(),
            columns::FORMULA.column(),
            time(columns::TIME.headed("time")),
            time(columns::SETS_TIME.headed("sets")),
            time(columns::FIRST.headed("first")),
            time(columns::NOTIFICATIONS.headed("notified")),
            time(columns::COPYING.headed("copying")),
            time(columns::BOUND.headed("printed")),
            columns::OVER_ONE_BUFFER.headed("÷ s = 1").shown(Style::Fixed(4)),
            columns::RANKS.column(),
            bytes(columns::SHARED_BYTES.headed(ranks)),
            columns::PARAMETERS.column(),
        ];
        Table::new("rows", columns, self.rows.iter().map(|row| self.cells(row)))
    }

    fn cells(&self, row: &Row) -> Vec<Cell> {
        let Row { queue, parts, .. } = row;
        let lengths = [row.bytes, queue.fragment_bytes(), queue.buffers(), queue.sets(), queue.bytes()];
        let counts = [queue.fragments(row.bytes), queue.uses(row.bytes)];
        let times = [parts.total(), parts.sets, parts.first, parts.notifications, parts.copying, row.bound.1];
        let before = lengths.into_iter().chain(counts).map(Cell::from).chain([row.bound.0.name().into()]);
        let cells = before.chain(times.map(|time| time.as_us().into())).chain([row.over_one_buffer().into()]);
        cells
            .chain([self.setting.ranks.into(), self.shared(queue).into(), self.setting.costs.to_string().into()])
            .collect()
    }

    /// The rows as people see them.
    pub(super) fn seen(&self) -> table::Table {
        let table = self.table();
        let mut seen = vec!["bytes", "fragment_bytes", "buffers", "sets", "queue_bytes", "uses", "formula"];
        seen.extend(["time_us", "sets_us", "first_us", "notifications_us", "copying_us"]);
        seen.extend(self.is_bounded().then_some("bound_us"));
        seen.push("over_one_buffer");
        seen.extend(self.setting.ranks.map(|_| "shared_bytes"));
        let bound = self.is_bounded().then_some(BOUND);
        let notes = LEGEND.into_iter().chain(bound).map(str::to_owned).collect();
        View::of(&table).show(Show::all(seen)).noting(notes).laid_out()
    }

    pub(super) fn choices(&self) -> Option<Choices> {
        Choices::of(self)
    }
}

impl Results for Forecast {
    fn page(&self) -> Page {
        let choices = self.choices().map(|choices| choices.seen());
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

    fn tables(&self) -> Vec<Table> {
        [self.table()].into_iter().chain(Choices::tables(self.choices().as_ref())).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("parameters", self.setting.costs.to_string().into())]
    }
}

/// A time in µs in a unit, to the nanosecond.
pub(super) fn exactly(unit: TimeUnit, us: f64) -> String {
    match unit {
        TimeUnit::Us => format!("{us:.3}"),
        TimeUnit::Ms => format!("{:.6}", unit.of(us)),
    }
}

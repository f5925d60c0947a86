//! What a broadcast through shared memory takes, for each message and queue: as text, CSV and JSON.

use super::choices::Choices;
use models::shared_broadcast::{Costs, Parts, Queue, Regime, exact, printed};
use models::time::Span;
use render::plots::numbers::{TimeUnit, bytes};
use render::table::{Cell, Csv, Heads, Table};
use serde_json::{Value, json};

/// Heads of the rows.
const HEADS: &str = "bytes,fragment_bytes,buffers,sets,queue_bytes,fragments,uses,formula,time_us,sets_us,first_us,\
                     notifications_us,copying_us,bound_us,over_one_buffer,ranks,shared_bytes,parameters";

/// What the columns are.
const LEGEND: &str = "  m: message, f: fragment, s: buffers, q: sets, b: memory of a queue, u: uses of a set\n  \
    time = sets, u (t_WO + t_A) + first, waits for copies into the queue + notified, ⌈m/f⌉ t_W + copying, m t\n";
const BOUND: &str = "  printed: the publication's formula, which is an upper bound of the time\n";

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

    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("Broadcast through shared memory, {}\n", self.setting.costs);
        text.push_str(&self.table().text());
        text.push_str(LEGEND);
        if self.is_bounded() {
            text.push_str(BOUND);
        }
        if let Some(choices) = self.choices() {
            text.push_str(&format!("\n{}{}", choices.table(self.unit()).text(), choices.remark()));
        }
        text
    }

    /// Whether the publication's formula is above the time anywhere.
    fn is_bounded(&self) -> bool {
        self.rows.iter().any(|row| row.bound.1 > row.parts.total())
    }

    pub(super) fn table(&self) -> Table {
        let unit = self.unit();
        let lengths = ["m", "f", "s", "q", "b", "uses", "formula"].map(str::to_owned).into_iter();
        let times = ["sets", "first", "notified", "copying"].map(str::to_owned);
        let head = lengths.chain([format!("time, {}", unit.symbol())]).chain(times);
        let head = head.chain(self.is_bounded().then(|| "printed".to_owned())).chain(["÷ s = 1".to_owned()]);
        let head = head.chain(self.setting.ranks.map(|ranks| format!("{ranks} ranks")));
        let row = |row: &Row| {
            let Row { queue, parts, .. } = row;
            let number = |text: String| Cell::number(text, "");
            let time = |span: Span| number(exactly(unit, span.as_us()));
            let lengths = [bytes(row.bytes), bytes(queue.fragment_bytes())].into_iter();
            let counts = [queue.buffers(), queue.sets()].map(|number| number.to_string());
            let before = lengths.chain(counts).chain([bytes(queue.bytes()), queue.uses(row.bytes).to_string()]);
            let times = [parts.total(), parts.sets, parts.first, parts.notifications, parts.copying].map(time);
            let ratio = row.over_one_buffer().map_or("–".to_owned(), |ratio| format!("{ratio:.4}"));
            let segment = self.shared(queue).map(bytes);
            let cells = before.map(number).chain([Cell::text(row.bound.0.name())]).chain(times);
            let cells = cells.chain(self.is_bounded().then(|| time(row.bound.1)));
            cells.chain([ratio].into_iter().chain(segment).map(number)).collect()
        };
        Table::new("", head, self.rows.iter().map(row))
    }

    pub(super) fn choices(&self) -> Option<Choices> {
        Choices::of(self)
    }

    /// For programs that read tables.
    pub fn csv(&self) -> String {
        let parameters = self.setting.costs.to_string();
        let row = |row: &Row| {
            let Row { queue, parts, .. } = row;
            let lengths = [row.bytes, queue.fragment_bytes(), queue.buffers(), queue.sets(), queue.bytes()];
            let counts = [queue.fragments(row.bytes), queue.uses(row.bytes)];
            let times = [parts.total(), parts.sets, parts.first, parts.notifications, parts.copying, row.bound.1];
            let shared = (self.setting.ranks, self.shared(queue));
            let times = times.map(Span::as_us);
            (lengths, counts, row.bound.0.name(), times, row.over_one_buffer(), shared, parameters.as_str())
        };
        Csv::new(Heads(HEADS)).rows(self.rows.iter().map(row)).text()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let row = |row: &Row| {
            let Row { queue, parts, .. } = row;
            json!({
                "bytes": row.bytes, "fragment_bytes": queue.fragment_bytes(), "buffers": queue.buffers(), "sets": queue.sets(),
                "queue_bytes": queue.bytes(), "fragments": queue.fragments(row.bytes), "uses": queue.uses(row.bytes),
                "formula": row.bound.0.name(), "time_us": parts.total().as_us(), "sets_us": parts.sets.as_us(),
                "first_us": parts.first.as_us(), "notifications_us": parts.notifications.as_us(),
                "copying_us": parts.copying.as_us(), "bound_us": row.bound.1.as_us(), "over_one_buffer": row.over_one_buffer(),
                "ranks": self.setting.ranks, "shared_bytes": self.shared(queue),
            })
        };
        json!({
            "parameters": self.setting.costs.to_string(),
            "rows": self.rows.iter().map(row).collect::<Vec<Value>>(),
            "optimum": self.choices().and_then(|choices| choices.optimum_json()),
            "choices": self.choices().map_or_else(Vec::new, |choices| choices.json()),
        })
    }
}

/// A time in µs in a unit, to the nanosecond.
pub(super) fn exactly(unit: TimeUnit, us: f64) -> String {
    match unit {
        TimeUnit::Us => format!("{us:.3}"),
        TimeUnit::Ms => format!("{:.6}", unit.of(us)),
    }
}

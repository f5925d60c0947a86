//! Which queue to choose for a message, by what is known.

use super::forecast::{Forecast, exactly};
use models::shared_broadcast::{Costs, Optimum, Queue, exact, for_buffers, for_fragment, for_message, optimum, within};
use render::plots::numbers::{TimeUnit, bytes};
use render::table::{Cell, Table};
use serde_json::{Value, json};

/// Queues for one message length.
pub(super) struct Choices {
    costs: Costs,
    /// m: bytes of the message.
    bytes: u64,
    /// Memory of the queue, where all rows have the same, and the optimum for it.
    best: Option<(u64, Optimum)>,
    /// Whether queues of several sets were asked about; those that are chosen have one.
    sets: bool,
    chosen: Vec<Chosen>,
}

/// A queue that is chosen by what is known.
struct Chosen {
    /// What is known, for people.
    known: String,
    /// The same, for programs.
    key: &'static str,
    queue: Queue,
}

/// What all of them are, if they are the same.
fn same(mut all: impl Iterator<Item = u64>) -> Option<u64> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

impl Choices {
    /// For the message of a forecast; none of several messages, or of one without bytes.
    pub(super) fn of(forecast: &Forecast) -> Option<Choices> {
        let setting = forecast.setting;
        let (costs, page, rows) = (setting.costs, setting.page_bytes, || forecast.rows.iter());
        let m = same(rows().map(|row| row.bytes)).filter(|&m| m > 0)?;
        let queue = setting.queue_bytes.or_else(|| same(rows().map(|row| row.queue.bytes())));
        let fragment = same(rows().map(|row| row.queue.fragment_bytes()));
        let buffers = same(rows().map(|row| row.queue.buffers()));
        // f* in whole pages, of the whole memory, and of a queue that holds the message.
        let best = |b: u64| Some(optimum(&costs, m, b)?.in_pages(page));
        let tuned = queue.and_then(|b| Some((b, best(b)?)));
        let chosen = [
            queue.map(|b| (format!("b = {}", bytes(b)), "queue", within(b, page))),
            tuned.map(|(b, f)| {
                (format!("b = {} and the parameters", bytes(b)), "queue-and-parameters", Queue::filling(b, f, 1))
            }),
            Some((format!("m = {}", bytes(m)), "message", for_message(m, page))),
            best(m).map(|f| ("m and the parameters".to_owned(), "message-and-parameters", for_fragment(f, m))),
            fragment.map(|f| (format!("m and f = {}", bytes(f)), "fragment", for_fragment(f, m))),
            buffers.map(|s| (format!("m and s = {s}"), "buffers", for_buffers(s, m, page))),
        ];
        let chosen = chosen.into_iter().flatten().filter_map(|(known, key, queue)| {
            let queue = queue.ok()?;
            Some(Chosen { known, key, queue })
        });
        let best = queue.and_then(|b| Some((b, optimum(&costs, m, b)?)));
        let sets = rows().any(|row| row.queue.sets() > 1);
        Some(Choices { costs, bytes: m, best, sets, chosen: chosen.collect() })
    }

    pub(super) fn table(&self, unit: TimeUnit) -> Table {
        let time = format!("time, {}", unit.symbol());
        let by = if self.sets { "to choose by, with one set" } else { "to choose by" };
        let head = [by, "f", "s", "b", &time].map(str::to_owned);
        let row = |chosen: &Chosen| {
            let queue = &chosen.queue;
            let us = exact(&self.costs, queue, self.bytes).total().as_us();
            let numbers = [bytes(queue.fragment_bytes()), queue.buffers().to_string(), bytes(queue.bytes())];
            let numbers = numbers.into_iter().chain([exactly(unit, us)]).map(|text| Cell::number(text, ""));
            std::iter::once(Cell::text(chosen.known.clone())).chain(numbers).collect()
        };
        Table::new("", head, self.chosen.iter().map(row))
    }

    /// The optimum of the formula, in a line of its own; nothing where there is none.
    pub(super) fn remark(&self) -> String {
        let Some((b, best)) = self.best else { return String::new() };
        format!(
            "  fastest by the formula{} in b = {}: f* = √(m/⌈m/b⌉ · t_W/t) = {:.1} B, s* = b/f* = {:.1}\n",
            if self.sets { ", with one set," } else { "" },
            bytes(b),
            best.fragment_bytes,
            best.buffers,
        )
    }

    pub(super) fn optimum_json(&self) -> Option<Value> {
        let (b, best) = self.best?;
        Some(json!({ "queue_bytes": b, "fragment_bytes": best.fragment_bytes, "buffers": best.buffers }))
    }

    pub(super) fn json(&self) -> Vec<Value> {
        let row = |chosen: &Chosen| {
            let queue = &chosen.queue;
            json!({
                "known": chosen.key, "fragment_bytes": queue.fragment_bytes(), "buffers": queue.buffers(),
                "sets": queue.sets(), "queue_bytes": queue.bytes(), "time_us": exact(&self.costs, queue, self.bytes).total().as_us(),
            })
        };
        self.chosen.iter().map(row).collect()
    }
}

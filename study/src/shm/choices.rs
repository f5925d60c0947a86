//! Queues to choose for a message, by the quantities that are known.

use super::forecast::Forecast;
use models::shared_broadcast::{Costs, Optimum, Queue, exact, for_buffers, for_fragment, for_message, optimum, within};
use render::columns;
use render::data::{Column, Filled, Known, Show, Style, Table, View};
use render::plots::numbers::{TimeUnit, bytes};
use render::table;

/// Column that names the known quantities of a message or a queue, by which others are chosen.
const KNOWN: Known = Known::text("known", "what is known", "queue");
/// Column of the fragment that is the optimum of the formula, which is no whole number of bytes.
const BEST_FRAGMENT: Known = Known::number("fragment_bytes", "B", "length of a fragment", "7168.5");
/// Column of the number of buffers that belongs to this optimum.
const BEST_BUFFERS: Known = Known::number("buffers", "", "buffers of a queue", "36.6");

/// Queues to choose for one message length.
pub(super) struct Choices {
    costs: Costs,
    /// m: bytes of the message.
    bytes: u64,
    /// Memory of the queue, where all rows have the same, and the optimum for it.
    best: Option<(u64, Optimum)>,
    /// Whether the forecast has queues of several sets; chosen queues have one.
    sets: bool,
    chosen: Vec<Chosen>,
}

/// Queue chosen by known quantities.
struct Chosen {
    /// Known quantities as text for readers.
    known: String,
    /// Key of the known quantities in files.
    key: &'static str,
    queue: Queue,
}

/// Returns the common value, if all are equal.
fn same(mut all: impl Iterator<Item = u64>) -> Option<u64> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

impl Choices {
    /// Chooses queues for the message of a forecast; `None` for several messages, or for one without bytes.
    pub(super) fn choose(forecast: &Forecast) -> Option<Choices> {
        let setting = forecast.setting;
        let (costs, page, rows) = (setting.costs, setting.page_bytes, || forecast.rows.iter());
        let m = same(rows().map(|row| row.bytes)).filter(|&m| m > 0)?;
        let queue = setting.queue_bytes.or_else(|| same(rows().map(|row| row.queue.bytes())));
        let fragment = same(rows().map(|row| row.queue.fragment_bytes()));
        let buffers = same(rows().map(|row| row.queue.buffers()));
        // f* in whole pages, for the whole memory, and for a queue that holds the message.
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

    /// Returns the chosen queues, and the optimum of the formula where there is one; the tables have no rows where
    /// there is no choice.
    pub(super) fn tables(of: Option<&Choices>) -> [Table; 2] {
        let bytes = |column: Column| column.shown(Style::Bytes);
        let us = |chosen: &Chosen| of.map(|of| exact(&of.costs, &chosen.queue, of.bytes).total().as_us());
        let columns: [Filled<Chosen>; 6] = [
            (KNOWN.column(), &|chosen| chosen.key.into()),
            (bytes(columns::FRAGMENT.headed("f")), &|chosen| chosen.queue.fragment_bytes().into()),
            (columns::BUFFERS.headed("s"), &|chosen| chosen.queue.buffers().into()),
            (columns::SETS.headed("q"), &|chosen| chosen.queue.sets().into()),
            (bytes(columns::QUEUE.headed("b")), &|chosen| chosen.queue.bytes().into()),
            (columns::TIME.headed("time").shown(Style::Nanosecond), &|chosen| us(chosen).into()),
        ];
        let optimum: [Filled<(u64, Optimum)>; 3] = [
            (columns::QUEUE.column(), &|(b, _)| (*b).into()),
            (BEST_FRAGMENT.column(), &|(_, best)| best.fragment_bytes.into()),
            (BEST_BUFFERS.column(), &|(_, best)| best.buffers.into()),
        ];
        [
            Table::from_rows("choices", of.into_iter().flat_map(|choices| &choices.chosen), &columns),
            Table::from_rows("optimum", of.and_then(|choices| choices.best.as_ref()), &optimum),
        ]
    }

    /// Returns the choices as a table for readers, with the optimum below.
    pub(super) fn seen(&self, unit: TimeUnit) -> table::Table {
        let [choices, _] = Choices::tables(Some(self));
        let by = if self.sets { "to choose by, with one set" } else { "to choose by" };
        let known = Show::made(by, |row| table::Cell::text(self.chosen[row.place()].known.clone()));
        let view = View::new(&choices).in_unit(unit).show([known]).noting(self.remark().into_iter().collect());
        view.show(Show::all(["fragment_bytes", "buffers", "queue_bytes", "time_us"])).laid_out()
    }

    /// Returns the optimum of the formula in a sentence.
    fn remark(&self) -> Option<String> {
        let (b, best) = self.best?;
        Some(format!(
            "fastest by the formula{} in b = {}: f* = √(m/⌈m/b⌉ · t_W/t) = {:.1} B, s* = b/f* = {:.1}",
            if self.sets { ", with one set," } else { "" },
            bytes(b),
            best.fragment_bytes,
            best.buffers,
        ))
    }
}

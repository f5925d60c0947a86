//! Pictures of measured broadcasts through shared memory: over buffers, fragments or messages.

use super::drawn::Over;
use super::side_by_side::{Group, Timed};
use models::shared_broadcast::{Design, Queue, Queued};
use programs::machine::Estimate;
use render::groups::{distinct, grouped};
use render::plots::Drawing;
use render::plots::numbers::bytes;
use render::plots::scatter::{Plot, Series};

/// Largest number of curves in a picture.
const MOST_CURVES: usize = 4;

/// Quantity on the vertical axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Height {
    /// Time over that through one buffer.
    OverOne,
    /// Time over that of the library.
    OverFirst,
    /// Time alone, in µs.
    Time,
}

impl Height {
    fn words(self) -> &'static str {
        match self {
            Height::OverOne => "time / time with one buffer",
            Height::OverFirst => "time / time of the library",
            Height::Time => "time, µs",
        }
    }
}

impl Group<'_> {
    /// Returns the quantity with the most values, from three on, and the height over it.
    fn axes(&self) -> Option<(Over, Height)> {
        let of = |over: Over| distinct(self.queues().map(|(row, queued)| at(over, row, queued))).len();
        // Where queues fill the same memory, the fragment is chosen and determines the number of buffers.
        let is_chosen = |over: &Over| *over != Over::Buffers || self.filled().is_none();
        let over = [Over::Buffers, Over::Fragment, Over::Bytes]
            .into_iter()
            .filter(is_chosen)
            .max_by_key(|&over| (of(over), over == Over::Buffers))?;
        if of(over) < 3 {
            return None;
        }
        let all = |height: Height| self.queues().all(|(row, _)| self.height(height, row).is_some());
        let height = match over {
            Over::Buffers if all(Height::OverOne) => Height::OverOne,
            Over::Bytes if all(Height::OverFirst) => Height::OverFirst,
            Over::Buffers | Over::Bytes | Over::Fragment => Height::Time,
        };
        Some((over, height))
    }

    fn queues(&self) -> impl Iterator<Item = (&Timed<'_>, &Queued)> {
        let all = self.rows.iter().filter_map(|row| Some((row, row.queued()?)));
        // Curves do not distinguish designs; tables do.
        all.filter(|(_, queued)| queued.scheme().design == Design::Numa)
    }

    /// Returns the memory in which all queues have as many buffers as fit, where their fragments differ.
    fn filled(&self) -> Option<u64> {
        let queues = || self.queues().map(|(_, queued)| queued.queue());
        let memory = queues().map(|queue| queue.bytes()).max()?;
        let fills = |queue: Queue| Queue::filling(memory, queue.fragment_bytes(), queue.sets()) == Ok(queue);
        let differ = distinct(queues().map(|queue| queue.fragment_bytes())).len() > 1;
        (differ && queues().all(fills)).then_some(memory)
    }

    fn height(&self, height: Height, row: &Timed<'_>) -> Option<Estimate> {
        match height {
            Height::OverOne => Some(self.over_one(row)?.estimate()),
            Height::OverFirst => Some(self.over_first(row)?.estimate()),
            Height::Time => Some(row.us),
        }
    }

    /// Returns the picture with its caption; `None` where nothing has values enough for one.
    pub(super) fn picture(&self) -> Option<(String, Drawing)> {
        let (over, height) = self.axes()?;
        let series = self.curves(over, height);
        let curves = series.len();
        let left_out = self.others(over).len().saturating_sub(curves);
        let left_out =
            if left_out > 0 { format!(" (of {} curves the first {curves})", curves + left_out) } else { String::new() };
        let (title, x, y) = (self.title(), over.words(), height.words());
        let caption = format!("{title}: {y} over {x}{left_out}.");
        Some((caption, Plot { title, x, y, across: over.across(), series, line: None }.drawing()))
    }

    /// Returns the names of the curves, each once.
    fn others(&self, over: Over) -> Vec<String> {
        let filled = self.filled();
        distinct(self.queues().map(|(row, queued)| name(over, filled, row, queued)))
    }

    fn curves(&self, over: Over, height: Height) -> Vec<Series> {
        let filled = self.filled();
        let point = |(row, queued)| {
            let place = (at(over, row, queued) as f64, self.height(height, row)?);
            Some((name(over, filled, row, queued), place))
        };
        let curves = grouped(self.queues().filter_map(point)).into_iter().take(MOST_CURVES);
        curves.map(|(name, points)| Series { name, points }).collect()
    }
}

fn at(over: Over, row: &Timed<'_>, queued: &Queued) -> u64 {
    match over {
        Over::Bytes => row.bytes,
        Over::Fragment => queued.queue().fragment_bytes(),
        Over::Buffers => queued.queue().buffers(),
    }
}

/// Returns the name of a broadcast's curve: its parameters but the one on the axis. Over fragments of queues that fill
/// the same memory, the name gives this memory.
fn name(over: Over, filled: Option<u64>, row: &Timed<'_>, queued: &Queued) -> String {
    let scheme = queued.scheme();
    let message = (over != Over::Bytes).then(|| format!("m = {}", bytes(row.bytes)));
    let fragment = (over != Over::Fragment).then(|| format!("f = {}", bytes(scheme.queue.fragment_bytes())));
    let buffers = match (over, filled) {
        (Over::Buffers, _) => None,
        (Over::Fragment, Some(memory)) => Some(format!("b = {}", bytes(memory))),
        (Over::Fragment | Over::Bytes, _) => Some(format!("s = {}", scheme.queue.buffers())),
    };
    let sets = (scheme.queue.sets() > 1).then(|| format!("q = {}", scheme.queue.sets()));
    let parts = [message, fragment, buffers, sets, Some(scheme.tree.to_string())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

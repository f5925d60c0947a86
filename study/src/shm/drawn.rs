//! The picture of a forecast: the time of a broadcast beyond one copy, over messages, fragments or buffers.

use super::forecast::{Forecast, ForecastRow};
use models::time::Span;
use render::drawn::Drawn;
use render::plots::numbers::{TimeUnit, bytes};
use render::plots::scatter::{Across, Plot, Series, bare};

/// Largest number of curves in a picture.
const MOST_CURVES: usize = 4;
const PARTS: &str = "The parts of the time beyond one copy of the message out of the queue, and all of them together.";
const QUEUES: &str = "The time beyond one copy of the message out of the queue.";

models::named! {
    /// Quantity on the horizontal axis.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Over {
        /// Lengths of the messages.
        Bytes => "bytes", "message m",
        /// Lengths of the fragments.
        Fragment => "fragment", "fragment f",
        /// Numbers of buffers of a queue.
        Buffers => "buffers", "buffers s",
    }
    /// The name in flags.
    fn name;
    /// The words of its axis.
    fn words;
}

impl Over {
    fn value_in(self, row: &ForecastRow) -> u64 {
        match self {
            Over::Bytes => row.bytes,
            Over::Fragment => row.queue.fragment_bytes(),
            Over::Buffers => row.queue.buffers(),
        }
    }

    pub(super) fn across(self) -> Across {
        match self {
            Over::Bytes | Over::Fragment => Across::Bytes,
            Over::Buffers => Across::Log,
        }
    }
}

impl Forecast {
    /// Draws the forecast, in all forms. Where rows differ in one quantity, the parts of the time are drawn, else a
    /// curve for each combination of the other values.
    ///
    /// # Errors
    /// Fails for more curves than a picture shows.
    pub fn drawn(&self, over: Over) -> Result<Drawn, String> {
        let unit = self.unit();
        let mut groups: Vec<(Vec<String>, Vec<&ForecastRow>)> = Vec::new();
        for row in &self.rows {
            let others = others(over, self.setting.queue_bytes, row);
            match groups.iter_mut().find(|(known, _)| *known == others) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((others, vec![row])),
            }
        }
        if groups.len() > MOST_CURVES {
            return Err(format!(
                "expected up to {MOST_CURVES} curves over {} in a picture, found {}; take fewer other values",
                over.words(),
                groups.len()
            ));
        }
        // The title holds the values that all curves have in common; each curve's name holds those in which they
        // differ.
        let differs = |place: usize| groups.iter().any(|(others, _)| others[place] != groups[0].0[place]);
        let told = |others: &[String], wanted: bool| {
            let parts = others.iter().enumerate().filter(|(place, _)| differs(*place) == wanted);
            parts.map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(", ")
        };
        let common = groups.first().map(|(others, _)| told(others, false)).unwrap_or_default();
        let title = format!("Shared-memory broadcast, {common}");
        let (series, caption) = match &groups[..] {
            [(_, rows)] => (parts(over, unit, rows), PARTS),
            many => {
                let one = |(others, rows): &(Vec<String>, Vec<&ForecastRow>)| {
                    curve(over, unit, &told(others, true), rows, together)
                };
                (many.iter().map(one).collect(), QUEUES)
            }
        };
        let y = match unit {
            TimeUnit::Us => "time beyond one copy, µs",
            TimeUnit::Ms => "time beyond one copy, ms",
        };
        let plot = Plot { title: title.clone(), x: over.words(), y, across: over.across(), series, line: None };
        let choices = self.choices().map(|choices| choices.seen(unit));
        Ok(Drawn {
            title,
            notes: vec![format!("Parameters: {}", self.setting.costs)],
            question: "What does a broadcast through shared memory take?",
            origin: "Computed by closed forms",
            caption,
            drawing: plot.drawing(),
            tables: [Some(self.seen()), choices].into_iter().flatten().collect(),
            remarks: Vec::new(),
            rows: self.table(),
            others: Vec::new(),
        })
    }
}

/// Returns the parameters of a row but the one on the axis.
fn others(over: Over, queue_bytes: Option<u64>, row: &ForecastRow) -> Vec<String> {
    let queue = &row.queue;
    let message = (over != Over::Bytes).then(|| format!("m = {}", bytes(row.bytes)));
    let fragment = (over != Over::Fragment).then(|| format!("f = {}", bytes(queue.fragment_bytes())));
    let buffers = match queue_bytes {
        Some(b) => Some(format!("b = {}", bytes(b))),
        None => (over != Over::Buffers).then(|| format!("s = {}", queue.buffers())),
    };
    [message, fragment, buffers, Some(format!("q = {}", queue.sets()))].into_iter().flatten().collect()
}

fn together(row: &ForecastRow) -> Span {
    row.parts.beyond_copying()
}

fn parts(over: Over, unit: TimeUnit, rows: &[&ForecastRow]) -> Vec<Series> {
    vec![
        curve(over, unit, "sets", rows, |row| row.parts.sets),
        curve(over, unit, "first copies", rows, |row| row.parts.first),
        curve(over, unit, "notifications", rows, |row| row.parts.notifications),
        curve(over, unit, "together", rows, together),
    ]
}

fn curve(over: Over, unit: TimeUnit, name: &str, rows: &[&ForecastRow], of: fn(&ForecastRow) -> Span) -> Series {
    let points = rows.iter().map(|row| (over.value_in(row) as f64, bare(unit.convert(of(row).as_us()))));
    Series { name: name.to_owned(), points: points.collect() }
}

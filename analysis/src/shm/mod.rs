//! Broadcasts through shared memory: requests on messages and queues, and their results.

mod measure;
mod simulate;

pub use measure::{Beside, Measure, measure};
pub use simulate::Simulate;

use crate::measuring::words::numbers;
use crate::values::bytes;
use models::shared_broadcast::{Costs, Queue};
use render::drawn::Drawn;
use scenario::BadInput;
use scenario::sweep::whole;
use study::shm::{Forecast, Memory, Over, Setting};

/// Length of messages, m, in the publication's figures.
const PUBLISHED_BYTES: &str = "16MiB";
/// Largest number of rows, as more are a typing error.
const MOST_ROWS: usize = 10_000;
/// Default values along the horizontal axis of a picture, where none are named.
const ACROSS: [(Over, &str); 2] = [(Over::Bytes, "64..16MiB"), (Over::Fragment, "1KiB..256KiB")];
/// Largest number of buffers along the horizontal axis by default; values double up to it.
const MOST_BUFFERS: u64 = 1024;

/// Messages and queues whose times are predicted. Each value is a list as users write it; a missing one has the value
/// of the publication's figures.
#[derive(Clone, Debug, Default)]
pub struct Predict {
    /// Lengths of messages; `None` for 16 MiB.
    pub bytes: Option<String>,
    /// Lengths of fragments; `None` for 8 KiB.
    pub fragment: Option<String>,
    /// Numbers of buffers; `None` for 32.
    pub buffers: Option<String>,
    /// Memory of a queue in bytes, which determines the number of buffers in place of `buffers`.
    pub queue_bytes: Option<u64>,
    /// Numbers of sets; `None` for 1.
    pub sets: Option<String>,
    /// Parameters of the model, like `t=1ns/B,tW=50ns`.
    pub set: Option<String>,
    /// Quantity along the horizontal axis; `None` for the one that is varied.
    pub over: Option<Over>,
    /// Number of ranks for which the length of the shared segment is shown; `None` for none.
    pub ranks: Option<u32>,
    /// Length of a page of memory, in bytes.
    pub page_bytes: u64,
}

/// Values of everything that is varied.
struct Values {
    bytes: Vec<u64>,
    fragments: Vec<u64>,
    /// Numbers of buffers; `None` where a queue's memory determines them.
    buffers: Option<Vec<u64>>,
    sets: Vec<u64>,
}

impl Predict {
    /// Predicts the times of all combinations.
    ///
    /// # Errors
    /// Fails on a malformed list of numbers, on impossible queues, and on too many combinations.
    pub fn forecast(&self) -> Result<Forecast, BadInput> {
        let costs = Costs::parse(self.set.as_deref().unwrap_or_default());
        let costs = costs.map_err(|message| BadInput(format!("--set: {message}")))?;
        if self.page_bytes == 0 {
            return Err(BadInput("--page: expected a page of at least one byte, found 0".to_owned()));
        }
        let Predict { page_bytes, queue_bytes, ranks, .. } = *self;
        let setting = Setting { costs, page_bytes, queue_bytes, ranks };
        Forecast::predict(setting, &self.cases()?).map_err(BadInput)
    }

    /// Draws the predicted times.
    ///
    /// # Errors
    /// Fails if no axis is named and not exactly one quantity varies, and on too many curves.
    pub fn drawn(&self, forecast: &Forecast) -> Result<Drawn, BadInput> {
        let over = self.over.map_or_else(|| self.varied(), Ok)?;
        forecast.drawn(over).map_err(|message| BadInput(format!("--out: {message}")))
    }

    fn values(&self) -> Result<Values, BadInput> {
        let across = |over: Over| ACROSS.iter().find(|(known, _)| self.over == Some(over) && *known == over);
        let list = |flag: &str, said: &Option<String>, over: Over, usual: &str| {
            let usual = across(over).map_or(usual, |(_, range)| range);
            numbers(flag, said.as_deref().unwrap_or(usual), bytes)
        };
        let count = |text: &str| whole(text).ok_or_else(|| format!("expected a whole number, found \"{text}\""));
        let sets: Vec<u64> = numbers("--sets", self.sets.as_deref().unwrap_or("1"), count)?;
        let fewest = sets.iter().copied().max().unwrap_or(1).max(1);
        let usual = match self.over {
            Some(Over::Buffers) => format!("{fewest}..{}", MOST_BUFFERS.max(fewest)),
            _ => "32".to_owned(),
        };
        let buffers = match self.queue_bytes {
            Some(_) => None,
            None => Some(numbers("--buffers", self.buffers.as_deref().unwrap_or(&usual), count)?),
        };
        Ok(Values {
            bytes: list("--bytes", &self.bytes, Over::Bytes, PUBLISHED_BYTES)?,
            fragments: list("--fragment", &self.fragment, Over::Fragment, "8KiB")?,
            buffers,
            sets,
        })
    }

    fn cases(&self) -> Result<Vec<(u64, Queue)>, BadInput> {
        if self.over == Some(Over::Buffers) && self.queue_bytes.is_some() {
            let message = "--over buffers: the memory of --queue says how many there are; vary the fragment instead";
            return Err(BadInput(message.to_owned()));
        }
        let Values { bytes, fragments, buffers, sets } = self.values()?;
        let several = buffers.as_ref().map_or(1, Vec::len);
        let rows = [bytes.len(), fragments.len(), several, sets.len()].into_iter().fold(1, usize::saturating_mul);
        if rows > MOST_ROWS {
            return Err(BadInput(format!("expected up to {MOST_ROWS} combinations of values, found {rows}")));
        }
        let mut cases = Vec::with_capacity(rows);
        for &sets in &sets {
            for &message in &bytes {
                for &fragment in &fragments {
                    for queue in self.queues(fragment, buffers.as_deref(), sets)? {
                        cases.push((message, queue));
                    }
                }
            }
        }
        Ok(cases)
    }

    /// Returns the queues with fragments of this length and this number of sets.
    fn queues(&self, fragment: u64, buffers: Option<&[u64]>, sets: u64) -> Result<Vec<Queue>, BadInput> {
        let queues = match (buffers, self.queue_bytes) {
            (Some(buffers), _) => buffers.iter().map(|&buffers| Queue::new(fragment, buffers, sets)).collect(),
            (None, Some(memory)) => Queue::filling(memory, fragment, sets).map(|queue| vec![queue]),
            (None, None) => Ok(Vec::new()),
        };
        let flags =
            if self.queue_bytes.is_some() { "--queue, --fragment, --sets" } else { "--fragment, --buffers, --sets" };
        queues.map_err(|message| BadInput(format!("{flags}: {message}")))
    }

    /// Returns the quantity that has several values; the error is that none or several have.
    fn varied(&self) -> Result<Over, BadInput> {
        let values = self.values()?;
        let counts = [
            (Over::Bytes, values.bytes.len()),
            (Over::Fragment, values.fragments.len()),
            (Over::Buffers, values.buffers.map_or(1, |buffers| buffers.len())),
        ];
        let several: Vec<Over> = counts.into_iter().filter(|(_, count)| *count > 1).map(|(over, _)| over).collect();
        match several[..] {
            [over] => Ok(over),
            _ => {
                let names = Over::ALL.map(Over::name).join(", ");
                Err(BadInput(format!("--out: expected --over, which says what goes to the right: {names}")))
            }
        }
    }
}

/// Returns the memory that queues of these fragments take.
///
/// # Errors
/// Fails on a malformed list of lengths, and on a queue of more than a tebibyte.
pub fn memory(fragments: &str) -> Result<Memory, BadInput> {
    let fragments: Vec<u64> = numbers("--fragment", fragments, bytes)?;
    if fragments.contains(&0) {
        return Err(BadInput("--fragment: expected fragments of at least one byte, found 0".to_owned()));
    }
    Memory::from_fragments(&fragments).map_err(|message| BadInput(format!("--fragment: {message}")))
}

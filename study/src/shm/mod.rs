//! Broadcasts through shared memory: predicted times over messages and queues, the choice of a queue, its memory, and
//! simulated calls.

mod beside;
mod choices;
mod curves;
mod drawn;
mod forecast;
mod memory;
mod parameters;
mod side_by_side;
mod simulated;
#[cfg(test)]
mod tests;
mod tuned;
#[cfg(test)]
mod tuned_tests;

pub(crate) use beside::{fastest, section, sections, stands_beside};
pub use drawn::Over;
pub use forecast::{Forecast, Setting};
pub use memory::Memory;
pub use side_by_side::{Predicted, Prediction, SideBySide};
pub use simulated::{Simulated, calls_in_words, scheme_in_words};
pub use tuned::{LENGTHS, Tuned};

//! Broadcasts through shared memory: predicted times over messages and queues, which queue to choose, how much memory it
//! takes, and simulated calls.

mod choices;
mod drawn;
mod forecast;
mod memory;
mod simulated;
#[cfg(test)]
mod tests;

pub use drawn::Over;
pub use forecast::{Forecast, Setting};
pub use memory::Memory;
pub use simulated::{Simulated, calls_in_words, scheme_in_words};

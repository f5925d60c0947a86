//! Broadcasts through shared memory: predicted times over messages and queues, which queue to choose, and how much memory it takes.

mod choices;
mod drawn;
mod forecast;
mod memory;
#[cfg(test)]
mod tests;

pub use drawn::Over;
pub use forecast::{Forecast, Setting};
pub use memory::Memory;

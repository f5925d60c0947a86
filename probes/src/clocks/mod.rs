//! Quality of clocks and of their synchronisation: report cards, waits of known duration, trials, clocks that moved.

mod cards;
mod injected;
mod moved;
mod trials;
pub mod waits;

pub use cards::{Examined, Waits};
pub use cards::{examined, table};
pub use moved::{Moved, moved, too_unsure};
pub use trials::compared;
pub(crate) use trials::trials;

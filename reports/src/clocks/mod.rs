//! What clocks and their synchronisation are worth: report cards, waits of known duration, trials, clocks that moved.

mod cards;
mod moved;
mod trials;

pub use cards::{Examined, Waits, table as card_table, waits};
pub use moved::{Moved, moved, share_one_clock, too_unsure};
pub use trials::{Row, rows, table as trial_table};

//! Checks of the clocks by waits of known duration, for terminals and pages.

mod page;
pub mod terminal;

pub use page::section;

//! What waits of known duration showed of the clocks, for terminals and pages.

mod page;
pub mod terminal;

pub use page::section;

//! Announcement and progress of long commands, on standard error.

mod cases;
mod detours;
mod expected;
mod points;

pub use cases::Cases;
pub(crate) use detours::Detours;
pub use expected::Expected;
pub use points::{PointWords, Points};

//! How far something is that takes long, on standard error.

mod cases;
mod detours;
mod points;

pub use cases::Cases;
pub(crate) use detours::Detours;
pub use points::{Counted, Points};

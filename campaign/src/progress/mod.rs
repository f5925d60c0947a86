//! What takes long: what it will do, before it begins, and how far it is, on standard error.

mod cases;
mod detours;
mod expected;
mod points;

pub use cases::Cases;
pub(crate) use detours::Detours;
pub use expected::Expected;
pub use points::{Counted, Points};

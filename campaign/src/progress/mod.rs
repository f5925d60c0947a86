//! How far something is that takes long, on standard error.

mod cases;
mod points;

pub use cases::Cases;
pub use points::Points;

//! Noise: recording it on real ranks, and what recorded noise says.

mod collect;
mod import;
mod recorded;

pub use collect::Collect;
pub use import::{Imports, Written};
pub use recorded::Recorded;

//! Noise: recording it on real ranks, and what recorded noise says.

mod collect;
mod import;
mod inject;
mod recorded;

pub use collect::{Collect, cpus};
pub use import::{Imports, Written};
pub use inject::Inject;
pub use recorded::{Recorded, of_density};

//! Readers of everything that can be a side of a comparison.

mod campaign;
mod imported;
mod machine;
mod samples;

pub use campaign::{campaign, of_ranks};
pub use imported::imported;
pub(crate) use imported::{case_of_row, excluding};
pub use machine::machine;
pub use samples::{is_samples, samples};

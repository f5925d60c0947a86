//! Audits: which benchmarks there are and where, how they are run, and what the words of `parallax audit` mean.

mod asked;
mod tools;

pub use asked::Asked;
pub use tools::{Program, Tool, Way, find, interface};

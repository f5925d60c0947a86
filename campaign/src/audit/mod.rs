//! Audits: the benchmarks with their places and flags, and the arguments of `parallax audit`.

mod asked;
mod tools;

pub use asked::AuditInput;
pub use tools::{Program, Tool, Way, find, interface};

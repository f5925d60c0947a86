//! Formats of other programs: texts of benchmarks read and written, traces of ranks.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod export;
pub mod import;
pub mod trace;
pub mod tuning;

#[cfg(test)]
#[path = "../../study/src/compare/fixture.rs"]
mod fixture;

#[cfg(test)]
#[path = "../../render/src/plots/room_tests.rs"]
mod room_tests;

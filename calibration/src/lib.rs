//! Machines: their parameters from exchanges between ranks, what network models leave out, and the states that they are in.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod fit;
pub mod holds;
pub mod plots;
pub mod refine;
pub mod states;

#[cfg(test)]
#[path = "../../study/src/compare/fixture.rs"]
mod fixture;

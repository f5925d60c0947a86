//! Answers of tests of real ranks: clocks, memory, messages, work, cache lines; as results and as cases.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod cases;
pub mod clocks;
pub mod lines;
pub mod memory;
#[cfg(feature = "meters")]
mod meters;
pub mod point_to_point;
mod steps;
pub mod tested;

#[cfg(test)]
#[path = "../../render/src/forms.rs"]
mod forms;

#[cfg(test)]
#[path = "../../study/src/compare/fixture.rs"]
mod fixture;

#[cfg(test)]
#[path = "../../render/src/plots/room_tests.rs"]
mod room_tests;

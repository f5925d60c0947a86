//! Pages of scenarios and sweeps: the summary of a run, its report, and pictures of sweeps.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod html;
pub mod summary;
pub mod sweep;
pub mod timeline;

#[cfg(test)]
#[path = "../../render/src/forms.rs"]
mod forms;

#[cfg(test)]
#[path = "../../study/src/compare/fixture.rs"]
mod fixture;

#[cfg(test)]
#[path = "../../render/src/plots/room_tests.rs"]
mod room_tests;

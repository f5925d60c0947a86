//! Programs of ranks without I/O: what ranks do and leave behind.
//!
//! Methods, synchronisations, calibrations and meters are plain functions over [`rank::Rank`]: `parallax_sim` runs them
//! in virtual time and `parallax_measure` in real time. Observations are their records, machine files what calibrations
//! find. The crate opens no file, reads no real clock, and compiles for WebAssembly.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod aggregation;
pub mod audit;
pub mod budget;
pub mod calibration;
pub mod detours;
pub mod machine;
pub mod memory;
pub mod meters;
pub mod method;
pub mod observation;
pub mod operation;
pub mod played;
pub mod point_to_point;
pub mod rank;
pub mod sync;
pub mod trace;

// For the macro `with_library`.
#[doc(hidden)]
pub use models;

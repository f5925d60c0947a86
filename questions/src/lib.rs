//! Questions to the simulator in the words of users, and its answers. `parallax simulate`, sweeps, lessons in a browser and
//! the server of lessons ask by the same functions, so that all of them give the same picoseconds. The crate compiles
//! for WebAssembly.
//!
//! # Start here
//!
//! [`CallChoice`], [`NetworkChoice`] and [`entry::read`] make a [`sim::Simulation`] of what users write;
//! [`once::once`] simulates it, and [`method::MethodChoice`] has a benchmark's method time it. [`show::Answer`] is the
//! result.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

mod benchmark;
mod call;
pub mod entry;
pub mod method;
mod network;
pub mod noise;
pub mod once;
pub mod show;
mod steady;

pub use call::CallChoice;
pub use network::{NetworkChoice, refined};

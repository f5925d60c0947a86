//! Real time: ranks that are threads on an emulated network, and what MPI ranks share with them.
//!
//! MPI is linked with feature `mpi` only; its calls are in one module, `world`.

#![warn(unreachable_pub)]

pub mod audit;
pub mod board;
pub mod buffer;
pub mod check;
pub mod clock;
pub mod dealing;
pub mod emulated;
pub mod flush;
pub mod handover;
pub mod immediate;
pub mod job;
pub mod memory;
pub mod neighbour;
pub mod probe;
pub mod rank;
pub mod service;
mod shared;
pub mod threads;
pub mod usage;
pub mod waiting;
pub mod watcher;
#[cfg(feature = "mpi")]
pub mod world;

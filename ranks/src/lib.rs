//! Worlds of MPI ranks. MPI is linked with feature `mpi` only. Without it this library is empty.
//!
//! Every MPI call of the project is in the module `world`, except the calls that are passed on by the library that is
//! loaded beside other programs. The program `parallax-mpi`, which an MPI launcher starts, is one rank of such a world.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

#[cfg(feature = "mpi")]
pub mod world;

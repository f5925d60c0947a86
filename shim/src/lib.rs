//! A library that is loaded beside an unmodified MPI program (`LD_PRELOAD`) and stands between it and the MPI library
//! (MPI's profiling interface): it sees which collective call is being timed, looks at the machine's state, and takes
//! reference windows of the same call, with the program's own buffers, between the program's rows.
//!
//! It is built once for each MPI library (feature `mpi`). Without that feature only the parts that need no MPI are
//! compiled. Its settings are in [`measure::audit`], its lines in [`programs::audit`].

pub mod call;
pub mod mapped;
pub mod rows;

#[cfg(feature = "mpi")]
mod entries;
#[cfg(feature = "mpi")]
mod fortran;
#[cfg(feature = "mpi")]
mod freed;
#[cfg(feature = "mpi")]
mod memory;
#[cfg(feature = "mpi")]
mod next;
#[cfg(feature = "mpi")]
mod referee;
#[cfg(feature = "mpi")]
mod replay;
#[cfg(feature = "mpi")]
mod watch;

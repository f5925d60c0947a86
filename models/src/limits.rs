//! Limits of requests to real ranks: more is a typing error, or more than MPI can count.

use crate::world::World;

/// Largest number of ranks of an MPI world; more are a typing error on any machine.
pub const MOST_PROCESSES: u32 = 1 << 20;
/// Largest number of ranks as threads: each pair has channels of its own, and more would measure nothing but the
/// scheduler.
pub const MOST_THREADS: u32 = 256;
/// Longest message of a real world, in bytes: MPI counts bytes in an `int`, and every rank has two buffers.
pub const MOST_BYTES: u64 = 1 << 30;
/// Longest buffer of a rank, in bytes: displacements in it are an `int` of MPI, too.
pub const LONGEST_BUFFER: u64 = i32::MAX as u64;
/// Largest number of calls of one case: every call of a barrier-loop is kept with its stamps.
pub const MOST_CALLS: u64 = 1_000_000;

/// Largest number of simulated ranks of a case: each runs the method as a program of its own.
pub const MOST_SIMULATED: u32 = 1 << 16;

/// Largest number of ranks per core: more measure nothing but the scheduler.
const MOST_RANKS_PER_CORE: u32 = 64;

/// Largest number of ranks of a world on this number of cores.
pub fn most_ranks(world: World, cores: u32) -> u32 {
    match world {
        World::Threads => MOST_THREADS,
        World::Simulated => MOST_SIMULATED,
        World::Mpi(_) => MOST_PROCESSES.min(cores.saturating_mul(MOST_RANKS_PER_CORE)),
    }
}

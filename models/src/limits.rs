//! How much real ranks can be asked for; more is a typing error, or more than MPI can count.

use crate::observation::World;

/// The most ranks that an MPI world may be asked for; more are a typing error on any machine.
pub const MOST_PROCESSES: u32 = 1 << 20;
/// The most ranks as threads: each pair has channels of its own, and more would measure nothing but the scheduler.
pub const MOST_THREADS: u32 = 256;
/// The longest message of a real world: MPI counts bytes in an `int`, and every rank has two buffers.
pub const MOST_BYTES: u64 = 1 << 30;
/// The longest buffer of a rank: displacements in it are an `int` of MPI, too.
pub const LONGEST_BUFFER: u64 = i32::MAX as u64;
/// The most calls of one case: every call of a barrier-loop is kept with its stamps.
pub const MOST_CALLS: u64 = 1_000_000;

/// The most simulated ranks of a case: each runs the method as a program of its own.
pub const MOST_SIMULATED: u32 = 1 << 16;

/// More ranks than this for each core measure nothing but the scheduler.
const MOST_RANKS_PER_CORE: u32 = 64;

/// The most ranks of a world that so many cores are asked to bear.
pub fn most_ranks(world: World, cores: u32) -> u32 {
    match world {
        World::Threads => MOST_THREADS,
        World::Simulated => MOST_SIMULATED,
        World::Mpi(_) => MOST_PROCESSES.min(cores.saturating_mul(MOST_RANKS_PER_CORE)),
    }
}

//! MPICH within one node: blocking collectives that its device carries out through cells that ranks share (release and
//! gather).
//!
//! Restated from `maint/tuning/coll/ch4/generic.json` and `posix_generic.json` of MPICH, the same in 4.0.2 to 5.0.1 as
//! far as these collectives go, and from what they name (`ch4_coll_impl.h`): where all ranks are on one node, it is the
//! device's posix module whose choice counts, which is release and gather for every length, if the application runs one
//! thread and the operation commutes. The first four of these calls on a communicator go by messages
//! (`MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD` 5). Long broadcasts on eight ranks and more are the network's own, by
//! messages, as [`mpich_4_0`](super::mpich_4_0) says.
//!
//! A build whose only network module is UCX has no module for shared memory (`subconfigure.m4`: with_ch4_shmmods):
//! Debian's.

use crate::collective::{Collective, Shape};
use crate::library;
use crate::release::Release;
use crate::shared_broadcast::{Design, Notified, Queue, Scheme};

/// Way of a call through cells that ranks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThroughCells {
    /// Cells of the call, and the tree of broadcasts.
    pub scheme: Scheme,
    /// Tree up which reductions go.
    pub up: Notified,
    /// Sequence of releases and gathers of the call.
    pub steps: Steps,
}

/// The steps of a call, each of which is a release or a gather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Steps of a broadcast: release and gather of each fragment.
    Broadcast,
    /// Steps of a barrier: gather, release, and a broadcast of one byte.
    Barrier,
    /// Steps of a reduction: release and gather of each fragment.
    Reduction,
    /// Steps of an allreduce: gather and release of each fragment.
    Allreduce,
}

/// First version whose rules were compared.
const SINCE: Release = Release(4, 0, 2);
/// Number of bytes of a broadcast's cell for checks of arguments, which builds have if nothing else was asked for.
const FOR_CHECKS_BYTES: u64 = 128;
/// Largest number of bytes of a reduction that goes up a tree with four children to a rank; others go up one with two
/// (`MPIR_CVAR_REDUCE_INTRANODE_MSG_SIZE_THRESHOLD`).
const SHORT_BYTES: u64 = 2_048;

impl ThroughCells {
    /// Name of the algorithm in MPICH.
    pub const CALLED: &'static str = "release_gather";
    /// Rule by which the algorithm is taken.
    pub const RULE: &'static str = "all ranks on one node, one thread, from the fifth such call on: release_gather";

    /// Returns the way in which MPICH makes a call on ranks of one node, if the call passes through cells; `None` for
    /// other calls, and on one rank. Elements are one byte long, and operations commute.
    pub fn for_call(collective: Collective, shape: &Shape) -> Option<ThroughCells> {
        let (steps, passes) = match collective {
            Collective::Bcast => {
                let passes = match (shape.ranks, shape.bytes) {
                    (_, 0) => false,
                    (..8, _) | (_, ..12_288) => true,
                    (ranks, bytes) => ranks.is_power_of_two() && bytes < 524_288,
                };
                (Steps::Broadcast, passes)
            }
            Collective::Barrier => (Steps::Barrier, true),
            Collective::Reduce => (Steps::Reduction, shape.bytes > 0),
            Collective::Allreduce => (Steps::Allreduce, shape.bytes > 0),
            Collective::Gather
            | Collective::Scatter
            | Collective::Allgather
            | Collective::Alltoall
            | Collective::ReduceScatter
            | Collective::Scan
            | Collective::Exscan => return None,
        };
        (passes && shape.ranks > 1).then(|| ThroughCells::made(steps, shape.bytes))
    }

    fn made(steps: Steps, bytes: u64) -> ThroughCells {
        let usual = Design::ReleaseGather.usual_scheme();
        let checks = if steps == Steps::Broadcast { FOR_CHECKS_BYTES } else { 0 };
        let room = usual.queue.fragment_bytes() - checks;
        let queue = Queue::new(room, usual.queue.buffers(), 1).expect("a shorter queue than the usual one");
        let up = Notified::complete(if bytes <= SHORT_BYTES { 4 } else { 2 });
        ThroughCells { scheme: Scheme { queue, ..usual }, up, steps }
    }

    /// Whether ranks with this description of themselves make such calls: they run an MPICH whose device has a module
    /// for shared memory. `None` where the description names no device.
    pub fn are_in(ran_by: &str) -> Option<bool> {
        let release = Release::behind(library::Library::MPICH.title, ran_by)?;
        let (_, device) = ran_by.split_once("(ch4:")?;
        let (modules, _) = device.split_once(')')?;
        Some(release >= SINCE && modules != "ucx")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_calls_pass_through_cells_and_long_broadcasts_on_many_ranks_do_not() {
        let passes =
            |collective, ranks, bytes| ThroughCells::for_call(collective, &Shape::new(ranks, 0, bytes)).is_some();
        let bcast = |ranks, bytes| passes(Collective::Bcast, ranks, bytes);
        assert_eq!([bcast(1, 8), bcast(2, 0), bcast(2, 8), bcast(7, 1 << 30)], [false, false, true, true]);
        assert_eq!(
            [bcast(8, 12_288), bcast(8, 524_288), bcast(9, 12_287), bcast(9, 12_288)],
            [true, false, true, false]
        );
        assert!(passes(Collective::Barrier, 64, 0) && !passes(Collective::Barrier, 1, 0));
        assert!(passes(Collective::Allreduce, 300, 1 << 30) && passes(Collective::Reduce, 2, 1));
        assert!(!passes(Collective::Allgather, 2, 8));
    }

    #[test]
    fn cells_and_trees_are_those_of_mpich() {
        let of = |collective, bytes| {
            let made = ThroughCells::for_call(collective, &Shape::new(4, 0, bytes)).expect("through cells");
            format!("{} {} {}", made.scheme.queue.fragment_bytes(), made.scheme.tree, made.up)
        };
        assert_eq!(of(Collective::Bcast, 100_000), "8064 complete:64 complete:2");
        assert_eq!(of(Collective::Allreduce, 2_048), "8192 complete:64 complete:4");
        assert_eq!(of(Collective::Reduce, 2_049), "8192 complete:64 complete:2");
    }

    #[test]
    fn builds_without_a_module_for_shared_memory_have_no_cells() {
        assert_eq!(ThroughCells::are_in("MPICH 5.0.2 (ch4:ucx ofi) on node7, clock tsc"), Some(true));
        assert_eq!(ThroughCells::are_in("MPICH 4.1.3 (ch4:ofi) on node7, clock tsc"), Some(true));
        assert_eq!(ThroughCells::are_in("MPICH 4.0.2 (ch4:ucx) on node7, clock tsc"), Some(false));
        for unsaid in ["MPICH 4.3.2 on node7, clock tsc", "Open MPI 5.0.11 on node7, clock tsc", "published numbers"] {
            assert_eq!(ThroughCells::are_in(unsaid), None, "{unsaid}");
        }
    }
}

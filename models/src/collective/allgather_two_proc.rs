//! Allgather between two ranks (Open MPI `two_proc`, `ompi_coll_base_allgather_intra_two_procs`), which Open MPI takes
//! for every length: either rank sends what it has straight from where the caller has it, and copies its own block in
//! the end. The messages are those of the ring. With more ranks, for which Open MPI refuses it, it is the ring.
//!
//! ```text
//! round 0   0◀─▶1      one block
//! ```

use super::{Algorithm, Collective, Places, Ranks, allgather_ring};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "two-proc",
    openmpi: Some("two_proc"),
    mpich: None,
    wins: "two ranks: nothing is copied before it is sent",
    time: "(P−1)·(α + mβ)",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.ranks - 1),
    round: allgather_ring::round,
    cost: allgather_ring::cost,
};

//! Pairwise all-to-all (Open MPI and MPICH `pairwise`, `ompi_coll_base_alltoall_intra_pairwise`; MPICH takes rank xor k
//! where P is a power of two): in round k every rank sends to the one k after it and receives from the one k before.
//!
//! ```text
//! round 0   every rank r: ─▶ r+1      0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! round 1   every rank r: ─▶ r+2      0─▶2 1─▶3 2─▶4 3─▶5 4─▶6 5─▶7 6─▶0 7─▶1
//! …
//! round 6   every rank r: ─▶ r+7      0─▶7 1─▶0 2─▶1 3─▶2 4─▶3 5─▶4 6─▶5 7─▶6
//! ```

use super::alltoall_linear::{cost, keep_own, meeting};
use super::{Algorithm, Collective, Pattern, Places, Ranks, Round};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Alltoall,
    name: "pairwise",
    openmpi: Some("pairwise"),
    mpich: Some("pairwise"),
    wins: "long blocks: one message at a time in either direction of every link",
    time: "(P−1)·(α + mβ)",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.ranks),
    round: |_, index| {
        if index == 0 {
            return keep_own();
        }
        // P − k after is k before.
        Round { index, pattern: Pattern::Meet { meeting: |s, round, p| meeting(s, p, s.ranks - round as u32) } }
    },
    cost: |shape| cost(shape, u64::from(shape.ranks - 1)),
};

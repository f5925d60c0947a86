//! Allgather by recursive doubling (Thakur, Rabenseifner, Gropp 2005; Open MPI and MPICH `recursive_doubling`): every
//! rank exchanges all that it has with rank xor 2^k. Where P is no power of two it is Bruck's algorithm, as in Open MPI
//! (`ompi_coll_base_allgather_intra_recursivedoubling`); MPICH sends what is missing in extra rounds instead.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      one block
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7      two blocks
//! round 2   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7      four blocks
//! ```

use super::fold::exchange;
use super::{Algorithm, Collective, Meeting, Pattern, Places, Ranks, Round, Shape, Then, allgather_bruck};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "recursive-doubling",
    openmpi: Some("recursive_doubling"),
    mpich: Some("recursive_doubling"),
    wins: "short and medium blocks on a power of two of ranks: log₂P rounds and no copies",
    time: "⌈log₂P⌉·α + (P−1)·mβ",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| {
        if shape.ranks.is_power_of_two() { u64::from(shape.log2_floor()) } else { allgather_bruck::rounds(shape) }
    },
    round: |shape, index| {
        if shape.ranks.is_power_of_two() {
            Round { index, pattern: Pattern::Meet { meeting } }
        } else {
            allgather_bruck::round(shape, index)
        }
    },
    // Either way every rank sends once per round, and all blocks but its own reach it once.
    cost: allgather_bruck::cost,
};

fn meeting(shape: &Shape, bit: u64, position: u32) -> Meeting {
    let count = 1 << bit;
    let blocks_of = |position: u32| shape.blocks(position & !(count - 1), count);
    let peer = position ^ count;
    exchange(peer, blocks_of(position), blocks_of(peer), Then::Store)
}

//! Reduce-scatter by recursive halving (Thakur, Rabenseifner, Gropp 2005; Open MPI and MPICH `recursive_halving`,
//! `ompi_coll_base_reduce_scatter_intra_basic_recursivehalving`, `MPIR_Reduce_scatter_intra_recursive_halving`): every
//! rank sends rank xor 2^k those blocks that are on its side. Ranks beyond a power of two hand all to a neighbour
//! before and get their block after.
//!
//! ```text
//! round 0   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7      four blocks
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7      two blocks
//! round 2   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      one block
//! ```

use super::fold::{Fold, Stage, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
    name: "recursive-halving",
    openmpi: Some("recursive_halving"),
    mpich: Some("recursive_halving"),
    wins: "short and medium blocks: log₂P rounds and m·(P−1) bytes per rank",
    time: "log₂P·α + (P−1)·mβ, P = 2^n",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| Fold::odd(shape).rounds(shape.log2_floor()),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
        let messages = u64::from(fold.places) * u64::from(bits) + 2 * u64::from(fold.out);
        let bytes = shape.total().saturating_mul(u64::from(shape.ranks - 1)).saturating_add(fold.out_bytes(shape));
        Cost::new(messages, bytes, fold.critical(bits))
    },
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
    let round = match fold.stage(index, bits) {
        Stage::Before => return fold.before(position, shape.blocks(0, shape.ranks)),
        Stage::After(_) => return fold.after(position, |out| shape.blocks(out, 1)),
        Stage::Among(round) => round,
    };
    let Some(place) = fold.place(position) else { return Meeting::NONE };
    let half = fold.places >> (round + 1);
    let blocks_of = |place: u32| fold.blocks(shape, place & !(half - 1), half);
    let peer = place ^ half;
    exchange(fold.position(peer), blocks_of(peer), blocks_of(place), Then::Combine)
}

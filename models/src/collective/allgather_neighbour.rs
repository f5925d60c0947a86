//! Neighbour-exchange allgather (Chen, Carrasco, Apon 2005; Open MPI `neighbor`,
//! `ompi_coll_base_allgather_intra_neighborexchange`): each rank exchanges with its two neighbours in turn, first its
//! block, then the two blocks that it got last. For odd P it is the ring, as in Open MPI.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      one block
//! round 1   1◀─▶2  3◀─▶4  5◀─▶6  7◀─▶0      two blocks
//! round 2   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      two blocks
//! round 3   1◀─▶2  3◀─▶4  5◀─▶6  7◀─▶0      two blocks
//! ```

use super::fold::exchange;
use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, allgather_ring};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "neighbour",
    openmpi: Some("neighbor"),
    mpich: None,
    wins: "medium and long blocks on an even number of ranks: half the rounds of the ring, neighbours only",
    time: "P/2·α + (P−1)·mβ, P even; P odd: (P−1)·(α + mβ)",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(if is_ring(shape) { shape.ranks - 1 } else { shape.ranks / 2 }),
    round: |shape, index| {
        if is_ring(shape) {
            allgather_ring::round(shape, index)
        } else {
            Round { index, pattern: Pattern::Meet { meeting } }
        }
    },
    cost: |shape| {
        if is_ring(shape) {
            return allgather_ring::cost(shape);
        }
        let (ranks, rounds) = (u64::from(shape.ranks), u64::from(shape.ranks / 2));
        Cost::new(rounds.saturating_mul(ranks), (ranks - 1).saturating_mul(shape.total()), rounds)
    },
};

fn is_ring(shape: &Shape) -> bool {
    shape.ranks % 2 == 1
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let round = index as u32;
    let goes_up = position % 2 == round % 2;
    let peer = if goes_up { shape.after(position, 1) } else { shape.before(position, 1) };
    if round == 0 {
        return exchange(peer, shape.blocks(position, 1), shape.blocks(peer, 1), Then::Store);
    }
    exchange(peer, pair(shape, position, round - 1), pair(shape, position, round), Then::Store)
}

/// Returns the pair of blocks that a position has got in a round, its own and its first neighbour's in round 0. Even
/// positions get pairs from before them in odd rounds and from after them in even ones, odd positions the reverse.
fn pair(shape: &Shape, position: u32, round: u32) -> Part {
    let own = position - position % 2;
    let distance = 2 * round.div_ceil(2);
    let is_before = position % 2 != round % 2;
    shape.blocks(if is_before { shape.before(own, distance) } else { shape.after(own, distance) }, 2)
}

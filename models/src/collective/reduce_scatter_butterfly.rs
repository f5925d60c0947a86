//! Butterfly reduce-scatter (Träff 2005; Open MPI `butterfly`, `ompi_coll_base_reduce_scatter_intra_butterfly`; close
//! to MPICH's `noncommutative`): halves are exchanged with rank xor 1 first, which keeps the order of ranks; so each
//! ends with the block whose number is its own written backwards in binary, and blocks change places at the end.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7      two blocks
//! round 2   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7      one block
//! round 3   1◀─▶4  3◀─▶6                    one block
//! ```

use super::allreduce_rabenseifner::first_share;
use super::fold::{Fold, Stage, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
    name: "butterfly",
    openmpi: Some("butterfly"),
    mpich: None,
    wins: "operations that do not commute: log₂P + 1 rounds",
    time: "(log₂P + 1)·α + P·mβ, P = 2^n ≥ 4",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| Fold::odd(shape).rounds(shape.log2_floor()) + 1,
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost,
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
    let mirrored = |place: u32| first_share(place, bits, bits);
    let place = match (fold.stage(index, bits), fold.place(position)) {
        (Stage::Before, _) => return fold.before(position, shape.blocks(0, shape.ranks)),
        (Stage::After(0), None) if fold.out > 0 => {
            let holder = fold.position(mirrored(position / 2));
            return Meeting::receives(holder, shape.blocks(position, 1), Then::Store);
        }
        (_, None) => return Meeting::NONE,
        (Stage::Among(bit), Some(place)) => {
            let peer = place ^ 1 << bit;
            let count = fold.places >> (bit + 1);
            let window = |place| fold.blocks(shape, first_share(place, bit + 1, bits), count);
            return exchange(fold.position(peer), window(peer), window(place), Then::Combine);
        }
        (Stage::After(0), Some(place)) if fold.out > 0 => {
            let out = mirrored(place);
            let is_needed = out < fold.out;
            return if is_needed { Meeting::sends(2 * out, shape.blocks(2 * out, 1)) } else { Meeting::NONE };
        }
        (Stage::After(_), Some(place)) => place,
    };
    let peer = mirrored(place);
    if peer == place {
        return Meeting::NONE;
    }
    let peer = fold.position(peer);
    exchange(peer, shape.blocks(peer, 1), shape.blocks(position, 1), Then::Store)
}

fn cost(shape: &Shape) -> Cost {
    let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
    let (places, out) = (u64::from(fold.places), u64::from(fold.out));
    // A number of `bits` bits that reads the same backwards is given by its first ⌈bits/2⌉.
    let moved = places - (1 << bits.div_ceil(2));
    let moved_bytes = match shape.counts {
        None => shape.bytes.saturating_mul(moved),
        Some(_) => {
            let is_moved = |place: &u32| first_share(*place, bits, bits) != *place;
            (0..fold.places).filter(is_moved).map(|place| shape.block_bytes(fold.position(place))).sum()
        }
    };
    let bytes = shape.total().saturating_mul(u64::from(shape.ranks - 1));
    let critical = match fold.out {
        0 => u64::from(bits) + u64::from(bits > 1),
        // Only the last place is late, and its number reads the same backwards.
        1 => u64::from(bits) + 1,
        _ => u64::from(bits) + 2,
    };
    let messages = places * u64::from(bits) + 2 * out + moved;
    Cost::new(messages, bytes.saturating_add(fold.out_bytes(shape)).saturating_add(moved_bytes), critical)
}

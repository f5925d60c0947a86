//! Scatter down a bine tree, then allgather between the same partners in reverse (De Sensi et al. 2025; PICO
//! `bine_bdw_remap`): long broadcasts. Shares lie in the order of positions of the doubling tree, so that those of
//! every subtree are consecutive. Whoever had shares of a partner's already does not get them again. P a power of two.
//!
//! ```text
//! position        0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! scatter 0       0 ─▶1 (4 5 6 7)
//! scatter 1       0 ─▶7 (2 3)             1 ─▶2 (6 7)
//! scatter 2       0 ─▶3 (1)   7 ─▶4 (3)   1 ─▶6 (5)   2 ─▶5 (7)
//! allgather 0     0 ─▶3 (0)   7 ─▶4 (2)   1 ─▶6 (4)   2 ─▶5 (6)
//! allgather 1     0 ─▶7, 1 ─▶2; 3◀─▶4, 5◀─▶6      two shares
//! allgather 2     0 ─▶1; 2◀─▶3, 4◀─▶5, 6◀─▶7      four shares
//! ```

use super::{
    Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree, bine,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "bine-scatter-allgather",
    openmpi: None,
    mpich: None,
    wins: "long messages where distance costs: (P−1)·m bytes in all, most between near partners",
    time: "P a power of two that divides m: (2log₂P−1)·α + (2m − 3m/P)·β",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineDoubling,
    rounds,
    round: |_, index| round(index, Toward::Leaves),
    cost,
};

pub(super) fn rounds(shape: &Shape) -> u64 {
    1 + u64::from(shape.log2_floor())
}

pub(super) fn round(index: u64, toward: Toward) -> Round {
    let pattern = match index {
        0 => Pattern::Tree {
            tree: Tree::KNomial { radix: 2 },
            toward,
            carry: |shape, _, position| shares(shape, position, Tree::knomial_subtree(position, 2, shape.ranks)),
            then: Then::Store,
        },
        _ => Pattern::Meet { meeting },
    };
    Round { index: index.saturating_sub(1), pattern }
}

pub(super) fn cost(shape: &Shape) -> Cost {
    let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_floor()));
    Cost::new(bits * ranks, shape.bytes.saturating_mul(ranks - 1), (2 * bits).saturating_sub(1))
}

fn shares(shape: &Shape, first: u32, count: u32) -> Part {
    shape.shares(first, count, shape.ranks)
}

/// Exchange of 2^bit shares with the partner, but for shares that a side has already.
fn meeting(shape: &Shape, bit: u64, position: u32) -> Meeting {
    let bit = bit as u32;
    let peer = bine::across(position, bit, shape.ranks);
    let group = |position| shares(shape, bine::group(position, bit), 1 << bit);
    // The bit in which a position differs from its parent's, whose subtree it is part of.
    let own = if position == 0 { u32::MAX } else { position.trailing_zeros() };
    Meeting {
        send: (own != bit).then(|| (peer, group(position))),
        receive: (own <= bit).then(|| (peer, group(peer), Then::Store)),
    }
}

//! Reduce-scatter between bine partners, then gather up the bine tree (De Sensi et al. 2025; PICO `bine_bdw`): long
//! reductions. Shares lie in the order of positions of the doubling tree. P a power of two.
//!
//! ```text
//! position      0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! halving 0     0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      half of the buffer each way
//! halving 1     0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      a quarter
//! halving 2     0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      an eighth
//! gather 0      3 ─▶0 (1)  4 ─▶7 (3)  6 ─▶1 (5)  5 ─▶2 (7)
//! gather 1      7 ─▶0 (2 3)           2 ─▶1 (6 7)
//! gather 2      1 ─▶0 (4 5 6 7)
//! ```

use super::fold::exchange;
use super::{
    Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree, bine, cost,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "bine-scatter-gather",
    openmpi: None,
    mpich: None,
    wins: "long messages where distance costs: each rank combines m(P−1)/P bytes, most with near partners",
    time: "P a power of two that divides m: 2log₂P·α + 2mβ·(P−1)/P",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineDoubling,
    rounds: |shape| 1 + u64::from(shape.log2_floor()),
    round: |shape, index| Round {
        index,
        pattern: if index < u64::from(shape.log2_floor()) { Pattern::Meet { meeting } } else { GATHER },
    },
    cost: |shape| {
        let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_floor()));
        let halving = Cost::new(bits * ranks, shape.bytes.saturating_mul(ranks - 1), bits);
        halving.then(Cost::new(ranks - 1, cost::binomial_share_bytes(shape), bits))
    },
};

const GATHER: Pattern = Pattern::Tree {
    tree: Tree::KNomial { radix: 2 },
    toward: Toward::Top,
    carry: |shape, _, position| shape.shares(position, Tree::knomial_subtree(position, 2, shape.ranks), shape.ranks),
    then: Then::Store,
};

fn meeting(shape: &Shape, step: u64, position: u32) -> Meeting {
    let bit = shape.log2_floor() - 1 - step as u32;
    let peer = bine::across(position, bit, shape.ranks);
    let group = |position| shape.shares(bine::group(position, bit), 1 << bit, shape.ranks);
    exchange(peer, group(peer), group(position), Then::Combine)
}

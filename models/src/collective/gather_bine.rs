//! Bine gather (De Sensi et al. 2025; PICO `bine`): ranks collect the blocks of the subtree below them, which are
//! consecutive, and pass all on. P a power of two.
//!
//! ```text
//! 1 ─▶0 (1)   2 ─▶3 (2)   5 ─▶4 (5)   6 ─▶7 (6)
//! 7 ─▶0 (6 7)   4 ─▶3 (4 5)
//! 3 ─▶0 (2 3 4 5)
//! ```

use super::{Algorithm, Collective, Cost, Part, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Gather,
    name: "bine",
    openmpi: None,
    mpich: None,
    wins: "short blocks where distance costs: as many rounds as binomial, most blocks from near partners",
    time: "log₂P·α + (P−1)·mβ, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineHalving,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::KNomial { radix: 2 },
            toward: Toward::Top,
            carry: |shape, _, position| below(shape, position),
            then: Then::Store,
        },
    },
    cost: Cost::blocks_over_binomial_tree,
};

/// Returns the blocks of a position ≥ 1 and of those below it, counted from the root. The root's is not among them:
/// they go around no end.
pub(super) fn below(shape: &Shape, position: u32) -> Part {
    let meetings = position.trailing_zeros();
    let first = bine::first_below(bine::halving_rank(position, shape.ranks), meetings, shape.ranks);
    shape.blocks(first, 1 << meetings)
}

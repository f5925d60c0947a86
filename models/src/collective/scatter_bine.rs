//! Bine scatter (De Sensi et al. 2025; PICO `bine`): the gather's tree from the root down, the furthest child first. P
//! a power of two.
//!
//! ```text
//! 0 ─▶3 (2 3 4 5)
//! 0 ─▶7 (6 7)   3 ─▶4 (4 5)
//! 0 ─▶1 (1)   3 ─▶2 (2)   4 ─▶5 (5)   7 ─▶6 (6)
//! ```

use super::gather_bine::below;
use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Scatter,
    name: "bine",
    openmpi: None,
    mpich: None,
    wins: "short blocks where distance costs: as many rounds as binomial, most blocks to near partners",
    time: "log₂P·α + (P−1)·mβ, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineHalving,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::KNomial { radix: 2 },
            toward: Toward::Leaves,
            carry: |shape, _, position| below(shape, position),
            then: Then::Store,
        },
    },
    cost: Cost::blocks_over_binomial_tree,
};

//! Binomial scatter: the root sends half of all blocks to the rank half-way, which does the same with its half.
//!
//! ```text
//! 0─▶4 (4 5 6 7)
//! 0─▶2 (2 3)             4─▶6 (6 7)
//! 0─▶1 (1)   2─▶3 (3)    4─▶5 (5)   6─▶7 (7)
//! ```
//!
//! Open MPI: `ompi_coll_base_scatter_intra_binomial`; MPICH: `MPIR_Scatter_intra_binomial`.

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Scatter,
    name: "binomial",
    openmpi: Some("binomial"),
    mpich: Some("binomial"),
    wins: "short blocks on many ranks: ⌈log₂ P⌉ sends of the root instead of P−1",
    time: "P = 2^k: k·α + (P−1)·mβ",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::KNomial { radix: 2 },
            toward: Toward::Leaves,
            carry: |shape, _, position| shape.blocks(position, Tree::knomial_subtree(position, 2, shape.ranks)),
            then: Then::Store,
        },
    },
    cost: Cost::blocks_over_binomial_tree,
};

//! Binomial gather: ranks collect the blocks of the subtree below them and pass all on.
//!
//! ```text
//! 1─▶0 (1)   3─▶2 (3)    5─▶4 (5)   7─▶6 (7)
//! 2─▶0 (2 3)             6─▶4 (6 7)
//! 4─▶0 (4 5 6 7)
//! ```
//!
//! Open MPI: `ompi_coll_base_gather_intra_binomial`; MPICH: `MPIR_Gather_intra_binomial`.

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Gather,
    name: "binomial",
    openmpi: Some("binomial"),
    mpich: Some("binomial"),
    wins: "short blocks on many ranks: ⌈log₂ P⌉ receives at the root instead of P−1",
    time: "P = 2^k: k·α + (P−1)·mβ",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::KNomial { radix: 2 },
            toward: Toward::Top,
            carry: |shape, _, position| shape.blocks(position, Tree::knomial_subtree(position, 2, shape.ranks)),
            then: Then::Store,
        },
    },
    cost: Cost::blocks_over_binomial_tree,
};

//! Tree barrier (Open MPI `tree`): reports climb a binomial tree, the release comes down it.
//!
//! ```text
//! round 0   1─▶0 3─▶2 5─▶4 7─▶6    then 2─▶0 6─▶4    then 4─▶0
//! round 1   0─▶4    then 0─▶2 4─▶6    then 0─▶1 2─▶3 4─▶5 6─▶7
//! ```
//!
//! Open MPI: `ompi_coll_base_barrier_intra_tree`, whose partners rank xor 2^i are this tree's edges.

use super::{Algorithm, Collective, Cost, Part, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "tree",
    openmpi: Some("tree"),
    mpich: None,
    wins: "many ranks where messages are expensive: 2(P−1) of them, against P·⌈log₂ P⌉ of a dissemination",
    time: "2⌊log₂P⌋·α",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |_| 2,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::KNomial { radix: 2 },
            toward: if index == 0 { Toward::Top } else { Toward::Leaves },
            carry: |_, _, _| Part::default(),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::new(2 * u64::from(shape.ranks - 1), 0, 2 * u64::from(shape.log2_floor())),
};

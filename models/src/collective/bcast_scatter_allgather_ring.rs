//! Scatter, then allgather around a ring (van de Geijn 1994): long broadcasts whose bytes cross each link about twice.
//!
//! ```text
//! round 0       the buffer's P chunks go down a binomial tree:  0─▶4 (4 5 6 7)  0─▶2 (2 3) 4─▶6 (6 7)  0─▶1 2─▶3 4─▶5 6─▶7
//! round t ≥ 1   every rank r passes chunk r−t+1 on to r+1       0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! ```
//!
//! MPICH: `MPIR_Bcast_intra_scatter_ring_allgather`; Open MPI: `ompi_coll_base_bcast_intra_scatter_allgather_ring`.
//! Both leave out the tree's empty messages when there are more ranks than chunks with data.

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree, cost};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "scatter-allgather-ring",
    openmpi: Some("scatter_allgather_ring"),
    mpich: Some("scatter_ring_allgather"),
    wins: "long messages on any P: about 2mβ, between neighbours only",
    time: "P a power of two that divides m: (log₂P + P−1)·α + 2mβ·(P−1)/P",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| u64::from(shape.ranks),
    round: |_, index| Round {
        index,
        pattern: match index {
            0 => Pattern::Tree {
                tree: Tree::KNomial { radix: 2 },
                toward: Toward::Leaves,
                carry: |shape, _, position| {
                    let below = Tree::knomial_subtree(position, 2, shape.ranks);
                    shape.chunks(u64::from(position), u64::from(below), u64::from(shape.ranks))
                },
                then: Then::Store,
            },
            _ => Pattern::Meet { meeting },
        },
    },
    cost: |shape| {
        let (others, ranks) = (u64::from(shape.ranks - 1), u64::from(shape.ranks));
        let scatter = Cost::new(others, cost::binomial_chunk_bytes(shape, ranks, 0), u64::from(shape.log2_floor()));
        scatter.then(Cost::new(others * ranks, shape.bytes.saturating_mul(others), others))
    },
};

fn meeting(shape: &Shape, round: u64, position: u32) -> Meeting {
    let chunk = |back: u64| {
        let index = shape.before(position, back as u32);
        shape.chunks(u64::from(index), 1, u64::from(shape.ranks))
    };
    Meeting {
        send: Some((shape.after(position, 1), chunk(round - 1))),
        receive: Some((shape.before(position, 1), chunk(round), Then::Store)),
    }
}

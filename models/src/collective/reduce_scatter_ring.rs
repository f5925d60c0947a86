//! Ring reduce-scatter (Open MPI `ring`, `ompi_coll_base_reduce_scatter_intra_ring`): every block travels around the
//! ring to its rank and collects what each has for it.
//!
//! ```text
//! round k   rank r sends block r−1−k to r+1, which combines it      0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
    name: "ring",
    openmpi: Some("ring"),
    mpich: None,
    wins: "long blocks: neighbours only",
    time: "(P−1)·(α + mβ)",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.ranks - 1),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let rounds = u64::from(shape.ranks - 1);
        Cost::new(rounds.saturating_mul(shape.ranks.into()), rounds.saturating_mul(shape.total()), rounds)
    },
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let sent = shape.before(position, index as u32 + 1);
    let received = shape.before(sent, 1);
    Meeting {
        send: Some((shape.after(position, 1), shape.blocks(sent, 1))),
        receive: Some((shape.before(position, 1), shape.blocks(received, 1), Then::Combine)),
    }
}

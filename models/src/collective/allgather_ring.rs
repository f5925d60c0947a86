//! Ring allgather (Open MPI and MPICH `ring`, `ompi_coll_base_allgather_intra_ring`, `MPIR_Allgather_intra_ring`):
//! every rank passes on the block that it got last.
//!
//! ```text
//! round k   rank r sends block r−k to r+1      0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "ring",
    openmpi: Some("ring"),
    mpich: Some("ring"),
    wins: "long blocks: neighbours only, no rank sends a byte twice",
    time: "(P−1)·(α + mβ)",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.ranks - 1),
    round,
    cost,
};

pub(super) fn round(_: &Shape, index: u64) -> Round {
    Round { index, pattern: Pattern::Meet { meeting } }
}

pub(super) fn cost(shape: &Shape) -> Cost {
    let rounds = u64::from(shape.ranks - 1);
    Cost::new(rounds.saturating_mul(shape.ranks.into()), rounds.saturating_mul(shape.total()), rounds)
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let sent = shape.before(position, index as u32);
    let received = shape.before(sent, 1);
    Meeting {
        send: Some((shape.after(position, 1), shape.blocks(sent, 1))),
        receive: Some((shape.before(position, 1), shape.blocks(received, 1), Then::Store)),
    }
}

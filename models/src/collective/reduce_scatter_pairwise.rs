//! Pairwise reduce-scatter (MPICH `pairwise`, `MPIR_Reduce_scatter_intra_pairwise`): in round k every rank sends the
//! one k after it that rank's block, and combines its own from the one k before.
//!
//! ```text
//! round 0   every rank r: ─▶ r+1      0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! round 1   every rank r: ─▶ r+2      0─▶2 1─▶3 2─▶4 3─▶5 4─▶6 5─▶7 6─▶0 7─▶1
//! …
//! round 6   every rank r: ─▶ r+7      0─▶7 1─▶0 2─▶1 3─▶2 4─▶3 5─▶4 6─▶5 7─▶6
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
    name: "pairwise",
    openmpi: None,
    mpich: Some("pairwise"),
    wins: "long blocks: no rank combines for another",
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
    let distance = index as u32 + 1;
    let (to, from) = (shape.after(position, distance), shape.before(position, distance));
    Meeting { send: Some((to, shape.blocks(to, 1))), receive: Some((from, shape.blocks(position, 1), Then::Combine)) }
}

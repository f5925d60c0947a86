//! Segmented ring allreduce (Open MPI `segmented_ring`, `ompi_coll_base_allreduce_intra_ring_segmented`): like the
//! ring, but what is combined goes around in phases, one segment of every share in each; the result is handed out in
//! whole shares.
//!
//! ```text
//! phase 0     rounds 0 … 6: rank r passes segment 0 of share r−k on     0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! phase 1     rounds 0 … 6: segment 1 of share r−k …
//! at last     rounds 0 … 6: rank r passes finished shares on: r+1, r, r−1, …
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "segmented-ring",
    openmpi: Some("segmented_ring"),
    mpich: None,
    wins: "very long messages: combining works on segments that fit the cache",
    time: "(P−1)·(p·(α + sβ) + α + (m/P)β), P | m, p segments of s bytes per share",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| phases(shape).saturating_add(1).saturating_mul(u64::from(shape.ranks - 1)),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let once = u64::from(shape.ranks - 1);
        let rounds = phases(shape).saturating_add(1).saturating_mul(once);
        Cost::new(rounds.saturating_mul(shape.ranks.into()), (2 * once).saturating_mul(shape.bytes), rounds)
    },
};

/// Returns the number of segments into which the longest share is cut.
fn phases(shape: &Shape) -> u64 {
    shape.segments(shape.shares(0, 1, shape.ranks).bytes)
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let once = u64::from(shape.ranks - 1);
    let (phase, turn) = (index / once, (index % once) as u32);
    let collecting = phase < phases(shape);
    let newest = if collecting { position } else { shape.after(position, 1) };
    let sent = shape.before(newest, turn);
    let received = shape.before(sent, 1);
    let part = |number| {
        let share = shape.shares(number, 1, shape.ranks);
        if collecting { shape.segment(share, phase) } else { share }
    };
    let then = if collecting { Then::Combine } else { Then::Store };
    Meeting {
        send: Some((shape.after(position, 1), part(sent))),
        receive: Some((shape.before(position, 1), part(received), then)),
    }
}

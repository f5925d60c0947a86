//! Ring allreduce (Patarasuk, Yuan 2009; Open MPI `ring`, `ompi_coll_base_allreduce_intra_ring`): P shares of the
//! buffer travel around the ring, first collecting every rank's part, then handing out the result. (Open MPI takes
//! recursive doubling where there are fewer elements than ranks; here shares may be empty.)
//!
//! ```text
//! round 0      rank r sends share r to r+1, which combines it        0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! round 1 … 6  rank r passes share r−k on; after round 6 it has all of share r+1
//! round 7 … 13 rank r passes finished shares on: r+1, r, r−1, …
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "ring",
    openmpi: Some("ring"),
    mpich: None,
    wins: "long messages on few ranks: every rank sends only 2m·(P−1)/P bytes, to neighbours only",
    time: "2·(P−1)·(α + ⌈m/P⌉β)",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 2 * u64::from(shape.ranks - 1),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let rounds = 2 * u64::from(shape.ranks - 1);
        Cost::new(rounds.saturating_mul(shape.ranks.into()), rounds.saturating_mul(shape.bytes), rounds)
    },
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let turn = index as u32 % (shape.ranks - 1);
    let share = |number| shape.shares(number, 1, shape.ranks);
    let (collecting, newest) =
        if index < u64::from(shape.ranks - 1) { (true, position) } else { (false, shape.after(position, 1)) };
    let sent = shape.before(newest, turn);
    let received = shape.before(sent, 1);
    let then = if collecting { Then::Combine } else { Then::Store };
    Meeting {
        send: Some((shape.after(position, 1), share(sent))),
        receive: Some((shape.before(position, 1), share(received), then)),
    }
}

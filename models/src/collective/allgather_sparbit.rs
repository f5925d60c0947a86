//! Sparbit (Loch, Koslovski 2021; PICO `sparbit`): as Bruck's allgather for any P, but the furthest peers come first,
//! and every block is a message of its own that goes where it belongs, so that nothing is put in order.
//!
//! ```text
//! burst 0   every rank r: ─▶ r+4, block r                  0─▶4 1─▶5 2─▶6 3─▶7 4─▶0 5─▶1 6─▶2 7─▶3
//! burst 1   every rank r: ─▶ r+2, blocks r r−4             0─▶2 1─▶3 2─▶4 3─▶5 4─▶6 5─▶7 6─▶0 7─▶1
//! burst 2   every rank r: ─▶ r+1, blocks r r−2 r−4 r−6     0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! ```
//!
//! With the bits of P − 1 from above a rank has ⌈P / distance⌉ blocks before a burst; where that many twice would be
//! more than there are, the last one is left out.

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "sparbit",
    openmpi: Some("sparbit"),
    mpich: None,
    wins: "medium and long blocks on any P: most bytes go to near ranks, and nothing is copied",
    time: "⌈log₂P⌉·(α + mβ)",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| shape.log2_ceil().into(),
    round: |shape, index| Round {
        index,
        pattern: Pattern::Burst { count: sent(shape, distance(shape, index)), meeting },
    },
    cost: |shape| {
        let (ranks, others) = (u64::from(shape.ranks), u64::from(shape.ranks - 1));
        Cost::new(others * ranks, others.saturating_mul(shape.total()), shape.log2_ceil().into())
    },
};

fn distance(shape: &Shape, index: u64) -> u32 {
    1 << (shape.log2_ceil() - 1 - index as u32)
}

/// Returns the number of blocks sent over a distance: a rank has one of every 2·distance, and gets those in between.
fn sent(shape: &Shape, distance: u32) -> u32 {
    shape.ranks.div_ceil(distance) - shape.ranks.div_ceil(2 * distance)
}

fn meeting(shape: &Shape, index: u64, rank: u32, turn: u32) -> Meeting {
    let distance = distance(shape, index);
    let (to, from) = (shape.after(rank, distance), shape.before(rank, distance));
    let block = |of: u32| shape.blocks(shape.before(of, 2 * turn * distance), 1);
    Meeting { send: Some((to, block(rank))), receive: Some((from, block(from), Then::Store)) }
}

//! n-way dissemination barrier (Hoefler, Mehlan, Mietke, Rehm 2006): n messages to and from each rank in a round.
//!
//! ```text
//! n = 2 (`fanout`)
//! round 0   every rank r: ─▶ r+1, ─▶ r+2      0─▶1 0─▶2   1─▶2 1─▶3   …   7─▶0 7─▶1
//! round 1   every rank r: ─▶ r+3, ─▶ r+6      0─▶3 0─▶6   1─▶4 1─▶7   …   7─▶2 7─▶5
//! ```
//!
//! After round i a rank knows of the (n+1)^(i+1) − 1 before it. With n = 1 it is the plain dissemination.

use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "n-way-dissemination",
    openmpi: None,
    mpich: None,
    wins: "networks that receive n messages at once (InfiniBand): ⌈log₍ₙ₊₁₎ P⌉ rounds",
    time: "⌈log₍ₙ₊₁₎P⌉·α",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds,
    round: |shape, index| Round { index, pattern: Pattern::Burst { count: ways(shape, index), meeting } },
    cost: |shape| {
        let messages: u64 = (0..rounds(shape)).map(|round| u64::from(ways(shape, round))).sum();
        Cost::new(messages * u64::from(shape.ranks), 0, rounds(shape))
    },
};

/// Returns the distance of the first message in a round: (n+1)^round.
fn distance(shape: &Shape, round: u64) -> u64 {
    (u64::from(shape.fanout_or(2)) + 1).saturating_pow(round as u32)
}

fn rounds(shape: &Shape) -> u64 {
    (0..).take_while(|&round| distance(shape, round) < u64::from(shape.ranks)).count() as u64
}

/// Returns the number of messages that each rank sends in a round: n, fewer in the last one.
fn ways(shape: &Shape, round: u64) -> u32 {
    shape.fanout_or(2).min((u64::from(shape.ranks - 1) / distance(shape, round)) as u32)
}

fn meeting(shape: &Shape, round: u64, position: u32, turn: u32) -> Meeting {
    let distance = (distance(shape, round) * (u64::from(turn) + 1)) as u32;
    Meeting {
        send: Some((shape.after(position, distance), Part::default())),
        receive: Some((shape.before(position, distance), Part::default(), Then::Store)),
    }
}

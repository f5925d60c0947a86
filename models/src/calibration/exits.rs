//! How far apart ranks leave a barrier (E5): what a method that starts by this barrier starts with.

use super::exchange::both;
use crate::clock::GlobalClock;
use crate::collective::{Algorithm, Collective, Shape};
use crate::method::{barrier_exits, broadcast};
use crate::observation::Implementation;
use crate::operation::{Library, Operation, Own};
use crate::rank::Rank;
use crate::sync::Sync;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Barriers in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaving {
    /// Whose barrier.
    pub barrier: Implementation,
    /// Barriers whose exits are kept.
    pub barriers: u32,
    /// Barriers before those, not kept.
    pub warmup: u32,
    /// How clocks are synchronised.
    pub sync: Sync,
}

/// One rank's exits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exits {
    /// Its clock was off by at most this when it was synchronised.
    pub bound: Span,
    /// When it left each of the barriers in a row, on the global clock.
    pub exits: Vec<Time>,
    /// The same of barriers that ranks entered at announced instants: all together, or one of them, [`late_rank`], later.
    #[serde(default)]
    pub announced: Vec<Time>,
    /// True if the announced ones are by the clock of rank 0 itself, which is off by nothing.
    #[serde(default)]
    pub one_clock: bool,
}

/// Between two announced barriers, at least.
const LEAST_BETWEEN: Span = Span::from_us(20);
/// So many of them tell a median.
const MOST_ANNOUNCED: u32 = 200;
/// So many ranks are late by turns.
const MOST_LATE: u32 = 8;

/// Which rank enters an announced barrier later than the others, if any does: in turn nobody, and each of the first few, which
/// receives an empty message first, as from a broadcast. Who leaves first by the barrier's own rule does so whoever was late;
/// where every rank only waits for messages, the late one finds them there and leaves first. (A rank that is late since it
/// waits on its clock looks for messages later, and shows something else.)
pub fn late_rank(barrier: usize, ranks: u32) -> Option<u32> {
    let orders = 1 + ranks.min(MOST_LATE);
    (barrier as u32 % orders).checked_sub(1)
}

impl Leaving {
    /// Carries it out; called by all ranks together. Every rank returns its own exits.
    ///
    /// # Errors
    /// There is no such barrier.
    pub async fn run<R: Rank>(&self, rank: &R) -> Result<Exits, String> {
        let shape = Shape::new(rank.size(), 0, 0);
        match &self.barrier {
            Implementation::Library => Ok(self.exits(rank, &Library(Collective::Barrier, shape)).await),
            Implementation::Own(name) => {
                let algorithm = Algorithm::find(Collective::Barrier, name)?;
                Ok(self.exits(rank, &Own::new(algorithm, &shape, rank.id())).await)
            }
            Implementation::Forced(name) => {
                Err(format!("exits are taken of a barrier as it comes, found the library's algorithm '{name}'"))
            }
        }
    }

    async fn exits<R: Rank, B: Operation>(&self, rank: &R, barrier: &B) -> Exits {
        barrier.prepare(rank);
        let clock = self.sync.synchronise(rank).await;
        let now = |rank: &R| clock.time(rank.read_clock());
        let mut exits = barrier_exits(rank, barrier, self.warmup + self.barriers, now).await;
        exits.drain(..self.warmup as usize);
        let row = exits.last().copied().unwrap_or_default().since(exits.first().copied().unwrap_or_default());
        let one = Span(row.0 / u64::from(self.barriers.max(1)));
        let (one_clock, announced) = self.announced(rank, barrier, &clock, one).await;
        Exits { bound: clock.bound, exits, announced, one_clock }
    }

    /// Barriers that ranks enter at announced instants; one of a row took `one`. By the clock that ranks share, if they do: a
    /// synchronised one is off by more than what is looked for.
    async fn announced<R: Rank, B: Operation>(
        &self,
        rank: &R,
        barrier: &B,
        clock: &GlobalClock,
        one: Span,
    ) -> (bool, Vec<Time>) {
        let between = Span(one.0.saturating_mul(4)).max(LEAST_BETWEEN);
        let scale = rank.timescale();
        let reading = rank.read_clock();
        let domain = rank.clock_domain().map_or(0, |domain| domain + 1);
        let words = [clock.time(reading).0, scale.time(reading).0, between.0, domain];
        let mut said: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        broadcast(rank, &mut said).await;
        let (words, _) = said.as_chunks::<8>();
        let [global, shared, between, of_first] = [0, 1, 2, 3].map(|index: usize| u64::from_le_bytes(words[index]));
        let is_shared = domain > 0 && of_first == domain;
        let now = Time(if is_shared { shared } else { global });
        let mut exits = Vec::new();
        for turn in 0..self.barriers.min(MOST_ANNOUNCED) as usize {
            let due = now + Span(between) * (turn as u64 + 8);
            rank.wait_until(if is_shared { scale.reading(due) } else { clock.reading(due) }).await;
            make_late(rank, late_rank(turn, rank.size())).await;
            barrier.call(rank).await;
            let end = rank.read_clock();
            exits.push(if is_shared { scale.time(end) } else { clock.time(end) });
        }
        (is_shared, exits)
    }
}

/// The late rank, if there is one, receives an empty message from its neighbour.
async fn make_late<R: Rank>(rank: &R, late: Option<u32>) {
    let Some(late) = late.filter(|_| rank.size() > 1) else { return };
    let neighbour = (late + 1) % rank.size();
    if rank.id() == late {
        rank.step(&both(neighbour, 0).1).await;
    } else if rank.id() == neighbour {
        rank.step(&both(late, 0).0).await;
    }
}

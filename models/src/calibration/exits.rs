//! How far apart ranks leave a barrier (E5): what a method that starts by this barrier starts with.

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
    /// The same of barriers that all ranks entered at the same instant, so that nothing but the barrier makes them differ.
    #[serde(default)]
    pub together: Vec<Time>,
    /// True if those are by the clock of rank 0 itself, which is off by nothing.
    #[serde(default)]
    pub one_clock: bool,
}

/// Between two barriers that ranks enter together, at least.
const LEAST_BETWEEN: Span = Span::from_us(20);
/// So many of them tell a median.
const MOST_TOGETHER: u32 = 200;

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
        let (one_clock, together) = self.together(rank, barrier, &clock, one).await;
        Exits { bound: clock.bound, exits, together, one_clock }
    }

    /// Barriers that all ranks enter at the same instant; one of a row took `one`. By the clock that ranks share, if they do: a
    /// synchronised one is off by more than what is looked for.
    async fn together<R: Rank, B: Operation>(
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
        for turn in 0..u64::from(self.barriers.min(MOST_TOGETHER)) {
            let due = now + Span(between) * (turn + 8);
            rank.wait_until(if is_shared { scale.reading(due) } else { clock.reading(due) }).await;
            barrier.call(rank).await;
            let end = rank.read_clock();
            exits.push(if is_shared { scale.time(end) } else { clock.time(end) });
        }
        (is_shared, exits)
    }
}

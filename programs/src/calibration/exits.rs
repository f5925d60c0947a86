//! Exits of ranks from a barrier (E5), with which a method that starts by this barrier begins.

use super::exchange::both;
use crate::method::{barrier_exits, broadcast};
use crate::observation::Implementation;
use crate::operation::{Library, Operation, Own};
use crate::rank::Rank;
use crate::sync::Sync;
use models::clock::GlobalClock;
use models::collective::{Algorithm, Collective, Shape};
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Barriers whose exits are recorded, and the number of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaving {
    /// Implementation of the barrier that ranks leave.
    pub barrier: Implementation,
    /// Number of barriers in a row whose exits are kept.
    pub barriers: u32,
    /// Number of barriers before those whose exits are not kept.
    pub warmup: u32,
    /// Algorithm by which clocks are synchronised.
    pub sync: Sync,
}

/// Exits of all ranks from the same barriers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Left {
    /// Implementation of the barrier that ranks left.
    pub barrier: Implementation,
    /// Exits of each rank, in the order of ranks.
    pub ranks: Vec<Exits>,
}

/// Exits of one rank from barriers in a row, and from barriers that one rank entered late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exits {
    /// Bound of the offset of the rank's clock when it was synchronised.
    pub bound: Span,
    /// Global time at which the rank left each of the barriers in a row.
    pub exits: Vec<Time>,
    /// Times at which the rank entered and left each of the barriers that one rank, [`late_rank`], entered later than
    /// the others.
    pub late: Vec<[Time; 2]>,
    /// Whether the times in `late` are by the clock of rank 0 itself, which is off by nothing.
    pub one_clock: bool,
}

/// Least time between two barriers with a late rank.
const LEAST_BETWEEN: Span = Span::from_us(20);
/// Largest number of barriers with a late rank: enough for a median of each rank.
const MOST_WITH_LATE: u32 = 200;
/// Largest number of ranks of which one is late in turn: of more ranks too few barriers would be left for each.
const MOST_LATE_RANKS: u32 = 16;

/// Returns the rank that enters a barrier later than the others: each rank has its turn.
pub fn late_rank(barrier: usize, ranks: u32) -> u32 {
    barrier as u32 % ranks.max(1)
}

impl Leaving {
    /// Records `barriers` barriers in a row after a tenth as many, at least ten, that are not kept.
    pub fn new(barrier: Implementation, barriers: u32) -> Leaving {
        Leaving { barrier, barriers, warmup: (barriers / 10).max(10), sync: Sync::Linear }
    }

    /// Records the exits. All ranks call it together; rank 0 returns the exits of all, others `None`.
    ///
    /// # Errors
    /// Fails where there is no algorithm of this name, and for a forced algorithm or a queue in shared memory.
    pub async fn run<R: Rank>(&self, rank: &R) -> Result<Option<Left>, String> {
        let shape = Shape::new(rank.size(), 0, 0);
        let own = match &self.barrier {
            Implementation::Library => self.exits(rank, &Library(Collective::Barrier, shape)).await,
            Implementation::Own(name) => {
                let algorithm = Algorithm::find(Collective::Barrier, name)?;
                self.exits(rank, &Own::new(algorithm, &shape, rank.id())).await
            }
            Implementation::Forced(name) => {
                return Err(format!(
                    "exits are taken of a barrier as it comes, found the library's algorithm '{name}'"
                ));
            }
            Implementation::Tuned(name) => {
                return Err(format!("exits are taken of a barrier as it comes, found one that is tuned by '{name}'"));
            }
            Implementation::Shared(queued) => return Err(format!("exits are taken of barriers, found {queued}")),
        };
        let ranks = gathered(rank, own).await;
        Ok((rank.id() == 0).then(|| Left { barrier: self.barrier.clone(), ranks }))
    }

    async fn exits<R: Rank, B: Operation>(&self, rank: &R, barrier: &B) -> Exits {
        barrier.prepare(rank);
        let clock = self.sync.synchronise(rank).await;
        let now = |rank: &R| clock.time(rank.read_clock());
        let mut exits = barrier_exits(rank, barrier, self.warmup + self.barriers, now).await;
        exits.drain(..self.warmup as usize);
        let row = exits.last().copied().unwrap_or_default().since(exits.first().copied().unwrap_or_default());
        let one = Span(row.0 / u64::from(self.barriers.max(1)));
        let (one_clock, late) = self.with_late_ranks(rank, barrier, &clock, one).await;
        Exits { bound: clock.bound, exits, late, one_clock }
    }

    /// Returns the times of barriers that one rank enters later than the others, which enter at an announced instant;
    /// `one` is the time that one of a row took. Times are by the clock that ranks share, if they do: a synchronised
    /// one is off by more than the effect in question.
    async fn with_late_ranks<R: Rank, B: Operation>(
        &self,
        rank: &R,
        barrier: &B,
        clock: &GlobalClock,
        one: Span,
    ) -> (bool, Vec<[Time; 2]>) {
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
        let barriers = if rank.size() <= MOST_LATE_RANKS { self.barriers.min(MOST_WITH_LATE) } else { 0 };
        let mut late = Vec::new();
        for turn in 0..barriers as usize {
            let due = now + Span(between) * (turn as u64 + 8);
            rank.wait_until(if is_shared { scale.reading(due) } else { clock.reading(due) }).await;
            make_late(rank, late_rank(turn, rank.size()), Span(between / 4)).await;
            let entry = rank.read_clock();
            barrier.call(rank).await;
            let stamps = [entry, rank.read_clock()];
            late.push(stamps.map(|ticks| if is_shared { scale.time(ticks) } else { clock.time(ticks) }));
        }
        (is_shared, late)
    }
}

/// Delays the late rank, which computes for a barrier's time and receives an empty message from its neighbour, as from
/// a broadcast: a rank that looks for messages for the first time in a while takes longer, and ranks behind a call have
/// just looked.
async fn make_late<R: Rank>(rank: &R, late: u32, by: Span) {
    if rank.size() < 2 {
        return;
    }
    let neighbour = (late + 1) % rank.size();
    if rank.id() == late {
        rank.compute(by).await;
        rank.step(&both(neighbour, 0).1).await;
    } else if rank.id() == neighbour {
        rank.step(&both(late, 0).0).await;
    }
}

/// Gathers every rank's exits on rank 0, in the order of ranks; other ranks return an empty list. All ranks call it
/// together and have equally many exits.
async fn gathered<R: Rank>(rank: &R, own: Exits) -> Vec<Exits> {
    let mut message: Vec<u8> = own.words().flat_map(u64::to_le_bytes).collect();
    if rank.id() > 0 {
        rank.send(0, &message).await;
        return Vec::new();
    }
    let barriers = own.exits.len();
    let mut all = vec![own];
    for other in 1..rank.size() {
        rank.receive(other, &mut message).await;
        let (words, _) = message.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
        all.push(Exits::of_words(&words, barriers));
    }
    all
}

impl Exits {
    fn words(&self) -> impl Iterator<Item = u64> {
        let times = self.exits.iter().chain(self.late.as_flattened());
        [self.bound.0, u64::from(self.one_clock)].into_iter().chain(times.map(|time| time.0))
    }

    /// Reads back the words of [`Exits::words`]; `barriers` is the number of barriers in a row.
    fn of_words(words: &[u64], barriers: usize) -> Exits {
        let (head, times) = words.split_at(2);
        let (exits, late) = times.split_at(barriers);
        let (pairs, _) = late.as_chunks::<2>();
        Exits {
            bound: Span(head[0]),
            exits: exits.iter().map(|&time| Time(time)).collect(),
            late: pairs.iter().map(|pair| pair.map(Time)).collect(),
            one_clock: head[1] == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_go_through_words_unchanged() {
        for late in [vec![], vec![[Time(5), Time(9)], [Time(15), Time(19)]]] {
            let exits = Exits { bound: Span(7), exits: vec![Time(1), Time(2), Time(3)], late, one_clock: true };
            assert_eq!(Exits::of_words(&exits.words().collect::<Vec<_>>(), 3), exits);
        }
    }
}

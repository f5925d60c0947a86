//! Ring synchronisation: rank i against rank i − 1 (rank 0 against the last), in parallel; rank 0 gathers the offsets,
//! forms prefix sums and hands them out (Kurnosov 2012, section 5).
//!
//! A rank cannot ask and answer at once, so neighbours meet in two rounds, or three where the number of ranks is odd.
//! Every offset is known by two ways, on either side of the ring: both limit it, and that they meet is a check.

use super::exchange::{Effort, Learner, serve};
use super::group::SyncGroup;
use super::interval::{Interval, LARGEST_RATE_DIFFERENCE_PPM, Limit};
use super::knowledge::{Knowledge, grain};
use crate::rank::Rank;
use models::clock::Timescale;
use models::time::Time;

const EFFORT: Effort = Effort { patience: 100, most: 2_000 };

pub(super) async fn synchronise<R: Rank>(rank: &R, group: &SyncGroup) -> Knowledge {
    let position = group.position(rank.id()).expect("only ranks of the group are asked");
    let scale = rank.timescale();
    if group.size() == 1 {
        return Knowledge::reference(scale);
    }
    let against = meet(rank, group, position).await;
    if position == 0 {
        hand_out(rank, group, &against).await;
        Knowledge::reference(scale)
    } else {
        hear(rank, group.at(0), &against).await
    }
}

/// Returns the round in which a rank learns from its neighbour: no rank does two things in one round.
fn round(position: u32, size: u32) -> u32 {
    if position == 0 && size % 2 == 1 { 2 } else { (position + 1) % 2 }
}

/// Learns this rank's offset to its neighbour's clock; meanwhile the other neighbour learns from this rank.
async fn meet<R: Rank>(rank: &R, group: &SyncGroup, position: u32) -> Knowledge {
    let size = group.size();
    let (before, after) = ((position + size - 1) % size, (position + 1) % size);
    let mine = Knowledge::reference(rank.timescale());
    let mut against = None;
    for turn in 0..3 {
        if round(after, size) == turn {
            serve(rank, &mine, group.at(after)).await;
        }
        if round(position, size) == turn {
            let mut learner = Learner::connect(rank, group.at(before)).await;
            let best = learner.least_round_trip(EFFORT).await;
            against = Some(learner.settle_on(best.offset_ps).await);
        }
    }
    against.expect("every rank has a round")
}

/// Limits and estimate of one offset at one moment, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bounds {
    low: i64,
    estimate: i64,
    high: i64,
    contradicted: bool,
}

impl Bounds {
    fn from_knowledge(knowledge: &Knowledge, now: Time) -> Bounds {
        let Knowledge { clock, interval } = knowledge;
        Bounds {
            low: interval.low_at(now),
            estimate: clock.offset_ps,
            high: interval.high_at(now),
            contradicted: interval.contradicted,
        }
    }

    fn plus(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.saturating_add(other.low),
            estimate: self.estimate.saturating_add(other.estimate),
            high: self.high.saturating_add(other.high),
            contradicted: self.contradicted || other.contradicted,
        }
    }

    /// Combines this sum with another way to the same offset, which comes out as the opposite of it.
    fn and_opposite(self, other: Bounds) -> Bounds {
        let (low, high) = (self.low.max(other.high.saturating_neg()), self.high.min(other.low.saturating_neg()));
        let contradicted = self.contradicted || other.contradicted || low > high;
        if low > high { Bounds { contradicted, ..self } } else { Bounds { low, high, contradicted, ..self } }
    }

    fn older(self, by_ps: i64) -> Bounds {
        Bounds { low: self.low.saturating_sub(by_ps), high: self.high.saturating_add(by_ps), ..self }
    }

    fn to_bytes(self) -> [u8; 32] {
        let words = [self.low, self.estimate, self.high, i64::from(self.contradicted)];
        let mut message = [0; 32];
        message.chunks_exact_mut(8).zip(words).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
        message
    }

    fn from_bytes(message: &[u8; 32]) -> Bounds {
        let word = |at: usize| i64::from_le_bytes(message[at..at + 8].try_into().expect("eight bytes"));
        Bounds { low: word(0), estimate: word(8), high: word(16), contradicted: word(24) == 1 }
    }
}

/// Returns the most that an offset can have changed between two local times, in picoseconds.
fn change(scale: &Timescale, from: Time, to: Time) -> i64 {
    let mut nothing = Interval::unknown(LARGEST_RATE_DIFFERENCE_PPM, grain(scale));
    nothing.high = Limit { ps: 0, at: from };
    nothing.high_at(to)
}

/// Gathers on rank 0 everybody's offset to their neighbour, adds up along the ring, and sends each rank its own.
///
/// Ranks report when they are asked, so that rank 0 knows how old their limits are at most.
async fn hand_out<R: Rank>(rank: &R, group: &SyncGroup, against: &Knowledge) {
    let scale = rank.timescale();
    let now = || scale.time(rank.read_clock());
    let asked = now();
    for position in 1..group.size() {
        rank.send(group.at(position), &[]).await;
    }
    let mut hops = Vec::with_capacity(group.size() as usize);
    for position in 1..group.size() {
        let mut message = [0; 32];
        rank.receive(group.at(position), &mut message).await;
        hops.push(Bounds::from_bytes(&message));
    }
    let heard = now();
    let hops: Vec<Bounds> = hops.into_iter().map(|hop| hop.older(change(&scale, asked, heard))).collect();
    // Sum from the far end, the other way round the ring.
    let mut backwards = Bounds::from_knowledge(against, heard);
    let mut opposite = vec![backwards; hops.len()];
    for at in (0..hops.len() - 1).rev() {
        backwards = backwards.plus(hops[at + 1]);
        opposite[at] = backwards;
    }
    let mut sum = Bounds::default();
    for (position, (hop, opposite)) in (1..).zip(hops.into_iter().zip(opposite)) {
        sum = sum.plus(hop);
        rank.send(group.at(position), &sum.and_opposite(opposite).older(change(&scale, heard, now())).to_bytes()).await;
    }
}

/// Reports to rank 0 when it asks, and hears the offset to rank 0.
async fn hear<R: Rank>(rank: &R, first: u32, against: &Knowledge) -> Knowledge {
    let scale = rank.timescale();
    let now = || scale.time(rank.read_clock());
    rank.receive(first, &mut []).await;
    let reported = now();
    rank.send(first, &Bounds::from_knowledge(against, reported).to_bytes()).await;
    let mut message = [0; 32];
    rank.receive(first, &mut message).await;
    let told = Bounds::from_bytes(&message);
    let mut interval = Interval::unknown(LARGEST_RATE_DIFFERENCE_PPM, grain(&scale));
    // Rank 0 sent this after the report: the limits are no older than that.
    interval.low = Limit { ps: told.low, at: reported };
    interval.high = Limit { ps: told.high, at: reported };
    interval.contradicted = told.contradicted;
    Knowledge::settled(scale, interval, now(), told.estimate, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rank_meets_two_neighbours_in_one_round() {
        for size in 2..40 {
            for position in 0..size {
                let learns = round(position, size);
                assert!(learns < 3 && learns != round((position + 1) % size, size), "{position} of {size}");
            }
        }
    }

    #[test]
    fn the_other_way_round_narrows_and_contradicts() {
        let told = |low, estimate, high| Bounds { low, estimate, high, contradicted: false };
        let this = told(10, 20, 30);
        assert_eq!(this.and_opposite(told(-25, -21, -15)), told(15, 20, 25));
        assert!(this.and_opposite(told(-9, -8, -7)).contradicted);
        assert_eq!(Bounds::from_bytes(&this.older(5).to_bytes()), told(5, 20, 35));
    }
}

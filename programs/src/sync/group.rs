//! Groups of ranks that synchronise: one rank of each clock takes part in the algorithm, the others check that they
//! share it.

use super::exchange::{Effort, Learner, serve};
use super::knowledge::{BYTES, Knowledge};
use crate::rank::Rank;
use models::clock::Basis;

/// Effort of a check, which needs no more: it only asks whether zero is possible, and how far from zero the offset
/// could be.
const CHECK: Effort = Effort { patience: 25, most: 200 };

/// Ranks that an algorithm synchronises, in order; the first one's clock is the global one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SyncGroup {
    ranks: Vec<u32>,
}

impl SyncGroup {
    /// Returns the group of every rank of a world.
    pub(super) fn all(size: u32) -> SyncGroup {
        SyncGroup { ranks: (0..size).collect() }
    }

    /// Returns the number of ranks that take part.
    pub(super) fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Returns the rank at a position.
    pub(super) fn at(&self, position: u32) -> u32 {
        self.ranks[position as usize]
    }

    /// Returns the position of a rank, if it takes part.
    pub(super) fn position(&self, rank: u32) -> Option<u32> {
        self.ranks.binary_search(&rank).ok().map(|position| position as u32)
    }
}

/// Returns for every rank the first one that reads the same clock; all ranks call it together.
pub(super) async fn leaders<R: Rank>(rank: &R, own: u64) -> Vec<u32> {
    let size = rank.size() as usize;
    let mut domains = vec![0; size * 8];
    if rank.id() == 0 {
        domains[..8].copy_from_slice(&own.to_le_bytes());
        for other in 1..rank.size() {
            let place = other as usize * 8;
            rank.receive(other, &mut domains[place..place + 8]).await;
        }
        for other in 1..rank.size() {
            rank.send(other, &domains).await;
        }
    } else {
        rank.send(0, &own.to_le_bytes()).await;
        rank.receive(0, &mut domains).await;
    }
    let mut first = std::collections::BTreeMap::new();
    domains.chunks_exact(8).zip(0u32..).map(|(domain, rank)| *first.entry(domain).or_insert(rank)).collect()
}

/// Returns the group of the leaders, each once.
pub(super) fn of_leaders(leaders: &[u32]) -> SyncGroup {
    let is_leader = |&(rank, &leader): &(u32, &u32)| rank == leader;
    SyncGroup { ranks: (0..).zip(leaders).filter(is_leader).map(|(rank, _)| rank).collect() }
}

/// Hands on the knowledge of a leader to the ranks that share its clock, one after another.
pub(super) async fn lead<R: Rank>(rank: &R, leaders: &[u32], knowledge: &Knowledge) {
    let own = Knowledge::reference(rank.timescale());
    let follows = |&(other, &leader): &(u32, &u32)| leader == rank.id() && other != rank.id();
    for (other, _) in (0..).zip(leaders).filter(follows) {
        serve(rank, &own, other).await;
        rank.send(other, &knowledge.to_bytes()).await;
    }
}

/// Measures whether a rank shares its leader's clock, and takes over the leader's knowledge. Where readings contradict
/// that, the rank believes them.
pub(super) async fn follow<R: Rank>(rank: &R, leader: u32) -> Knowledge {
    let mut learner = Learner::assuming(rank, leader, 0).await;
    learner.alternate(CHECK).await;
    let measured = learner.settle_in_the_middle().await;
    let mut message = [0; BYTES];
    rank.receive(leader, &mut message).await;
    let known = Knowledge::from_bytes(&message);
    let now = measured.clock.scale.time(rank.read_clock());
    let (low, high) = (measured.interval.low_at(now), measured.interval.high_at(now));
    let share = low <= 0 && high >= 0 && !measured.interval.contradicted;
    // The leader's limits, and how far from the leader's readings this rank's can be.
    let mut interval = known.interval;
    interval.low.ps = interval.low.ps.saturating_add(low);
    interval.high.ps = interval.high.ps.saturating_add(high);
    interval.contradicted |= !share;
    let local = if share { 0 } else { measured.clock.offset_ps };
    let offset = known.clock.offset_at(now).saturating_add(local);
    let mut all = Knowledge::settled(measured.clock.scale, interval, now, offset, known.clock.drift);
    if all.clock.basis == Basis::Measured {
        all.clock.basis = Basis::Shared;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rank_of_each_clock_leads() {
        let group = of_leaders(&[0, 0, 2, 0, 2, 5]);
        assert_eq!(group, SyncGroup { ranks: vec![0, 2, 5] });
        assert_eq!((group.size(), group.at(2), group.position(2), group.position(3)), (3, 5, Some(1), None));
    }
}

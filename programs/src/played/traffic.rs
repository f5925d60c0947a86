//! Properties of an algorithm's messages, whatever the network: their length, their number at once, and the bytes that
//! are combined.

use super::Played;
use models::collective::{Step, Then};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Properties of one call's messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Length of the longest message, in bytes.
    pub longest_bytes: u64,
    /// Largest number of ranks from which messages reach one rank at a time, if every message takes equally long and
    /// nothing else takes time.
    pub meeting: u32,
    /// Number of bytes that the busiest rank combines.
    pub combined_bytes: u64,
}

/// One rank on its way through its steps; time counts messages.
#[derive(Default)]
struct Walker {
    steps: VecDeque<Step>,
    now: u64,
    /// Sources of receives that were posted.
    posted: Vec<u32>,
    /// Whether the message that the next step sends is under way.
    sent: bool,
    /// Ranks from which messages reached this one, by time of arrival.
    reached: BTreeMap<u64, BTreeSet<u32>>,
    longest_bytes: u64,
    combined_bytes: u64,
}

/// Times at which messages of each pair arrive, in their order.
type Wire = BTreeMap<(u32, u32), VecDeque<u64>>;

/// Walks all ranks through one call, and returns the properties of its messages. Takes time and memory for every
/// message: not for a million ranks.
pub fn traffic(played: &Played) -> Traffic {
    let walkers = walked(played);
    let at_once = walkers.iter().flat_map(|walker| walker.reached.values()).map(BTreeSet::len);
    Traffic {
        longest_bytes: walkers.iter().map(|walker| walker.longest_bytes).max().unwrap_or(0),
        meeting: at_once.max().unwrap_or(0) as u32,
        combined_bytes: walkers.iter().map(|walker| walker.combined_bytes).max().unwrap_or(0),
    }
}

/// Walks all ranks as far as they come.
fn walked(played: &Played) -> Vec<Walker> {
    let mut walkers: Vec<Walker> = (0..played.shape.ranks)
        .map(|rank| Walker { steps: played.algorithm.steps(&played.shape, rank).collect(), ..Walker::default() })
        .collect();
    let mut wire = Wire::new();
    // Every pass carries on as far as messages have come; without progress there is a deadlock, which no algorithm has.
    let mut progress = true;
    while std::mem::take(&mut progress) {
        for (rank, walker) in (0..).zip(&mut walkers) {
            while walker.step(rank, &mut wire) {
                progress = true;
            }
        }
    }
    walkers
}

impl Walker {
    /// Makes the next step, if there is one and its messages have come; returns whether it did.
    fn step(&mut self, rank: u32, wire: &mut Wire) -> bool {
        let Some(&step) = self.steps.front() else { return false };
        if let (Some((to, part)), false) = (step.sent(), self.sent) {
            self.longest_bytes = self.longest_bytes.max(part.bytes);
            wire.entry((rank, to)).or_default().push_back(self.now + 1);
            self.sent = true;
        }
        match step {
            Step::Receive { from, .. } | Step::Exchange { from, .. } => {
                if !self.receive(from, rank, wire) {
                    return false;
                }
            }
            Step::Post { from, .. } => self.posted.push(from),
            Step::WaitAll => {
                while let Some(&from) = self.posted.first() {
                    if !self.receive(from, rank, wire) {
                        return false;
                    }
                    self.posted.remove(0);
                }
            }
            Step::Send { .. } | Step::Start { .. } | Step::Local { .. } => {}
        }
        if let Some((_, part, Then::Combine)) = step.received() {
            self.combined_bytes = self.combined_bytes.saturating_add(part.bytes);
        }
        self.sent = false;
        self.steps.pop_front();
        true
    }

    fn receive(&mut self, from: u32, rank: u32, wire: &mut Wire) -> bool {
        let Some(arrival) = wire.get_mut(&(from, rank)).and_then(VecDeque::pop_front) else { return false };
        self.reached.entry(arrival).or_default().insert(from);
        self.now = self.now.max(arrival);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::{ALGORITHMS, Algorithm, Collective, Shape};

    fn traffic_of(collective: Collective, name: &str, ranks: u32, bytes: u64) -> Traffic {
        let algorithm = Algorithm::find(collective, name).expect("known");
        traffic(&Played { algorithm, shape: Shape::new(ranks, 0, bytes), called: None, rule: None })
    }

    #[test]
    fn messages_meet_at_the_root_of_a_flat_gather_and_nowhere_else() {
        let linear = traffic_of(Collective::Gather, "linear", 8, 100);
        assert_eq!((linear.longest_bytes, linear.meeting, linear.combined_bytes), (100, 7, 0));
        assert_eq!(traffic_of(Collective::Gather, "binomial", 8, 100).longest_bytes, 400);
        assert_eq!(traffic_of(Collective::Bcast, "binomial", 8, 100).meeting, 1);
        assert_eq!(traffic_of(Collective::Barrier, "dissemination", 8, 0).meeting, 1);
        assert_eq!(traffic_of(Collective::Alltoall, "linear", 5, 64).meeting, 4);
        assert_eq!(traffic_of(Collective::Alltoall, "pairwise", 5, 64).meeting, 1);
        assert_eq!(traffic_of(Collective::Reduce, "linear", 4, 10).combined_bytes, 30);
    }

    #[test]
    fn every_algorithm_is_walked_to_its_end() {
        for algorithm in ALGORITHMS {
            for ranks in
                [2, 3, 4, 7, 8].map(|ranks| algorithm.ranks.at_most(ranks)).into_iter().filter(|&ranks| ranks > 1)
            {
                let shape = Shape::new(ranks, 0, 64);
                let played = Played { algorithm, shape, called: None, rule: None };
                assert!(walked(&played).iter().all(|walker| walker.steps.is_empty()), "{algorithm:?} on {ranks}");
                let found = traffic(&played);
                assert!(found.meeting >= 1 && found.meeting < ranks, "{algorithm:?} on {ranks}: {found:?}");
            }
        }
    }
}

//! Patterns of messages in programs, one after the other and each timed by itself.

use super::grid::Grid;
use super::{Starts, StepTimes, meet};
use crate::point_to_point::rounds;
use crate::rank::{Phase, Rank};
use models::clock::GlobalClock;
use models::collective::{Part, Step, Then};
use serde::{Deserialize, Serialize};

models::named! {
    /// Pattern of the ranks' partners for messages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Pattern {
        /// All 26 neighbours on the grid exchange messages at once: long ones across faces, short ones across edges and
        /// corners.
        Neighbours => "neighbours",
        /// Ranks send along each axis: those with an even coordinate to the next, then those with an odd one.
        Directions => "directions",
        /// Every two ranks exchange messages, in rounds of disjoint pairs.
        Pairs => "pairs",
        /// Each rank in turn receives a message from every other one, in the order of ranks.
        Master => "master",
        /// Rank i exchanges messages with rank i + P/2, all at once.
        Bisection => "bisection",
    }
    /// Name of the pattern in files and flags.
    fn name;
    find("pattern"); Display(name);
}

/// Patterns of messages on a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Patterns {
    /// Patterns that ranks perform, in this order.
    pub patterns: Vec<Pattern>,
    /// Grid on which the ranks lie.
    pub grid: Grid,
    /// Whether the last rank of an axis is a neighbour of the first.
    pub periodic: bool,
    /// Length of long messages, in bytes.
    pub large: u64,
    /// Length of messages across edges and corners, in bytes.
    pub small: u64,
    /// Numbers of repetitions of each pattern before the timed ones, and of timed repetitions.
    pub repetitions: (u32, u32),
}

/// Largest number of neighbours of a rank.
const MOST_NEIGHBOURS: u64 = 26;

impl Patterns {
    pub(super) fn buffer_bytes(&self, _ranks: u32) -> u64 {
        let longest = self.large.max(self.small);
        let received = 6 * self.large + (MOST_NEIGHBOURS - 6) * self.small;
        Part::behind(longest, received.max(longest)).offset.saturating_add(received.max(longest))
    }

    pub(super) async fn run<R: Rank>(&self, rank: &R, clock: &GlobalClock) -> Vec<StepTimes> {
        let mut all = Vec::new();
        for pattern in &self.patterns {
            for (name, turns) in self.turns(*pattern, rank.id(), rank.size()) {
                rank.enter_phase(Phase::Metering);
                all.push(self.step(rank, clock, name, &turns).await);
            }
        }
        all
    }

    /// Repeats one step. Of several turns a rank times those in which it has steps.
    async fn step<R: Rank>(&self, rank: &R, clock: &GlobalClock, name: String, turns: &[Turn]) -> StepTimes {
        let (before, counted) = self.repetitions;
        let sent = |turn: &Turn| turn.steps.iter().filter_map(Step::sent).map(|(_, part)| part.bytes).sum::<u64>();
        let mut series = StepTimes::new(name, turns.iter().map(sent).sum(), counted);
        let mut starts = Starts::new();
        for repetition in 0..before + counted {
            for turn in turns {
                starts.start(rank, clock).await;
                let begin = rank.read_clock();
                for step in &turn.steps {
                    rank.step(step).await;
                }
                let end = rank.read_clock();
                if turn.is_timed && repetition >= before {
                    series.push(rank, clock, begin, end);
                }
            }
        }
        meet(rank).await;
        series
    }

    /// Steps of a pattern by their names, with a rank's turns in each.
    fn turns(&self, pattern: Pattern, rank: u32, ranks: u32) -> Vec<(String, Vec<Turn>)> {
        let named = |turns: Vec<Turn>| vec![(pattern.name().to_owned(), turns)];
        match pattern {
            Pattern::Neighbours => named(vec![Turn::timed(self.neighbours(rank))]),
            Pattern::Directions => {
                let axis = |(axis, name): (usize, &str)| (format!("{pattern} {name}"), vec![self.along(rank, axis)]);
                ["x", "y", "z"].into_iter().enumerate().filter(|&(axis, _)| self.grid.0[axis] > 1).map(axis).collect()
            }
            Pattern::Pairs => named(vec![Turn::timed(self.pairs(rank, ranks))]),
            Pattern::Master => named((0..ranks).map(|master| self.master(rank, ranks, master)).collect()),
            Pattern::Bisection => named(vec![Turn::timed(self.bisection(rank, ranks))]),
        }
    }

    fn neighbours(&self, rank: u32) -> Vec<Step> {
        let (mut receives, mut sends, mut at) =
            (Vec::new(), Vec::new(), Part::behind(self.large.max(self.small), 0).offset);
        // The order is the same on all ranks, so that of several messages between two ranks each finds its own receive.
        for by in directions() {
            let bytes = if by.iter().filter(|&&step| step != 0).count() == 1 { self.large } else { self.small };
            let from = self.grid.away(rank, by.map(|step| -step), self.periodic).filter(|&from| from != rank);
            if let Some(from) = from {
                receives.push(Step::Post { from, part: Part::range(at, bytes), then: Then::Store });
                at += bytes;
            }
            if let Some(to) = self.grid.away(rank, by, self.periodic).filter(|&to| to != rank) {
                sends.push(Step::Start { to, part: Part::range(0, bytes) });
            }
        }
        receives.into_iter().chain(sends).chain([Step::WaitAll]).collect()
    }

    /// Ranks with even coordinates send to the next, then those with odd ones.
    fn along(&self, rank: u32, axis: usize) -> Turn {
        let by = |step: i32| {
            let mut by = [0; 3];
            by[axis] = step;
            self.grid.away(rank, by, self.periodic).filter(|&other| other != rank)
        };
        let place = |rank: u32| self.grid.place(rank)[axis];
        let received = Part::behind(self.large.max(self.small), self.large);
        let mut steps = Vec::new();
        for parity in [0, 1] {
            let before = steps.len();
            if let Some(from) = by(-1).filter(|&from| place(from) % 2 == parity) {
                steps.push(Step::Post { from, part: received, then: Then::Store });
            }
            if let Some(to) = by(1).filter(|_| place(rank) % 2 == parity) {
                steps.push(Step::Start { to, part: Part::range(0, self.large) });
            }
            if steps.len() > before {
                steps.push(Step::WaitAll);
            }
        }
        Turn::timed(steps)
    }

    fn exchange(&self, with: u32) -> Step {
        let (sent, received) = (Part::range(0, self.large), Part::behind(self.large.max(self.small), self.large));
        Step::Exchange { to: with, sent, from: with, received, then: Then::Store }
    }

    fn pairs(&self, rank: u32, ranks: u32) -> Vec<Step> {
        let own = |round: Vec<(u32, u32)>| round.into_iter().find(|&(one, other)| rank == one || rank == other);
        rounds(ranks).filter_map(own).map(|(one, other)| self.exchange(if rank == one { other } else { one })).collect()
    }

    fn master(&self, rank: u32, ranks: u32, master: u32) -> Turn {
        if rank != master {
            return Turn { steps: vec![Step::Send { to: master, part: Part::range(0, self.large) }], is_timed: false };
        }
        let part = Part::behind(self.large.max(self.small), self.large);
        let others = (0..ranks).filter(|&from| from != master);
        Turn::timed(others.map(|from| Step::Receive { from, part, then: Then::Store }).collect())
    }

    fn bisection(&self, rank: u32, ranks: u32) -> Vec<Step> {
        let half = ranks / 2;
        let other = if rank < half { rank + half } else { rank.wrapping_sub(half) };
        // In an odd number of ranks the last has no partner.
        if rank < 2 * half { vec![self.exchange(other)] } else { Vec::new() }
    }
}

/// Steps of a rank between two synchronisations.
struct Turn {
    steps: Vec<Step>,
    is_timed: bool,
}

impl Turn {
    /// Turn that is timed where it has steps.
    fn timed(steps: Vec<Step>) -> Turn {
        Turn { is_timed: !steps.is_empty(), steps }
    }
}

/// Directions to the 26 neighbours of a place.
fn directions() -> impl Iterator<Item = [i32; 3]> {
    let all = (-1..=1).flat_map(|z| (-1..=1).flat_map(move |y| (-1..=1).map(move |x| [x, y, z])));
    all.filter(|by| *by != [0; 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// What ranks send is what the others receive, message by message and length by length.
    #[test]
    fn every_message_of_every_pattern_has_its_receive() {
        for (grid, periodic) in
            [([2, 2, 2], false), ([2, 2, 2], true), ([3, 2, 1], true), ([5, 1, 1], true), ([4, 3, 2], false)]
        {
            let grid = Grid(grid);
            let ranks = grid.ranks().expect("few");
            let patterns = Patterns {
                patterns: Pattern::ALL.to_vec(),
                grid,
                periodic,
                large: 1_000,
                small: 8,
                repetitions: (1, 2),
            };
            for pattern in Pattern::ALL {
                let all: Vec<_> = (0..ranks).map(|rank| patterns.turns(pattern, rank, ranks)).collect();
                for step in 0..all[0].len() {
                    for turn in 0..all[0][step].1.len() {
                        let mut messages: BTreeMap<(u32, u32), [Vec<u64>; 2]> = BTreeMap::new();
                        for (rank, turns) in (0..).zip(&all) {
                            for one in &turns[step].1[turn].steps {
                                if let Some((to, part)) = one.sent() {
                                    messages.entry((rank, to)).or_default()[0].push(part.bytes);
                                }
                                match one {
                                    Step::Post { from, part, .. }
                                    | Step::Receive { from, part, .. }
                                    | Step::Exchange { from, received: part, .. } => {
                                        messages.entry((*from, rank)).or_default()[1].push(part.bytes);
                                        let room = patterns.buffer_bytes(ranks);
                                        assert!(part.offset + part.bytes <= room, "{pattern}: {part:?} of {room}");
                                    }
                                    _ => {}
                                }
                            }
                        }
                        for (pair, [sent, received]) in messages {
                            assert_eq!(sent, received, "{pattern} on {grid}: {pair:?}");
                        }
                    }
                }
            }
        }
    }
}

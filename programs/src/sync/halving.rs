//! Order in which HCA3 hands the global time on: pairs at half the distance in every round, in parallel.
//!
//! k = ⌊log₂ p⌋ rounds of distances R = 2^k, …, 2, with h = R/2: r mod R = 0 answers r + h, for ranks below 2^k; in one
//! more round ranks from 2^k on learn from r − 2^k. For 6 ranks: 0→2, then 0→1 2→3, then 0→4 1→5.

use super::exchange::serve;
use super::group::SyncGroup;
use super::knowledge::Knowledge;
use crate::rank::Rank;

/// Part of a rank in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Answers the rank at this position.
    Serves(u32),
    /// Learns from the rank at this position.
    Learns(u32),
}

/// Returns the parts of the rank at a position, round by round.
pub(super) fn turns(position: u32, size: u32) -> Vec<Turn> {
    let rounds = size.ilog2();
    let whole = 1 << rounds;
    let mut turns = Vec::new();
    if position < whole {
        for round in (1..=rounds).rev() {
            let (distance, half) = (1 << round, 1 << (round - 1));
            if position.is_multiple_of(distance) {
                turns.push(Turn::Serves(position + half));
            } else if position % distance == half {
                turns.push(Turn::Learns(position - half));
            }
        }
        if position + whole < size {
            turns.push(Turn::Serves(position + whole));
        }
    } else {
        turns.push(Turn::Learns(position - whole));
    }
    turns
}

/// Goes through the rounds; `learn` lets a rank learn from another, given as a rank of the world.
pub(super) async fn go<R: Rank>(rank: &R, group: &SyncGroup, learn: impl AsyncFn(u32) -> Knowledge) -> Knowledge {
    let mut knowledge = Knowledge::reference(rank.timescale());
    let position = group.position(rank.id()).expect("only ranks of the group are asked");
    for turn in turns(position, group.size()) {
        match turn {
            Turn::Serves(other) => serve(rank, &knowledge, group.at(other)).await,
            Turn::Learns(other) => knowledge = learn(group.at(other)).await,
        }
    }
    knowledge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_but_the_first_learns_once_and_from_one_who_knows() {
        for size in 1..=40 {
            let all: Vec<Vec<Turn>> = (0..size).map(|position| turns(position, size)).collect();
            for (position, turns) in all.iter().enumerate() {
                let learns: Vec<usize> = (0..turns.len()).filter(|&at| matches!(turns[at], Turn::Learns(_))).collect();
                assert_eq!(learns, if position == 0 { vec![] } else { vec![0] }, "{position} of {size}: {turns:?}");
                for turn in turns {
                    let (other, answer) = match *turn {
                        Turn::Serves(other) => (other, Turn::Learns(position as u32)),
                        Turn::Learns(other) => (other, Turn::Serves(position as u32)),
                    };
                    assert!(all[other as usize].contains(&answer), "{position} and {other} of {size} disagree");
                }
            }
        }
    }

    #[test]
    fn six_ranks_take_three_rounds() {
        assert_eq!(turns(0, 6), [Turn::Serves(2), Turn::Serves(1), Turn::Serves(4)]);
        assert_eq!(turns(1, 6), [Turn::Learns(0), Turn::Serves(5)]);
        assert_eq!(turns(3, 6), [Turn::Learns(2)]);
        assert_eq!(turns(5, 6), [Turn::Learns(1)]);
    }
}

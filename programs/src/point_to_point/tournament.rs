//! Pairs that play at once: a round-robin tournament by the circle method (Lucas 1883).
//!
//! One player stays, the others move round a circle by one place per round, and players that face each other play; with
//! an odd number a place is left empty, and the player that faces it rests. Four players: 0-3 1-2, then 3-2 0-1, then
//! 1-3 2-0.

/// Returns rounds of disjoint pairs (the lower rank first) in which each pair of `ranks` ranks plays exactly once:
/// ranks − 1 rounds, or as many as ranks where their number is odd.
pub fn rounds(ranks: u32) -> impl Iterator<Item = Vec<(u32, u32)>> {
    let places = u64::from(ranks) + u64::from(ranks % 2);
    let circle = places.saturating_sub(1);
    let rounds = if ranks < 2 { 0 } else { circle };
    (0..rounds).map(move |round| {
        // The last place stays; of the others, the sums of the numbers of two that face each other are equal.
        let facing = (1..places / 2).map(|i| ((round + i) % circle, (round + circle - i) % circle));
        let mut pairs: Vec<(u32, u32)> = std::iter::once((round, circle))
            .chain(facing)
            .map(|(a, b)| (a.min(b) as u32, a.max(b) as u32))
            .filter(|&(_, b)| b < ranks)
            .collect();
        pairs.sort_unstable();
        pairs
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_plays_everybody_once_and_nobody_twice_in_a_round() {
        for ranks in 0..=33u32 {
            let all: Vec<Vec<(u32, u32)>> = rounds(ranks).collect();
            let expected = if ranks < 2 { 0 } else { ranks - 1 + ranks % 2 };
            assert_eq!(all.len() as u32, expected, "{ranks} ranks");
            for round in &all {
                let mut players: Vec<u32> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                players.sort_unstable();
                players.dedup();
                assert_eq!(players.len(), 2 * round.len(), "{ranks} ranks: {round:?}");
                assert_eq!(round.len() as u32, ranks / 2, "{ranks} ranks: at most one rests");
            }
            let mut pairs: Vec<(u32, u32)> = all.concat();
            pairs.sort_unstable();
            let every: Vec<_> = (0..ranks).flat_map(|a| (a + 1..ranks).map(move |b| (a, b))).collect();
            assert_eq!(pairs, every, "{ranks} ranks");
        }
    }
}

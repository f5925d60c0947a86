//! Bine trees ("binomial negabinary"; De Sensi et al. 2025): binomial trees and butterflies in which partners alternate
//! between both sides of a rank, so that they are about a third nearer around the ring.
//!
//! In step s of h = log₂P an even rank meets the rank ρ_s = (1 − (−2)^(s+1)) / 3 = 1, −1, 3, −5, 11, … after it, an odd
//! one the rank as far before it. In the base −2 ρ_s is s + 1 ones. A rank on the way from the root is reached by ρ_a −
//! ρ_b + ρ_c − …; in its number to the base −2 digits change at a, b, c, …. Those changes (x xor x/2, as in Gray's
//! code) are a position in a binomial tree:
//!
//! * *doubling*: the root meets the nearest partner first. Even ranks count by −r, and digits are read from behind: in
//!   the order of positions the blocks that a rank has are consecutive.
//! * *halving*: it meets the furthest one first. All ranks count by r; the ranks below one are consecutive around the
//!   ring.

/// Mask of the digits to the base −2 whose value is negative.
const NEGATIVE: u64 = 0xAAAA_AAAA_AAAA_AAAA;

/// Returns the number of bits of P, a power of two.
fn bits(ranks: u32) -> u32 {
    ranks.ilog2()
}

/// Returns the lowest digits of a number to the base −2: as many as P, a power of two, has bits. It counts modulo P.
fn digits(number: u64, ranks: u32) -> u64 {
    (NEGATIVE.wrapping_add(number) ^ NEGATIVE) & u64::from(ranks - 1)
}

/// Returns the number with these digits to the base −2, modulo P.
fn number(digits: u64, ranks: u32) -> u64 {
    (NEGATIVE ^ digits).wrapping_sub(NEGATIVE) & u64::from(ranks - 1)
}

/// Returns a number whose bit i is set where digit i differs from the next one.
fn changes(digits: u64) -> u64 {
    digits ^ digits >> 1
}

/// Returns the digits that have these changes.
fn unchanged(changes: u64) -> u64 {
    [1, 2, 4, 8, 16].into_iter().fold(changes, |digits, by| digits ^ digits >> by)
}

/// Returns the lowest bits of a value, as many as P, a power of two, has, in reverse order.
fn reversed(value: u64, ranks: u32) -> u64 {
    if ranks == 1 { 0 } else { value.reverse_bits() >> (64 - bits(ranks)) }
}

/// Returns a rank, counted from the root, with even numbers negated.
fn signed(rank: u32) -> u64 {
    let rank = u64::from(rank);
    if rank % 2 == 0 { rank.wrapping_neg() } else { rank }
}

/// Returns the position of a rank, counted from the root, in the doubling tree of P, a power of two.
pub(super) fn doubling_position(rank: u32, ranks: u32) -> u32 {
    reversed(changes(digits(signed(rank), ranks)), ranks) as u32
}

/// Returns the rank, counted from the root, at a position of the doubling tree.
pub(super) fn doubling_rank(position: u32, ranks: u32) -> u32 {
    let digits = unchanged(reversed(position.into(), ranks));
    let found = number(digits, ranks);
    // The lowest digit is the number's lowest bit, whichever way it counts.
    (if found.is_multiple_of(2) { found.wrapping_neg() } else { found } & u64::from(ranks - 1)) as u32
}

/// Returns the position of a rank, counted from the root, in the halving tree of P, a power of two.
pub(super) fn halving_position(rank: u32, ranks: u32) -> u32 {
    changes(digits(rank.into(), ranks)) as u32
}

/// Returns the rank, counted from the root, at a position of the halving tree.
pub(super) fn halving_rank(position: u32, ranks: u32) -> u32 {
    number(unchanged(position.into()), ranks) as u32
}

/// Returns ρ_s, the signed distance of partners in a step.
fn reach(step: u32) -> i64 {
    (1 - (-2i64).pow(step + 1)) / 3
}

/// Returns the rank that a rank meets in a step, around a ring of an even number of ranks.
pub(super) fn partner(rank: u32, step: u32, ranks: u32) -> u32 {
    let reach = if rank.is_multiple_of(2) { reach(step) } else { -reach(step) };
    (i64::from(rank) + reach).rem_euclid(ranks.into()) as u32
}

/// Returns the position that a position of the doubling tree meets in the step in which both halves of 2^(bit + 1)
/// positions exchange.
pub(super) fn across(position: u32, bit: u32, ranks: u32) -> u32 {
    let step = bits(ranks) - 1 - bit;
    doubling_position(partner(doubling_rank(position, ranks), step, ranks), ranks)
}

/// Returns the first of the 2^bit positions, one of which is `position`, that have met each other before they meet
/// others.
pub(super) fn group(position: u32, bit: u32) -> u32 {
    position & !((1 << bit) - 1)
}

/// Returns the position that a table of PICO's gives a rank: as in the doubling tree, but of two partners that meet
/// last the lower rank comes first.
pub(super) fn tabled_position(rank: u32, ranks: u32) -> u32 {
    let position = doubling_position(rank, ranks);
    match bits(ranks).checked_sub(1) {
        Some(last) => position & !1 | u32::from(rank > partner(rank, last, ranks)),
        None => position,
    }
}

/// Returns the rank at a position of that table.
pub(super) fn tabled_rank(position: u32, ranks: u32) -> u32 {
    let rank = doubling_rank(position & !1, ranks);
    let Some(last) = bits(ranks).checked_sub(1) else { return rank };
    let other = partner(rank, last, ranks);
    if position.is_multiple_of(2) { rank.min(other) } else { rank.max(other) }
}

/// Returns the number of ranks that are not at the position of their own number. High bits of a position depend on low
/// bits of the rank only, so a rank that is at its position follows from its low bits.
pub(super) fn moved(ranks: u32, position_of: fn(u32, u32) -> u32) -> u32 {
    let low = 1 << (bits(ranks) / 2 + 1).min(bits(ranks));
    let stays = |rest: &u32| {
        let rank = position_of(*rest, ranks) & !(low - 1) | rest;
        position_of(rank, ranks) == rank
    };
    ranks - (0..low).filter(stays).count() as u32
}

/// Returns the distance around a ring of an even number of ranks from an even rank to the rank whose block it gets as
/// number `index` ≥ 1; an odd rank counts the other way. Numbers 2^k … 2^(k+1) − 1 come in step k of an allgather in
/// which the furthest partners meet first. Where P is no power of two some numbers stand for no rank.
pub(super) fn numbered(index: u32, ranks: u32) -> Option<u32> {
    let all = ranks.next_power_of_two();
    let distance = signed_distance(index, all)?;
    // The same distance the other way round, which may have a number, too: the smaller one counts.
    let other = distance - i64::from(ranks) * distance.signum();
    let is_first = number_of(other, all).is_none_or(|other| index < other);
    (distance.unsigned_abs() < u64::from(ranks) && is_first).then(|| distance.rem_euclid(ranks.into()) as u32)
}

/// Returns the distance of a number among as many as a power of two; `None` for distance 0.
fn signed_distance(index: u32, all: u32) -> Option<i64> {
    let digits = unchanged(reversed(index.into(), all));
    let value = (NEGATIVE ^ digits).wrapping_sub(NEGATIVE) as i64;
    (value != 0).then_some(if value % 2 == 0 { -value } else { value })
}

/// Returns the number of a distance; `None` if it takes more digits.
fn number_of(distance: i64, all: u32) -> Option<u32> {
    let value = if distance % 2 == 0 { -distance } else { distance };
    let digits = NEGATIVE.wrapping_add(value as u64) ^ NEGATIVE;
    (digits < u64::from(all)).then(|| reversed(changes(digits), all) as u32)
}

/// Returns the place in which a block from rank `from` lies in the end when everything is exchanged, nearest partners
/// first: after each step a rank has its own blocks and then its partner's.
pub(super) fn meeting_of(rank: u32, from: u32, ranks: u32) -> u32 {
    let (rank, from) = (u64::from(rank), u64::from(from));
    let distance = if rank % 2 == 0 { from.wrapping_sub(rank) } else { rank.wrapping_sub(from) };
    changes(digits(distance, ranks)) as u32
}

/// Returns true if one of the first `out` of `places` (a power of two) ranks that enters late holds up one of them at
/// the end, too, when they have met their partners in these steps. Of two that meet the one that waits is late
/// afterwards, not the one that held it up, so an even rank's delay ends at a fixed distance after it, an odd one's as
/// far before it.
pub(super) fn holds_up(out: u32, places: u32, steps: impl Iterator<Item = u32>) -> bool {
    let (moved, _) = steps.fold((0i64, 1), |(sum, sign), step| (sum + sign * reach(step), -sign));
    let distance = moved.rem_euclid(places.into()) as u32;
    // Rank 0's delay goes there; that of the first even rank from the same distance before the end on comes to rank 0
    // or 1.
    out > distance || out > (places - distance).next_multiple_of(2)
}

/// Returns the first, around the ring, of the 2^meetings ranks below and with one in the halving tree: `meetings`
/// steps, the nearest first, have been with partners below it.
pub(super) fn first_below(rank: u32, meetings: u32, ranks: u32) -> u32 {
    // An even rank's partners are 1 after, 2 before, 4 after, … all that it has by then.
    let before: u32 =
        (0..meetings).filter(|step| (step % 2 == 1) == rank.is_multiple_of(2)).map(|step| 1 << step).sum();
    (rank + ranks - before) % ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Tree;

    const TREE: Tree = Tree::KNomial { radix: 2 };

    fn powers_of_two() -> impl Iterator<Item = u32> {
        (0..=10).map(|bits| 1 << bits)
    }

    #[test]
    fn positions_are_a_permutation_and_its_inverse() {
        for ranks in powers_of_two().chain([1 << 30, 1 << 31]) {
            for rank in (0..ranks.min(1_024)).chain([ranks / 3, ranks - 1]) {
                assert_eq!(doubling_rank(doubling_position(rank, ranks), ranks), rank, "{ranks}");
                assert_eq!(halving_rank(halving_position(rank, ranks), ranks), rank, "{ranks}");
            }
            assert_eq!((doubling_position(0, ranks), halving_position(0, ranks)), (0, 0));
        }
    }

    #[test]
    fn edges_of_the_binomial_tree_over_positions_are_meetings_of_partners() {
        for ranks in powers_of_two() {
            for position in 1..ranks {
                let parent = TREE.parent(position, ranks).unwrap();
                let lowest = position.trailing_zeros();
                let (rank, above) = (doubling_rank(position, ranks), doubling_rank(parent, ranks));
                assert_eq!(partner(rank, bits(ranks) - 1 - lowest, ranks), above, "doubling, {ranks}: {rank}");
                let (rank, above) = (halving_rank(position, ranks), halving_rank(parent, ranks));
                assert_eq!(partner(rank, lowest, ranks), above, "halving, {ranks}: {rank}");
            }
        }
    }

    #[test]
    fn partners_meet_each_other_and_their_blocks_are_neighbours() {
        for ranks in powers_of_two() {
            let bits = bits(ranks);
            for (rank, step) in (0..ranks).flat_map(|rank| (0..bits).map(move |step| (rank, step))) {
                let other = partner(rank, step, ranks);
                assert_eq!(partner(other, step, ranks), rank);
                // Positions share their first `step` bits and differ in the next one.
                let differ = doubling_position(rank, ranks) ^ doubling_position(other, ranks);
                assert_eq!(differ >> (bits - 1 - step), 1, "{ranks}: {rank}, step {step}");
            }
        }
    }

    #[test]
    fn tables_are_permutations_and_moved_ranks_are_counted_without_looking_at_all() {
        for ranks in powers_of_two() {
            for rank in 0..ranks {
                let position = tabled_position(rank, ranks);
                assert_eq!(tabled_rank(position, ranks), rank);
                assert_eq!(position >> 1, doubling_position(rank, ranks) >> 1);
            }
            for position_of in [doubling_position, tabled_position] {
                let expected = (0..ranks).filter(|&rank| position_of(rank, ranks) != rank).count() as u32;
                assert_eq!(moved(ranks, position_of), expected, "{ranks}");
            }
        }
        assert_eq!((0..8).map(|rank| tabled_position(rank, 8)).collect::<Vec<_>>(), [0, 4, 6, 1, 2, 7, 5, 3]);
    }

    #[test]
    fn every_distance_around_an_even_ring_has_one_number_by_the_step_in_which_it_comes() {
        for ranks in (2..=70u32).step_by(2) {
            let all = ranks.next_power_of_two();
            let mut found: Vec<u32> = (1..all).filter_map(|index| numbered(index, ranks)).collect();
            found.sort_unstable();
            assert_eq!(found, (1..ranks).collect::<Vec<_>>(), "{ranks}");
            if ranks.is_power_of_two() {
                let of = |index| numbered(index, ranks).unwrap();
                assert!((1..all).all(|index| doubling_position(of(index), ranks) == index), "{ranks}");
            }
        }
    }

    #[test]
    fn ranks_below_one_in_the_halving_tree_are_consecutive() {
        for ranks in powers_of_two() {
            for position in 1..ranks {
                let meetings = position.trailing_zeros();
                let mut below: Vec<u32> = (0..1 << meetings).map(|i| halving_rank(position + i, ranks)).collect();
                below.sort_unstable();
                let first = first_below(halving_rank(position, ranks), meetings, ranks);
                assert_eq!(below, (first..first + (1 << meetings)).collect::<Vec<_>>(), "{ranks}: {position}");
            }
        }
    }
}

//! Folding of P ranks onto the largest power of two, for algorithms that exchange with rank xor d where P is none.
//!
//! Of the first 2·(P − 2^⌊log₂P⌋) ranks the even ones hand their data to the next and sit out; the odd ones and all
//! others have *places* 0 … 2^⌊log₂P⌋ − 1 (MPICH and Open MPI, but in what is named below).
//!
//! ```text
//! P = 6     0 ─▶1  2 ─▶3  4  5       before
//! places       0      1  2  3
//!           0◀─ 1  2◀─ 3             after
//! ```
//!
//! In reductions by halving the even ones stay and the odd ones sit out (MPICH's reduce, Open MPI's reduce and
//! allreduce). Open MPI has both of a pair combine a half before:
//!
//! ```text
//! P = 6     0◀─▶1  2◀─▶3  4  5       half of the buffer each way
//!           0◀─ 1  2◀─ 3             the upper half, which is combined
//! places    0      1      2  3
//! ```

use super::{Cost, Meeting, Part, Shape, Then};

/// The largest power of two of ranks, and the ranks that sit out.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// Number of places: 2^⌊log₂P⌋.
    pub places: u32,
    /// Number of ranks that sit out.
    pub out: u32,
    /// Rank of a pair that stays: 0 for the even one, 1 for the odd one.
    stays: u32,
}

/// Stage of a folded algorithm that a round belongs to.
pub(super) enum Stage {
    /// Hand-over of the data of ranks that sit out.
    Before,
    /// Exchange among the places, with the number of the round.
    Among(u32),
    /// Rounds after those among the places, with the number of the round.
    After(u32),
}

impl Fold {
    /// Returns a folding in which the odd one of a pair stays.
    pub(super) fn odd(shape: &Shape) -> Fold {
        let places = 1 << shape.log2_floor();
        Fold { places, out: shape.ranks - places, stays: 1 }
    }

    /// Returns a folding in which the even one of a pair stays.
    pub(super) fn even(shape: &Shape) -> Fold {
        Fold { stays: 0, ..Fold::odd(shape) }
    }

    /// Returns the number of rounds, of which `among` are among the places and one, if any rank sits out, on either
    /// side.
    pub(super) fn rounds(self, among: u32) -> u64 {
        u64::from(among) + if self.out > 0 { 2 } else { 0 }
    }

    /// Returns the stage of round `index`, if `among` rounds are among the places.
    pub(super) fn stage(self, index: u64, among: u32) -> Stage {
        let first = u64::from(self.out > 0);
        match index.checked_sub(first) {
            None => Stage::Before,
            Some(round) if round < u64::from(among) => Stage::Among(round as u32),
            Some(round) => Stage::After((round - u64::from(among)) as u32),
        }
    }

    /// Returns the place of a position; `None` if it sits out.
    pub(super) fn place(self, position: u32) -> Option<u32> {
        let stays = position % 2 == self.stays;
        if position >= 2 * self.out { Some(position - self.out) } else { stays.then_some(position / 2) }
    }

    /// Returns the position at a place.
    pub(super) fn position(self, place: u32) -> u32 {
        if place < self.out { 2 * place + self.stays } else { place + self.out }
    }

    /// Returns the first block of the positions that a place stands for, or P after the last place: places keep the
    /// order of blocks.
    fn first_block(self, place: u32) -> u32 {
        place + place.min(self.out)
    }

    /// Returns the blocks that places `first` … `first + count − 1` stand for, those of positions that sit out
    /// included.
    pub(super) fn blocks(self, shape: &Shape, first: u32, count: u32) -> Part {
        let (start, end) = (self.first_block(first), self.first_block(first + count));
        shape.blocks(start, end - start)
    }

    /// Meeting in which positions that sit out hand over `part`, which is combined.
    pub(super) fn before(self, position: u32, part: Part) -> Meeting {
        match self.pair(position) {
            Some((false, neighbour)) => Meeting::sends(neighbour, part),
            Some((true, neighbour)) => Meeting::receives(neighbour, part, Then::Combine),
            None => Meeting::NONE,
        }
    }

    /// Returns the number of rounds that it takes, in place of [`Fold::before`], to exchange halves, combine them, and
    /// hand over one.
    pub(super) fn rounds_of_halves(self) -> u64 {
        if self.out > 0 { 2 } else { 0 }
    }

    /// Meeting of such a round: in round 0 each of a pair gets the half that it combines (the one that stays gets the
    /// lower one, which is not the longer one), in round 1 the one that stays gets the upper one.
    pub(super) fn halves(self, round: u64, position: u32, shape: &Shape) -> Meeting {
        let lower = Part::range(0, shape.bytes / 2);
        let upper = Part::range(lower.end(), shape.bytes - lower.bytes);
        match (self.pair(position), round) {
            (Some((true, neighbour)), 0) => exchange(neighbour, upper, lower, Then::Combine),
            (Some((false, neighbour)), 0) => exchange(neighbour, lower, upper, Then::Combine),
            (Some((true, neighbour)), _) => Meeting::receives(neighbour, upper, Then::Store),
            (Some((false, neighbour)), _) => Meeting::sends(neighbour, upper),
            (None, _) => Meeting::NONE,
        }
    }

    /// Returns the cost of the rounds of halves.
    pub(super) fn cost_of_halves(self, shape: &Shape) -> Cost {
        let out = u64::from(self.out);
        let bytes = shape.bytes.saturating_add(shape.bytes.div_ceil(2)).saturating_mul(out);
        Cost::new(3 * out, bytes, self.rounds_of_halves())
    }

    /// Meeting in which positions that sit out get `part`, which is a function of their position.
    pub(super) fn after(self, position: u32, part: impl Fn(u32) -> Part) -> Meeting {
        match self.pair(position) {
            Some((false, neighbour)) => Meeting::receives(neighbour, part(position), Then::Store),
            Some((true, neighbour)) => Meeting::sends(neighbour, part(neighbour)),
            None => Meeting::NONE,
        }
    }

    /// Returns whether a position is the one of its pair that stays, and the other one; `None` if it is in no pair.
    fn pair(self, position: u32) -> Option<(bool, u32)> {
        (position < 2 * self.out).then_some((position % 2 == self.stays, position ^ 1))
    }

    /// Returns the longest chain of messages of a folded exchange that every place goes through once per bit: ranks
    /// that sat out may hold up a chain at its start, at its end, or both.
    pub(super) fn critical(self, bits: u32) -> u64 {
        u64::from(bits) + u64::from(self.out > 0) + u64::from(2 * self.out > self.places)
    }

    /// Returns the lengths together of the blocks of ranks that sit out.
    pub(super) fn out_bytes(self, shape: &Shape) -> u64 {
        match shape.counts {
            None => shape.bytes.saturating_mul(u64::from(self.out)),
            Some(_) => (0..self.out).map(|place| shape.block_bytes(2 * place)).sum(),
        }
    }
}

/// A meeting at which both sides send and receive with the same peer.
pub(super) fn exchange(peer: u32, sent: Part, received: Part, then: Then) -> Meeting {
    Meeting { send: Some((peer, sent)), receive: Some((peer, received, then)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_positions_agree_and_blocks_cover_all() {
        for ranks in 1..70 {
            let shape = Shape::new(ranks, 0, 3);
            for fold in [Fold::odd(&shape), Fold::even(&shape)] {
                let placed: Vec<u32> = (0..ranks).filter_map(|position| fold.place(position)).collect();
                assert_eq!(placed, (0..fold.places).collect::<Vec<_>>());
                let mut next = 0;
                for place in 0..fold.places {
                    assert_eq!(fold.place(fold.position(place)), Some(place));
                    let blocks = fold.blocks(&shape, place, 1);
                    assert_eq!(blocks.offset, next);
                    next = blocks.end();
                }
                assert_eq!(next, shape.total());
            }
        }
    }
}

//! Folding P ranks onto the largest power of two: what exchanges with rank xor d do when P is none.
//!
//! Of the first 2·(P − 2^⌊log₂P⌋) ranks the even ones hand their data to the next and sit out; the odd ones and all
//! others have *places* 0 … 2^⌊log₂P⌋ − 1 (MPICH and Open MPI do the same everywhere).
//!
//! ```text
//! P = 6     0 ─▶1  2 ─▶3  4  5       before
//! places       0      1  2  3
//!           0◀─ 1  2◀─ 3             after
//! ```

use super::{Meeting, Part, Shape, Then};

/// The largest power of two of ranks, and who sits out.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// Number of places: 2^⌊log₂P⌋.
    pub places: u32,
    /// How many ranks sit out.
    pub out: u32,
}

/// What a round of a folded algorithm is for.
pub(super) enum Stage {
    /// Those that sit out hand over their data.
    Before,
    /// Round number so much among the places.
    Among(u32),
    /// Round number so much after them.
    After(u32),
}

impl Fold {
    pub(super) fn of(shape: &Shape) -> Fold {
        let places = 1 << shape.log2_floor();
        Fold { places, out: shape.ranks - places }
    }

    /// Number of rounds, of which `among` are among the places and one, if anybody sits out, on either side.
    pub(super) fn rounds(self, among: u32) -> u64 {
        u64::from(among) + if self.out > 0 { 2 } else { 0 }
    }

    /// What round `index` is for, if `among` rounds are among the places.
    pub(super) fn stage(self, index: u64, among: u32) -> Stage {
        let first = u64::from(self.out > 0);
        match index.checked_sub(first) {
            None => Stage::Before,
            Some(round) if round < u64::from(among) => Stage::Among(round as u32),
            Some(round) => Stage::After((round - u64::from(among)) as u32),
        }
    }

    /// The place of a position; none if it sits out.
    pub(super) fn place(self, position: u32) -> Option<u32> {
        if position >= 2 * self.out { Some(position - self.out) } else { (position % 2 == 1).then_some(position / 2) }
    }

    /// The position at a place.
    pub(super) fn position(self, place: u32) -> u32 {
        if place < self.out { 2 * place + 1 } else { place + self.out }
    }

    /// First block of the positions that a place stands for, or P after the last place: places keep the order of blocks.
    fn first_block(self, place: u32) -> u32 {
        place + place.min(self.out)
    }

    /// The blocks that places `first` … `first + count − 1` stand for, those of positions that sit out included.
    pub(super) fn blocks(self, shape: &Shape, first: u32, count: u32) -> Part {
        let (start, end) = (self.first_block(first), self.first_block(first + count));
        shape.blocks(start, end - start)
    }

    /// Those that sit out hand over `part`, which is combined.
    pub(super) fn before(self, position: u32, part: Part) -> Meeting {
        match (position < 2 * self.out, position % 2) {
            (true, 0) => Meeting::sends(position + 1, part),
            (true, _) => Meeting::receives(position - 1, part, Then::Combine),
            (false, _) => Meeting::NONE,
        }
    }

    /// Those that sit out get `part`, which is a function of their position.
    pub(super) fn after(self, position: u32, part: impl Fn(u32) -> Part) -> Meeting {
        match (position < 2 * self.out, position % 2) {
            (true, 0) => Meeting::receives(position + 1, part(position), Then::Store),
            (true, _) => Meeting::sends(position - 1, part(position - 1)),
            (false, _) => Meeting::NONE,
        }
    }

    /// The longest chain of messages of a folded exchange that every place goes through once per bit: those that sat out may
    /// hold up a chain at its start, at its end, or both.
    pub(super) fn critical(self, bits: u32) -> u64 {
        u64::from(bits) + u64::from(self.out > 0) + u64::from(2 * self.out > self.places)
    }

    /// Lengths together of the blocks of those who sit out.
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
            let fold = Fold::of(&shape);
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

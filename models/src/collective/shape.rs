//! Shape of one call of a collective, and the places of its data in a rank's buffer.

use super::Part;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Mutex;

/// Parameters of one call of a collective: ranks, root, lengths and fanout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// Number of ranks P ≥ 1.
    pub ranks: u32,
    /// Root of the call, where the collective has one; below `ranks`.
    pub root: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank; barriers ignore it.
    pub bytes: u64,
    /// Length in bytes of the segments into which algorithms that pipeline cut messages; 0: not cut.
    #[serde(default)]
    pub segment_bytes: u64,
    /// Fanout, radix, number of chains or ways of algorithms that have one; 0: the algorithm's own default.
    #[serde(default)]
    pub fanout: u32,
    /// Lengths of the blocks of the v-variants; `None`: all blocks are `bytes` long.
    #[serde(default)]
    pub counts: Option<Counts>,
}

impl Shape {
    /// Returns a shape with even blocks, uncut messages and default fanouts.
    pub const fn new(ranks: u32, root: u32, bytes: u64) -> Shape {
        Shape { ranks, root, bytes, segment_bytes: 0, fanout: 0, counts: None }
    }

    /// Returns the position of `rank` counted from the root: the root is 0.
    #[inline]
    pub fn relative(&self, rank: u32) -> u32 {
        if rank >= self.root { rank - self.root } else { rank + (self.ranks - self.root) }
    }

    /// Returns the rank at `relative` positions after the root.
    #[inline]
    pub fn absolute(&self, relative: u32) -> u32 {
        let to_the_end = self.ranks - self.root;
        if relative < to_the_end { relative + self.root } else { relative - to_the_end }
    }

    /// Returns ⌈log₂ ranks⌉: the rounds of a tree or a dissemination.
    #[inline]
    pub fn log2_ceil(&self) -> u32 {
        u64::from(self.ranks).next_power_of_two().trailing_zeros()
    }

    /// Returns ⌊log₂ ranks⌋: the rounds of an exchange among the largest power of two of ranks.
    #[inline]
    pub fn log2_floor(&self) -> u32 {
        self.ranks.ilog2()
    }

    /// Returns the position `distance` after `position`, around the ring.
    #[inline]
    pub fn after(&self, position: u32, distance: u32) -> u32 {
        ((u64::from(position) + u64::from(distance)) % u64::from(self.ranks)) as u32
    }

    /// Returns the position `distance` (≤ P) before `position`, around the ring.
    #[inline]
    pub fn before(&self, position: u32, distance: u32) -> u32 {
        ((u64::from(position) + u64::from(self.ranks) - u64::from(distance)) % u64::from(self.ranks)) as u32
    }

    /// Returns the fanout asked for, or the algorithm's default.
    pub fn fanout_or(&self, default: u32) -> u32 {
        if self.fanout == 0 { default } else { self.fanout }
    }

    /// Returns the whole of one rank's buffer of `bytes`.
    #[inline]
    pub fn whole(&self) -> Part {
        Part::range(0, self.bytes)
    }

    /// Returns the number of segments into which a part of `bytes` is cut; at least one.
    #[inline]
    pub fn segments(&self, bytes: u64) -> u64 {
        if self.segment_bytes == 0 { 1 } else { bytes.div_ceil(self.segment_bytes).max(1) }
    }

    /// Returns segment `index` of a part.
    #[inline]
    pub fn segment(&self, of: Part, index: u64) -> Part {
        if self.segment_bytes == 0 {
            return of;
        }
        let start = index.saturating_mul(self.segment_bytes).min(of.bytes);
        Part::range(of.offset.saturating_add(start), self.segment_bytes.min(of.bytes - start))
    }

    /// Returns chunks `first` … `first + count − 1` of the buffer, cut into `of` chunks of ⌈bytes / of⌉ (the last ones
    /// shorter or empty).
    #[inline]
    pub fn chunks(&self, first: u64, count: u64, of: u64) -> Part {
        let chunk = self.bytes.div_ceil(of.max(1));
        let at = |index: u64| (chunk.saturating_mul(index)).min(self.bytes);
        Part::range(at(first), at(first + count) - at(first))
    }

    /// Returns shares `first` … `first + count − 1` of the buffer, cut into `of` shares of which the first (bytes mod
    /// of) are a byte longer.
    pub fn shares(&self, first: u32, count: u32, of: u32) -> Part {
        let (short, longer) = (self.bytes / u64::from(of.max(1)), self.bytes % u64::from(of.max(1)));
        let at = |index: u32| short * u64::from(index) + u64::from(index).min(longer);
        Part::range(at(first), at(first + count) - at(first))
    }

    /// Returns the length of block `index`, in bytes.
    #[inline]
    pub fn block_bytes(&self, index: u32) -> u64 {
        match self.counts {
            None => self.bytes,
            Some(counts) => counts.before(index + 1) - counts.before(index),
        }
    }

    /// Returns blocks `first` … `first + count − 1` of an area in which all P blocks lie in order.
    #[inline]
    pub fn blocks(&self, first: u32, count: u32) -> Part {
        let (start, end) = (self.offset(first), self.offset(first + count));
        Part::range(start, end - start)
    }

    /// Returns blocks number `first` … `first + count − 1` of an area in which block `origin` lies first and the others
    /// follow around the ring.
    pub fn rotated_blocks(&self, origin: u32, first: u32, count: u32) -> Part {
        let (start, end) = (self.rotated_offset(origin, first), self.rotated_offset(origin, first + count));
        Part::range(start, end - start)
    }

    /// Returns the length of all P blocks, in bytes.
    #[inline]
    pub fn total(&self) -> u64 {
        self.offset(self.ranks)
    }

    #[inline]
    fn offset(&self, block: u32) -> u64 {
        match self.counts {
            None => self.bytes.saturating_mul(u64::from(block)),
            Some(counts) => counts.before(block),
        }
    }

    fn rotated_offset(&self, origin: u32, number: u32) -> u64 {
        let to_the_end = self.ranks - origin;
        if number <= to_the_end {
            self.offset(origin + number) - self.offset(origin)
        } else {
            self.total() - self.offset(origin) + self.offset(number - to_the_end)
        }
    }
}

/// Lengths of P blocks, as sums of all before. Equal lists are one and are kept for the life of the program, so that
/// shapes stay small and are copied freely.
#[derive(Clone, Copy)]
pub struct Counts(&'static [u64]);

static KNOWN: Mutex<BTreeSet<&'static [u64]>> = Mutex::new(BTreeSet::new());

impl Counts {
    /// Interns the lengths of blocks 0 … P−1, in bytes.
    ///
    /// # Errors
    /// Fails if the list is empty or its sum is 2⁶³ or more.
    pub fn new(lengths: &[u64]) -> Result<Counts, String> {
        if lengths.is_empty() {
            return Err("expected one count for each rank, found none".to_owned());
        }
        let mut sums = vec![0u64];
        for length in lengths {
            let sum = sums[sums.len() - 1].checked_add(*length).filter(|sum| *sum < 1 << 63);
            sums.push(sum.ok_or("the counts add up to more than 2^63 bytes")?);
        }
        let mut known = KNOWN.lock().expect("nobody panics while interning");
        if let Some(same) = known.get(sums.as_slice()) {
            return Ok(Counts(same));
        }
        let kept: &'static [u64] = sums.leak();
        known.insert(kept);
        Ok(Counts(kept))
    }

    /// Returns the number of blocks.
    pub fn len(self) -> u32 {
        self.0.len() as u32 - 1
    }

    /// Returns false: a list has at least one block.
    pub fn is_empty(self) -> bool {
        false
    }

    /// Returns the lengths of the blocks, in bytes.
    pub fn lengths(self) -> impl Iterator<Item = u64> {
        self.0.windows(2).map(|pair| pair[1] - pair[0])
    }

    fn before(self, block: u32) -> u64 {
        self.0[block as usize]
    }
}

impl PartialEq for Counts {
    fn eq(&self, other: &Counts) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Counts {}

impl PartialOrd for Counts {
    fn partial_cmp(&self, other: &Counts) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Counts {
    fn cmp(&self, other: &Counts) -> Ordering {
        self.0.cmp(other.0)
    }
}

impl Hash for Counts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.lengths()).finish()
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lengths())
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counts, D::Error> {
        Counts::new(&Vec::<u64>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_the_root_also_near_the_largest_number_of_ranks() {
        for shape in [Shape::new(7, 3, 0), Shape::new(u32::MAX, u32::MAX - 1, 0)] {
            for rank in [0, 1, 3, 6, shape.root] {
                assert_eq!(shape.absolute(shape.relative(rank)), rank);
            }
            assert_eq!(shape.relative(shape.root), 0);
        }
    }

    #[test]
    fn segments_and_chunks_cover_their_part_without_overlap() {
        for bytes in [0u64, 1, 5, 64, 1_000] {
            let shape = Shape { segment_bytes: 7, ..Shape::new(5, 0, bytes) };
            let covered: u64 = (0..shape.segments(bytes)).map(|s| shape.segment(shape.whole(), s).bytes).sum();
            assert_eq!(covered, bytes);
            let mut next = 0;
            for chunk in (0..8).map(|c| shape.chunks(c, 1, 8)) {
                assert_eq!(chunk.offset, next);
                next += chunk.bytes;
            }
            assert_eq!(next, bytes);
        }
    }

    #[test]
    fn uneven_blocks_lie_one_after_another_from_any_origin() {
        let lengths = [3u64, 0, 5, 1];
        let shape = Shape { counts: Some(Counts::new(&lengths).unwrap()), ..Shape::new(4, 0, 9) };
        assert_eq!(shape.blocks(2, 2), Part::range(3, 6));
        assert_eq!(shape.total(), 9);
        for origin in 0..4u32 {
            let mut next = 0;
            for number in 0..4 {
                let part = shape.rotated_blocks(origin, number, 1);
                assert_eq!((part.offset, part.bytes), (next, lengths[((origin + number) % 4) as usize]));
                next += part.bytes;
            }
        }
        assert_eq!(shape.counts, Some(Counts::new(&lengths).unwrap()));
    }

    #[test]
    fn shares_differ_by_a_byte_at_most() {
        let shape = Shape::new(1, 0, 11);
        assert_eq!((0..4).map(|i| shape.shares(i, 1, 4).bytes).collect::<Vec<_>>(), [3, 3, 3, 2]);
        assert_eq!(shape.shares(1, 3, 4), Part::range(3, 8));
    }
}

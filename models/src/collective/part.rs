//! Parts of a rank's buffer, which messages carry from or to.

use super::bine;

/// A part of a rank's buffer: one run of bytes, or scattered blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// First byte; of scattered blocks: the byte where block 0 of all of them lies.
    pub offset: u64,
    /// Number of bytes that travel; zero-byte messages are legal.
    pub bytes: u64,
    /// Choice and order of blocks, where only some blocks travel, or all in another order.
    pub scattered: Option<Scattered>,
}

/// Choice and order of the consecutive blocks that make up a part (Bruck et al. 1997).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scattered {
    /// Blocks whose index has one bit set, the first one first.
    WithBit {
        /// Number of the bit, from 0.
        bit: u32,
        /// Length of a block, in bytes.
        block_bytes: u64,
    },
    /// All blocks, the last one first.
    Backwards {
        /// Length of a block, in bytes.
        block_bytes: u64,
    },
    /// Blocks around a ring of `of` blocks, from block `first` on; those behind its end come first (De Sensi et al.
    /// 2025).
    Around {
        /// Number of the first block in the ring.
        first: u32,
        /// Number of blocks in the ring.
        of: u32,
        /// Length of a block, in bytes.
        block_bytes: u64,
    },
    /// All blocks, a power of two: in turn the block of the rank at position 0, 1, … of the doubling bine tree.
    ByBinePosition {
        /// Length of a block, in bytes.
        block_bytes: u64,
    },
    /// All blocks, a power of two: in turn the block that a rank gets from rank 0, 1, … in a bine all-to-all, where it
    /// lies in the order of meetings.
    ByBineMeeting {
        /// Rank that gets the blocks.
        of: u32,
        /// Length of a block, in bytes.
        block_bytes: u64,
    },
}

/// Length of a page of memory, in bytes.
const PAGE: u64 = 4096;

impl Part {
    /// Returns a part that is one run of bytes.
    #[inline]
    pub const fn range(offset: u64, bytes: u64) -> Part {
        Part { offset, bytes, scattered: None }
    }

    /// Returns `bytes` bytes on pages of their own behind at least `others` other bytes that begin at 0: received data
    /// beside sent data.
    pub const fn behind(others: u64, bytes: u64) -> Part {
        Part::range(others.next_multiple_of(PAGE), bytes)
    }

    /// Returns the length of a buffer for two such parts of up to `longest` bytes each.
    pub const fn room_behind(longest: u64) -> u64 {
        longest.next_multiple_of(PAGE).saturating_add(longest)
    }

    /// Returns those of `count` blocks of `block_bytes` from `offset` on whose index has bit `bit` set.
    pub fn with_bit(offset: u64, block_bytes: u64, count: u32, bit: u32) -> Part {
        let (period, half) = (2u64 << bit, 1u64 << bit);
        let set = u64::from(count) / period * half + (u64::from(count) % period).saturating_sub(half);
        Part {
            offset,
            bytes: set.saturating_mul(block_bytes),
            scattered: Some(Scattered::WithBit { bit, block_bytes }),
        }
    }

    /// Returns `count` blocks of `block_bytes` from `offset` on, the last one first.
    pub fn backwards(offset: u64, block_bytes: u64, count: u32) -> Part {
        let bytes = u64::from(count).saturating_mul(block_bytes);
        Part { offset, bytes, scattered: Some(Scattered::Backwards { block_bytes }) }
    }

    /// Returns `count` blocks of `block_bytes` around a ring of `of` that begins at `offset`, from block `first` on.
    pub fn around(offset: u64, block_bytes: u64, first: u32, count: u32, of: u32) -> Part {
        let start = u64::from(first).saturating_mul(block_bytes);
        let bytes = u64::from(count).saturating_mul(block_bytes);
        if count <= of - first {
            return Part::range(offset.saturating_add(start), bytes);
        }
        Part { offset, bytes, scattered: Some(Scattered::Around { first, of, block_bytes }) }
    }

    /// Returns the part `by` bytes further on.
    pub fn moved(self, by: u64) -> Part {
        Part { offset: self.offset.saturating_add(by), ..self }
    }

    /// Returns the runs (offset, length) that make up this part, in the order in which they travel.
    pub fn runs(self) -> impl Iterator<Item = (u64, u64)> {
        let block = match self.scattered {
            None => self.bytes,
            Some(
                Scattered::WithBit { block_bytes, .. }
                | Scattered::Backwards { block_bytes }
                | Scattered::Around { block_bytes, .. }
                | Scattered::ByBinePosition { block_bytes }
                | Scattered::ByBineMeeting { block_bytes, .. },
            ) => block_bytes,
        };
        let count = self.bytes.checked_div(block).unwrap_or(0);
        (0..count).map(move |turn| {
            let index = match self.scattered {
                None => turn,
                // The turn's low bits, the set bit, the turn's other bits.
                Some(Scattered::WithBit { bit, .. }) => (turn >> bit << 1 | 1) << bit | turn & ((1 << bit) - 1),
                Some(Scattered::Backwards { .. }) => count - 1 - turn,
                Some(Scattered::Around { first, of, .. }) => {
                    let behind = count - u64::from(of - first);
                    if turn < behind { turn } else { u64::from(first) + turn - behind }
                }
                Some(Scattered::ByBinePosition { .. }) => bine::doubling_rank(turn as u32, count as u32).into(),
                Some(Scattered::ByBineMeeting { of, .. }) => bine::meeting_of(of, turn as u32, count as u32).into(),
            };
            (self.offset + index * block, block)
        })
    }

    /// Returns true if it may have more than one run: it is packed before it is sent, and unpacked after it is
    /// received.
    pub(crate) fn is_scattered(self) -> bool {
        self.scattered.is_some()
    }

    /// Returns the offset behind the last byte.
    pub fn end(self) -> u64 {
        self.runs().map(|(offset, bytes)| offset + bytes).max().unwrap_or(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_behind_shares_no_byte_with_what_lies_before() {
        for longest in [0, 1, 4_095, 4_096, 4_097] {
            let behind = Part::behind(longest, longest);
            assert!(behind.offset >= longest && behind.offset.is_multiple_of(4_096));
            assert_eq!(Part::room_behind(longest), behind.end());
        }
    }

    #[test]
    fn backwards_the_last_block_comes_first() {
        let part = Part::backwards(10, 4, 3);
        assert_eq!(part.runs().collect::<Vec<_>>(), [(18, 4), (14, 4), (10, 4)]);
        assert_eq!((part.bytes, part.end()), (12, 22));
        assert_eq!(Part::backwards(10, 0, 3).runs().count(), 0);
    }

    #[test]
    fn scattered_blocks_are_those_with_the_bit() {
        for count in 0..20u32 {
            for bit in 0..4 {
                let part = Part::with_bit(100, 8, count, bit);
                let expected: Vec<_> =
                    (0..u64::from(count)).filter(|i| i >> bit & 1 == 1).map(|i| (100 + 8 * i, 8)).collect();
                assert_eq!(part.runs().collect::<Vec<_>>(), expected);
                assert_eq!(part.bytes, 8 * expected.len() as u64);
            }
        }
    }
}

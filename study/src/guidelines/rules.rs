//! The guidelines: upper limits of the times of a library's calls.
//!
//! Source: Träff, Gropp and Thakur, "Self-consistent MPI performance guidelines", IEEE TPDS 21(5), 2010; the mock-ups
//! are those of Hunold, Carpen-Amarie, Lübbe and Träff, "Automatic verification of self-consistent MPI performance
//! guidelines", Euro-Par 2016 (PGMPI). A byte count is that of a case: of a rank's whole buffer where every rank has
//! one (broadcast, reduce, allreduce, scan), of one block where there is a block per rank (gather, scatter, allgather,
//! all-to-all, reduce-scatter).

use models::collective::Collective;

/// Number of bytes of a part of a mock-up, where the call itself has n bytes on P ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// n, as many as the call.
    Same,
    /// n·P: all blocks as one buffer.
    AllBlocks,
    /// n/P: one block of the buffer; where that is no whole number the guideline does not apply.
    OneBlock,
    /// The fewest bytes that were measured, but not 0: for operations that move no data.
    Fewest,
}

/// A call that should not take longer than an equivalent sequence of other calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MockUp {
    /// Collective that should not be slower.
    pub call: Collective,
    /// Collectives that together do the same, one after the other, with their sizes.
    pub parts: &'static [(Collective, Size)],
    /// Memory or operations that the parts need besides; empty if none.
    pub needs: &'static str,
}

use Collective::{Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scatter};
use Size::{AllBlocks, Fewest, OneBlock, Same};

const fn mock_up(call: Collective, parts: &'static [(Collective, Size)], needs: &'static str) -> MockUp {
    MockUp { call, parts, needs }
}

/// All mock-ups that are checked.
pub const MOCK_UPS: [MockUp; 18] = [
    mock_up(Allgather, &[(Gather, Same), (Bcast, AllBlocks)], ""),
    mock_up(Allgather, &[(Alltoall, Same)], "a copy of the block for every rank"),
    mock_up(Allgather, &[(Allreduce, AllBlocks)], "the block among zeros, combined by bitwise or"),
    mock_up(Allreduce, &[(Reduce, Same), (Bcast, Same)], ""),
    mock_up(Allreduce, &[(ReduceScatter, OneBlock), (Allgather, OneBlock)], "a buffer of one block"),
    mock_up(Barrier, &[(Allreduce, Fewest)], "a buffer of a few bytes"),
    mock_up(Barrier, &[(Allgather, Fewest)], "a buffer of a few bytes per rank"),
    mock_up(Barrier, &[(Alltoall, Fewest)], "a buffer of a few bytes per rank"),
    mock_up(Bcast, &[(Scatter, OneBlock), (Allgather, OneBlock)], "a buffer of one block"),
    mock_up(Gather, &[(Allgather, Same)], "a buffer of all blocks on every rank"),
    mock_up(Gather, &[(Reduce, AllBlocks)], "the block among zeros, combined by bitwise or"),
    mock_up(Reduce, &[(Allreduce, Same)], "a buffer for the result on every rank"),
    mock_up(Reduce, &[(ReduceScatter, OneBlock), (Gather, OneBlock)], "a buffer of one block"),
    mock_up(ReduceScatter, &[(Reduce, AllBlocks), (Scatter, Same)], "a buffer of all blocks on the root"),
    mock_up(ReduceScatter, &[(Allreduce, AllBlocks)], "a buffer of all blocks on every rank"),
    mock_up(Scatter, &[(Bcast, AllBlocks)], "a buffer of all blocks on every rank"),
    mock_up(Gather, &[(Alltoall, Same)], "buffers of all blocks on every rank"),
    mock_up(Scatter, &[(Alltoall, Same)], "buffers of all blocks on every rank"),
];

impl Size {
    /// Returns the bytes, where they are a whole number; `None` for [`Size::Fewest`], whose bytes depend on the
    /// measured ones.
    pub fn bytes(self, n: u64, ranks: u64) -> Option<u64> {
        match self {
            Size::Same => Some(n),
            Size::AllBlocks => n.checked_mul(ranks),
            Size::OneBlock => (ranks > 0 && n.is_multiple_of(ranks)).then(|| n / ranks),
            Size::Fewest => None,
        }
    }
}

impl MockUp {
    /// Name of the guideline: `allreduce ≤ reduce + bcast`.
    pub fn name(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|(part, _)| part.name()).collect();
        format!("{} ≤ {}", self.call, parts.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::Shape;

    /// Upper limit of the sum of a rank's input and result, by the collective's own definition of areas.
    fn most(collective: Collective, bytes: u64) -> u64 {
        collective.area_bytes(&Shape::new(4, 0, bytes))
    }

    #[test]
    fn every_part_holds_the_data_of_the_call() {
        for rule in MOCK_UPS.iter().filter(|rule| rule.call != Barrier) {
            let n = 64;
            let largest = rule.parts.iter().map(|(part, size)| most(*part, size.bytes(n, 4).unwrap())).max();
            assert_eq!(largest, Some(most(rule.call, n)), "{}", rule.name());
        }
    }

    #[test]
    fn blocks_that_are_not_whole_have_no_bytes() {
        assert_eq!((OneBlock.bytes(10, 4), OneBlock.bytes(12, 4), OneBlock.bytes(0, 4)), (None, Some(3), Some(0)));
        assert_eq!((AllBlocks.bytes(10, 4), AllBlocks.bytes(u64::MAX, 4), Same.bytes(7, 0)), (Some(40), None, Some(7)));
    }
}

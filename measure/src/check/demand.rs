//! Demands of an operation on the bytes that its ranks hold afterwards.

use models::collective::{Collective, Part, Shape};
use std::ops::Range;

/// Bytes of one rank's buffer, each of which must be the sum of the inputs of some ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    pub at: u64,
    pub bytes: u64,
    /// Ranks whose inputs are summed: one rank where data is only moved.
    pub of: Range<u32>,
    /// Position, in area 0 of those ranks, of the first of these bytes.
    pub from: u64,
}

/// Implementation that made the call. MPI knows no positions, which shows in where blocks lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Own,
    Library,
}

/// Returns every demand on `rank`'s result after a call. Of other bytes nothing is demanded.
pub(super) fn demands(collective: Collective, shape: &Shape, rank: u32, by: By) -> Vec<Demand> {
    let (ranks, area) = (shape.ranks, collective.area_bytes(shape));
    let same = |part: Part, of: Range<u32>| Demand { at: part.offset, bytes: part.bytes, of, from: part.offset };
    let in_second = |of| Demand { at: area, bytes: shape.bytes, of, from: 0 };
    let only = |rank: u32| rank..rank + 1;
    // Where gather and scatter keep a rank's block.
    let block_of = |rank: u32| match (by, shape.counts) {
        (By::Library, None) => shape.blocks(rank, 1),
        (By::Own, _) | (By::Library, Some(_)) => shape.blocks(shape.relative(rank), 1),
    };
    match collective {
        Collective::Bcast => vec![same(shape.whole(), only(shape.root))],
        Collective::Reduce if rank == shape.root => vec![same(shape.whole(), 0..ranks)],
        Collective::Reduce | Collective::Barrier => Vec::new(),
        Collective::Allreduce => vec![same(shape.whole(), 0..ranks)],
        Collective::Gather if rank == shape.root => (0..ranks).map(|of| same(block_of(of), only(of))).collect(),
        Collective::Gather => Vec::new(),
        Collective::Scatter => vec![same(block_of(rank), only(shape.root))],
        Collective::Allgather => (0..ranks).map(|of| same(shape.blocks(of, 1), only(of))).collect(),
        Collective::Alltoall => (0..ranks)
            .map(|of| {
                let (here, there) = (shape.rotated_blocks(rank, of, 1), shape.rotated_blocks(of, rank, 1));
                Demand { at: area + here.offset, bytes: here.bytes, of: only(of), from: there.offset }
            })
            .collect(),
        Collective::ReduceScatter => vec![same(shape.blocks(rank, 1), 0..ranks)],
        Collective::Scan => vec![in_second(0..rank + 1)],
        Collective::Exscan if rank > 0 => vec![in_second(0..rank)],
        Collective::Exscan => Vec::new(),
    }
}

/// Returns true if the result lies beside the buffer: a library's call does not write where it reads.
pub(super) fn is_beside(collective: Collective, by: By) -> bool {
    match collective {
        Collective::Reduce
        | Collective::Allreduce
        | Collective::Gather
        | Collective::Scatter
        | Collective::Allgather
        | Collective::ReduceScatter => by == By::Library,
        Collective::Bcast | Collective::Barrier | Collective::Alltoall | Collective::Scan | Collective::Exscan => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::Counts;

    #[test]
    fn what_a_rank_sends_to_another_is_what_the_other_demands() {
        let counts = Counts::new(&[3, 0, 5]).unwrap();
        let shape = Shape { counts: Some(counts), ..Shape::new(3, 1, 0) };
        let all = demands(Collective::Alltoall, &shape, 2, By::Own);
        // Ranks i and j exchange the length of block (i + j) mod 3; rank 2's areas begin with block 2.
        let lengths: Vec<u64> = all.iter().map(|demand| demand.bytes).collect();
        assert_eq!(lengths, [5, 3, 0]);
        assert_eq!(all[1], Demand { at: 8 + 5, bytes: 3, of: 1..2, from: 5 });
    }

    #[test]
    fn blocks_of_gather_lie_by_position_but_even_ones_of_the_library_by_rank() {
        let even = Shape::new(3, 1, 10);
        let starts = |shape: &Shape, by| -> Vec<u64> {
            demands(Collective::Gather, shape, 1, by).iter().map(|demand| demand.at).collect()
        };
        assert_eq!(starts(&even, By::Own), [20, 0, 10]);
        assert_eq!(starts(&even, By::Library), [0, 10, 20]);
        let uneven = Shape { counts: Some(Counts::new(&[1, 2, 4]).unwrap()), ..even };
        assert_eq!(starts(&uneven, By::Library), starts(&uneven, By::Own));
        assert!(demands(Collective::Gather, &even, 0, By::Own).is_empty(), "only the root gathers");
    }
}

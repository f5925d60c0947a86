//! Footprint of one rank's call: the bytes that an application would have rewritten before the call, and those that it
//! would have read after it. [`Buffer::Touched`] and [`Buffer::Cold`] work on these.
//!
//! [`Buffer::Touched`]: crate::platform::Buffer::Touched
//! [`Buffer::Cold`]: crate::platform::Buffer::Cold

use crate::call::{Area, Call, Held};
use crate::collective::{Collective, Part, Shape};

/// Memory in which a run of bytes lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRegion {
    /// The rank's benchmark buffer.
    Buffer,
    /// The memory beside the buffer, for results of calls that have no area of their own.
    Beside,
}

/// Run of consecutive bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRun {
    /// Memory in which the bytes lie.
    pub place: MemoryRegion,
    /// Offset of the first byte.
    pub offset: u64,
    /// Length of the run, in bytes.
    pub bytes: u64,
}

/// Offset in parts at which the memory beside a rank's buffer begins.
const BESIDE: u64 = 1 << 40;

impl Part {
    /// Part of the memory beside a rank's buffer, which simulations distinguish from the buffer.
    pub const fn beside(offset: u64, bytes: u64) -> Part {
        Part::range(BESIDE + offset, bytes)
    }
}

impl From<ByteRun> for Part {
    fn from(run: ByteRun) -> Part {
        match run.place {
            MemoryRegion::Buffer => Part::range(run.offset, run.bytes),
            MemoryRegion::Beside => Part::beside(run.offset, run.bytes),
        }
    }
}

/// Bytes that one rank's call sends and receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes that the call sends: an application rewrites them before the next call.
    pub sent: Vec<ByteRun>,
    /// Bytes that the call receives: an application reads them after the call.
    pub received: Vec<ByteRun>,
}

impl Footprint {
    /// Footprint of one of our own algorithms, which work in place: ranks with input rewrite the buffer, the others
    /// read it.
    pub fn own(collective: Collective, shape: &Shape, rank: u32) -> Footprint {
        let whole = vec![ByteRun { place: MemoryRegion::Buffer, offset: 0, bytes: collective.buffer_bytes(shape) }];
        match collective {
            Collective::Barrier => Footprint::default(),
            Collective::Bcast | Collective::Scatter if rank != shape.root => {
                Footprint { sent: Vec::new(), received: whole }
            }
            Collective::Bcast | Collective::Scatter => Footprint { sent: whole, received: Vec::new() },
            Collective::Reduce | Collective::Gather if rank != shape.root => {
                Footprint { sent: whole, received: Vec::new() }
            }
            Collective::Reduce
            | Collective::Gather
            | Collective::Allreduce
            | Collective::Allgather
            | Collective::Alltoall
            | Collective::ReduceScatter
            | Collective::Scan
            | Collective::Exscan => Footprint { sent: whole.clone(), received: whole },
        }
    }

    /// Footprint of the library's plain call, by its layout in memory: input is in the first area of the buffer, the
    /// result in the second one where the collective has one, else beside the buffer. A broadcast is in place.
    pub fn plain(collective: Collective, shape: &Shape, rank: u32) -> Footprint {
        let area = collective.area_bytes(shape);
        let block = match shape.counts {
            None => shape.blocks(rank, 1),
            Some(_) => Part::range(0, area),
        };
        let data = ByteRun { place: MemoryRegion::Buffer, offset: 0, bytes: area };
        let second = ByteRun { offset: area, ..data };
        let beside = ByteRun { place: MemoryRegion::Beside, ..data };
        let own = |run: ByteRun| ByteRun { offset: run.offset + block.offset, bytes: block.bytes, ..run };
        let (sent, received) = match collective {
            Collective::Barrier => (None, None),
            Collective::Bcast if rank == shape.root => (Some(data), None),
            Collective::Bcast => (None, Some(data)),
            Collective::Reduce => (Some(data), (rank == shape.root).then_some(beside)),
            Collective::Gather => (Some(own(data)), (rank == shape.root).then_some(beside)),
            Collective::Scatter => ((rank == shape.root).then_some(data), Some(own(beside))),
            Collective::Allreduce => (Some(data), Some(beside)),
            Collective::Allgather => (Some(own(data)), Some(beside)),
            Collective::ReduceScatter => (Some(data), Some(own(beside))),
            Collective::Alltoall | Collective::Scan | Collective::Exscan => (Some(data), Some(second)),
        };
        Footprint { sent: sent.into_iter().collect(), received: received.into_iter().collect() }
    }

    /// Footprint of the library's call in any form, whose areas lie one behind the other in the buffer: see
    /// [`Call::places`].
    pub fn of_call(collective: Collective, call: &Call, shape: &Shape, rank: u32) -> Footprint {
        let places = call.places(collective, shape, rank);
        let (extent, received_at) = (call.unit().extent, call.received_at(&places));
        let run = |held: &Held| {
            let begin = match held.area {
                Area::Sent => 0,
                Area::Received => received_at,
            };
            ByteRun { place: MemoryRegion::Buffer, offset: begin + held.at * extent, bytes: held.units * extent }
        };
        // A broadcast's root has what it sends, and receives nothing.
        let is_source = collective == Collective::Bcast && places.own == places.root;
        Footprint {
            sent: places.inputs.iter().map(run).collect(),
            received: places.results.iter().filter(|_| !is_source).map(run).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(runs: &[ByteRun]) -> u64 {
        runs.iter().map(|run| run.bytes).sum()
    }

    #[test]
    fn every_rank_of_a_plain_call_sends_and_receives_what_its_operation_says() {
        let shape = Shape { root: 1, ..Shape::new(4, 0, 100) };
        for (collective, root, other) in [
            (Collective::Bcast, (100, 0), (0, 100)),
            (Collective::Reduce, (100, 100), (100, 0)),
            (Collective::Gather, (100, 400), (100, 0)),
            (Collective::Scatter, (400, 100), (0, 100)),
            (Collective::Allreduce, (100, 100), (100, 100)),
            (Collective::Allgather, (100, 400), (100, 400)),
            (Collective::Alltoall, (400, 400), (400, 400)),
            (Collective::ReduceScatter, (400, 100), (400, 100)),
            (Collective::Barrier, (0, 0), (0, 0)),
        ] {
            for (rank, expected) in [(1, root), (2, other)] {
                let footprint = Footprint::plain(collective, &shape, rank);
                assert_eq!((bytes(&footprint.sent), bytes(&footprint.received)), expected, "{collective}, rank {rank}");
            }
        }
    }

    #[test]
    fn the_same_call_in_its_general_form_moves_as_many_bytes() {
        let shape = Shape { root: 1, ..Shape::new(4, 0, 100) };
        for collective in Collective::ALL {
            for rank in 0..4 {
                let plain = Footprint::plain(collective, &shape, rank);
                let call = Footprint::of_call(collective, &Call::default(), &shape, rank);
                assert_eq!(bytes(&plain.sent), bytes(&call.sent), "{collective}, rank {rank}: sent");
                // The first rank of an exclusive scan receives nothing that is defined.
                if (collective, rank) != (Collective::Exscan, 0) {
                    assert_eq!(bytes(&plain.received), bytes(&call.received), "{collective}, rank {rank}: received");
                }
            }
        }
    }

    #[test]
    fn in_place_a_reduction_rewrites_what_it_has_read() {
        let call = Call { in_place: true, ..Call::default() };
        let footprint = Footprint::of_call(Collective::Allreduce, &call, &Shape::new(2, 0, 64), 0);
        assert_eq!(footprint.sent, footprint.received);
    }
}

//! Memory that one rank's call reads and writes, block by block, in [units](super::Unit): blocks that MPI is called
//! with, contents that a check fills in beforehand, and contents that it demands afterwards.
//!
//! A rank's buffer is two areas: what is sent, and behind it, from the next multiple of 64 bytes on, what is received.
//! In place the first area is empty, or, for a scatter, the second one.

use super::{Call, LengthForm, Reach};
use crate::collective::{Collective, Shape};
use std::ops::Range;

/// A run of units in one area, for or from one rank of the communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Rank of the communicator that the block goes to or comes from.
    pub peer: u32,
    /// Number of its first unit in the area.
    pub at: u64,
    /// Number of units in the block.
    pub units: u64,
}

/// Content of a run of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Data of one rank, for another or for all.
    Moved {
        /// Rank whose data it is.
        of: u32,
        /// Rank that it is for, where its owner has different data for different ranks.
        to: Option<u32>,
    },
    /// Inputs of several ranks, combined in the ranks' order; before the call the input of one.
    Combined {
        /// Ranks whose inputs are combined.
        of: Range<u32>,
        /// Number of the first of these units within the ranks' input.
        from: u64,
    },
}

/// Part of a rank's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// The units that are sent.
    Sent,
    /// The units that are received.
    Received,
}

/// A run of units in one area, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Area in which the units lie.
    pub area: Area,
    /// Number of the first unit in the area.
    pub at: u64,
    /// Number of units in the run.
    pub units: u64,
    /// Content of the units.
    pub content: Content,
}

/// Blocks that one rank's call reads and writes, and their contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The world's ranks on the communicator, in their order there.
    pub members: Vec<u32>,
    /// This rank's number on the communicator.
    pub own: u32,
    /// The root's number on the communicator.
    pub root: u32,
    /// Blocks that are sent; in place, they lie in the other area.
    pub sent: Vec<Block>,
    /// Blocks that are received.
    pub received: Vec<Block>,
    /// Number of units in the area of sent data.
    pub sent_units: u64,
    /// Number of units in the area of received data.
    pub received_units: u64,
    /// Contents that must be there before the call.
    pub inputs: Vec<Held>,
    /// Contents that must be there after the call.
    pub results: Vec<Held>,
}

/// Numbers from which the lengths of blocks follow.
struct Lengths<'a> {
    shape: &'a Shape,
    payload: u64,
    members: u32,
}

impl Lengths<'_> {
    /// Returns the units of block `index` of the communicator.
    fn block_units(&self, index: u32) -> u64 {
        self.shape.block_bytes(index) / self.payload
    }

    /// Returns the units that two ranks exchange where each has a block for each.
    fn between(&self, one: u32, other: u32) -> u64 {
        self.block_units(((u64::from(one) + u64::from(other)) % u64::from(self.members)) as u32)
    }
}

/// Lays out blocks one after another.
fn in_a_row(blocks: impl Iterator<Item = (u32, u64)>) -> Vec<Block> {
    let mut next = 0;
    let place = |(peer, units)| {
        let at = next;
        next += units;
        Block { peer, at, units }
    };
    blocks.map(place).collect()
}

fn total(blocks: &[Block]) -> u64 {
    blocks.last().map_or(0, |block| block.at + block.units)
}

impl Call {
    /// Returns the memory that the call of `rank` reads and writes. The call must accept the shape: see
    /// [`Call::accepts`].
    pub fn places(&self, collective: Collective, shape: &Shape, rank: u32) -> Places {
        let members = self.communicator.members(shape.ranks, rank);
        let number = |of: u32| members.iter().position(|member| *member == of).map(|at| at as u32);
        let own = number(rank).unwrap_or(0);
        // Where the root is not among the members, the one in its place.
        let root = number(shape.root).unwrap_or((shape.root / 2).min(members.len() as u32 - 1));
        let count = members.len() as u32;
        let lengths = Lengths { shape, payload: self.unit().payload, members: count };
        let mut places = Places {
            members,
            own,
            root,
            sent: Vec::new(),
            received: Vec::new(),
            sent_units: 0,
            received_units: 0,
            inputs: Vec::new(),
            results: Vec::new(),
        };
        match self.reach {
            Reach::All => places.lay_out(collective, &lengths),
            Reach::Neighbours => {
                let neighbours = self.communicator.neighbours(count, own);
                places.lay_out_neighbours(collective, &lengths, &neighbours);
            }
        }
        places.say_what_is_held(collective, self.reach);
        places.sent_units = total(&places.sent);
        places.received_units = total(&places.received);
        if self.in_place {
            places.put_in_place(collective);
        }
        places
    }

    /// Returns the length in bytes of the buffer that a rank needs for its call: the largest that any rank needs.
    pub fn buffer_bytes(&self, collective: Collective, shape: &Shape) -> u64 {
        let plain = if self.is_plain() { collective.buffer_bytes(shape) } else { 0 };
        let unit = self.unit();
        let most = |units: u64| units.saturating_mul(unit.extent).saturating_add(64);
        let units = match self.reach {
            Reach::All => collective.area_bytes(shape) / unit.payload,
            Reach::Neighbours => {
                let longest = (0..shape.ranks).map(|block| shape.block_bytes(block)).max().unwrap_or(0);
                4 * (longest / unit.payload)
            }
        };
        most(units).saturating_mul(2).max(plain)
    }

    /// Returns the offset in bytes at which the area of received data begins.
    pub fn received_at(&self, places: &Places) -> u64 {
        places.sent_units.saturating_mul(self.unit().extent).next_multiple_of(64)
    }

    /// Returns the call in the form that the shape's counts need, if it has any.
    pub fn for_counts(&self, shape: &Shape) -> Call {
        let form =
            if shape.counts.is_some() && self.form == LengthForm::Regular { LengthForm::Vector } else { self.form };
        Call { form, ..*self }
    }
}

impl Places {
    /// Lays out the blocks of a call among all ranks.
    fn lay_out(&mut self, collective: Collective, lengths: &Lengths) {
        let (own, root, count) = (self.own, self.root, lengths.members);
        let whole = || in_a_row([(root, lengths.block_units(0))].into_iter());
        let one = |block: u32| in_a_row([(block, lengths.block_units(block))].into_iter());
        let all = || in_a_row((0..count).map(|block| (block, lengths.block_units(block))));
        let each = || in_a_row((0..count).map(|peer| (peer, lengths.between(own, peer))));
        let at_root = |blocks: Vec<Block>| if own == root { blocks } else { Vec::new() };
        (self.sent, self.received) = match collective {
            Collective::Barrier => (Vec::new(), Vec::new()),
            Collective::Bcast => (Vec::new(), whole()),
            Collective::Reduce => (whole(), at_root(whole())),
            Collective::Allreduce | Collective::Scan | Collective::Exscan => (whole(), whole()),
            Collective::Gather => (one(own), at_root(all())),
            Collective::Scatter => (at_root(all()), one(own)),
            Collective::Allgather => (one(own), all()),
            Collective::Alltoall => (each(), each()),
            Collective::ReduceScatter => (all(), one(own)),
        };
    }

    /// Lays out the blocks of a call among neighbours: `neighbours` receive what is sent and send what is received.
    fn lay_out_neighbours(&mut self, collective: Collective, lengths: &Lengths, neighbours: &[u32]) {
        let own = self.own;
        (self.sent, self.received) = if collective == Collective::Allgather {
            let sent = in_a_row([(own, lengths.block_units(own))].into_iter());
            (sent, in_a_row(neighbours.iter().map(|&peer| (peer, lengths.block_units(peer)))))
        } else {
            let each = || in_a_row(neighbours.iter().map(|&peer| (peer, lengths.between(own, peer))));
            (each(), each())
        };
    }

    /// Sets inputs and results of the blocks laid out, where nothing is in place.
    fn say_what_is_held(&mut self, collective: Collective, reach: Reach) {
        let (own, root, count) = (self.own, self.root, self.members.len() as u32);
        let moved = |area, block: &Block, of, to| Held {
            area,
            at: block.at,
            units: block.units,
            content: Content::Moved { of, to },
        };
        let combined = |area, block: &Block, of: Range<u32>| Held {
            area,
            at: block.at,
            units: block.units,
            content: Content::Combined { of, from: 0 },
        };
        let (sent, received) = (self.sent.iter(), self.received.iter());
        use Area::{Received, Sent};
        (self.inputs, self.results) = match collective {
            Collective::Barrier => (Vec::new(), Vec::new()),
            Collective::Bcast => {
                let result: Vec<Held> = received.map(|block| moved(Received, block, root, None)).collect();
                (if own == root { result.clone() } else { Vec::new() }, result)
            }
            Collective::Gather | Collective::Allgather => (
                sent.map(|block| moved(Sent, block, own, None)).collect(),
                received.map(|block| moved(Received, block, block.peer, None)).collect(),
            ),
            Collective::Scatter => (
                sent.map(|block| moved(Sent, block, own, Some(block.peer))).collect(),
                received.map(|block| moved(Received, block, root, Some(own))).collect(),
            ),
            Collective::Alltoall => (
                sent.map(|block| moved(Sent, block, own, Some(block.peer))).collect(),
                received.map(|block| moved(Received, block, block.peer, Some(own))).collect(),
            ),
            Collective::Reduce | Collective::Allreduce | Collective::Scan | Collective::Exscan => {
                let of = match collective {
                    Collective::Scan => 0..own + 1,
                    Collective::Exscan => 0..own,
                    _ => 0..count,
                };
                // The first rank of an exclusive scan receives nothing that is defined.
                let result = received.filter(|_| !of.is_empty());
                (
                    sent.map(|block| combined(Sent, block, own..own + 1)).collect(),
                    result.map(|block| combined(Received, block, of.clone())).collect(),
                )
            }
            Collective::ReduceScatter => {
                let before = sent.clone().find(|block| block.peer == own).map_or(0, |block| block.at);
                let whole = Block { peer: own, at: 0, units: total(&self.sent) };
                let content = || Content::Combined { of: 0..count, from: before };
                let result = |block: &Block| Held { content: content(), ..combined(Received, block, 0..count) };
                (vec![combined(Sent, &whole, own..own + 1)], received.map(result).collect())
            }
        };
        debug_assert!(reach == Reach::All || !collective.is_rooted(), "neighbours have no root");
    }

    /// Moves the input into the area of the result, or for a scatter's root leaves the result where its input is.
    fn put_in_place(&mut self, collective: Collective) {
        match collective {
            Collective::Barrier | Collective::Bcast => {}
            Collective::Scatter => {
                if self.own == self.root {
                    self.received_units = 0;
                    self.results.clear();
                }
            }
            // Other ranks than the root send as usual.
            Collective::Reduce | Collective::Gather if self.own != self.root => {}
            Collective::Gather | Collective::Allgather => {
                let own = self.received.iter().find(|block| block.peer == self.own).map_or(0, |block| block.at);
                self.take_inputs(own);
            }
            Collective::Reduce
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan
            | Collective::Alltoall
            | Collective::ReduceScatter => {
                self.received_units = self.received_units.max(self.sent_units);
                self.take_inputs(0);
            }
        }
    }

    /// Moves the inputs into the area of the result, `by` units further on.
    fn take_inputs(&mut self, by: u64) {
        for input in &mut self.inputs {
            (input.area, input.at) = (Area::Received, input.at + by);
        }
        self.sent_units = 0;
    }
}

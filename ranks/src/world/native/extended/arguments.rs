//! Arguments of one prepared call, worked out beforehand.

use super::Bound;
use crate::world::IN_PLACE;
use models::call::{Block, Call, Places};
use models::collective::Collective;
use mpi::ffi;
use std::ffi::{c_int, c_void};

/// Least number of datatypes in a side's list. Open MPI 4.1 looks at as many datatypes of `MPI_Ialltoallw` as the
/// communicator has neighbours, which on a small grid are more than it has ranks (`ompi_coll_base_retain_datatypes_w`).
const MOST_NEIGHBOURS: usize = 4;

/// Address that may depend on where the rank's present buffer begins: `begin & mask + offset`.
#[derive(Clone, Copy)]
struct Address {
    mask: usize,
    offset: usize,
}

impl Address {
    fn new(offset: u64, in_place: bool) -> Address {
        if in_place {
            Address { mask: 0, offset: IN_PLACE }
        } else {
            Address { mask: usize::MAX, offset: offset as usize }
        }
    }

    #[inline(always)]
    fn from(self, begin: *mut u8) -> *mut c_void {
        begin.map_addr(|address| (address & self.mask).wrapping_add(self.offset)).cast()
    }
}

/// Counts, places and datatypes of one side of a call.
pub(super) struct Side {
    address: Address,
    pub count: c_int,
    pub datatype: ffi::MPI_Datatype,
    pub counts: Vec<c_int>,
    /// Displacements of the blocks, in units.
    pub displacements: Vec<c_int>,
    /// Displacements in bytes, as `MPI_Alltoallw` wants them.
    pub byte_displacements: Vec<c_int>,
    /// Displacements in bytes, as `MPI_Neighbor_alltoallw` wants them.
    pub addresses: Vec<ffi::MPI_Aint>,
    pub datatypes: Vec<ffi::MPI_Datatype>,
}

impl Side {
    fn new(address: Address, blocks: &[Block], datatype: ffi::MPI_Datatype, extent: u64) -> Side {
        Side {
            address,
            count: blocks.first().map_or(0, |block| block.units as c_int),
            datatype,
            counts: blocks.iter().map(|block| block.units as c_int).collect(),
            displacements: blocks.iter().map(|block| block.at as c_int).collect(),
            byte_displacements: blocks.iter().map(|block| (block.at * extent) as c_int).collect(),
            addresses: blocks.iter().map(|block| (block.at * extent) as ffi::MPI_Aint).collect(),
            datatypes: vec![datatype; blocks.len().max(MOST_NEIGHBOURS)],
        }
    }
}

/// Arguments of one call of the library.
pub(super) struct Arguments {
    pub sent: Side,
    pub received: Side,
    pub root: c_int,
    pub op: ffi::MPI_Op,
    pub communicator: ffi::MPI_Comm,
}

impl Arguments {
    /// Works out the arguments of this rank's call.
    pub(super) fn new(collective: Collective, call: &Call, places: &Places, bound: &Bound) -> Arguments {
        let extent = call.unit().extent;
        let is_root = places.own == places.root;
        let rooted = collective.is_rooted();
        let scatters = collective == Collective::Scatter;
        let in_place = call.in_place && (is_root || !rooted);
        let sent = Address::new(0, in_place && !scatters);
        let received = Address::new(call.received_at(places), in_place && scatters);
        Arguments {
            sent: Side::new(sent, &places.sent, bound.datatype, extent),
            received: Side::new(received, &places.received, bound.datatype, extent),
            root: places.root as c_int,
            op: bound.op,
            communicator: bound.communicator,
        }
    }

    /// Returns the addresses of what is sent and of what is received, in a buffer that begins here.
    #[inline(always)]
    pub(super) fn areas(&self, begin: *mut u8) -> (*mut c_void, *mut c_void) {
        (self.sent.address.from(begin), self.received.address.from(begin))
    }
}

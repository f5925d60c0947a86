//! The library's own collectives, on the rank's benchmark buffer.
//!
//! Data lie where [`Collective`] says: in place in area 0 (`MPI_IN_PLACE`), and from area 0 to area 1 where
//! the result has an area of its own. Two calls differ, since MPI knows no positions:
//!
//! * Even blocks of gather and scatter lie in the order of ranks. The v-calls are given displacements, so there
//!   they lie in the order of positions.
//! * Reduce-scatter leaves its block at the start of area 0.

use super::Handles;
use measure::buffer::Buffer;
use models::collective::{Collective, Part, Shape};
use mpi::ffi;
use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

unsafe extern "C" {
    /// `MPI_IN_PLACE`; see `in_place.c`.
    static PARALLAX_IN_PLACE: *mut c_void;
}

/// The calls, with what they are given.
pub struct LibraryCalls {
    on: Handles,
    in_place: *mut c_void,
    lists: RefCell<Lists>,
}

/// What a v-call is told of the blocks, by rank: the same for what is sent and for what is received.
#[derive(Default)]
struct Lists {
    of: Option<(Collective, Shape)>,
    counts: Vec<c_int>,
    displacements: Vec<c_int>,
}

impl Lists {
    /// Works the lists out, unless they are for this call already.
    fn prepare(&mut self, collective: Collective, shape: &Shape, own: u32) {
        if self.of == Some((collective, *shape)) {
            return;
        }
        let block = |rank| match collective {
            Collective::Gather | Collective::Scatter => shape.blocks(shape.relative(rank), 1),
            Collective::Alltoall => shape.rotated_blocks(own, rank, 1),
            Collective::Allgather
            | Collective::ReduceScatter
            | Collective::Bcast
            | Collective::Reduce
            | Collective::Barrier
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan => shape.blocks(rank, 1),
        };
        let blocks: Vec<Part> = (0..shape.ranks).map(block).collect();
        self.counts = blocks.iter().map(|block| block.bytes as c_int).collect();
        self.displacements = blocks.iter().map(|block| block.offset as c_int).collect();
        self.of = Some((collective, *shape));
    }
}

// SAFETY, for all: pointers are to live memory of at least the length that the call reads or writes there
// (`Buffer::run` checks it), and lengths fit MPI's counts (buffers beyond are refused: see `World::serve_on`); all
// ranks make the same call with the same shape; errors are fatal (MPI's default), so no code is returned.
impl LibraryCalls {
    pub fn new(on: Handles) -> LibraryCalls {
        // SAFETY: a constant of the library.
        let in_place = unsafe { PARALLAX_IN_PLACE };
        LibraryCalls { on, in_place, lists: RefCell::default() }
    }

    /// Counts and displacements of a call with uneven blocks.
    pub fn prepare(&self, collective: Collective, shape: &Shape) {
        if collective.has_blocks() && shape.counts.is_some() {
            self.lists.borrow_mut().prepare(collective, shape, self.on.rank);
        }
    }

    /// Makes the call.
    #[inline(always)]
    pub fn call(&self, collective: Collective, shape: &Shape, buffer: &Buffer) {
        let length = collective.area_bytes(shape);
        let area = |index: u64| buffer.run(index * length, length).cast::<c_void>();
        match collective {
            Collective::Bcast => self.broadcast(shape, area(0)),
            Collective::Reduce => self.reduce(shape, area(0)),
            Collective::Barrier => self.barrier(),
            Collective::Allreduce => self.allreduce(shape, area(0)),
            Collective::Scan => self.scan(shape, area(0), area(1)),
            Collective::Exscan => self.exscan(shape, area(0), area(1)),
            Collective::Gather
            | Collective::Scatter
            | Collective::Allgather
            | Collective::Alltoall
            | Collective::ReduceScatter
                if shape.counts.is_some() =>
            {
                self.uneven(collective, shape, area(0), buffer);
            }
            Collective::Gather => self.gather(shape, area(0)),
            Collective::Scatter => self.scatter(shape, area(0)),
            Collective::Allgather => self.allgather(shape, area(0)),
            Collective::Alltoall => self.alltoall(shape, area(0), area(1)),
            Collective::ReduceScatter => self.reduce_scatter(shape, area(0)),
        }
    }

    #[inline(always)]
    fn broadcast(&self, shape: &Shape, data: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Bcast(data, count, on.bytes, shape.root as c_int, on.communicator) };
    }

    #[inline(always)]
    fn reduce(&self, shape: &Shape, data: *mut c_void) {
        let (from, to) = if self.on.rank == shape.root { (self.in_place, data) } else { (data, null_mut()) };
        let (on, count, root) = (&self.on, shape.bytes as c_int, shape.root as c_int);
        unsafe { ffi::MPI_Reduce(from, to, count, on.bytes, on.sum, root, on.communicator) };
    }

    #[inline(always)]
    fn barrier(&self) {
        unsafe { ffi::MPI_Barrier(self.on.communicator) };
    }

    #[inline(always)]
    fn allreduce(&self, shape: &Shape, data: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Allreduce(self.in_place, data, count, on.bytes, on.sum, on.communicator) };
    }

    #[inline(always)]
    fn scan(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Scan(from, to, count, on.bytes, on.sum, on.communicator) };
    }

    #[inline(always)]
    fn exscan(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Exscan(from, to, count, on.bytes, on.sum, on.communicator) };
    }

    #[inline(always)]
    fn gather(&self, shape: &Shape, data: *mut c_void) {
        let (on, count, root) = (&self.on, shape.bytes as c_int, shape.root as c_int);
        let own = data.wrapping_byte_add(shape.blocks(on.rank, 1).offset as usize);
        let (from, to) = if on.rank == shape.root { (self.in_place, data) } else { (own, null_mut()) };
        unsafe { ffi::MPI_Gather(from, count, on.bytes, to, count, on.bytes, root, on.communicator) };
    }

    #[inline(always)]
    fn scatter(&self, shape: &Shape, data: *mut c_void) {
        let (on, count, root) = (&self.on, shape.bytes as c_int, shape.root as c_int);
        let own = data.wrapping_byte_add(shape.blocks(on.rank, 1).offset as usize);
        let (from, to) = if on.rank == shape.root { (data, self.in_place) } else { (null_mut(), own) };
        unsafe { ffi::MPI_Scatter(from, count, on.bytes, to, count, on.bytes, root, on.communicator) };
    }

    #[inline(always)]
    fn allgather(&self, shape: &Shape, data: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Allgather(self.in_place, count, on.bytes, data, count, on.bytes, on.communicator) };
    }

    #[inline(always)]
    fn alltoall(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Alltoall(from, count, on.bytes, to, count, on.bytes, on.communicator) };
    }

    #[inline(always)]
    fn reduce_scatter(&self, shape: &Shape, data: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        unsafe { ffi::MPI_Reduce_scatter_block(self.in_place, data, count, on.bytes, on.sum, on.communicator) };
    }

    /// The calls whose blocks differ in length.
    fn uneven(&self, collective: Collective, shape: &Shape, data: *mut c_void, buffer: &Buffer) {
        let mut lists = self.lists.borrow_mut();
        lists.prepare(collective, shape, self.on.rank);
        let (counts, starts) = (lists.counts.as_ptr(), lists.displacements.as_ptr());
        let own = self.on.rank as usize;
        let (count, block) = (lists.counts[own], data.wrapping_byte_add(lists.displacements[own] as usize));
        let (bytes, sum, all, here) = (self.on.bytes, self.on.sum, self.on.communicator, self.in_place);
        let (root, is_root) = (shape.root as c_int, self.on.rank == shape.root);
        match collective {
            Collective::Gather => {
                let (from, to) = if is_root { (here, data) } else { (block, null_mut()) };
                unsafe { ffi::MPI_Gatherv(from, count, bytes, to, counts, starts, bytes, root, all) };
            }
            Collective::Scatter => {
                let (from, to) = if is_root { (data, here) } else { (null_mut(), block) };
                unsafe { ffi::MPI_Scatterv(from, counts, starts, bytes, to, count, bytes, root, all) };
            }
            Collective::Allgather => {
                unsafe { ffi::MPI_Allgatherv(here, count, bytes, data, counts, starts, bytes, all) };
            }
            Collective::Alltoall => {
                let result = buffer.run(shape.total(), shape.total()).cast();
                unsafe { ffi::MPI_Alltoallv(data, counts, starts, bytes, result, counts, starts, bytes, all) };
            }
            Collective::ReduceScatter => {
                unsafe { ffi::MPI_Reduce_scatter(here, data, counts, bytes, sum, all) };
            }
            Collective::Bcast
            | Collective::Reduce
            | Collective::Barrier
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan => unreachable!("{collective} has no blocks"),
        }
    }
}

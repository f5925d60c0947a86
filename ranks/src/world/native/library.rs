//! The library's own collectives, on the rank's benchmark buffer.
//!
//! As in benchmarks, what is sent and what is received do not overlap. Input lies where [`Collective`] says, and so
//! does the result of those whose result has an area of its own. That of the others lies beside the buffer
//! ([`Buffer::beside`]), where it would lie in area 0: `MPI_IN_PLACE` is not used, since some releases crash on it
//! (MPICH's issue 6540). A broadcast is in place by its nature.
//!
//! MPI knows no positions: even blocks of gather and scatter lie in the order of ranks. The v-calls are given
//! displacements, so there they lie in the order of positions.

use super::Handles;
use super::extended::basic;
use measure::buffer::Buffer;
use models::call::Element;
use models::collective::{Collective, Part, Shape};
use mpi::ffi;
use std::cell::RefCell;
use std::ffi::{c_int, c_void};

/// The library's calls, with their arguments.
///
/// Pointers are to live memory of at least the length that the call reads or writes there (`Buffer::run` checks it),
/// and lengths fit MPI's counts (buffers beyond are refused: see `World::serve_on`). All ranks make the same call with
/// the same shape. Errors are fatal (MPI's default), so no code is returned.
pub(super) struct LibraryCalls {
    on: Handles,
    /// Lists of each shape that was prepared.
    lists: RefCell<Vec<Lists>>,
}

/// Lists of the blocks for a v-call, by rank: one list for what is sent and for what is received.
struct Lists {
    collective: Collective,
    shape: Shape,
    counts: Vec<c_int>,
    displacements: Vec<c_int>,
}

impl Lists {
    fn new(collective: Collective, shape: &Shape, own: u32) -> Lists {
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
        let counts = blocks.iter().map(|block| block.bytes as c_int).collect();
        let displacements = blocks.iter().map(|block| block.offset as c_int).collect();
        Lists { collective, shape: *shape, counts, displacements }
    }
}

impl LibraryCalls {
    pub(super) fn new(on: Handles) -> LibraryCalls {
        LibraryCalls { on, lists: RefCell::default() }
    }

    /// Combines one part of the buffer into another, as the library's reductions do with bytes that have arrived.
    #[inline(always)]
    pub(super) fn combine(&self, from: Part, to: Part, element: Element, buffer: &Buffer) {
        let count = (from.bytes / element.bytes()) as c_int;
        let (from, to) = (buffer.run(from.offset, from.bytes), buffer.run(to.offset, to.bytes));
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Reduce_local(from.cast(), to.cast(), count, basic(element), self.on.sum) };
    }

    /// Prepares counts and displacements of a call with uneven blocks.
    pub(super) fn prepare(&self, collective: Collective, shape: &Shape) {
        if collective.has_blocks() && shape.counts.is_some() {
            self.prepared(collective, shape);
        }
    }

    /// Returns the index of the lists for this call, which are made if need be.
    fn prepared(&self, collective: Collective, shape: &Shape) -> usize {
        let mut lists = self.lists.borrow_mut();
        let known = lists.iter().position(|lists| lists.shape == *shape && lists.collective == collective);
        known.unwrap_or_else(|| {
            lists.push(Lists::new(collective, shape, self.on.rank));
            lists.len() - 1
        })
    }

    /// Makes the library's call of a collective.
    #[inline(always)]
    pub(super) fn call(&self, collective: Collective, shape: &Shape, buffer: &Buffer) {
        let length = collective.area_bytes(shape);
        let data = buffer.run(0, length).cast();
        let beside = || buffer.beside(length).cast();
        let second = || buffer.run(length, length).cast();
        match collective {
            Collective::Bcast => self.broadcast(shape, data),
            Collective::Reduce => self.reduce(shape, data, beside()),
            Collective::Barrier => self.barrier(),
            Collective::Allreduce => self.allreduce(shape, data, beside()),
            Collective::Scan => self.scan(shape, data, second()),
            Collective::Exscan => self.exscan(shape, data, second()),
            Collective::Gather => match shape.counts {
                None => self.gather(shape, data, beside()),
                Some(_) => self.uneven(collective, shape, data, beside()),
            },
            Collective::Scatter => match shape.counts {
                None => self.scatter(shape, data, beside()),
                Some(_) => self.uneven(collective, shape, data, beside()),
            },
            Collective::Allgather => match shape.counts {
                None => self.allgather(shape, data, beside()),
                Some(_) => self.uneven(collective, shape, data, beside()),
            },
            Collective::Alltoall => match shape.counts {
                None => self.alltoall(shape, data, second()),
                Some(_) => self.uneven(collective, shape, data, second()),
            },
            Collective::ReduceScatter => match shape.counts {
                None => self.reduce_scatter(shape, data, beside()),
                Some(_) => self.uneven(collective, shape, data, beside()),
            },
        }
    }

    /// Returns the address of this rank's own even block in an area.
    #[inline(always)]
    fn own_block(&self, shape: &Shape, area: *mut c_void) -> *mut c_void {
        area.wrapping_byte_add(shape.blocks(self.on.rank, 1).offset as usize)
    }

    #[inline(always)]
    fn broadcast(&self, shape: &Shape, data: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Bcast(data, count, on.bytes, shape.root as c_int, on.communicator) };
    }

    #[inline(always)]
    fn reduce(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count, root) = (&self.on, shape.bytes as c_int, shape.root as c_int);
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Reduce(from, to, count, on.bytes, on.sum, root, on.communicator) };
    }

    #[inline(always)]
    fn barrier(&self) {
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Barrier(self.on.communicator) };
    }

    #[inline(always)]
    fn allreduce(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Allreduce(from, to, count, on.bytes, on.sum, on.communicator) };
    }

    #[inline(always)]
    fn scan(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Scan(from, to, count, on.bytes, on.sum, on.communicator) };
    }

    #[inline(always)]
    fn exscan(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Exscan(from, to, count, on.bytes, on.sum, on.communicator) };
    }

    #[inline(always)]
    fn gather(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count, root, from) =
            (&self.on, shape.bytes as c_int, shape.root as c_int, self.own_block(shape, from));
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Gather(from, count, on.bytes, to, count, on.bytes, root, on.communicator) };
    }

    #[inline(always)]
    fn scatter(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count, root, to) = (&self.on, shape.bytes as c_int, shape.root as c_int, self.own_block(shape, to));
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Scatter(from, count, on.bytes, to, count, on.bytes, root, on.communicator) };
    }

    #[inline(always)]
    fn allgather(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count, from) = (&self.on, shape.bytes as c_int, self.own_block(shape, from));
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Allgather(from, count, on.bytes, to, count, on.bytes, on.communicator) };
    }

    #[inline(always)]
    fn alltoall(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count) = (&self.on, shape.bytes as c_int);
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Alltoall(from, count, on.bytes, to, count, on.bytes, on.communicator) };
    }

    #[inline(always)]
    fn reduce_scatter(&self, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let (on, count, to) = (&self.on, shape.bytes as c_int, self.own_block(shape, to));
        // SAFETY: see `LibraryCalls`.
        unsafe { ffi::MPI_Reduce_scatter_block(from, to, count, on.bytes, on.sum, on.communicator) };
    }

    /// Makes the calls whose blocks differ in length.
    fn uneven(&self, collective: Collective, shape: &Shape, from: *mut c_void, to: *mut c_void) {
        let index = self.prepared(collective, shape);
        let lists = &self.lists.borrow()[index];
        let (counts, starts) = (lists.counts.as_ptr(), lists.displacements.as_ptr());
        let own = self.on.rank as usize;
        let (count, start) = (lists.counts[own], lists.displacements[own] as usize);
        let (own_from, own_to) = (from.wrapping_byte_add(start), to.wrapping_byte_add(start));
        let (bytes, sum, all, root) = (self.on.bytes, self.on.sum, self.on.communicator, shape.root as c_int);
        match collective {
            Collective::Gather => {
                // SAFETY: see `LibraryCalls`.
                unsafe { ffi::MPI_Gatherv(own_from, count, bytes, to, counts, starts, bytes, root, all) };
            }
            Collective::Scatter => {
                // SAFETY: see `LibraryCalls`.
                unsafe { ffi::MPI_Scatterv(from, counts, starts, bytes, own_to, count, bytes, root, all) };
            }
            Collective::Allgather => {
                // SAFETY: see `LibraryCalls`.
                unsafe { ffi::MPI_Allgatherv(own_from, count, bytes, to, counts, starts, bytes, all) };
            }
            Collective::Alltoall => {
                // SAFETY: see `LibraryCalls`.
                unsafe { ffi::MPI_Alltoallv(from, counts, starts, bytes, to, counts, starts, bytes, all) };
            }
            Collective::ReduceScatter => {
                // SAFETY: see `LibraryCalls`.
                unsafe { ffi::MPI_Reduce_scatter(from, own_to, counts, bytes, sum, all) };
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

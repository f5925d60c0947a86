//! The library's collectives in every form: prepared once, called by number.
//!
//! Between the clock reads lie the loads of the arguments, one indirect call of a small function, and the library's own.

mod arguments;
mod calls;
mod communicators;
mod reductions;
mod types;

use super::Handles;
use arguments::Arguments;
use calls::{Functions, Make, functions};
use communicators::Made;
use measure::buffer::Buffer;
use models::call::{Call, Communicator, Progress};
use models::collective::{Collective, Shape};
use mpi::ffi;
use reductions::Op;
use std::cell::{Cell, RefCell, UnsafeCell};
use types::Datatype;

/// The handles that a prepared call is bound to.
struct Bound {
    datatype: ffi::MPI_Datatype,
    op: ffi::MPI_Op,
    communicator: ffi::MPI_Comm,
}

/// A call with all that it needs.
struct Prepared {
    arguments: Arguments,
    make: Make,
    functions: Functions,
    /// How much of the buffer it may touch.
    bytes: u64,
    proof: Option<String>,
    _op: Op,
    _datatype: Datatype,
}

/// The calls of one case.
pub struct Extended {
    on: Handles,
    ranks: u32,
    prepared: UnsafeCell<Vec<Prepared>>,
    communicators: RefCell<Vec<(Communicator, Made)>>,
    request: Cell<ffi::MPI_Request>,
}

// SAFETY, for all: `prepared` grows and shrinks only in `prepare` and `forget`, while no call is under way, and one rank is
// one thread; buffers are at least as long as the call needs (`Buffer::run` checks it); a request that was issued is
// waited for before anything else is issued, and its buffer and arguments stay until then; errors are fatal (MPI's default).
impl Extended {
    pub fn new(on: Handles, ranks: u32) -> Extended {
        // SAFETY: a constant of the library, which has been initialised.
        let request = Cell::new(unsafe { ffi::RSMPI_REQUEST_NULL });
        Extended { on, ranks, prepared: UnsafeCell::default(), communicators: RefCell::default(), request }
    }

    /// Makes communicators, datatypes and lists. Called by all ranks together.
    pub fn prepare(&self, collective: Collective, call: &Call, shape: &Shape) -> Result<usize, String> {
        call.accepts(collective, shape)?;
        let places = call.places(collective, shape, self.on.rank);
        let datatype = Datatype::of(call);
        let op = Op::of(call, datatype.handle);
        let bound =
            Bound { datatype: datatype.handle, op: op.handle, communicator: self.communicator(call.communicator) };
        let functions = functions(collective, call);
        let make = if call.progress == Progress::Blocking { functions.blocking } else { functions.through };
        let extent = call.unit().extent;
        let bytes = call.received_at(&places) + places.received_units * extent;
        let prepared = Prepared {
            arguments: Arguments::new(collective, call, &places, &bound),
            make,
            functions,
            bytes,
            proof: None,
            _op: op,
            _datatype: datatype,
        };
        let all = unsafe { &mut *self.prepared.get() };
        all.push(prepared);
        Ok(all.len() - 1)
    }

    /// The case's communicator of this kind; made if need be.
    fn communicator(&self, kind: Communicator) -> ffi::MPI_Comm {
        let mut all = self.communicators.borrow_mut();
        if let Some((_, made)) = all.iter().find(|(known, _)| *known == kind) {
            return made.handle;
        }
        let made = Made::new(self.on.communicator, kind, self.ranks, self.on.rank, false);
        let handle = made.handle;
        all.push((kind, made));
        handle
    }

    #[inline(always)]
    fn prepared(&self, number: usize) -> &Prepared {
        unsafe { &(&(*self.prepared.get()))[number] }
    }

    #[inline(always)]
    pub fn call(&self, number: usize, buffer: &Buffer) {
        let prepared = self.prepared(number);
        let begin = buffer.run(0, prepared.bytes).cast();
        unsafe { (prepared.make)(&prepared.arguments, begin) };
    }

    #[inline(always)]
    pub fn begin(&self, number: usize, buffer: &Buffer) {
        let prepared = self.prepared(number);
        let begin = buffer.run(0, prepared.bytes).cast();
        unsafe { (prepared.functions.begin)(&prepared.arguments, begin, self.request.as_ptr()) };
    }

    #[inline(always)]
    pub fn test(&self) {
        let mut done = 0;
        unsafe { ffi::MPI_Test(self.request.as_ptr(), &raw mut done, ffi::RSMPI_STATUS_IGNORE) };
    }

    #[inline(always)]
    pub fn finish(&self) {
        unsafe { ffi::MPI_Wait(self.request.as_ptr(), ffi::RSMPI_STATUS_IGNORE) };
    }

    /// How the library was made to use an algorithm.
    pub fn proof(&self, number: usize) -> Option<String> {
        self.prepared(number).proof.clone()
    }

    /// Gives everything back. Called by all ranks together.
    pub fn forget(&self) {
        unsafe { &mut *self.prepared.get() }.clear();
        self.communicators.borrow_mut().clear();
    }
}

impl Drop for Extended {
    fn drop(&mut self) {
        self.forget();
    }
}

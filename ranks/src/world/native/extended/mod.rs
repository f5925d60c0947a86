//! The library's collectives in every form: prepared once, called by number.
//!
//! Between the clock reads lie the loads of the arguments, one indirect call of a small function, and the library's
//! own.

mod arguments;
mod calls;
mod communicators;
mod forced;
mod known;
mod reductions;
mod types;

use super::Handles;
use arguments::Arguments;
use calls::{Functions, Make, functions};
use communicators::Made;
use forced::WrittenVariables;
use measure::buffer::Buffer;
use models::call::{Call, Communicator, Progress};
use models::collective::{Collective, Shape};
use models::forced::Setting;
use models::library::Library;
use mpi::ffi;
use programs::observation::World;
use reductions::Op;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_int;
use types::Datatype;
pub(super) use types::basic;

/// Handles that a prepared call is bound to.
struct Bound {
    datatype: ffi::MPI_Datatype,
    op: ffi::MPI_Op,
    communicator: ffi::MPI_Comm,
}

/// Prepared call with all that it needs.
struct Prepared {
    arguments: Arguments,
    make: Make,
    functions: Functions,
    /// Bytes of the buffer that the call may touch.
    bytes: u64,
    proof: Option<String>,
    _op: Op,
    _datatype: Datatype,
}

impl Prepared {
    /// Makes the call once, in memory of its own, and returns the library's answer.
    fn try_it(&self) -> Result<(), String> {
        let mut memory = vec![0u8; self.bytes as usize + 64];
        // SAFETY: the memory is as long as the call needs; the communicator was made for this and goes after it.
        unsafe {
            ffi::MPI_Comm_set_errhandler(self.arguments.communicator, ffi::RSMPI_ERRORS_RETURN);
            match (self.make)(&self.arguments, memory.as_mut_ptr()) {
                0 => Ok(()),
                code => Err(known::error_text(code)),
            }
        }
    }
}

/// Kind of a communicator, with the setting that was in force when it was made.
type CommunicatorKind = (Communicator, Option<Setting>);

/// Tag apart from those of steps and control messages.
const AGREE_TAG: c_int = 3;

/// Prepared calls of one case.
pub(super) struct Extended {
    on: Handles,
    ranks: u32,
    library: Option<Library>,
    version: String,
    prepared: UnsafeCell<Vec<Prepared>>,
    communicators: RefCell<Vec<(CommunicatorKind, Made)>>,
    /// Settings that the library has been made to use, with the proof of each.
    written: RefCell<Vec<(Setting, WrittenVariables, String)>>,
    request: Cell<ffi::MPI_Request>,
}

// SAFETY, for all: `prepared` grows and shrinks only in `prepare` and `forget`, while no call is under way, and one
// rank is one thread; buffers are at least as long as the call needs (`Buffer::run` checks it); a request that was
// issued is waited for before anything else is issued, and its buffer and arguments stay until then; errors are fatal
// (MPI's default).
impl Extended {
    pub(super) fn new(on: Handles, ranks: u32) -> Extended {
        // SAFETY: a constant of the library, which has been initialised.
        let request = Cell::new(unsafe { ffi::RSMPI_REQUEST_NULL });
        let (library, version) = known::library();
        Extended {
            on,
            ranks,
            library,
            version,
            prepared: UnsafeCell::default(),
            communicators: RefCell::default(),
            written: RefCell::default(),
            request,
        }
    }

    /// Makes communicators, datatypes and lists. Called by all ranks together. After an error nothing is left of the
    /// case.
    pub(super) fn prepare(
        &self,
        collective: Collective,
        call: &Call,
        shape: &Shape,
        forced: Option<&str>,
    ) -> Result<usize, String> {
        let prepared = self.make_ready(collective, call, shape, forced).inspect_err(|_| self.forget())?;
        // SAFETY: one rank is one thread, and no call is under way, so that nothing prepared is borrowed.
        let all = unsafe { &mut *self.prepared.get() };
        all.push(prepared);
        Ok(all.len() - 1)
    }

    fn make_ready(
        &self,
        collective: Collective,
        call: &Call,
        shape: &Shape,
        forced: Option<&str>,
    ) -> Result<Prepared, String> {
        call.accepts(collective, shape)?;
        known::refused(self.library, &self.version, collective, call, shape)?;
        let Some(name) = forced else {
            return Ok(self.bind(collective, call, shape, self.communicator(&(call.communicator, None))));
        };
        let library =
            self.library.ok_or_else(|| format!("this library is not known: it cannot be made to use '{name}'"))?;
        let setting = models::forced::setting(World::from(library), collective, call, shape, name)?;
        let kind = (call.communicator, Some(setting.clone()));
        // Where the choice acts on the next call, it would also act on those that making a communicator consists of.
        let early = if setting.captured { Some(self.force(&setting)?) } else { None };
        let tried = self.written.borrow().iter().any(|(known, ..)| *known == setting) && early.is_none();
        let mut prepared = self.bind(collective, call, shape, self.communicator(&kind));
        // Whether the library does it shows in a call on another communicator, so that this one's first call is its
        // first.
        let trial = (!tried).then(|| self.make(&kind));
        prepared.proof = Some(early.map_or_else(|| self.force(&setting), Ok)?);
        if let Some(trial) = trial {
            let done = self.bind(collective, call, shape, trial.handle).try_it();
            self.agree(done.and_then(|()| setting.component.as_ref().map_or(Ok(()), known::has_mapped)))?;
        }
        Ok(prepared)
    }

    /// Binds a call with all that it needs to a communicator.
    fn bind(&self, collective: Collective, call: &Call, shape: &Shape, communicator: ffi::MPI_Comm) -> Prepared {
        let places = call.places(collective, shape, self.on.rank);
        let datatype = Datatype::for_call(call);
        let op = Op::for_call(call, datatype.handle);
        let bound = Bound { datatype: datatype.handle, op: op.handle, communicator };
        let functions = functions(collective, call);
        let make = if call.progress == Progress::Blocking { functions.blocking } else { functions.through };
        let bytes = call.received_at(&places) + places.received_units * call.unit().extent;
        let arguments = Arguments::new(collective, call, &places, &bound);
        Prepared { arguments, make, functions, bytes, proof: None, _op: op, _datatype: datatype }
    }

    /// Makes the library use one of its algorithms. Returns the proof that it does. It lasts until
    /// [`Extended::forget`].
    fn force(&self, setting: &Setting) -> Result<String, String> {
        let mut all = self.written.borrow_mut();
        if let Some((.., proof)) = all.iter().find(|(known, ..)| known == setting) {
            return Ok(proof.clone());
        }
        let written = WrittenVariables::new(setting);
        self.agree(written.as_ref().map(|_| ()).map_err(Clone::clone))?;
        let (written, proof) = written?;
        all.push((setting.clone(), written, proof.clone()));
        Ok(proof)
    }

    /// Gives every rank the same outcome: an error anywhere is one everywhere. It uses messages to and from rank 0,
    /// since the forced algorithm may be part of the library's other collectives.
    fn agree(&self, own: Result<(), String>) -> Result<(), String> {
        let mut failed = own.is_err();
        if self.on.rank == 0 {
            for other in 1..self.ranks {
                failed |= self.receive(other);
            }
            for other in 1..self.ranks {
                self.send(other, failed);
            }
        } else {
            self.send(0, failed);
            failed = self.receive(0);
        }
        match own {
            Ok(()) if failed => Err("the library refused it on another rank".to_owned()),
            own => own,
        }
    }

    fn send(&self, to: u32, failed: bool) {
        let (word, on) = (u8::from(failed), &self.on);
        // SAFETY: the byte lives through the call.
        unsafe { ffi::MPI_Send((&raw const word).cast(), 1, on.bytes, to as c_int, AGREE_TAG, on.communicator) };
    }

    fn receive(&self, from: u32) -> bool {
        let (mut word, on) = (0u8, &self.on);
        let (place, from) = ((&raw mut word).cast(), from as c_int);
        // SAFETY: the byte lives through the call.
        unsafe {
            ffi::MPI_Recv(place, 1, on.bytes, from, AGREE_TAG, on.communicator, ffi::RSMPI_STATUS_IGNORE);
        }
        word != 0
    }

    /// Returns the case's communicator of this kind. It is made if need be, and anew for a setting that a library is
    /// made to use.
    fn communicator(&self, kind: &CommunicatorKind) -> ffi::MPI_Comm {
        let mut all = self.communicators.borrow_mut();
        if let Some((_, made)) = all.iter().find(|(known, _)| known == kind) {
            return made.handle;
        }
        let made = self.make(kind);
        let handle = made.handle;
        all.push((kind.clone(), made));
        handle
    }

    fn make(&self, (communicator, setting): &CommunicatorKind) -> Made {
        let world = self.on.communicator;
        match setting.as_ref().and_then(|setting| setting.component.as_ref()) {
            Some(component) => Made::preferring(world, component),
            None => Made::new(world, *communicator, self.ranks, self.on.rank, setting.is_some()),
        }
    }

    #[inline(always)]
    fn prepared(&self, number: usize) -> &Prepared {
        // SAFETY: what is prepared changes in `prepare` and `forget` only, which no call comes back to.
        unsafe { &(&(*self.prepared.get()))[number] }
    }

    #[inline(always)]
    pub(super) fn call(&self, number: usize, buffer: &Buffer) {
        let prepared = self.prepared(number);
        let begin = buffer.run(0, prepared.bytes).cast();
        // SAFETY: the arguments are bound to areas within so many bytes, which the buffer has.
        unsafe { (prepared.make)(&prepared.arguments, begin) };
    }

    #[inline(always)]
    pub(super) fn begin(&self, number: usize, buffer: &Buffer) {
        let prepared = self.prepared(number);
        let begin = buffer.run(0, prepared.bytes).cast();
        // SAFETY: the arguments are bound to areas within so many bytes, which the buffer has, and which nobody uses
        // before `finish`.
        unsafe { (prepared.functions.begin)(&prepared.arguments, begin, self.request.as_ptr()) };
    }

    #[inline(always)]
    pub(super) fn test(&self) {
        let mut done = 0;
        // SAFETY: the request is that of the last call that was begun, or null.
        unsafe { ffi::MPI_Test(self.request.as_ptr(), &raw mut done, ffi::RSMPI_STATUS_IGNORE) };
    }

    #[inline(always)]
    pub(super) fn finish(&self) {
        // SAFETY: the request is that of the last call that was begun, or null.
        unsafe { ffi::MPI_Wait(self.request.as_ptr(), ffi::RSMPI_STATUS_IGNORE) };
    }

    /// Returns the proof that the library uses the algorithm of a call, if it was made to use one.
    pub(super) fn proof(&self, number: usize) -> Option<String> {
        self.prepared(number).proof.clone()
    }

    /// Gives everything back. Called by all ranks together.
    pub(super) fn forget(&self) {
        // SAFETY: one rank is one thread, and no call is under way, so that nothing prepared is borrowed.
        unsafe { &mut *self.prepared.get() }.clear();
        self.written.borrow_mut().clear();
        self.communicators.borrow_mut().clear();
    }
}

impl Drop for Extended {
    fn drop(&mut self) {
        self.forget();
    }
}

//! Ranks whose steps are the library's own point-to-point calls.

use super::{Own, STEP_TAG};
use measure::buffer::Buffer;
use measure::check::RealRank;
use measure::clock::ClockSource;
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Shape, Step, Then};
use models::rank::{Phase, Rank};
use models::time::Span;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::future::{Future, ready};
use std::marker::PhantomData;

/// A rank whose steps are the library's own point-to-point calls.
pub struct NativeRank<'a, C> {
    own: &'a Own<'a>,
    calls: Calls,
    clock: PhantomData<C>,
}

impl<'a, C> NativeRank<'a, C> {
    /// A rank with what it has in every carrier.
    pub fn new(own: &'a Own<'a>) -> NativeRank<'a, C> {
        NativeRank { own, calls: Calls::on(own.communicator), clock: PhantomData }
    }
}

/// The calls that are timed. rsmpi's safe layer looks up the communicator's kind and converts types in
/// each call; here that is done beforehand, so that nothing but the library's call is timed.
struct Calls {
    communicator: ffi::MPI_Comm,
    bytes: ffi::MPI_Datatype,
    sum: ffi::MPI_Op,
    status: *mut ffi::MPI_Status,
}

/// Lengths are checked against this when buffers are made: see [`super::World::serve`].
const LONGEST: usize = i32::MAX as usize;

// SAFETY, for all: the slices are live for the call and their lengths fit MPI's counts; ranks come
// from algorithms on this communicator, whose errors are fatal (MPI's default), so no code is returned.
impl Calls {
    fn on(communicator: &SimpleCommunicator) -> Calls {
        // SAFETY: these are constants of the library, which has been initialised.
        let (bytes, sum, status) = unsafe { (ffi::RSMPI_UINT8_T, ffi::RSMPI_SUM, ffi::RSMPI_STATUS_IGNORE) };
        Calls { communicator: communicator.as_raw(), bytes, sum, status }
    }

    #[inline(always)]
    fn send(&self, data: &[u8], to: u32) {
        debug_assert!(data.len() <= LONGEST);
        let count = data.len() as i32;
        unsafe { ffi::MPI_Send(data.as_ptr().cast(), count, self.bytes, to as i32, STEP_TAG, self.communicator) };
    }

    #[inline(always)]
    fn receive(&self, room: &mut [u8], from: u32) {
        let (start, count) = (room.as_mut_ptr().cast(), room.len() as i32);
        unsafe { ffi::MPI_Recv(start, count, self.bytes, from as i32, STEP_TAG, self.communicator, self.status) };
    }

    #[inline(always)]
    fn send_receive(&self, data: &[u8], to: u32, room: &mut [u8], from: u32) {
        unsafe {
            ffi::MPI_Sendrecv(
                data.as_ptr().cast(),
                data.len() as i32,
                self.bytes,
                to as i32,
                STEP_TAG,
                room.as_mut_ptr().cast(),
                room.len() as i32,
                self.bytes,
                from as i32,
                STEP_TAG,
                self.communicator,
                self.status,
            )
        };
    }

    #[inline(always)]
    fn broadcast(&self, data: &mut [u8], root: u32) {
        let count = data.len() as i32;
        unsafe { ffi::MPI_Bcast(data.as_mut_ptr().cast(), count, self.bytes, root as i32, self.communicator) };
    }

    #[inline(always)]
    fn reduce(&self, data: &[u8], room: &mut [u8], root: u32) {
        let (from, to, count) = (data.as_ptr().cast(), room.as_mut_ptr().cast(), data.len() as i32);
        unsafe { ffi::MPI_Reduce(from, to, count, self.bytes, self.sum, root as i32, self.communicator) };
    }

    #[inline(always)]
    fn barrier(&self) {
        unsafe { ffi::MPI_Barrier(self.communicator) };
    }
}

impl<C: ClockSource> Rank for NativeRank<'_, C> {
    fn id(&self) -> u32 {
        self.own.id
    }

    fn size(&self) -> u32 {
        self.own.communicator.size() as u32
    }

    #[inline(always)]
    fn read_clock(&self) -> Ticks {
        C::read()
    }

    fn timescale(&self) -> Timescale {
        self.own.scale
    }

    async fn wait_until(&self, due: Ticks) {
        self.own.patience.wait_until::<C>(&self.own.scale, due, || {});
    }

    #[inline(always)]
    fn compute(&self, work: Span) -> impl Future<Output = ()> {
        self.own.compute::<C>(work);
        ready(())
    }

    #[inline(always)]
    fn step(&self, step: &Step) -> impl Future<Output = ()> {
        let buffer = &self.own.buffer;
        match *step {
            Step::Send { to, part } => buffer.read(part, |data| self.calls.send(data, to)),
            Step::Receive { from, part, then } => buffer.write(part, then, |room| self.calls.receive(room, from)),
            Step::Exchange { to, from, part, then } => {
                buffer.exchange(part, part, then, |data, room| self.calls.send_receive(data, to, room, from));
            }
        }
        ready(())
    }

    #[inline(always)]
    fn library(&self, collective: Collective, shape: &Shape) -> impl Future<Output = ()> {
        let buffer = &self.own.buffer;
        match collective {
            Collective::Bcast => {
                buffer.write(shape.whole(), Then::Store, |data| self.calls.broadcast(data, shape.root));
            }
            Collective::Reduce => {
                buffer.beside(shape.whole(), |data, room| self.calls.reduce(data, room, shape.root));
            }
            Collective::Barrier => self.calls.barrier(),
        }
        ready(())
    }

    async fn send(&self, to: u32, message: &[u8]) {
        self.own.send_control(to, message);
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.own.receive_control(from, message);
    }

    fn enter_phase(&self, phase: Phase) {
        self.own.board.enter(self.own.id, phase);
    }
}

impl<C: ClockSource> RealRank for NativeRank<'_, C> {
    fn buffer(&self) -> &Buffer {
        &self.own.buffer
    }

    fn has_library(&self) -> bool {
        true
    }
}

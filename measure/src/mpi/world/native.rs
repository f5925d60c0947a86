//! Ranks whose steps are the library's own point-to-point calls.

mod library;
mod messages;

use super::Own;
use library::LibraryCalls;
use measure::buffer::Buffer;
use measure::check::RealRank;
use measure::clock::ClockSource;
use messages::Messages;
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Shape, Step};
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
    messages: Messages,
    calls: LibraryCalls,
    clock: PhantomData<C>,
}

impl<'a, C> NativeRank<'a, C> {
    /// A rank with what it has in every carrier.
    pub fn new(own: &'a Own<'a>) -> NativeRank<'a, C> {
        let handles = Handles::on(own.communicator);
        NativeRank { own, messages: Messages::new(handles), calls: LibraryCalls::new(handles), clock: PhantomData }
    }
}

/// What every call is given. rsmpi's safe layer looks up the communicator's kind and converts types in
/// each call; here that is done beforehand, so that nothing but the library's call is timed.
#[derive(Clone, Copy)]
struct Handles {
    communicator: ffi::MPI_Comm,
    rank: u32,
    bytes: ffi::MPI_Datatype,
    sum: ffi::MPI_Op,
}

impl Handles {
    fn on(communicator: &SimpleCommunicator) -> Handles {
        // SAFETY: these are constants of the library, which has been initialised.
        let (bytes, sum) = unsafe { (ffi::RSMPI_UINT8_T, ffi::RSMPI_SUM) };
        Handles { communicator: communicator.as_raw(), rank: communicator.rank() as u32, bytes, sum }
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
        self.messages.step(step, &self.own.buffer);
        ready(())
    }

    fn prepare(&self, collective: Collective, shape: &Shape) {
        self.calls.prepare(collective, shape);
    }

    #[inline(always)]
    fn library(&self, collective: Collective, shape: &Shape) -> impl Future<Output = ()> {
        self.calls.call(collective, shape, &self.own.buffer);
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

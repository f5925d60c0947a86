//! The library's own point-to-point calls and collectives.

mod extended;
mod library;
mod messages;
mod windows;

use super::Control;
use extended::Extended;
use library::LibraryCalls;
use measure::buffer::Buffer;
use measure::rank::Carriage;
use measure::shared_queues::SharedCalls;
use messages::Messages;
use models::call::{Call, Element};
use models::collective::{Collective, Part, Shape, Step};
use models::shared_broadcast::Queued;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use programs::observation::Placement;
use windows::Window;

/// Carriage that uses the library's own calls for everything.
pub(super) struct Native<'a> {
    control: Control<'a>,
    messages: Messages,
    calls: LibraryCalls,
    extended: Extended,
    shared: SharedCalls<Window>,
}

/// First number of broadcasts through shared memory. Numbers of the library's calls begin at 0.
const SHARED: usize = 1 << 30;

impl<'a> Native<'a> {
    /// Makes a carriage for calls on the communicator of the control messages.
    pub(super) fn new(control: Control<'a>) -> Native<'a> {
        let handles = Handles::on(control.communicator);
        let ranks = control.communicator.size() as u32;
        Native {
            control,
            messages: Messages::new(handles),
            calls: LibraryCalls::new(handles),
            extended: Extended::new(handles, ranks),
            shared: SharedCalls::default(),
        }
    }
}

impl Carriage for Native<'_> {
    const HAS_LIBRARY: bool = true;
    const SPECIALISED: bool = true;

    #[inline(always)]
    fn step(&self, step: &Step, buffer: &Buffer) {
        self.messages.step(step, buffer);
    }

    fn prepare(&self, collective: Collective, shape: &Shape) {
        self.calls.prepare(collective, shape);
    }

    #[inline(always)]
    fn library(&self, collective: Collective, shape: &Shape, buffer: &Buffer) {
        self.calls.call(collective, shape, buffer);
    }

    fn prepare_call(
        &self,
        collective: Collective,
        call: &Call,
        shape: &Shape,
        forced: Option<&str>,
    ) -> Result<usize, String> {
        self.extended.prepare(collective, call, shape, forced)
    }

    fn prepare_shared(&self, queued: &Queued, call: &Call, shape: &Shape) -> Result<usize, String> {
        let Control { communicator, patience } = self.control;
        Ok(SHARED + self.shared.add(queued, call, shape, || windows::member(communicator, queued, patience))?)
    }

    #[inline(always)]
    fn call_prepared(&self, call: usize, buffer: &Buffer) {
        match call.checked_sub(SHARED) {
            None => self.extended.call(call, buffer),
            Some(shared) => self.shared.call(shared, buffer),
        }
    }

    #[inline(always)]
    fn begin_prepared(&self, call: usize, buffer: &Buffer) {
        self.extended.begin(call, buffer);
    }

    #[inline(always)]
    fn test_prepared(&self) {
        self.extended.test();
    }

    #[inline(always)]
    fn finish_prepared(&self) {
        self.extended.finish();
    }

    fn proof(&self, call: usize) -> Option<String> {
        if call < SHARED { self.extended.proof(call) } else { None }
    }

    fn placement(&self, call: usize) -> Option<Placement> {
        self.shared.placement(call.checked_sub(SHARED)?)
    }

    fn forget_calls(&self) {
        self.shared.forget();
        self.extended.forget();
    }

    #[inline(always)]
    fn combine(&self, from: Part, to: Part, element: Element, buffer: &Buffer) -> bool {
        self.calls.combine(from, to, element, buffer);
        true
    }

    fn send(&self, to: u32, message: &[u8]) {
        self.control.send(to, message);
    }

    fn receive(&self, from: u32, message: &mut [u8]) {
        self.control.receive(from, message);
    }

    fn progress(&self) {}
}

/// Handles that every call needs. rsmpi's safe layer looks up the communicator's kind and converts types in each call.
/// Here that is done beforehand, so that nothing but the library's call is timed.
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

//! The library's own point-to-point calls and collectives.

mod extended;
mod library;
mod messages;

use super::Control;
use extended::Extended;
use library::LibraryCalls;
use measure::buffer::Buffer;
use measure::rank::Carriage;
use messages::Messages;
use models::call::{Call, Element};
use models::collective::{Collective, Part, Shape, Step};
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

/// The library's own calls carry everything.
pub(super) struct Native<'a> {
    control: Control<'a>,
    messages: Messages,
    calls: LibraryCalls,
    extended: Extended,
}

impl<'a> Native<'a> {
    /// Calls on the communicator of the control messages.
    pub(super) fn new(control: Control<'a>) -> Native<'a> {
        let handles = Handles::on(control.communicator);
        let ranks = control.communicator.size() as u32;
        Native {
            control,
            messages: Messages::new(handles),
            calls: LibraryCalls::new(handles),
            extended: Extended::new(handles, ranks),
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

    #[inline(always)]
    fn call_prepared(&self, call: usize, buffer: &Buffer) {
        self.extended.call(call, buffer);
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
        self.extended.proof(call)
    }

    fn forget_calls(&self) {
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

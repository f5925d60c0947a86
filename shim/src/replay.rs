//! Repetition of a program's call, under a method of ours.

use crate::call::{Call, Function, Side};
use measure::buffer::Buffer;
use measure::rank::Carriage;
use models::call::Call as Form;
use models::collective::{Collective, Shape, Step};
use models::shared_broadcast::Queued;
use mpi::ffi;
use ranks::world::Control;
use std::ffi::{c_int, c_void};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// Carriage of a method's own messages, which makes one call of the program's whenever the method calls that
/// collective.
pub struct Replay {
    control: Control<'static>,
    /// Call that is repeated, `None` before the first row has ended.
    pub call: Option<Call>,
}

impl Replay {
    /// Makes a carriage with nothing to call yet.
    pub fn new(control: Control<'static>) -> Replay {
        Replay { control, call: None }
    }

    /// Waits for all ranks.
    pub fn barrier(&self) {
        self.control.barrier();
    }
}

impl Carriage for Replay {
    // Calls are distinguished when they are made: methods are compiled once for all of them.
    const HAS_LIBRARY: bool = true;

    fn step(&self, _: &Step, _: &Buffer) {
        unreachable!("a program's call has no steps of ours");
    }

    fn prepare(&self, _: Collective, _: &Shape) {}

    #[inline(always)]
    fn library(&self, collective: Collective, _: &Shape, _: &Buffer) {
        match &self.call {
            Some(call) if call.key.function.collective() == collective => again(call),
            _ => self.control.barrier(),
        }
    }

    fn prepare_call(&self, _: Collective, _: &Form, _: &Shape, _: Option<&str>) -> Result<usize, String> {
        Err("only the program's own calls can be made beside it".to_owned())
    }

    fn prepare_shared(&self, _: &Queued, _: &models::call::Call, _: &Shape) -> Result<usize, String> {
        Err("only the program's own calls can be made beside it".to_owned())
    }

    fn call_prepared(&self, _: usize, _: &Buffer) {}

    fn begin_prepared(&self, _: usize, _: &Buffer) {}

    fn test_prepared(&self) {}

    fn finish_prepared(&self) {}

    fn proof(&self, _: usize) -> Option<String> {
        None
    }

    fn forget_calls(&self) {}

    fn send(&self, to: u32, message: &[u8]) {
        self.control.send(to, message);
    }

    fn receive(&self, from: u32, message: &mut [u8]) {
        self.control.receive(from, message);
    }

    fn progress(&self) {}
}

/// Makes the call again, past whatever else stands between programs and the library.
#[inline]
fn again(call: &Call) {
    let from = |side: &Side| with_exposed_provenance::<c_void>(side.at);
    let to = |side: &Side| with_exposed_provenance_mut::<c_void>(side.at);
    let of = |side: &Side| (side.count, ffi::MPI_Datatype(side.datatype as _));
    let (s, r) = (&call.sent, &call.received);
    let ((s_count, s_type), (r_count, r_type)) = (of(s), of(r));
    let (root, on) = (call.root, ffi::MPI_Comm(call.key.communicator as _));
    let op = ffi::MPI_Op(call.key.operation as _);
    let counts = with_exposed_provenance::<c_int>(call.counts);
    // SAFETY: these are the arguments of a call that the program has made. Its memory has been found to be there still;
    // the handles have not been freed, which would have ended or spoilt the row. All ranks make the same call.
    unsafe {
        match call.key.function {
            Function::Bcast => ffi::PMPI_Bcast(to(s), s_count, s_type, root, on),
            Function::Reduce => ffi::PMPI_Reduce(from(s), to(r), s_count, s_type, op, root, on),
            Function::Allreduce => ffi::PMPI_Allreduce(from(s), to(r), s_count, s_type, op, on),
            Function::Gather => ffi::PMPI_Gather(from(s), s_count, s_type, to(r), r_count, r_type, root, on),
            Function::Scatter => ffi::PMPI_Scatter(from(s), s_count, s_type, to(r), r_count, r_type, root, on),
            Function::Allgather => ffi::PMPI_Allgather(from(s), s_count, s_type, to(r), r_count, r_type, on),
            Function::Alltoall => ffi::PMPI_Alltoall(from(s), s_count, s_type, to(r), r_count, r_type, on),
            Function::ReduceScatterBlock => ffi::PMPI_Reduce_scatter_block(from(s), to(r), r_count, r_type, op, on),
            Function::ReduceScatter => ffi::PMPI_Reduce_scatter(from(s), to(r), counts, r_type, op, on),
            Function::Scan => ffi::PMPI_Scan(from(s), to(r), s_count, s_type, op, on),
            Function::Exscan => ffi::PMPI_Exscan(from(s), to(r), s_count, s_type, op, on),
            Function::Barrier => ffi::PMPI_Barrier(on),
        }
    };
}

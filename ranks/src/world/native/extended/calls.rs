//! All of MPI's collective calls, blocking and not, with their arguments.

use super::arguments::Arguments;
use models::call::{Call, LengthForm, Reach};
use models::collective::Collective;
use mpi::ffi;
use std::ffi::c_int;

/// Function that makes a call on a buffer that begins at the address, and returns MPI's code. The buffer is live, and
/// as long as the arguments' areas reach. All ranks make the same call.
pub(super) type Make = unsafe fn(&Arguments, *mut u8) -> c_int;
/// Function that issues a call: as [`Make`], and nobody uses the buffer or moves the request before it is completed.
pub(super) type Begin = unsafe fn(&Arguments, *mut u8, *mut ffi::MPI_Request) -> c_int;

/// Functions for one of MPI's calls.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    /// Blocking form of the call.
    pub blocking: Make,
    /// Non-blocking form of the call, waited for at once.
    pub through: Make,
    /// Non-blocking form of the call, issued only.
    pub begin: Begin,
}

/// Defines the functions of calls. A call and its non-blocking form take the same arguments: those listed, and the
/// communicator.
macro_rules! calls {
    ($($name:ident: $blocking:ident, $begun:ident, |$a:ident, $from:ident, $to:ident| [$($argument:expr),*];)*) => { $(
        mod $name {
            use super::*;

            pub(crate) unsafe fn blocking($a: &Arguments, begin: *mut u8) -> c_int {
                let ($from, $to) = $a.areas(begin);
                let _ = ($from, $to);
                // SAFETY: as the caller promises.
                unsafe { ffi::$blocking($($argument,)* $a.communicator) }
            }

            #[inline(always)]
            pub(crate) unsafe fn begin($a: &Arguments, begin: *mut u8, request: *mut ffi::MPI_Request) -> c_int {
                let ($from, $to) = $a.areas(begin);
                let _ = ($from, $to);
                // SAFETY: as the caller promises.
                unsafe { ffi::$begun($($argument,)* $a.communicator, request) }
            }

            pub(crate) unsafe fn through(arguments: &Arguments, at: *mut u8) -> c_int {
                // SAFETY: as the caller promises; the request lives until it is completed.
                unsafe {
                    let mut request = ffi::RSMPI_REQUEST_NULL;
                    begin(arguments, at, &raw mut request);
                    ffi::MPI_Wait(&raw mut request, ffi::RSMPI_STATUS_IGNORE)
                }
            }

            pub(crate) const FUNCTIONS: Functions = Functions { blocking, through, begin };
        }
    )* };
}

calls! {
    barrier: MPI_Barrier, MPI_Ibarrier, |a, from, to| [];
    bcast: MPI_Bcast, MPI_Ibcast, |a, from, to| [to, a.received.count, a.received.datatype, a.root];
    gather: MPI_Gather, MPI_Igather, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.count, a.received.datatype, a.root];
    gatherv: MPI_Gatherv, MPI_Igatherv, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.counts.as_ptr(), a.received.displacements.as_ptr(),
         a.received.datatype, a.root];
    scatter: MPI_Scatter, MPI_Iscatter, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.count, a.received.datatype, a.root];
    scatterv: MPI_Scatterv, MPI_Iscatterv, |a, from, to|
        [from, a.sent.counts.as_ptr(), a.sent.displacements.as_ptr(), a.sent.datatype, to, a.received.count,
         a.received.datatype, a.root];
    allgather: MPI_Allgather, MPI_Iallgather, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.count, a.received.datatype];
    allgatherv: MPI_Allgatherv, MPI_Iallgatherv, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.counts.as_ptr(), a.received.displacements.as_ptr(),
         a.received.datatype];
    alltoall: MPI_Alltoall, MPI_Ialltoall, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.count, a.received.datatype];
    alltoallv: MPI_Alltoallv, MPI_Ialltoallv, |a, from, to|
        [from, a.sent.counts.as_ptr(), a.sent.displacements.as_ptr(), a.sent.datatype,
         to, a.received.counts.as_ptr(), a.received.displacements.as_ptr(), a.received.datatype];
    alltoallw: MPI_Alltoallw, MPI_Ialltoallw, |a, from, to|
        [from, a.sent.counts.as_ptr(), a.sent.byte_displacements.as_ptr(), a.sent.datatypes.as_ptr(),
         to, a.received.counts.as_ptr(), a.received.byte_displacements.as_ptr(), a.received.datatypes.as_ptr()];
    reduce: MPI_Reduce, MPI_Ireduce, |a, from, to| [from, to, a.sent.count, a.sent.datatype, a.op, a.root];
    allreduce: MPI_Allreduce, MPI_Iallreduce, |a, from, to| [from, to, a.sent.count, a.sent.datatype, a.op];
    scan: MPI_Scan, MPI_Iscan, |a, from, to| [from, to, a.sent.count, a.sent.datatype, a.op];
    exscan: MPI_Exscan, MPI_Iexscan, |a, from, to| [from, to, a.sent.count, a.sent.datatype, a.op];
    reduce_scatter: MPI_Reduce_scatter, MPI_Ireduce_scatter, |a, from, to|
        [from, to, a.sent.counts.as_ptr(), a.sent.datatype, a.op];
    reduce_scatter_block: MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, |a, from, to|
        [from, to, a.received.count, a.sent.datatype, a.op];
    neighbor_allgather: MPI_Neighbor_allgather, MPI_Ineighbor_allgather, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.count, a.received.datatype];
    neighbor_allgatherv: MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.counts.as_ptr(), a.received.displacements.as_ptr(),
         a.received.datatype];
    neighbor_alltoall: MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, |a, from, to|
        [from, a.sent.count, a.sent.datatype, to, a.received.count, a.received.datatype];
    neighbor_alltoallv: MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, |a, from, to|
        [from, a.sent.counts.as_ptr(), a.sent.displacements.as_ptr(), a.sent.datatype,
         to, a.received.counts.as_ptr(), a.received.displacements.as_ptr(), a.received.datatype];
    neighbor_alltoallw: MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, |a, from, to|
        [from, a.sent.counts.as_ptr(), a.sent.addresses.as_ptr(), a.sent.datatypes.as_ptr(),
         to, a.received.counts.as_ptr(), a.received.addresses.as_ptr(), a.received.datatypes.as_ptr()];
}

/// Returns MPI's functions for a call of this form. The form exists, as [`Call::accepts`] has said.
pub(super) fn functions(collective: Collective, call: &Call) -> Functions {
    match call.reach {
        Reach::All => among_all(collective, call.form),
        Reach::Neighbours => match (collective, call.form) {
            (Collective::Allgather, LengthForm::Regular) => neighbor_allgather::FUNCTIONS,
            (Collective::Allgather, LengthForm::Vector | LengthForm::Wide) => neighbor_allgatherv::FUNCTIONS,
            (_, LengthForm::Regular) => neighbor_alltoall::FUNCTIONS,
            (_, LengthForm::Vector) => neighbor_alltoallv::FUNCTIONS,
            (_, LengthForm::Wide) => neighbor_alltoallw::FUNCTIONS,
        },
    }
}

fn among_all(collective: Collective, form: LengthForm) -> Functions {
    match (collective, form) {
        (Collective::Barrier, _) => barrier::FUNCTIONS,
        (Collective::Bcast, _) => bcast::FUNCTIONS,
        (Collective::Gather, LengthForm::Regular) => gather::FUNCTIONS,
        (Collective::Gather, LengthForm::Vector | LengthForm::Wide) => gatherv::FUNCTIONS,
        (Collective::Scatter, LengthForm::Regular) => scatter::FUNCTIONS,
        (Collective::Scatter, LengthForm::Vector | LengthForm::Wide) => scatterv::FUNCTIONS,
        (Collective::Allgather, LengthForm::Regular) => allgather::FUNCTIONS,
        (Collective::Allgather, LengthForm::Vector | LengthForm::Wide) => allgatherv::FUNCTIONS,
        (Collective::Alltoall, LengthForm::Regular) => alltoall::FUNCTIONS,
        (Collective::Alltoall, LengthForm::Vector) => alltoallv::FUNCTIONS,
        (Collective::Alltoall, LengthForm::Wide) => alltoallw::FUNCTIONS,
        (Collective::Reduce, _) => reduce::FUNCTIONS,
        (Collective::Allreduce, _) => allreduce::FUNCTIONS,
        (Collective::Scan, _) => scan::FUNCTIONS,
        (Collective::Exscan, _) => exscan::FUNCTIONS,
        (Collective::ReduceScatter, LengthForm::Regular) => reduce_scatter_block::FUNCTIONS,
        (Collective::ReduceScatter, LengthForm::Vector | LengthForm::Wide) => reduce_scatter::FUNCTIONS,
    }
}

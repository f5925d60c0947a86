//! The functions that the program calls in place of the library's: each notes the call, and passes it on.

use crate::call::{Call, Function, Side};
use crate::watch::{begin, end, initialise, note, note_barrier, note_communicator_freed, note_freed, size, unwatched};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Op};
use ranks::world::IN_PLACE;
use std::ffi::{c_char, c_int, c_void};

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int {
    // SAFETY: the program's own arguments.
    let code = initialise(|| unwatched(|| unsafe { ffi::PMPI_Init(argc, argv) }));
    begin();
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Init_thread(
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    required: c_int,
    provided: *mut c_int,
) -> c_int {
    // SAFETY: the program's own arguments.
    let code = initialise(|| unwatched(|| unsafe { ffi::PMPI_Init_thread(argc, argv, required, provided) }));
    begin();
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Finalize() -> c_int {
    end();
    // SAFETY: the program ends MPI.
    unsafe { ffi::PMPI_Finalize() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Comm_free(communicator: *mut MPI_Comm) -> c_int {
    // SAFETY: MPI demands the address of a communicator.
    note_communicator_freed(unsafe { (*communicator).0 } as usize);
    // SAFETY: the program's own arguments.
    unsafe { ffi::PMPI_Comm_free(communicator) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Type_free(datatype: *mut MPI_Datatype) -> c_int {
    // SAFETY: MPI demands the address of a datatype.
    note_freed(unsafe { (*datatype).0 } as usize);
    // SAFETY: the program's own arguments.
    unsafe { ffi::PMPI_Type_free(datatype) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Op_free(op: *mut MPI_Op) -> c_int {
    // SAFETY: MPI demands the address of a reduction.
    note_freed(unsafe { (*op).0 } as usize);
    // SAFETY: the program's own arguments.
    unsafe { ffi::PMPI_Op_free(op) }
}

/// Defines functions that note a call and pass it on.
macro_rules! noted {
    ($($name:ident => $passed_on:ident($($argument:ident: $kind:ty),*), $note:ident $call:expr;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $kind),*) -> c_int {
            $note(|| $call);
            // SAFETY: the program's own arguments.
            unsafe { ffi::$passed_on($($argument),*) }
        }
    )* };
}

type From = *const c_void;
type To = *mut c_void;

noted! {
    MPI_Barrier => PMPI_Barrier(comm: MPI_Comm),
        note_barrier barrier(comm);
    MPI_Bcast => PMPI_Bcast(buffer: To, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm),
        note bcast(side(buffer, count, datatype), root, comm);
    MPI_Reduce => PMPI_Reduce(
        sent: From, received: To, count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm
    ),
        note reducing(Function::Reduce, sent, received, (count, datatype), op, comm).rooted(root);
    MPI_Allreduce => PMPI_Allreduce(
        sent: From, received: To, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ),
        note reducing(Function::Allreduce, sent, received, (count, datatype), op, comm);
    MPI_Scan => PMPI_Scan(sent: From, received: To, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm),
        note reducing(Function::Scan, sent, received, (count, datatype), op, comm);
    MPI_Exscan => PMPI_Exscan(sent: From, received: To, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm),
        note reducing(Function::Exscan, sent, received, (count, datatype), op, comm);
    MPI_Reduce_scatter_block => PMPI_Reduce_scatter_block(
        sent: From, received: To, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ),
        note reducing(Function::ReduceScatterBlock, sent, received, (count, datatype), op, comm)
            .scattering(i64::from(count) * i64::from(size(comm)), 0);
    MPI_Reduce_scatter => PMPI_Reduce_scatter(
        sent: From, received: To, counts: *const c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ),
        note scattering(sent, received, counts, datatype, op, comm);
    MPI_Gather => PMPI_Gather(
        sent: From, count: c_int, datatype: MPI_Datatype,
        received: To, count_received: c_int, type_received: MPI_Datatype, root: c_int, comm: MPI_Comm
    ),
        note moving(
            Function::Gather, side(sent, count, datatype), side(received, count_received, type_received), comm
        ).rooted(root);
    MPI_Scatter => PMPI_Scatter(
        sent: From, count: c_int, datatype: MPI_Datatype,
        received: To, count_received: c_int, type_received: MPI_Datatype, root: c_int, comm: MPI_Comm
    ),
        note moving(
            Function::Scatter, side(sent, count, datatype), side(received, count_received, type_received), comm
        ).rooted(root);
    MPI_Allgather => PMPI_Allgather(
        sent: From, count: c_int, datatype: MPI_Datatype,
        received: To, count_received: c_int, type_received: MPI_Datatype, comm: MPI_Comm
    ),
        note moving(
            Function::Allgather, side(sent, count, datatype), side(received, count_received, type_received), comm
        );
    MPI_Alltoall => PMPI_Alltoall(
        sent: From, count: c_int, datatype: MPI_Datatype,
        received: To, count_received: c_int, type_received: MPI_Datatype, comm: MPI_Comm
    ),
        note moving(
            Function::Alltoall, side(sent, count, datatype), side(received, count_received, type_received), comm
        );
}

/// Makes a side of one of a call's buffers.
#[inline(always)]
pub fn side(at: *const c_void, count: c_int, datatype: MPI_Datatype) -> Side {
    Side { at: at.expose_provenance(), count, datatype: datatype.0 as usize }
}

/// Returns the call `MPI_Barrier` on a communicator.
#[inline(always)]
pub fn barrier(communicator: MPI_Comm) -> Call {
    Call::new(Function::Barrier, communicator.0 as usize, Side::default(), Side::default(), IN_PLACE)
}

/// Returns the call `MPI_Bcast` of a buffer.
#[inline(always)]
pub fn bcast(buffer: Side, root: c_int, communicator: MPI_Comm) -> Call {
    Call::new(Function::Bcast, communicator.0 as usize, buffer, Side::default(), IN_PLACE).rooted(root)
}

/// Returns a call that combines, with as many elements on both sides.
#[inline(always)]
pub fn reducing(
    function: Function,
    sent: *const c_void,
    received: *mut c_void,
    (count, datatype): (c_int, MPI_Datatype),
    op: MPI_Op,
    communicator: MPI_Comm,
) -> Call {
    let (sent, received) = (side(sent, count, datatype), side(received, count, datatype));
    Call::new(function, communicator.0 as usize, sent, received, IN_PLACE).reducing(op.0 as usize)
}

/// Returns a call that moves blocks.
#[inline(always)]
pub fn moving(function: Function, sent: Side, received: Side, communicator: MPI_Comm) -> Call {
    Call::new(function, communicator.0 as usize, sent, received, IN_PLACE)
}

/// Returns the call `MPI_Reduce_scatter`. This rank receives as much as its own count says.
pub fn scattering(
    sent: *const c_void,
    received: *mut c_void,
    counts: *const c_int,
    datatype: MPI_Datatype,
    op: MPI_Op,
    communicator: MPI_Comm,
) -> Call {
    let mut rank = 0;
    // SAFETY: the program is about to use this communicator, and MPI demands a count for each of its ranks.
    let counts_of_all = unsafe {
        ffi::PMPI_Comm_rank(communicator, &raw mut rank);
        std::slice::from_raw_parts(counts, size(communicator).max(1) as usize)
    };
    let own = counts_of_all.get(rank as usize).copied().unwrap_or(0);
    let total = counts_of_all.iter().map(|count| i64::from(*count)).sum();
    let call = reducing(Function::ReduceScatter, sent, received, (own, datatype), op, communicator);
    call.scattering(total, counts.expose_provenance())
}

//! The functions as Fortran programs call them: every argument by its address, handles as integers. Calls that the
//! library's own function makes in turn are not the program's.
//!
//! Names have one underscore behind them, as GNU's, LLVM's, Intel's and NVIDIA's compilers write them.

use crate::call::Function;
use crate::entries::{barrier, bcast, moving, reducing, scattering, side};
use crate::next::{next, shared};
use crate::watch::{begin, end, initialise, note, note_barrier, note_communicator_freed, size, unwatched};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Op};
use ranks::world::IN_PLACE;
use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::OnceLock;
use std::sync::atomic::AtomicPtr;

/// Address of an argument.
type Address = *mut c_void;

/// Calls the next function of this name.
macro_rules! pass_on {
    ($name:ident($($argument:ident),*)) => {{
        static NEXT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
        let function = next(&NEXT, concat!(stringify!($name), "\0"));
        // SAFETY: the library's function takes addresses; these are the program's own.
        unsafe { transmute::<*mut c_void, unsafe extern "C" fn($(pass_on!(@ $argument)),*)>(function)($($argument),*) }
    }};
    (@ $argument:ident) => { Address };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mpi_init_(error: Address) {
    initialise(|| pass_on!(mpi_init_(error)));
    begin();
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mpi_init_thread_(required: Address, provided: Address, error: Address) {
    initialise(|| pass_on!(mpi_init_thread_(required, provided, error)));
    begin();
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mpi_finalize_(error: Address) {
    end();
    pass_on!(mpi_finalize_(error));
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mpi_comm_free_(communicator: Address, error: Address) {
    note_communicator_freed(on(communicator).0 as usize);
    unwatched(|| pass_on!(mpi_comm_free_(communicator, error)));
}

/// Defines functions that note a call and pass it on.
macro_rules! noted {
    ($($name:ident($($argument:ident),*), $note:ident $call:expr;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: Address),*) {
            $note(|| $call);
            unwatched(|| pass_on!($name($($argument),*)));
        }
    )* };
}

noted! {
    mpi_barrier_(comm, error),
        note_barrier barrier(on(comm));
    mpi_bcast_(buffer, count, kind, root, comm, error),
        note bcast(side(at(buffer), int(count), datatype(kind)), int(root), on(comm));
    mpi_reduce_(sent, received, count, kind, op, root, comm, error),
        note reducing(Function::Reduce, at(sent), at(received), (int(count), datatype(kind)), by(op), on(comm))
            .rooted(int(root));
    mpi_allreduce_(sent, received, count, kind, op, comm, error),
        note reducing(Function::Allreduce, at(sent), at(received), (int(count), datatype(kind)), by(op), on(comm));
    mpi_scan_(sent, received, count, kind, op, comm, error),
        note reducing(Function::Scan, at(sent), at(received), (int(count), datatype(kind)), by(op), on(comm));
    mpi_exscan_(sent, received, count, kind, op, comm, error),
        note reducing(Function::Exscan, at(sent), at(received), (int(count), datatype(kind)), by(op), on(comm));
    mpi_reduce_scatter_block_(sent, received, count, kind, op, comm, error),
        note reducing(
            Function::ReduceScatterBlock,
            at(sent),
            at(received),
            (int(count), datatype(kind)),
            by(op),
            on(comm)
        )
        .scattering(i64::from(int(count)) * i64::from(size(on(comm))), 0);
    mpi_reduce_scatter_(sent, received, counts, kind, op, comm, error),
        note scattering(at(sent), at(received), counts.cast(), datatype(kind), by(op), on(comm));
    mpi_gather_(sent, count, kind, received, count_received, kind_received, root, comm, error),
        note moving(
            Function::Gather,
            side(at(sent), int(count), datatype(kind)),
            side(at(received), int(count_received), datatype(kind_received)),
            on(comm)
        ).rooted(int(root));
    mpi_scatter_(sent, count, kind, received, count_received, kind_received, root, comm, error),
        note moving(
            Function::Scatter,
            side(at(sent), int(count), datatype(kind)),
            side(at(received), int(count_received), datatype(kind_received)),
            on(comm)
        ).rooted(int(root));
    mpi_allgather_(sent, count, kind, received, count_received, kind_received, comm, error),
        note moving(
            Function::Allgather,
            side(at(sent), int(count), datatype(kind)),
            side(at(received), int(count_received), datatype(kind_received)),
            on(comm)
        );
    mpi_alltoall_(sent, count, kind, received, count_received, kind_received, comm, error),
        note moving(
            Function::Alltoall,
            side(at(sent), int(count), datatype(kind)),
            side(at(received), int(count_received), datatype(kind_received)),
            on(comm)
        );
}

/// Returns the integer of an argument.
fn int(argument: Address) -> c_int {
    // SAFETY: MPI demands the address of an integer here.
    unsafe { *argument.cast() }
}

/// Returns the communicator of an argument.
fn on(argument: Address) -> MPI_Comm {
    // SAFETY: the program's own handle.
    unsafe { ffi::RSMPI_Comm_f2c(int(argument)) }
}

/// Returns the datatype of an argument.
fn datatype(argument: Address) -> MPI_Datatype {
    // SAFETY: the program's own handle.
    unsafe { ffi::RSMPI_Type_f2c(int(argument)) }
}

/// Returns the reduction of an argument.
fn by(argument: Address) -> MPI_Op {
    // SAFETY: the program's own handle.
    unsafe { ffi::RSMPI_Op_f2c(int(argument)) }
}

/// Returns the address of a buffer as C programs pass it.
fn at(argument: Address) -> Address {
    static KNOWN: OnceLock<[usize; 2]> = OnceLock::new();
    let [in_place, bottom] = *KNOWN.get_or_init(|| {
        [("mpi_fortran_in_place_\0", "MPIR_F_MPI_IN_PLACE\0"), ("mpi_fortran_bottom_\0", "MPIR_F_MPI_BOTTOM\0")]
            .map(|(block, variable)| shared(block).map_or_else(|| variable_of(variable), |block| block.addr()))
    });
    match argument.addr() {
        address if address == in_place => without_provenance_mut(IN_PLACE),
        address if address == bottom => null_mut(),
        _ => argument,
    }
}

/// Returns the address in a variable: Open MPI marks such places by the address of a common block, MPICH and its kin
/// keep it in a variable.
fn variable_of(name: &'static str) -> usize {
    // SAFETY: the library has such a variable, which holds an address.
    shared(name).map_or(usize::MAX, |variable| unsafe { *variable.cast::<usize>() })
}

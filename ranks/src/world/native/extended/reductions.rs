//! MPI's reductions, and two of our own: exclusive or of all bytes, which commutes, and the composition of affine
//! functions, which does not.

use models::call::{Call, Reduction, Unit, composed};
use mpi::ffi;
use std::ffi::{c_int, c_void};
use std::sync::{PoisonError, RwLock};

pub(super) struct Op {
    pub handle: ffi::MPI_Op,
    /// Whether it was made here, so that it has to be given back.
    own: bool,
}

impl Op {
    /// Returns the reduction of a call on units of this datatype.
    pub(super) fn for_call(call: &Call, datatype: ffi::MPI_Datatype) -> Op {
        // SAFETY: constants of the library; our functions have the form that MPI demands.
        let predefined = unsafe {
            match call.reduction {
                Reduction::Sum => ffi::RSMPI_SUM,
                Reduction::Max => ffi::RSMPI_MAX,
                Reduction::Min => ffi::RSMPI_MIN,
                Reduction::User => return Op::own(exclusive_or, true, call, datatype),
                Reduction::UserOrdered => return Op::own(compose, false, call, datatype),
            }
        };
        Op { handle: predefined, own: false }
    }

    fn own(function: Combine, commutes: bool, call: &Call, datatype: ffi::MPI_Datatype) -> Op {
        let mut known = UNITS.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(handle, _)| *handle != datatype.0 as usize);
        known.push((datatype.0 as usize, call.unit()));
        // SAFETY: a constant that is overwritten; the function has the form that MPI demands.
        let handle = unsafe {
            let mut handle = ffi::RSMPI_SUM;
            ffi::MPI_Op_create(Some(function), c_int::from(commutes), &raw mut handle);
            handle
        };
        Op { handle, own: true }
    }
}

impl Drop for Op {
    fn drop(&mut self) {
        if self.own {
            // SAFETY: it was made here, and calls that use it have ended.
            unsafe { ffi::MPI_Op_free(&raw mut self.handle) };
        }
    }
}

type Combine = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut ffi::MPI_Datatype);

/// Units of the datatypes for which our reductions have been made: MPI gives a reduction the datatype only, and may ask
/// for it on a thread of its own.
static UNITS: RwLock<Vec<(usize, Unit)>> = RwLock::new(Vec::new());

/// Carries out a reduction that MPI calls: `inout = in ∘ inout` for all bytes that travel.
///
/// # Safety
///
/// Both areas hold `length` units of the datatype.
unsafe fn combine(
    first: *mut c_void,
    second: *mut c_void,
    length: *mut c_int,
    datatype: *mut ffi::MPI_Datatype,
    one: impl Fn(u8, u8) -> u8,
) {
    // SAFETY: MPI hands over both.
    let (length, datatype) = unsafe { (*length as usize, (*datatype).0 as usize) };
    let known = UNITS.read().unwrap_or_else(PoisonError::into_inner);
    let Some((_, unit)) = known.iter().find(|(handle, _)| *handle == datatype) else {
        // Nobody may unwind through the library.
        eprintln!("parallax-mpi: a reduction was asked for a datatype that it was not made for");
        std::process::abort();
    };
    for number in 0..length {
        for &(at, bytes) in &unit.runs {
            let start = number * unit.extent as usize + at as usize;
            let (from, to) = (first.cast::<u8>().wrapping_add(start), second.cast::<u8>().wrapping_add(start));
            for byte in 0..bytes as usize {
                // SAFETY: the byte is one of a unit, of which both areas hold so many, as the caller promises.
                unsafe { *to.add(byte) = one(*from.add(byte), *to.add(byte)) };
            }
        }
    }
}

unsafe extern "C" fn exclusive_or(
    first: *mut c_void,
    second: *mut c_void,
    length: *mut c_int,
    datatype: *mut ffi::MPI_Datatype,
) {
    // SAFETY: MPI hands over areas of so many units.
    unsafe { combine(first, second, length, datatype, |first, second| first ^ second) };
}

unsafe extern "C" fn compose(
    first: *mut c_void,
    second: *mut c_void,
    length: *mut c_int,
    datatype: *mut ffi::MPI_Datatype,
) {
    // SAFETY: MPI hands over areas of so many units.
    unsafe { combine(first, second, length, datatype, composed) };
}

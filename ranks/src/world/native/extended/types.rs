//! MPI's datatypes of elements and layouts.

use models::call::{Call, Element, INDEXED, INDEXED_EXTENT, Layout, RECORD, RECORD_EXTENT, VECTOR};
use mpi::ffi;
use std::ffi::c_int;

/// Datatype whose units lie as [`Call::unit`] says.
pub(super) struct Datatype {
    pub handle: ffi::MPI_Datatype,
    /// Whether it was made here, so that it has to be given back.
    derived: bool,
}

/// Returns MPI's own datatype of an element.
pub(crate) fn basic(element: Element) -> ffi::MPI_Datatype {
    // SAFETY: these are constants of the library, which has been initialised.
    unsafe {
        match element {
            Element::Byte => ffi::RSMPI_UINT8_T,
            Element::Int => ffi::RSMPI_INT32_T,
            Element::Long => ffi::RSMPI_INT64_T,
            Element::Float => ffi::RSMPI_FLOAT,
            Element::Double => ffi::RSMPI_DOUBLE,
        }
    }
}

impl Datatype {
    /// Returns the datatype of a call's units.
    pub(super) fn for_call(call: &Call) -> Datatype {
        let element = basic(call.element);
        if call.layout == Layout::Contiguous {
            return Datatype { handle: element, derived: false };
        }
        let (mut laid_out, mut handle) = (element, element);
        // SAFETY: arrays have the stated lengths and live through the calls; handles are live; errors are fatal.
        unsafe {
            match call.layout {
                Layout::Contiguous => {}
                Layout::Vector => {
                    let (length, stride) = VECTOR;
                    ffi::MPI_Type_vector(2, length as c_int, stride as c_int, element, &raw mut laid_out);
                }
                Layout::Indexed => {
                    let firsts = INDEXED.map(|(first, _)| first as c_int);
                    let lengths = INDEXED.map(|(_, length)| length as c_int);
                    let count = INDEXED.len() as c_int;
                    ffi::MPI_Type_indexed(count, lengths.as_ptr(), firsts.as_ptr(), element, &raw mut laid_out);
                }
                Layout::Struct => {
                    let places = RECORD.map(|(at, ..)| at as ffi::MPI_Aint);
                    let lengths = RECORD.map(|(_, length, _)| length as c_int);
                    let types = RECORD.map(|(.., element)| basic(element));
                    let count = RECORD.len() as c_int;
                    let (lengths, places, types) = (lengths.as_ptr(), places.as_ptr(), types.as_ptr());
                    ffi::MPI_Type_create_struct(count, lengths, places, types, &raw mut laid_out);
                }
            }
            ffi::MPI_Type_create_resized(laid_out, 0, extent(call) as ffi::MPI_Aint, &raw mut handle);
            ffi::MPI_Type_free(&raw mut laid_out);
            ffi::MPI_Type_commit(&raw mut handle);
        }
        Datatype { handle, derived: true }
    }
}

/// Returns the distance from one unit to the next, in bytes.
fn extent(call: &Call) -> u64 {
    let extent = call.unit().extent;
    debug_assert!(match call.layout {
        Layout::Contiguous | Layout::Vector => true,
        Layout::Indexed => extent == INDEXED_EXTENT * call.element.bytes(),
        Layout::Struct => extent == RECORD_EXTENT,
    });
    extent
}

impl Drop for Datatype {
    fn drop(&mut self) {
        if self.derived {
            // SAFETY: it was made here, and calls that use it have ended.
            unsafe { ffi::MPI_Type_free(&raw mut self.handle) };
        }
    }
}

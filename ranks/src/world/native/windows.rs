//! Memory that the ranks of one host share (`MPI_Win_allocate_shared`), for broadcasts through it.

use measure::shared_queues::{Layout, Member, Seat, Segment};
use measure::waiting::Patience;
use models::shared_broadcast::Queued;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::ffi::{CStr, c_int};
use std::sync::Arc;

/// Key that puts each rank's part on pages of its own, so that they lie where it runs.
const APART: &CStr = c"alloc_shared_noncontig";
const TRUE: &CStr = c"true";

/// Window of shared memory. All ranks give it back together.
pub(super) struct Window(ffi::MPI_Win);

/// Makes this rank's part in a broadcast through memory that all ranks share. Called by all ranks together.
///
/// # Errors
///
/// Says, alike on every rank, that the ranks are on several hosts, or that queues are longer than memory.
pub(super) fn member(
    communicator: &SimpleCommunicator,
    queued: &Queued,
    patience: Patience,
) -> Result<(Member, Window), String> {
    let (rank, ranks) = (communicator.rank(), communicator.size());
    let here = communicator.split_shared(0).size();
    // A host with fewer ranks makes all of them say so.
    let mut fewest = 0;
    communicator.all_reduce_into(&here, &mut fewest, mpi::collective::SystemOperation::min());
    if fewest < ranks {
        return Err(format!("{queued}: {ranks} ranks share no memory: expected all of them on one host"));
    }
    let layout = Layout::for_queue(queued.queue()).map_err(|error| format!("{queued}: {error}"))?;
    let window = Window::allocate(communicator, layout.bytes(rank as u32));
    let begins = (0..ranks).map(|rank| window.part_of(rank)).collect();
    // SAFETY: each rank's part is as long as its layout says and begins at a page (`alloc_shared_noncontig`); the
    // window stays until after the segment.
    let segment = Arc::new(unsafe { Segment::of_ranks(layout, begins) });
    segment.begin(rank as u32);
    communicator.barrier();
    Ok((Seat::in_segment(segment, rank as u32, queued).join(patience), window))
}

impl Window {
    fn allocate(communicator: &SimpleCommunicator, bytes: usize) -> Window {
        let mut window = Window(zeroed_handle());
        let mut begin: *mut u8 = std::ptr::null_mut();
        // SAFETY: handles and places for answers live through the calls, which all ranks make; errors are fatal (MPI's
        // default).
        unsafe {
            let mut info: ffi::MPI_Info = std::mem::zeroed();
            ffi::MPI_Info_create(&raw mut info);
            ffi::MPI_Info_set(info, APART.as_ptr(), TRUE.as_ptr());
            let (length, unit) = (bytes as ffi::MPI_Aint, 1);
            let place = (&raw mut begin).cast();
            ffi::MPI_Win_allocate_shared(length, unit, info, communicator.as_raw(), place, &raw mut window.0);
            ffi::MPI_Info_free(&raw mut info);
        }
        window
    }

    /// Returns the address of a rank's part in this process.
    fn part_of(&self, rank: c_int) -> *mut u8 {
        let (mut bytes, mut unit) = (0, 0);
        let mut begin: *mut u8 = std::ptr::null_mut();
        // SAFETY: the window is one of shared memory; places for answers live through the call.
        unsafe {
            ffi::MPI_Win_shared_query(self.0, rank, &raw mut bytes, &raw mut unit, (&raw mut begin).cast());
        }
        begin
    }
}

/// Returns a window's handle before it is made: a pointer or a number.
fn zeroed_handle() -> ffi::MPI_Win {
    // SAFETY: zero is a value of either.
    unsafe { std::mem::zeroed() }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: nobody accesses it any more: all ranks give it back together.
        unsafe { ffi::MPI_Win_free(&raw mut self.0) };
    }
}

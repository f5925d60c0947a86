//! Communicators of a case: made anew, so that its first call is the first one there.

use models::call::{Communicator, grid};
use models::forced::Component;
use mpi::ffi;
use std::ffi::{CString, c_int};

/// Communicator of a case.
pub(super) struct Made {
    pub handle: ffi::MPI_Comm,
    /// Whether it was made here, so that it has to be given back.
    fresh: bool,
}

impl Made {
    /// Duplicates the world's communicator, with a preference for a component. Called by all ranks together.
    pub(super) fn preferring(world: ffi::MPI_Comm, component: &Component) -> Made {
        let text = |text: &str| CString::new(text).expect("names of components contain no zero byte");
        let (key, name, mut handle) = (text(component.key), text(component.name), world);
        // SAFETY: handles and texts live through the calls; all ranks make the same ones; errors are fatal.
        unsafe {
            let mut info: ffi::MPI_Info = std::mem::zeroed();
            ffi::MPI_Info_create(&raw mut info);
            ffi::MPI_Info_set(info, key.as_ptr(), name.as_ptr());
            ffi::MPI_Comm_dup_with_info(world, info, &raw mut handle);
            ffi::MPI_Info_free(&raw mut info);
        }
        Made { handle, fresh: true }
    }

    /// Makes a communicator from the world. Called by all ranks together. `fresh` forbids the world itself.
    pub(super) fn new(world: ffi::MPI_Comm, kind: Communicator, ranks: u32, rank: u32, fresh: bool) -> Made {
        let mut handle = world;
        let out = &raw mut handle;
        // SAFETY: arrays live through the calls and have the stated lengths; all ranks make the same call; errors are
        // fatal.
        unsafe {
            match kind {
                Communicator::World if !fresh => return Made { handle, fresh: false },
                Communicator::World | Communicator::Duplicate => ffi::MPI_Comm_dup(world, out),
                Communicator::Halves => ffi::MPI_Comm_split(world, (rank % 2) as c_int, rank as c_int, out),
                Communicator::Reversed => ffi::MPI_Comm_split(world, 0, (ranks - rank) as c_int, out),
                Communicator::Cartesian => {
                    let (extents, periodic) = (grid(ranks).map(|length| length as c_int), [1; 2]);
                    ffi::MPI_Cart_create(world, 2, extents.as_ptr(), periodic.as_ptr(), 0, out)
                }
                Communicator::Graph => {
                    let neighbours = kind.neighbours(ranks, rank).into_iter().map(|rank| rank as c_int);
                    let neighbours: Vec<c_int> = neighbours.collect();
                    let (count, list, even) = (neighbours.len() as c_int, neighbours.as_ptr(), ffi::RSMPI_UNWEIGHTED());
                    let nothing = ffi::RSMPI_INFO_NULL;
                    ffi::MPI_Dist_graph_create_adjacent(world, count, list, even, count, list, even, nothing, 0, out)
                }
            }
        };
        Made { handle, fresh: true }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if self.fresh {
            // SAFETY: it was made here, and calls on it have ended; all ranks give theirs back in the same order.
            unsafe { ffi::MPI_Comm_free(&raw mut self.handle) };
        }
    }
}

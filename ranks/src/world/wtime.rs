//! `MPI_Wtime`, whatever the library reads for it. Every process may count from another origin.

use measure::clock::{Rate, RealClock};
use models::clock::{ClockKind, Ticks};
use mpi::ffi;
use std::ffi::c_int;

/// Clock `MPI_Wtime`, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct MpiWtime;

impl RealClock for MpiWtime {
    fn kind(&self) -> ClockKind {
        ClockKind::MpiWtime
    }

    fn name(&self) -> &'static str {
        "mpi_wtime"
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn says_global(&self) -> Option<bool> {
        let (mut value, mut is_set) = (std::ptr::null::<c_int>(), 0);
        // SAFETY: MPI is initialised wherever ranks have clocks; the library writes the address of its int, which lives
        // as long as MPI, and a flag.
        unsafe {
            ffi::MPI_Comm_get_attr(
                ffi::RSMPI_COMM_WORLD,
                ffi::MPI_WTIME_IS_GLOBAL as c_int,
                (&raw mut value).cast(),
                &raw mut is_set,
            );
            Some(is_set != 0 && value.as_ref().is_some_and(|value| *value != 0))
        }
    }

    fn read(&self) -> Ticks {
        Ticks((mpi::environment::time() * 1e9) as u64)
    }

    fn rate(&self) -> Rate {
        Rate { ticks_per_second: 1e9, repeated_ppm: 0.0 }
    }

    /// Returns the granularity that the library states, which is not always true.
    fn granularity_ticks(&self) -> u64 {
        (mpi::environment::time_resolution() * 1e9).round().max(1.0) as u64
    }
}

//! `MPI_Wtime`, whatever the library reads for it. Every process may count from another origin.

use crate::clock::{ClockSource, Rate};
use models::clock::{ClockKind, Ticks};

/// `MPI_Wtime`, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct MpiWtime;

impl ClockSource for MpiWtime {
    const KIND: ClockKind = ClockKind::MpiWtime;
    const NAME: &'static str = "mpi_wtime";
    const SPECIALISED: bool = false;
    const SHARED: bool = false;

    #[inline(always)]
    fn read() -> Ticks {
        Ticks((mpi::environment::time() * 1e9) as u64)
    }

    fn trusted() -> Result<(), String> {
        Ok(())
    }

    fn rate() -> Rate {
        Rate { ticks_per_second: 1e9, repeated_ppm: 0.0 }
    }

    /// What the library says of it, which is not always true.
    fn granularity_ticks() -> u64 {
        (mpi::environment::time_resolution() * 1e9).round().max(1.0) as u64
    }
}

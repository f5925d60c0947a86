//! `MPI_Wtime`, whatever the library reads for it. Every process may count from another origin.

use measure::clock::{Rate, RealClock};
use models::clock::{ClockKind, Ticks};

/// `MPI_Wtime`, in nanoseconds.
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

    fn read(&self) -> Ticks {
        Ticks((mpi::environment::time() * 1e9) as u64)
    }

    fn rate(&self) -> Rate {
        Rate { ticks_per_second: 1e9, repeated_ppm: 0.0 }
    }

    /// What the library says of it, which is not always true.
    fn granularity_ticks(&self) -> u64 {
        (mpi::environment::time_resolution() * 1e9).round().max(1.0) as u64
    }
}

//! The clocks that ranks can read, by the names used in files and flags.

use serde::{Deserialize, Serialize};

crate::named! {
    /// A clock of real ranks.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ClockKind {
        /// The counter where it can be trusted, else `clock_monotonic_raw`.
        #[default]
        Automatic => "automatic",
        /// The time stamp counter (x86-64) or the virtual counter (aarch64).
        Tsc => "tsc",
        /// `CLOCK_MONOTONIC`: in nanoseconds, its rate is adjusted by NTP.
        ClockMonotonic => "clock_monotonic",
        /// `CLOCK_MONOTONIC_RAW`: in nanoseconds, its rate is the hardware's.
        ClockMonotonicRaw => "clock_monotonic_raw",
        /// `gettimeofday`: in microseconds, and it can be set. It serves to show what is wrong with it.
        Gettimeofday => "gettimeofday",
        /// `MPI_Wtime`, whatever the library reads for it; for MPI ranks only.
        MpiWtime => "mpi_wtime",
    }
    /// The name used in files, flags and output.
    fn name;
    find("clock"); Display(name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_found_by_the_name_it_has_in_files() {
        for kind in ClockKind::ALL {
            assert_eq!(ClockKind::find(kind.name()), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.name()));
        }
        insta::assert_snapshot!(ClockKind::find("sundial").unwrap_err());
    }
}

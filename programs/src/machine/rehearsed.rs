//! Results of timing collectives as benchmarks do during a calibration: the errors of models against numbers of
//! benchmarks.

use super::Machine;
use crate::method::{Buffer, Preset};
use models::collective::Collective;
use serde::{Deserialize, Serialize};

/// One column of one benchmark against the reference, in the launches of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rehearsed {
    /// Collective that was called, in the library's own implementation.
    pub collective: Collective,
    /// Number of ranks in the call.
    pub ranks: u32,
    /// Benchmark whose method timed the calls.
    pub benchmark: Preset,
    /// Head of the benchmark's column.
    pub column: String,
    /// State of the reference's buffers.
    pub reference: Buffer,
    /// Number of launches of the measurement.
    pub launches: u32,
    /// Lengths of a rank's buffer or block, in bytes, in increasing order.
    pub bytes: Vec<u64>,
    /// For each length, ratios of the value that the benchmark would have printed to the reference beside it, one for
    /// each round of each launch.
    pub printed_per_reference: Vec<Vec<f64>>,
}

impl Machine {
    /// Rehearsed collectives of all states of the machine.
    pub fn all_rehearsed(&self) -> Vec<Rehearsed> {
        self.states().flat_map(|state| state.rehearsed.clone()).collect()
    }
}

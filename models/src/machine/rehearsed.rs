//! What a calibration saw of collectives as benchmarks time them: by how much models miss the numbers of benchmarks.

use super::Machine;
use crate::collective::Collective;
use crate::method::{Buffer, Preset};
use serde::{Deserialize, Serialize};

/// One column of one benchmark beside the reference, in the launches of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rehearsed {
    /// What was called: the library's own.
    pub collective: Collective,
    /// By how many ranks.
    pub ranks: u32,
    /// As this benchmark times it.
    pub benchmark: Preset,
    /// The head of the column.
    pub column: String,
    /// The state of the buffers of the reference.
    pub reference: Buffer,
    /// In how many launches.
    pub launches: u32,
    /// Length of a rank's buffer or block, increasing.
    pub bytes: Vec<u64>,
    /// For each length, what would have been printed over the reference beside it, once for each round of each launch.
    pub printed_per_reference: Vec<Vec<f64>>,
}

impl Machine {
    /// What was rehearsed in any state.
    pub fn all_rehearsed(&self) -> Vec<Rehearsed> {
        self.states().flat_map(|state| state.rehearsed.clone()).collect()
    }
}

//! Memory of ranks, as a campaign stores it.

use programs::memory::Probe;
use programs::observation::World;
use serde::{Deserialize, Serialize};

/// Look at the memory of all ranks of a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchMemory {
    /// World in which the ranks ran.
    pub world: World,
    /// Number of the launch, counted from 0.
    pub launch: u32,
    /// End of the launch at which the look was taken.
    pub when: LaunchEnd,
    /// Library and version, host and clock.
    pub ran_by: String,
    /// Probes of each rank around the library's initialisation and at the look itself, in the order of time.
    pub ranks: Vec<Vec<Probe>>,
}

/// One end of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchEnd {
    /// The begin, before any measurement.
    Begin,
    /// The end, after all measurements.
    End,
}

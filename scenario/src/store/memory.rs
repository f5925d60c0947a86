//! The memory of ranks, as a campaign keeps it.

use models::memory::Probe;
use models::observation::World;
use serde::{Deserialize, Serialize};

/// A look at the memory of all ranks of a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchMemory {
    /// Where.
    pub world: World,
    /// Which of several launches, counted from 0.
    pub launch: u32,
    /// Before anything was measured, or after everything was.
    pub when: LaunchEnd,
    /// Library and version, host and clock.
    pub ran_by: String,
    /// For each rank what was seen around the library's initialisation and then, in the order of time.
    pub ranks: Vec<Vec<Probe>>,
}

/// One end of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchEnd {
    /// Nothing was measured yet.
    Begin,
    /// Everything was measured.
    End,
}

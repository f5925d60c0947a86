//! Outcomes of tasks, as ranks give them.

use models::clock::ReportCard;
use models::time::Span;
use programs::calibration::{Finding, Sample};
use programs::detours::{Recorded, Worked};
use programs::memory::Probe;
use programs::meters::Metered;
use programs::observation::{ClockCheck, Observation};
use programs::sync::Trial;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Outcome of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Samples from which parameters are fitted.
    Calibrated {
        /// Description of the ranks that exchanged the messages.
        ran_by: String,
        /// Samples that ranks 0 and 1 took.
        samples: Vec<Sample>,
        /// Half the least round trip of the control messages of the slowest rank.
        control: Span,
    },
    /// Records of waits of known duration.
    ClocksChecked(ClockCheck),
    /// Trials of clock synchronisations on all ranks.
    SyncCompared(Vec<Trial>),
    /// Report card of the clock of rank 0's machine.
    ClockReported(ReportCard),
    /// Success of a check: every call did what it must. Holds the least number of calls of a rank.
    Checked(u32),
    /// Observation of a case by all ranks.
    Measured(Observation),
    /// Record of messages between pairs of ranks.
    PointToPoint {
        /// Description of the ranks that exchanged the messages.
        ran_by: String,
        /// Record of all ranks together.
        record: programs::point_to_point::Record,
    },
    /// Looks at the memory of each rank's process, in the order of time.
    Memory {
        /// Description of the ranks that were looked at.
        ran_by: String,
        /// List of looks for each rank.
        ranks: Vec<Vec<Probe>>,
    },
    /// Finding of an exploration, gathered from all ranks.
    Explored(Finding),
    /// Recording of detours on all ranks. Detours, or counts, are in files of the job's folder.
    Recorded {
        /// Description of the ranks that recorded.
        ran_by: String,
        /// Records of the ranks, in their order.
        ranks: Vec<Recorded>,
        /// Paths of the files within the folder of the campaign.
        files: Vec<PathBuf>,
    },
    /// Durations of work between synchronisations.
    Worked {
        /// Description of the ranks that worked.
        ran_by: String,
        /// Work of each rank, in their order.
        ranks: Vec<Worked>,
    },
    /// Durations of what programs do.
    Metered {
        /// Description of the ranks that were metered.
        ran_by: String,
        /// Meters of each rank, in their order.
        ranks: Vec<Metered>,
    },
    /// Reason for which a task could not be done.
    Refused(String),
}

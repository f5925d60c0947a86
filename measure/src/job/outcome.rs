//! What ranks answer.

use models::calibration::{Finding, Sample};
use models::clock::ReportCard;
use models::detours::{Recorded, Worked};
use models::memory::Probe;
use models::meters::Metered;
use models::observation::{ClockCheck, Observation};
use models::sync::Trial;
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The answer to one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Samples for fitting.
    Calibrated {
        /// Who exchanged the messages.
        ran_by: String,
        /// What ranks 0 and 1 exchanged.
        samples: Vec<Sample>,
        /// Half the least round trip of the control messages of the slowest rank.
        control: Span,
    },
    /// What the waits of known duration recorded.
    ClocksChecked(ClockCheck),
    /// What all ranks made of each synchronisation.
    SyncCompared(Vec<Trial>),
    /// What the clock of rank 0's machine is worth.
    ClockReported(ReportCard),
    /// Every call of a check did what it must; how many calls each rank made.
    Checked(u32),
    /// What all ranks recorded.
    Measured(Observation),
    /// What pairs of ranks exchanged.
    PointToPoint {
        /// Who exchanged the messages.
        ran_by: String,
        /// What all ranks recorded.
        record: models::point_to_point::Record,
    },
    /// What was in the memory of each rank's process, in the order of time.
    Memory {
        /// Who.
        ran_by: String,
        /// One list for each rank.
        ranks: Vec<Vec<Probe>>,
    },
    /// What all ranks found.
    Explored(Finding),
    /// What all ranks recorded; detours, or counts, are in files of the job's folder.
    Recorded {
        /// Who.
        ran_by: String,
        /// Rank by rank.
        ranks: Vec<Recorded>,
        /// Within that folder.
        files: Vec<PathBuf>,
    },
    /// What work between synchronisations took.
    Worked {
        /// Who.
        ran_by: String,
        /// Rank by rank.
        ranks: Vec<Worked>,
    },
    /// What programs' doings took.
    Metered {
        /// Who.
        ran_by: String,
        /// Rank by rank.
        ranks: Vec<Metered>,
    },
    /// Why a task could not be done.
    Refused(String),
}

//! Runs of campaigns: the launcher that starts ranks on hosts, the watch over ranks, and the folder and file of a
//! campaign.
//!
//! Real ranks are processes with which this crate exchanges files only: a job, its results, a status board. It links no
//! MPI. The processes are programs of `parallax`: `parallax-mpi-<library>`, or the command itself as `parallax
//! serve-threads`. Both are searched for beside the running program and on the PATH.
//!
//! # Start here
//!
//! [`Start`] represents ranks that can carry out tasks, [`asking`] is the loop that campaigns share, [`Campaign`] the
//! folder that is written, [`RecordedCampaign`] one that is read.
//!
//! ```
//! use parallax_campaign::RecordedCampaign;
//! use std::path::Path;
//!
//! # let folder = Path::new("../tests/golden/campaigns/run");
//! let kept = RecordedCampaign::read(folder)?;
//! println!("{}: {} lines", kept.name().unwrap_or_default(), kept.lines().len());
//! assert!(RecordedCampaign::read(Path::new("no such folder")).is_err());
//! # assert_eq!(kept.lines().len(), 75);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

// The macro `note!` is for all modules below.
#[macro_use]
extern crate scenario;

pub mod asking;
pub mod audit;
pub mod batch;
pub mod bench;
mod campaign;
pub mod check;
pub mod doctor;
pub mod environment;
pub mod launch;
pub mod planned;
pub mod progress;
mod recorded;
pub mod results;
pub mod serve;
mod start;
pub mod testing;
mod watch;

pub use campaign::{Campaign, next_free, next_run};
pub use recorded::RecordedCampaign;
pub use start::{Start, passing_folder};
pub use watch::{Interrupted, interrupted, notice_interrupts};

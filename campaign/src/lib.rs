//! Running: which launcher starts ranks on which hosts, who watches them, and the folder and file of a campaign.
//!
//! Real ranks are processes that this crate meets in files only: a job, its results, a status board. It links no MPI.

#![warn(unreachable_pub)]

// Its macro `note!` is for all that follow.
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
mod kept;
pub mod launch;
pub mod planned;
pub mod progress;
pub mod results;
pub mod serve;
mod start;
pub mod testing;
mod watch;

pub use campaign::{Campaign, next_free};
pub use kept::Kept;
pub use start::Start;
pub use watch::{interrupted, notice_interrupts};

//! Campaigns of every kind, simulations, corrections and probes: the crate where predictions, statistics and real ranks meet.
//!
//! Each module has the name of the command that calls it. The crate knows no command line: requests are plain values.

#![warn(unreachable_pub)]

// Its macro `note!` is for all that follow.
#[macro_use]
extern crate scenario;

pub mod algorithms;
pub mod audit;
pub mod budget;
pub mod calibrate;
pub mod choice;
pub mod clocks;
pub mod compare;
pub mod debias;
pub mod doctor;
mod files;
pub mod goal;
pub mod import;
pub mod launches;
mod load;
pub mod machine;
pub mod measuring;
pub mod memory;
pub mod p2p;
pub mod probe;
mod rehearsal;
pub mod report;
pub mod run;
pub mod simulate;
pub mod store;
pub mod sweep;
pub mod sync;
pub mod testing;
pub mod validate;
pub mod values;

//! Virtual time: the event engine, and the world of simulated ranks that methods run in.

#![warn(unreachable_pub)]

mod budget;
mod channel;
mod engine;
mod entry;
mod error;
mod fast;
mod memory;
mod open;
mod predict;
mod recorder;
mod simulation;
mod skew;
mod state;
pub mod sync;
mod world;

pub use engine::SimError;
pub use entry::Entry;
pub use predict::{Misreport, Prediction, Predictor, RootTruth};
pub use simulation::{Finish, Outcome, Played, Simulation};
pub use skew::barrier_skews;
pub use world::{SimRank, SimWorld};

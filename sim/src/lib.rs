//! Virtual time: the event engine, and the world of simulated ranks that methods run in.

mod engine;
mod fast;
pub mod goal;
mod predict;
mod recorder;
mod simulation;
mod spread;
mod world;

pub use engine::SimError;
pub use predict::{Prediction, Predictor};
pub use simulation::{Engine, Entry, Finish, Outcome, Played, Simulation};
pub use spread::{QUANTILES, Spread};
pub use world::{SimRank, SimWorld};

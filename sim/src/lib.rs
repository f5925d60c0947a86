//! Virtual time: the event engine, and the world of simulated ranks that methods run in.

mod engine;
pub mod goal;
mod predict;
mod world;

pub use engine::SimError;
pub use predict::{Prediction, Predictor};
pub use world::{SimRank, SimWorld};

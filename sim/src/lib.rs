//! Virtual time: the event engine, and the world of simulated ranks that methods run in.
//!
//! Times are integer picoseconds: a simulation without noise equals its closed form exactly, and one with noise has one
//! result for each seed on any number of threads. The crate compiles for WebAssembly, where one thread does everything.
//!
//! # Start here
//!
//! A [`Simulation`] is one algorithm, called once or several times, as `parallax simulate` carries it out. Programs of
//! your own run on the ranks of a [`SimWorld`].
//!
//! ```
//! # extern crate models as parallax_models;
//! use parallax_models::closed_form;
//! use parallax_models::collective::{Algorithm, Collective, Shape};
//! use parallax_models::engine::Engine;
//! use parallax_models::network::{self, Network};
//! use parallax_models::noise::Noise;
//! use parallax_models::platform::Platform;
//! use parallax_models::time::{Span, Time};
//! use parallax_sim::{Entry, Simulation};
//!
//! let network = network::parse("hockney", Some("alpha=5us,beta=1ns/B"), Some("busy"))?;
//! let simulation = Simulation {
//!     algorithm: Algorithm::find(Collective::Bcast, "binomial")?,
//!     shape: Shape::new(64, 0, 1000), // 64 ranks, root 0, 1000 B
//!     platform: Platform::plain(network),
//!     noise: Noise::none(),
//!     entry: Entry::Together,
//!     repeat: 1,
//!     compute: Span::ZERO,
//!     buffer: None,
//! };
//! let outcome = simulation.run(Engine::Auto).map_err(|error| error.to_string())?;
//! let (_, last) = outcome.finish.range();
//!
//! let Network::Hockney(hockney) = network else { unreachable!("its name says so") };
//! let on_paper = closed_form::completion(simulation.algorithm, &hockney, &simulation.shape).expect("a closed form");
//! assert_eq!(last, Time::ZERO + on_paper); // to the picosecond
//! assert_eq!(outcome.messages, 63);
//! # Ok::<(), String>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

mod budget;
mod cells;
mod channel;
mod engine;
mod entry;
mod error;
mod fast;
mod known;
mod memory;
mod open;
mod predict;
mod rank;
mod recorder;
mod shared;
mod simulation;
mod skew;
mod state;
pub mod sync;
mod timed;
mod turns;
mod world;

pub use budget::PrintedSeries;
pub use engine::SimError;
pub use entry::Entry;
pub use known::{ClockKnowledge, Left};
pub use predict::{Misreport, Prediction, Predictor, RootTruth};
pub use rank::SimRank;
pub use shared::{Received, SharedNode, SharedRun};
pub use simulation::{Finish, Played, Simulation, SimulationOutcome};
pub use skew::barrier_skews;
pub use world::SimWorld;

//! Campaigns of every kind, simulations, corrections and probes: the crate where predictions, statistics and real ranks
//! meet.
//!
//! Each module has the name of the command that calls it. The crate knows no command line: requests are plain values.
//!
//! # Start here
//!
//! A [`choice`] holds the flags on networks, machines and noise; [`simulate`], [`calibrate`], [`measuring`],
//! [`validate`] and [`budget`] carry out the commands of these names; [`report::of_folder`] makes any page of results
//! again. The following code does the same as
//! `parallax simulate bcast --machine mpich --algorithm binomial --ranks 8 --bytes 1000`:
//!
//! ```
//! # extern crate models as parallax_models;
//! # extern crate questions as parallax_questions;
//! # extern crate sim as parallax_sim;
//! use parallax_analysis::choice::{Memory, ModelChoice, Pairs};
//! use parallax_models::collective::{Algorithm, Collective, Shape};
//! use parallax_models::engine::Engine;
//! use parallax_models::noise::Noise;
//! use parallax_models::platform::Buffer;
//! use parallax_models::time::Span;
//! use parallax_questions::once::once;
//! use parallax_sim::{Entry, Simulation};
//!
//! let model = ModelChoice { machine: Some("mpich".to_owned()), ..ModelChoice::default() };
//! let simulation = Simulation {
//!     algorithm: Algorithm::find(Collective::Bcast, "binomial")?,
//!     shape: Shape::new(8, 0, 1000),
//!     platform: model.platform_with(Memory::Counts, Pairs::Connected, 8)?,
//!     noise: Noise::none(),
//!     entry: Entry::Together,
//!     repeat: 1,
//!     compute: Span::ZERO,
//!     buffer: Some(Buffer::Touched),
//! };
//! let answer = once(&simulation, Engine::Auto, 1, false)?;
//! assert_eq!(answer.messages, 7);
//! println!("{}", answer.calls[0].0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The next lines print the page that `parallax report FOLDER` makes of a campaign:
//!
//! ```
//! use parallax_analysis::report;
//!
//! # let folder = std::path::Path::new("../tests/golden/campaigns/run");
//! let page = report::of_folder(folder)?.page();
//! println!("{}\n{}", page.question, page.answer);
//! # assert!(page.question.contains("broadcast") && page.answer.contains("ranks"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

// The macro `note!` of this crate is used in all modules below.
#[macro_use]
extern crate scenario;

pub mod algorithms;
pub mod audit;
pub mod beside;
pub mod budget;
pub mod calibrate;
pub mod choice;
pub mod clocks;
pub mod compare;
pub mod correct;
pub mod doctor;
pub mod files;
mod finishes;
pub mod goal;
pub mod import;
pub mod launches;
#[cfg(feature = "lessons")]
pub mod lesson;
mod load;
pub mod machine;
#[cfg(any(feature = "noise", feature = "meters"))]
mod meanwhile;
pub mod measuring;
pub mod memory;
#[cfg(feature = "meters")]
pub mod meters;
#[cfg(feature = "noise")]
pub mod noise;
#[cfg(not(feature = "noise"))]
#[path = "without_noise.rs"]
mod noise;
pub mod p2p;
pub mod printed;
pub mod probe;
mod rehearsal;
pub mod report;
pub mod run;
pub mod sensitivity;
mod shared_broadcast;
#[cfg(feature = "shared-memory")]
pub mod shm;
pub mod simulate;
pub mod store;
pub mod sweep;
pub mod sync;
pub mod testing;
pub mod tune;
pub mod validate;
pub mod values;

//! Models without I/O: time, network models, noise, clocks, collectives, platforms, closed forms.
//!
//! `parallax_programs` has what ranks do with them. Nothing in this crate opens a file or reads a real clock, and it
//! compiles for WebAssembly.
//!
//! # Start here
//!
//! [`network::parse`] reads a network model as `parallax simulate --model … --set …` does,
//! [`Algorithm`](collective::Algorithm) knows the rounds of every collective algorithm, [`closed_form`] has their times
//! on paper.
//!
//! ```
//! use parallax_models::closed_form;
//! use parallax_models::collective::{Algorithm, Collective, Shape};
//! use parallax_models::network::{self, Network};
//!
//! // A message of m bytes takes 5 µs + m·1 ns, and its sender is busy meanwhile.
//! let network = network::parse("hockney", Some("alpha=5us,beta=1ns/B"), Some("busy"))?;
//! let Network::Hockney(hockney) = network else { unreachable!("its name says so") };
//!
//! // A binomial broadcast of 1000 B on 8 ranks: to whom the root sends, and how many messages there are in all.
//! let binomial = Algorithm::find(Collective::Bcast, "binomial")?;
//! let shape = Shape::new(8, 0, 1000);
//! let sent: Vec<u32> = binomial.steps(&shape, 0).filter_map(|step| step.sent()).map(|(to, _)| to).collect();
//! assert_eq!(sent, [4, 2, 1]);
//! assert_eq!((binomial.cost)(&shape).messages, 7);
//!
//! // The last rank has it after three messages in a row.
//! let last = closed_form::completion(binomial, &hockney, &shape).expect("a closed form");
//! assert_eq!(last, network.one_message(1000) * 3);
//! assert_eq!(last.to_string(), "18.0 µs");
//! # Ok::<(), String>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod call;
pub mod clock;
pub mod closed_form;
pub mod collective;
pub mod engine;
pub mod footprint;
pub mod forced;
pub mod immediate;
pub mod library;
pub mod limits;
pub mod medium;
pub mod names;
pub mod network;
pub mod noise;
pub mod piecewise;
pub mod platform;
pub mod quantity;
pub mod release;
pub mod schedule;
pub mod shared_broadcast;
pub mod spread;
pub mod stable;
pub mod time;
pub mod world;
pub mod wtime;

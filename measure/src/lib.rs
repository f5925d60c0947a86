//! Real time: ranks that are threads on an emulated network, and the parts that MPI ranks share with them.
//!
//! No MPI is linked here: its calls are in `parallax_ranks`.
//!
//! # Start here
//!
//! A [`job::Job`] holds the tasks of ranks, [`threads::run`] carries it out on threads of this process: no MPI is
//! needed. Programs of MPI ranks are started by `parallax_campaign`.
//!
//! ```
//! # extern crate models as parallax_models;
//! # extern crate programs as parallax_programs;
//! use parallax_measure::board::Board;
//! use parallax_measure::job::{Job, Outcome, Task};
//! use parallax_measure::threads;
//! use parallax_programs::calibration::{CalibrationSettings, Sample};
//! use parallax_models::clock::ClockKind;
//! use parallax_models::network::{Hockney, SendRule};
//! use parallax_programs::observation::{Carrier, World};
//! use parallax_models::time::{PerByte, Span};
//!
//! // Two threads exchange 1000 B five times, over a network on which a message takes 200 µs.
//! let emulated = Hockney { alpha: Span::from_us(200), beta: PerByte(0.0), send_rule: SendRule::Busy };
//! let tasks = vec![Task::Calibrate(CalibrationSettings::ping_pongs(vec![1000], 5, 1))];
//! let (world, carrier, clock) = (World::Threads, Carrier::EMULATED, ClockKind::Automatic);
//! let job = Job { ranks: 2, cores: 2, hosts: 1, world, carrier, emulated, clock, clocks: None, tasks };
//! let mut outcomes = Vec::new();
//! threads::run(&job, &Board::in_memory(2)?, &mut |outcome| outcomes.push(outcome))?;
//!
//! let Some(Outcome::Calibrated { samples, .. }) = outcomes.pop() else { panic!("no answer") };
//! let Some(Sample::RoundTrips(ping_pongs)) = samples.first() else { panic!("no ping-pongs") };
//! assert_eq!(ping_pongs.round_trips.len(), 5);
//! assert!(ping_pongs.round_trips.iter().all(|round_trip| *round_trip > Span::from_us(399)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod audit;
pub mod board;
pub mod buffer;
pub mod check;
pub mod clock;
pub mod cpus;
pub mod dealing;
pub mod detours;
pub mod emulated;
pub mod flush;
pub mod handover;
pub use models::immediate;
pub mod inject;
pub mod job;
pub mod memory;
pub mod neighbour;
pub mod probe;
pub mod processes;
pub mod rank;
pub mod service;
mod shared;
pub mod shared_queues;
pub mod threads;
pub mod tracefs;
pub mod usage;
pub mod waiting;
pub mod watcher;

//! What things are, without I/O: time, collectives, network models, clocks, methods.
//!
//! `sim` (virtual time) and `measure` (real time) both run what is described here; `reports`
//! reads what they observed. Nothing in this crate opens a file or reads a real clock.

#![warn(unreachable_pub)]

pub mod aggregation;
pub mod audit;
pub mod budget;
pub mod calibration;
pub mod call;
pub mod clock;
pub mod closed_form;
pub mod collective;
pub mod engine;
pub mod footprint;
pub mod forced;
pub mod library;
pub mod limits;
pub mod machine;
pub mod memory;
pub mod method;
pub mod names;
pub mod network;
pub mod noise;
pub mod observation;
pub mod operation;
pub mod platform;
pub mod played;
pub mod point_to_point;
pub mod quantity;
pub mod rank;
pub mod schedule;
pub mod spread;
pub mod stable;
pub mod sync;
pub mod time;
pub mod trace;

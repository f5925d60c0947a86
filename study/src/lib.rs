//! Analyses of campaigns: measured, compared, audited, corrected, validated, and stored in a database.
//!
//! Reads the observations that `parallax_programs` describes, and does not know how they were simulated or measured.
//!
//! # Start here
//!
//! [`measured::measured`] makes rows of a campaign of `parallax measure`, [`compare::compare`] compares
//! the predictions of `parallax run` with its measurements, [`contrast`] compares campaigns with each other.
//!
//! ```
//! # extern crate scenario as parallax_scenario;
//! use parallax_study::measured::measured;
//! use parallax_scenario::store;
//!
//! // What a campaign of `parallax measure` found: subjects (a call on so many ranks), in each a row for each length.
//! # let folder = "../tests/golden/campaigns/measure";
//! let found = measured(&store::read(format!("{folder}/campaign.jsonl"))?.lines)?;
//! for subject in &found.subjects {
//!     for row in &subject.rows {
//!         for cell in &row.methods {
//!             let us = cell.us.map_or("no number".to_owned(), |us| format!("{:.3} µs", us.value));
//!             let method = if cell.is_reference { "reference" } else { cell.method.name() };
//!             println!("{}, {} B, {method}: {us}", subject.case.subject.collective, row.bytes);
//!         }
//!     }
//! }
//! # assert!(found.subjects.iter().flat_map(|subject| &subject.rows).all(|row| row.methods.len() == 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod answered;
pub mod audit;
pub mod budget;
pub mod cells;
pub mod choices;
pub mod clock_checks;
pub mod compare;
pub mod comparison;
pub mod contrast;
pub mod coordinates;
pub mod correct;
pub mod database;
pub mod enough;
pub mod expectations;
pub mod guidelines;
pub mod measured;
pub mod measures;
pub mod over;
pub mod plots;
pub mod printed;
#[cfg(feature = "shared-memory")]
pub mod shm;
#[cfg(not(feature = "shared-memory"))]
#[path = "without_shm.rs"]
mod shm;
pub mod tuning;
pub mod validation;

#[cfg(test)]
#[path = "../../render/src/forms.rs"]
mod forms;

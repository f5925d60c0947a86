//! Network parameters from the numbers that a benchmark printed.
//!
//! Printed numbers are not the time of a call: a method has made them of it. So the parameters of a platform are fitted
//! through the simulated method, barrier and all: those under which simulated ranks print the printed numbers. The true
//! time beside each number then follows from the same platform.
//!
//! Printed numbers do not determine every parameter. A [`Fit`] keeps all parameters whose error is within [`AS_GOOD`]
//! times the best one's, and every value that it gives has their range.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

mod barrier;
mod benchmark;
mod error;
mod fitting;
mod held_out;
mod machine;
mod parameters;
mod printed;
mod search;
mod simplex;
mod start;
mod wander;

pub use barrier::{Candidate, Chosen, Reach, choose};
pub use benchmark::Benchmark;
pub use error::{Errors, Ranking, share};
pub use fitting::{AS_GOOD, Fit, MOST_JOINT};
pub use held_out::{HeldOut, held_out};
pub use machine::machine;
pub use parameters::{Parameter, Parameters};
pub use printed::Printed;

/// Reason for which nothing is fitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// There are more parameters than numbers.
    #[error("expected at least {expected} printed numbers to fit {expected} parameters, found {found}")]
    TooFew {
        /// Number of parameters that are free.
        expected: usize,
        /// Number of printed numbers.
        found: usize,
    },
    /// The simulation has no result: an unknown algorithm, a deadlock, or times out of range.
    #[error(transparent)]
    Simulation(#[from] sim::SimError),
    /// Another reason, as a sentence.
    #[error("{0}")]
    Other(String),
}

//! A number that a benchmark printed.

use models::collective::{Algorithm, Shape};

/// What was called, and what the benchmark printed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// What it is called where it was published.
    pub name: String,
    /// The algorithm that was called.
    pub algorithm: &'static Algorithm,
    /// Ranks, root and bytes of the call.
    pub shape: Shape,
    /// What was printed, in µs.
    pub us: f64,
}

impl Printed {
    /// Collective and algorithm: what is held out together.
    pub fn family(&self) -> String {
        format!("{} {}", self.algorithm.collective, self.algorithm.name)
    }
}

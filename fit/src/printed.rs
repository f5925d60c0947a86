//! A number that a benchmark printed.

use models::collective::{Algorithm, Shape};

/// Number that a benchmark printed, with the call that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// Name of the number where it was published.
    pub name: String,
    /// Algorithm that was called.
    pub algorithm: &'static Algorithm,
    /// Ranks, root and bytes of the call.
    pub shape: Shape,
    /// Printed number in µs.
    pub us: f64,
}

impl Printed {
    /// Returns collective and algorithm, as the name of numbers that are held out together.
    pub fn family(&self) -> String {
        format!("{} {}", self.algorithm.collective, self.algorithm.name)
    }
}

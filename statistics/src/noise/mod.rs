//! Recorded noise: figures of the detours of several CPUs, class by class, and the times by which they prolong grains
//! of work between synchronisations.

mod choice;
mod classes;
mod formula;
mod grains;
mod recording;
mod spectrum;
#[cfg(test)]
mod tests;

pub use choice::Subset;
pub use classes::{Class, Figures};
pub use formula::{Elongation, Refused, elongation, prolonged_us};
pub use grains::Launches;
pub use recording::{Rank, Recording};
pub use spectrum::{Peak, Spectrum, coincidence};

//! Noise: recordings, their figures, their effect on work, and the results of generators.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

mod beside;
mod causes;
mod collected;
mod counted;
mod density;
mod fitted;
#[cfg(test)]
#[path = "../../render/src/forms.rs"]
mod forms;
mod injected;
mod over_ranks;
mod page;
mod predicted;
mod proved;
mod shown;
mod tested;
#[cfg(test)]
mod tests;

pub use beside::Beside;
pub use causes::Causes;
pub use counted::Counted;
pub use density::OfDensity;
pub use fitted::Fitted;
pub use injected::{Disturbed, Injected, Reached};
pub use predicted::Grains;
pub use shown::Shown;
pub use tested::summary;

#[cfg(test)]
#[path = "../../render/src/plots/room_tests.rs"]
mod room_tests;

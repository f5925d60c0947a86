//! Noise: recordings, their figures, their effect on work, and the results of generators.

mod beside;
mod causes;
pub(crate) mod collected;
mod counted;
mod density;
mod fitted;
mod injected;
mod over_ranks;
mod page;
mod predicted;
pub(crate) mod proved;
mod shown;
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

//! Noise: what was recorded, what it amounts to, what it does to work, and what generators reached.

pub(crate) mod collected;
mod density;
mod injected;
mod page;
mod predicted;
pub(crate) mod proved;
mod shown;
#[cfg(test)]
mod tests;

pub use density::OfDensity;
pub use injected::{Disturbed, Injected};
pub use predicted::Grains;
pub use shown::Shown;

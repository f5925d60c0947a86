//! Samples, statistics, comparison, formats, plots, and the store of a campaign.
//!
//! Reads what `models` describes; knows nothing of how it was simulated or measured.

pub mod comparison;

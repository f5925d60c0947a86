//! Samples, statistics, comparison, formats, plots, and the store of a campaign.
//!
//! Reads what `models` describes; knows nothing of how it was simulated or measured.

pub mod clocks;
mod columns;
pub mod compare;
pub mod comparison;
pub mod curves;
pub mod files;
pub mod fit;
pub mod html;
pub mod plots;
pub mod skew;
pub mod statistics;
pub mod store;
pub mod summary;
pub mod sweep;
mod template;
pub mod timeline;
pub mod trace;

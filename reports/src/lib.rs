//! Samples, statistics, comparison, formats, plots, and the store of a campaign.
//!
//! Reads what `models` describes; knows nothing of how it was simulated or measured.

#![warn(unreachable_pub)]

pub mod audit;
pub mod budget;
pub mod clocks;
pub mod compare;
pub mod comparison;
pub mod contrast;
pub mod database;
pub mod debias;
mod ending;
pub mod enough;
pub mod expectations;
pub mod export;
pub mod fit;
pub mod groups;
pub mod guidelines;
pub mod holds;
pub mod html;
pub mod import;
pub mod lines;
pub mod measured;
pub mod measures;
pub mod memory;
pub mod over;
pub mod page;
pub mod plots;
pub mod point_to_point;
pub mod refine;
pub mod states;
pub mod statistics;
pub mod summary;
pub mod sweep;
pub mod table;
mod template;
pub mod tested;
pub mod timeline;
pub mod trace;
pub mod validation;
pub mod view;
pub mod words;

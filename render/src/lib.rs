//! Tables, pages and pictures, for every format of results.
//!
//! The crate knows numbers, units, words and the axes of cases. It runs nothing and reads no campaign.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

#[cfg(test)]
extern crate self as render;

pub mod columns;
pub mod data;
pub mod drawn;
pub mod ending;
pub mod groups;
pub mod page;
pub mod paint;
pub mod plots;
pub mod results;
pub mod summary;
pub mod table;
pub mod template;
pub mod whence;
pub mod words;

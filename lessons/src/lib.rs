//! Lessons: questions to the simulator as JSON, and the pages that ask them. Lessons in a browser and the server of lessons
//! ask by the functions of [`questions`], as `parallax simulate` does, so that all of them give the same picoseconds. The
//! crate compiles for WebAssembly.
//!
//! # Start here
//!
//! [`ask`] takes a [`Query`] as JSON, whose keys are the flags of `parallax simulate`, and answers in JSON:
//!
//! ```
//! let answer = parallax_lessons::ask(r#"{ "operation": "barrier", "algorithm": "dissemination", "ranks": 8,
//!     "set": "L=5us,o=1us,g=1us,G=0ns/B" }"#)?;
//! assert!(answer.contains(r#""finish_per_rank_ps":[21000000,21000000"#)); // three rounds of L + 2 o
//! # Ok::<(), String>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

mod command;
mod query;
pub mod shared;
#[cfg(not(target_family = "wasm"))]
pub mod site;
mod traced;
#[cfg(target_family = "wasm")]
pub mod wasm;

pub use query::{Query, ask};

//! Noise: detours that take the CPU from a rank, and their effect on its work.
//!
//! A rank inside a detour makes no progress (semantics A): work of length d begun at t ends once d of time outside
//! detours has passed. A detour that starts exactly at the end of a piece of work, or ends exactly at its begin, does
//! not touch it. Detours run on while a rank waits, and the rest of one delays the next piece of work. Flight is never
//! stretched.

mod advance;
mod align;
mod common;
mod delays;
mod duration;
mod parse;
mod periodic;
mod plan;
mod random;
mod ranks;
pub mod read;
mod renewal;
mod replay;
mod settings;
mod trace;
mod work;

pub use advance::{Cursor, Noise, RankNoise};
pub use align::Aligned;
pub use delays::{Delays, RecordedDelays};
pub use parse::{KNOWN, Traces};
pub use replay::Phase;
pub use trace::{Detour, DetourTrace, said};
pub use work::WorkCounts;

use crate::time::{Span, Time};

/// Source of a rank's CPU time: the engines and network models do all work through it.
///
/// Calls of one CPU are made in the order of time: `at` never lies before the end of the last piece.
pub trait Advance {
    /// Returns the end of work of length `work` begun at `at`. Work of length zero needs the rank awake: begun strictly
    /// inside a detour it ends with it.
    fn advance(&mut self, at: Time, work: Span) -> Time;

    /// Notes that only a connection that is being set up holds the rank back from `from` until `up`.
    #[inline(always)]
    fn connecting(&mut self, _from: Time, _up: Time) {}
}

/// CPU that nothing disturbs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Advance for Quiet {
    #[inline(always)]
    fn advance(&mut self, at: Time, work: Span) -> Time {
        at + work
    }
}

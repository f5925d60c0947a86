//! Closed forms that simulations must meet to the picosecond, by network model.
//!
//! Unless a function says otherwise all ranks enter at 0 with idle interfaces, nothing is noisy, and a rank's time is
//! when it returns from the call. n: ranks, i: a rank, k: calls in a row without synchronisation, root 0.

pub mod allgather;
pub mod allreduce;
pub mod alltoall;
mod barrier;
mod bcast;
mod completion;
mod gather;
pub mod hockney;
pub mod loggops;
pub mod noise;
pub mod plogp;
mod reduce;
pub mod reduce_scatter;
pub mod scan;
mod scatter;
#[cfg(test)]
mod tests;

pub use completion::completion;
pub use hockney::{linear_bcast_loop, linear_bcast_loop_ratio, linear_bcast_time};
pub use loggops::{binomial_bcast_arrival, dissemination_barrier};

use crate::collective::{Part, Shape};
use crate::time::Span;

/// Returns the sum of the times of the messages in which a part travels, one for each segment.
fn sum_over_segments(message: impl Fn(u64) -> Span, shape: &Shape, part: Part) -> Span {
    (0..shape.segments(part.bytes)).map(|index| message(shape.segment(part, index).bytes)).sum()
}

/// Exact ratio of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Numerator.
    pub over: u64,
    /// Denominator, not zero.
    pub under: u64,
}

impl Ratio {
    /// Returns the nearest f64 to the ratio.
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

/// Returns ⌈log₂ P⌉, the rounds of a dissemination.
fn rounds(ranks: u32) -> u64 {
    u64::from(ranks.next_power_of_two().trailing_zeros())
}

/// Returns the time per call that a loop of k calls reports, over the time of one call; `None` if one takes no time.
fn loop_ratio(total: Span, one: Span, calls: u32) -> Option<Ratio> {
    let under = one * u64::from(calls);
    (under > Span::ZERO).then_some(Ratio { over: total.0, under: under.0 })
}

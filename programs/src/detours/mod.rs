//! Recording the detours of ranks, over rank handles in any world: all ranks begin at one instant of the global clock
//! and exchange nothing until the end.
//!
//! | method | action of a rank | result |
//! |---|---|---|
//! | selfish (Beckman et al. 2006) | reads its clock in a loop | a detour between two reads further apart than a threshold |
//! | FWQ, fixed work quantum (Sottile, Minnich 2004) | the same few µs of work in registers, again and again | a detour where the work took longer than usual |
//! | FTQ, fixed time quantum (Sottile, Minnich 2004) | small units of work, and counts them by intervals of time | the work that was done in each interval |

mod baseline;
pub mod causes;
mod collection;
mod ftq;
mod fwq;
mod histogram;
pub mod import;
mod recorded;
mod selfish;
mod work;

pub use baseline::Baseline;
pub use collection::{Collected, Collection, Method};
pub use histogram::Bin;
pub use recorded::{Recorded, WorkDone};
pub use selfish::{Watched, Watching};
pub use work::{Program, Worked, Working};

use models::clock::Timescale;
use models::time::{Span, Time};

/// A span in ticks of a clock.
fn ticks(scale: &Timescale, span: Span) -> u64 {
    scale.reading(Time::ZERO + span).0.saturating_sub(scale.origin.0)
}

/// Duration of a number of a clock's ticks.
fn span(scale: &Timescale, ticks: u64) -> Span {
    scale.time(models::clock::Ticks(scale.origin.0.saturating_add(ticks))).since(Time::ZERO)
}

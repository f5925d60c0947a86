//! Raw material for network parameters: what ranks 0 and 1 exchange and time, and how all ranks leave barriers, over
//! rank handles in any world.
//!
//! | exchange | timed | shows |
//! |---|---|---|
//! | ping-pongs and trains, PRTT(n, d, s) | rank 0, first send to answer, and until the last send returned | α, β, L, G, g |
//! | late receives: the message is there before its receive is posted | the send on rank 0 | o_s, O, S |
//! | the same, behind an empty message that was received just before | the receive on rank 1 | o_r, O |
//! | late sends: the receive is posted long before | the send on rank 0 | the rendezvous |
//! | readings: two readings of a clock in a row | both ranks | what to take off |
//! | barriers in a row, and barriers that one rank enters late | all ranks, entry and exit | exit skew, a barrier's times (E5) |
//!
//! What network models leave out is explored beside it, one file per question: [`Exploration`].
//!
//! PRTT: Hoefler, Lichei, Rehm 2007. Delayed receives: Kielmann, Bal, Verstoep 2000.

mod connect;
mod eager_limit;
mod exchange;
mod exits;
mod explore;
mod idle;
mod run;
mod sample;
mod settings;
#[cfg(test)]
mod tests;
mod touching;

pub use connect::{Connecting, Meeting};
pub use exits::{Exits, Leaving, Left, late_rank};
pub use explore::{Exploration, Finding};
pub use idle::{Idled, Idling};
pub use sample::{LateReceives, LateSends, Prtt, Readings, Sample};
pub use settings::CalibrationSettings;
use touching::Touching;
pub use touching::{TimedTouch, Touch};

//! The fast engine: finish times as a recurrence over local clocks, without a queue of events.
//!
//! A [`Plan`] puts all operations into one order that respects dependencies and messages but knows no times:
//! each is taken as soon as what it waits for has been, sends and calculations at once, a receive when its message
//! has been sent. [`Plan::run`] goes through it once, from rank clock to rank clock.
//!
//! That is right only if every CPU serves its operations in that order. So the run checks it as it goes, with the
//! rule of the event engine: an operation may have been taken after another only if it could not have begun
//! before it, or had waited for less long. Whoever had to wait in another order sends the schedule to the event engine.
//! Where the check passes, both engines agree to the picosecond, by induction over time.

mod plan;
mod run;

#[cfg(test)]
mod tests;

pub use plan::Plan;
pub use run::Stop;

//! Bringing memory near before it is needed.
//!
//! An engine goes from rank to rank: the memory that it needs next lies in another place each time, and no processor
//! guesses where. But the next in line is known a little before. So the engines ask for the memory of an operation
//! while they still carry out those before it.

use crate::Schedule;
pub(super) use crate::fetch;

/// Number of operations by which an operation's own memory is asked for before its turn.
pub(super) const FAR: usize = 10;

/// Number of operations by which the memory that an operation leads to is asked for before its turn.
pub(super) const NEAR: usize = 4;

/// Distance in the file at which dependents often come.
const DEPENDENT: u32 = 3;

/// Asks for the memory of an operation, its dependents and their states.
#[inline(always)]
pub(super) fn fetch_op<S>(schedule: &Schedule, states: &[S], op: u32) {
    let dependent = op.saturating_add(DEPENDENT);
    schedule.fetch_op(op);
    schedule.fetch_op(dependent);
    fetch(states, op as usize);
    fetch(states, dependent as usize);
}

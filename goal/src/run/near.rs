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
pub(super) fn fetch_op(schedule: &Schedule, op: u32, fetch_state: impl Fn(u32)) {
    for op in [op, op.saturating_add(DEPENDENT)] {
        schedule.fetch_op(op);
        fetch_state(op);
    }
}

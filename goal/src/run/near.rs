//! Bringing memory near before it is needed.
//!
//! An engine goes from rank to rank: what it needs next lies in another place each time, and no processor guesses
//! where. But whoever is next in line is known a little before. So the engines ask for what an operation needs while
//! they still carry out those before it.

use crate::Schedule;
pub(super) use crate::fetch;

/// So many operations before an operation's turn, what there is about it is asked for.
pub(super) const FAR: usize = 10;

/// So many before its turn, what that leads to is asked for.
pub(super) const NEAR: usize = 4;

/// Dependents often come this much later in the file.
const DEPENDENT: u32 = 3;

/// Asks for an operation, its dependents and their states.
#[inline(always)]
pub(super) fn fetch_op<S>(schedule: &Schedule, states: &[S], op: u32) {
    let dependent = op.saturating_add(DEPENDENT);
    schedule.fetch_op(op);
    schedule.fetch_op(dependent);
    fetch(states, op as usize);
    fetch(states, dependent as usize);
}

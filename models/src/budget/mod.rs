//! Bias budgets: what each systematic error contributes to the number that a benchmark prints.
//!
//! A [`Configuration`] says in nine values, one for each error E1 … E9, how a number comes about. A [`Budget`] goes
//! from one configuration to another: one bar for each value in which they differ, and what is left over because
//! errors change each other's effect. Simulated and real ranks are given the same configurations.

mod bars;
mod configuration;
mod error;
mod known;
mod parse;
mod real;
#[cfg(test)]
mod tests;

pub use bars::Budget;
pub use configuration::{Clocks, Configuration, Entry, Features, Gap, Repeats, Starts};
pub use error::SystematicError;
pub use real::{Ground, Round, not_measurable};

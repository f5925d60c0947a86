//! Bias budgets: the contribution of each systematic error to the number that a benchmark prints.
//!
//! A [`Configuration`] says in ten values, one for each error E1 … E10, how a number comes about. A [`Budget`] goes
//! from one configuration to another: its [`Design`] says which configurations' numbers it is made of (a factorial of
//! what is switched, then what is computed), and there is one bar for each thing in which they differ. Simulated and
//! real ranks are given the same configurations.

mod bars;
mod configuration;
mod design;
mod error;
mod known;
mod parse;
mod real;
#[cfg(test)]
mod tests;

pub use bars::{Bar, Budget, Effects};
pub use configuration::{Clocks, Configuration, Entry, Features, Gap, Repeats, Starts};
pub use design::Design;
pub use error::SystematicError;
pub use real::{ClockCost, Round, not_measurable};

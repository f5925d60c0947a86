//! Expectations: the results that a file predicts, so that they can be compared with the actual ones.
//!
//! An expectation selects numbers by their quantity and position, may divide each by another one, and gives bounds for
//! them. It is judged separately in each world, and counts as untried where none of its numbers exist. The caller
//! supplies the [`ExpectedNumber`]s, and this module does not depend on their origin.

mod exercise;
mod judge;
mod quantity;
mod read;
mod small;
#[cfg(test)]
mod tests;

pub use exercise::{Answered, for_students, is_exercise};
pub use judge::{Judgement, Outcome, judge};
pub use quantity::{ClosedForm, Quantity};
pub use read::shown_errors;
pub(crate) use read::{ExpectationKind, KEYS, read};
pub use small::Small;

use crate::axis::{Axis, AxisValue, Key};
use programs::budget::SystematicError;

/// Parts of a file besides its question: expectations, findings, and the small form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Systematic errors that the question concerns.
    pub errors: Vec<SystematicError>,
    /// Expectation in words, for readers.
    pub expectation: String,
    /// Findings in words: date, machine and numbers.
    pub found: String,
    /// Expectations that are checked against numbers.
    pub expects: Vec<Expect>,
    /// Limits of the file's small form.
    pub small: Small,
}

/// Placeholder of the numbers in an answer.
pub const FOUND: &str = "{found}";

/// Expected range or closed form of selected numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Expectation in words, as one sentence.
    pub says: String,
    /// Quantity of the numbers that are judged.
    pub quantity: Quantity,
    /// Conditions that select among these numbers.
    pub of: Vec<Condition>,
    /// Number by which each one is divided. `None`: the numbers are judged as they are.
    pub over: Option<Over>,
    /// Range in which the numbers are expected.
    pub wanted: Wanted,
    /// Answer of an exercise. `None` for other expectations.
    pub answer: Option<Answer>,
    /// Answer to the file's question if the expectation is met, with [`FOUND`] in place of the numbers. Reports begin
    /// with it. Empty if the expectation answers nothing.
    pub answers: String,
}

/// Answer that a student writes into the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Number as the answer. `None` while it is open.
    Number(Option<f64>),
    /// Values of an axis at which all numbers are as expected, while at every other value some are not. `None` while
    /// they are open.
    At(Axis, Option<Vec<AxisValue>>),
}

/// Divisor of a number: the number that differs from it in these properties and in no others.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// Quantity of the divisor, often that of the number.
    pub quantity: Quantity,
    /// Conditions in which the divisor differs.
    pub at: Vec<Condition>,
}

/// Condition that numbers lie at one of several values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Axis of the condition.
    pub axis: Axis,
    /// Values of which one must hold.
    pub values: Vec<AxisValue>,
}

/// Expected range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// The numbers lie between two bounds, both included.
    Within(f64, f64),
    /// The numbers agree with a closed form, except for a relative tolerance.
    ClosedForm {
        /// Closed form that gives the expected value.
        form: ClosedForm,
        /// Largest relative difference from the closed form.
        tolerance: f64,
    },
}

/// Number with its position on the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedNumber {
    /// Quantity of the number.
    pub quantity: Quantity,
    /// Position of the number on the axes.
    pub at: Key,
    /// Value in the quantity's unit.
    pub value: f64,
}

impl ExpectedNumber {
    fn count(&self, axis: Axis) -> Option<u32> {
        u32::try_from(self.at.number(axis)?).ok()
    }
}

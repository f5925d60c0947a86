//! Expectations: what a file says will come out, so that it can be checked against what did.
//!
//! An expectation picks numbers by a quantity and by where they were taken, perhaps divides each by another one, and
//! says within what bounds they lie. It is judged in each world by itself, and where nothing that it picks was run it
//! is not tried. Who has numbers makes [`Number`]s of them; this module knows nothing of where they come from.

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
pub(crate) use read::{KEYS, Kind, read};
pub use small::Small;

use crate::axis::{Axis, Key, Value};
use models::budget::SystematicError;

/// What a file says beside its question: what is expected, what was found, and how a small form of it looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The systematic errors that the question is about.
    pub errors: Vec<SystematicError>,
    /// What is expected, in words.
    pub expectation: String,
    /// What was found, in words: when, on what machine, which numbers.
    pub found: String,
    /// What is expected, for a machine to check.
    pub expects: Vec<Expect>,
    /// How the file is run in a small form.
    pub small: Small,
}

/// The placeholder of the numbers in an answer.
pub const FOUND: &str = "{found}";

/// One expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// What it says, in words.
    pub says: String,
    /// Which numbers.
    pub quantity: Quantity,
    /// Of which of them.
    pub of: Vec<Condition>,
    /// Each is divided by another number: which.
    pub over: Option<Over>,
    /// What is wanted of them.
    pub wanted: Wanted,
    /// The answer of an exercise; none of other expectations.
    pub answer: Option<Answer>,
    /// The answer to the file's question if the expectation is met, with [`FOUND`] in place of the numbers. Reports begin with it.
    /// Empty where it answers nothing.
    pub answers: String,
}

/// The answer that a student writes into the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The number; none while it is open.
    Number(Option<f64>),
    /// The values of an axis at which all numbers are as wanted, while at no other value all are; none while they are open.
    At(Axis, Option<Vec<Value>>),
}

/// The number that another one is divided by: the one that differs from it in these and in nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// Another quantity, where it is another.
    pub quantity: Quantity,
    /// Where it differs.
    pub at: Vec<Condition>,
}

/// Numbers must lie at one of some values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Which.
    pub axis: Axis,
    /// The values.
    pub values: Vec<Value>,
}

/// What is wanted of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// They lie between these, ends included.
    Within(f64, f64),
    /// They are those of a closed form, but for a share of it.
    ClosedForm {
        /// Which.
        form: ClosedForm,
        /// The share.
        tolerance: f64,
    },
}

/// A number, and where it was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub quantity: Quantity,
    /// Where.
    pub at: Key,
    /// In the quantity's unit.
    pub value: f64,
}

impl Number {
    fn count(&self, axis: Axis) -> Option<u32> {
        u32::try_from(self.at.number(axis)?).ok()
    }
}

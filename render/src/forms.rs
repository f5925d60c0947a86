//! The forms of results, for tests.

use render::results::{self, Format, Look, Results};
use serde_json::Value;

/// Prints a result in a form, on a terminal of 160 columns without colours.
pub(crate) fn printed(results: &dyn Results, format: Format) -> String {
    let look = Look { width: 160, colour: false, detailed: false, more: "" };
    results::printed(results, format, look).expect("cells are written in all forms")
}

/// Prints the table as a terminal shows it.
pub(crate) fn table(results: &dyn Results) -> String {
    printed(results, Format::Table)
}

/// Returns the object that programs read.
pub(crate) fn json(results: &dyn Results) -> Value {
    serde_json::from_str(&printed(results, Format::Json)).expect("an object")
}

//! Results in every form in which they are printed.

use crate::measured::{self, Measured};
use crate::validation::{self, Validation};
use render::results::{Format, Look};
use scenario::words::fitted;
use serde::Serialize;

/// Result that is printed in every form. Its JSON is that of serde.
pub trait View: Serialize {
    /// Returns the table for readers on a terminal.
    fn table(&self, look: Look) -> String;
    /// Returns CSV for programs that read tables.
    fn csv(&self) -> String;
    /// Returns Markdown for use in documents.
    fn markdown(&self) -> String;
}

/// Prints a result in a form.
///
/// # Errors
/// Fails where JSON cannot hold the result.
pub fn printed(view: &impl View, format: Format, look: Look) -> serde_json::Result<String> {
    Ok(match format {
        Format::Table => fitted(&view.table(look), look.width),
        Format::Csv => view.csv(),
        Format::Json => serde_json::to_string(view)? + "\n",
        Format::Markdown => view.markdown(),
    })
}

impl View for Measured {
    fn table(&self, look: Look) -> String {
        let table = if look.detailed { measured::details } else { measured::table };
        table(self, look.width, look.colour)
    }

    fn csv(&self) -> String {
        measured::csv(self)
    }

    fn markdown(&self) -> String {
        measured::markdown(self)
    }
}

impl View for Validation {
    fn table(&self, look: Look) -> String {
        validation::terminal(self, look.width, look.colour, look.detailed)
    }

    fn csv(&self) -> String {
        validation::csv(self)
    }

    fn markdown(&self) -> String {
        validation::page(self).markdown()
    }
}

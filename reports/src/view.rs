//! Results in every form in which they are printed.

use crate::validation::{self, Validation};
use render::results::{Format, Look};
use scenario::words::fitted;
use serde::Serialize;

/// A result that is printed in every form. As JSON it is what serde makes of it.
pub trait View: Serialize {
    /// For people.
    fn table(&self, look: Look) -> String;
    /// For programs that read tables.
    fn csv(&self) -> String;
    /// For documents.
    fn markdown(&self) -> String;
}

/// A result in a form.
///
/// # Errors
/// What JSON cannot hold.
pub fn printed(view: &impl View, format: Format, look: Look) -> serde_json::Result<String> {
    Ok(match format {
        Format::Table => fitted(&view.table(look), look.width),
        Format::Csv => view.csv(),
        Format::Json => serde_json::to_string(view)? + "\n",
        Format::Markdown => view.markdown(),
    })
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

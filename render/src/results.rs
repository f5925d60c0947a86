//! Results in every form in which they are printed.

use crate::data::{Cell, Object, Table};
use crate::page::Page;
use crate::whence::Whence;
use scenario::words::fitted;

models::named! {
    /// A form in which results are printed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        /// Columns of text on a terminal.
        Table => "table",
        /// A line for each row, units in the heads.
        Csv => "csv",
        /// A single JSON object.
        Json => "json",
        /// Headings, sentences and tables for documents.
        Markdown => "markdown",
    }
    /// The name used in flags.
    fn name;
}

/// Look of a result on a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Number of columns of the terminal.
    pub width: usize,
    /// Whether the terminal has colours.
    pub colour: bool,
    /// Whether everything is shown, also the folded sections of pages.
    pub detailed: bool,
    /// Flag that shows everything; empty where there is none.
    pub more: &'static str,
}

impl Look {
    /// Look in a file: everything, on lines of any width.
    pub const IN_FILES: Look = Look { width: usize::MAX, colour: false, detailed: true, more: "" };
}

/// Results of a command: as a page for readers, and as typed tables for programs.
pub trait Results {
    /// Returns the answer, in a sentence; empty where there is none.
    fn answer(&self) -> String {
        self.page().answer
    }

    /// Returns sentences that must be known with the answer.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the page: the answer, the notes, sentences, views of tables and pictures, in reading order. Terminals
    /// show it without pictures and without folded sections.
    fn page(&self) -> Page;

    /// Returns the table of the CSV.
    fn rows(&self) -> Table;

    /// Returns the table of the CSV in parts with the same columns, for results whose rows together take much memory;
    /// no part where there are no rows.
    fn rows_in_parts(&self) -> Box<dyn Iterator<Item = Table> + '_> {
        Box::new(std::iter::once_with(|| self.rows()))
    }

    /// Returns the tables that JSON has beside that of the CSV.
    fn others(&self) -> Vec<Table> {
        Vec::new()
    }

    /// Returns values on the result as a whole: members of the JSON object.
    fn facts(&self) -> Vec<(&'static str, Cell)> {
        Vec::new()
    }

    /// Returns the origin of the rows, where they have one.
    fn whence(&self) -> Option<Whence> {
        None
    }

    /// Returns the result for a terminal: its page, unless it has a form of its own there.
    fn terminal(&self, look: Look) -> String {
        self.page().terminal(look)
    }

    /// Returns the rows as CSV.
    fn csv(&self) -> String {
        let whence = self.whence();
        let mut parts = self.rows_in_parts();
        let mut text = parts.next().unwrap_or_else(|| self.rows()).csv(whence.as_ref());
        parts.for_each(|part| text += &part.csv_rows(whence.as_ref()));
        text
    }
}

/// Returns a result in a form.
///
/// # Errors
/// Fails on results that JSON cannot hold.
pub fn printed(results: &dyn Results, format: Format, look: Look) -> serde_json::Result<String> {
    Ok(match format {
        Format::Table => fitted(&results.terminal(look), look.width),
        Format::Csv => results.csv(),
        Format::Json => serde_json::to_string(&Object(results))? + "\n",
        Format::Markdown => results.page().markdown(),
    })
}

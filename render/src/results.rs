//! Results in every form in which they are printed.

use crate::data::{Cell, Object, Table};
use crate::page::Page;
use crate::whence::Whence;
use scenario::words::fitted;

models::named! {
    /// A form in which results are printed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        /// Columns of a terminal.
        Table => "table",
        /// A line for each row, units in the heads.
        Csv => "csv",
        /// One object.
        Json => "json",
        /// Headings, sentences and tables for documents.
        Markdown => "markdown",
    }
    /// The name used in flags.
    fn name;
}

/// How a result stands on a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether it has colours.
    pub colour: bool,
    /// Whether everything is shown, also what pages fold.
    pub detailed: bool,
    /// The flag that shows everything; empty where there is none.
    pub more: &'static str,
}

impl Look {
    /// How it stands in a file: everything, on lines of any width.
    pub const IN_FILES: Look = Look { width: usize::MAX, colour: false, detailed: true, more: "" };
}

/// What a command found: as a page for people, and as typed tables for programs.
pub trait Results {
    /// The answer, in a sentence; empty where there is none.
    fn answer(&self) -> String;

    /// Sentences that must be known with the answer.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The answer, the notes, sentences, views of tables and pictures, in the order in which they are read. Terminals show it
    /// without pictures and without what is folded.
    fn page(&self) -> Page;

    /// The table of the CSV.
    fn rows(&self) -> Table;

    /// The tables that JSON has beside it.
    fn others(&self) -> Vec<Table> {
        Vec::new()
    }

    /// Numbers about the whole: members of the JSON object.
    fn facts(&self) -> Vec<(&'static str, Cell)> {
        Vec::new()
    }

    /// The origin of the rows, where they have one.
    fn whence(&self) -> Option<Whence> {
        None
    }

    /// The result for a terminal: its page, unless it has a form of its own there.
    fn terminal(&self, look: Look) -> String {
        self.page().terminal(look)
    }

    /// The rows as CSV.
    fn csv(&self) -> String {
        self.rows().csv(self.whence().as_ref())
    }
}

/// A result in a form.
///
/// # Errors
/// What JSON cannot hold.
pub fn printed(results: &dyn Results, format: Format, look: Look) -> serde_json::Result<String> {
    Ok(match format {
        Format::Table => fitted(&results.terminal(look), look.width),
        Format::Csv => results.csv(),
        Format::Json => serde_json::to_string(&Object(results))? + "\n",
        Format::Markdown => results.page().markdown(),
    })
}

//! Results in every form in which they are printed.

use crate::data::{self, Cell, Table};
use crate::page::Page;
use crate::whence::Whence;
use scenario::words::fitted;

models::named! {
    /// A form in which results are printed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        /// Columns of a terminal.
        Table => "table",
        /// A line for each row of the first table, units in the heads.
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
    /// The answer, sentences, views of tables and pictures, in the order in which they are read. Terminals show it without
    /// pictures and without what is folded.
    fn page(&self) -> Page;

    /// The tables, that of the CSV first.
    fn tables(&self) -> Vec<Table>;

    /// Numbers about the whole: members of the JSON object.
    fn facts(&self) -> Vec<(&'static str, Cell)> {
        Vec::new()
    }

    /// The origin of the rows, where they have one.
    fn whence(&self) -> Option<&Whence> {
        None
    }

    /// The CSV: the rows of the first table.
    fn csv(&self) -> String {
        self.tables().first().map(|table| table.csv(self.whence())).unwrap_or_default()
    }

    /// The result in a form.
    ///
    /// # Errors
    /// What JSON cannot hold.
    fn printed(&self, format: Format, look: Look) -> serde_json::Result<String> {
        Ok(match format {
            Format::Table => fitted(&self.page().terminal(look), look.width),
            Format::Csv => self.csv(),
            Format::Json => {
                let page = self.page();
                data::object(&page.answer, &page.details, &self.facts(), &self.tables(), self.whence())? + "\n"
            }
            Format::Markdown => self.page().markdown(),
        })
    }
}

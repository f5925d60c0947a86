//! In which form the numbers are printed.

use reports::measured::{Measured, csv, details, markdown, table};

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For documents.
    Markdown,
    /// A line for each number.
    Csv,
    /// One object.
    Json,
}

impl Format {
    /// What was measured, in this form.
    pub fn text(self, measured: &Measured, detailed: bool, width: usize, colour: bool) -> anyhow::Result<String> {
        Ok(match self {
            Format::Table if detailed => details(measured, width, colour),
            Format::Table => table(measured, width, colour),
            Format::Markdown => markdown(measured),
            Format::Csv => csv(measured),
            Format::Json => serde_json::to_string(measured)? + "\n",
        })
    }
}

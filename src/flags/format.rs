//! Output format of a result: one flag for all commands.

use super::one_of;
use crate::output::{look, print};
use render::results::{Format, Look, Results, printed};

/// The form of the result.
#[derive(clap::Args)]
pub struct FormatFlags {
    /// Output format: columns for reading, csv with a line for each row, json with everything, or markdown for documents
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::ALL, Format::name), default_value = "table")]
    pub format: Format,
}

impl FormatFlags {
    /// Prints a result in the format of the flag, with all details.
    pub fn print(&self, results: &dyn Results) -> anyhow::Result<()> {
        self.print_with(results, "", true)
    }

    /// Prints the result of a campaign, with all details if `details` is true. In the format `table`, the lines of
    /// `behind` follow.
    pub fn print_before(&self, results: &dyn Results, details: bool, behind: &str) -> anyhow::Result<()> {
        let behind = if self.format == Format::Table { behind } else { "" };
        Ok(print(&(printed(results, self.format, look(details))? + behind))?)
    }

    /// Prints a result. A table leaves out the parts that pages fold unless `all` is true, and names the flag `more` that
    /// shows them.
    pub fn print_with(&self, results: &dyn Results, more: &'static str, all: bool) -> anyhow::Result<()> {
        Ok(print(&printed(results, self.format, Look { more, ..look(all) })?)?)
    }
}

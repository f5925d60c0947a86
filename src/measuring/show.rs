//! In which form the numbers are printed.

use analysis::measuring::exported;
use models::method::{Method, Preset};
use reports::export;
use reports::measured::{Measured, csv, details, markdown, table};
use scenario::BadInput;
use scenario::store::Line;

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
    /// MPIPerf's fourteen columns, of the windows.
    Mpiperf,
    /// OSU's table, of the calls behind barriers.
    Osu,
    /// IMB's table, of the calls behind barriers.
    Imb,
}

impl Format {
    /// What was measured, in this form.
    pub fn text(
        self,
        lines: &[Line],
        measured: &Measured,
        detailed: bool,
        width: usize,
        colour: bool,
    ) -> anyhow::Result<String> {
        Ok(match self {
            Format::Table if detailed => details(measured, width, colour),
            Format::Table => table(measured, width, colour),
            Format::Markdown => markdown(measured),
            Format::Csv => csv(measured),
            Format::Json => serde_json::to_string(measured)? + "\n",
            Format::Mpiperf => exported(export::Format::Mpiperf, Preset::Mpiperf, lines)?,
            Format::Osu => exported(export::Format::Osu, Preset::Osu, lines)?,
            Format::Imb => exported(export::Format::Imb, Preset::Imb, lines)?,
        })
    }

    /// Refuses methods without the one that this form is made of.
    pub fn check(self, methods: &[Method]) -> Result<(), BadInput> {
        let needed = match self {
            Format::Table | Format::Markdown | Format::Csv | Format::Json => return Ok(()),
            Format::Mpiperf => Preset::Mpiperf.method(),
            Format::Osu => Preset::Osu.method(),
            Format::Imb => Preset::Imb.method(),
        };
        if methods.contains(&needed) {
            return Ok(());
        }
        Err(BadInput(format!("--format: this form is made of method {needed}; add it to --method")))
    }
}

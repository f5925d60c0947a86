//! In which form the numbers are printed.

use models::method::{Method, Preset};
use models::observation::Observation;
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

/// As a benchmark would have printed what its method measured, sizes in order.
fn exported(format: export::Format, preset: Preset, lines: &[Line]) -> anyhow::Result<String> {
    let wanted = |observation: &&Observation| {
        observation.case.method == preset.method() && observation.case.conditions.window.is_none()
    };
    let all = lines.iter().filter_map(|line| match line {
        Line::Measured(observation) => Some(observation),
        _ => None,
    });
    let mut observations: Vec<Observation> = all.filter(wanted).cloned().collect();
    observations.sort_by(|a, b| {
        let key = |case: &models::observation::Case| (case.conditions.launch, case.clone());
        key(&a.case).cmp(&key(&b.case))
    });
    let mut text = Vec::new();
    export::write(format, &observations, &mut text)?;
    Ok(String::from_utf8(text)?)
}

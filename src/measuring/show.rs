//! Output formats of measurements, and flags by which they are read.

use analysis::measuring::exported;
use formats::export;
use models::quantity::Millionths;
use programs::method::{Method, Preset};
use render::results::{Format, Look, printed};
use scenario::BadInput;
use scenario::store::Line;
use study::measured::{Measured, Reading};

/// Flags by which measurements are read, of a new campaign or of one that is kept.
#[derive(clap::Args)]
pub struct ReadingFlags {
    /// Also print each rank's numbers in each launch: starts, trimmed mean, standard error, min, max, median, intervals; with
    /// --format csv only these, which are also in per-rank.csv
    #[arg(long)]
    per_rank: bool,
    /// Confidence of all intervals, in percent: 90, 95 or 99 [default: 95; checks of clocks: 99]
    #[arg(long, value_name = "PERCENT", value_parser = confidence)]
    confidence: Option<f64>,
    /// Share of the valid starts that trimmed means drop at each end, with --per-rank or --format mpiperf [default: 25%]
    #[arg(long, value_name = "SHARE", value_parser = trim)]
    trim: Option<Millionths>,
}

impl ReadingFlags {
    /// Returns the settings that the flags choose for a format.
    ///
    /// # Errors
    /// Names a flag that has no effect on the format.
    pub fn reading(&self, form: OutputForm) -> Result<Reading, BadInput> {
        let &ReadingFlags { per_rank, confidence, trim } = self;
        let is_mpiperf = matches!(form, OutputForm::Of(export::Format::Mpiperf, _));
        let name = form.name();
        let refused = match form {
            OutputForm::Of(..) if per_rank => Some(format!("--per-rank: the form of {name} has no rows of ranks")),
            OutputForm::Of(..) if confidence.is_some() && !is_mpiperf => {
                Some(format!("--confidence: the form of {name} has no intervals"))
            }
            _ if trim.is_some() && !per_rank && !is_mpiperf => {
                let message = "--trim: trimmed means are in the rows of ranks and in MPIPerf's form";
                return Err(BadInput(format!("{message}; expected --per-rank or --format mpiperf")));
            }
            OutputForm::Own(_) | OutputForm::Of(..) => None,
        };
        match refused {
            Some(message) => {
                let own = Format::ALL.map(Format::name).join(", ");
                Err(BadInput(format!("{message}; expected one of the formats {own}")))
            }
            None => Ok(Reading { confidence, trim, per_rank }),
        }
    }
}

/// Reads one of the levels for which MPIPerf has intervals.
fn confidence(text: &str) -> Result<f64, String> {
    match text.trim().trim_end_matches('%').trim_end() {
        "90" => Ok(0.90),
        "95" => Ok(0.95),
        "99" => Ok(0.99),
        _ => Err(format!("expected 90, 95 or 99, found '{text}'")),
    }
}

fn trim(text: &str) -> Result<Millionths, String> {
    let share = Millionths::parse_share(text)?;
    Some(share)
        .filter(|share| share.0 < 500_000)
        .ok_or_else(|| format!("expected a share of 0 to less than 50 % at each end, found '{text}'"))
}

/// Output format of any result, or that of another benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// Format that any result has.
    Own(Format),
    /// Format of a benchmark, for the measurements of its method.
    Of(export::Format, Preset),
}

impl OutputForm {
    /// Returns all formats, in the order of help.
    pub fn all() -> Vec<OutputForm> {
        let of_benchmarks = [
            OutputForm::Of(export::Format::Mpiperf, Preset::Mpiperf),
            OutputForm::Of(export::Format::Osu, Preset::Osu),
            OutputForm::Of(export::Format::Imb, Preset::Imb),
        ];
        Format::ALL.into_iter().map(OutputForm::Own).chain(of_benchmarks).collect()
    }

    /// Returns the name used in flags.
    pub fn name(self) -> &'static str {
        match self {
            OutputForm::Own(format) => format.name(),
            OutputForm::Of(_, preset) => preset.name(),
        }
    }

    /// Returns the measurements as text in this format.
    pub fn text(self, lines: &[Line], measured: &Measured, look: Look) -> anyhow::Result<String> {
        match self {
            OutputForm::Own(Format::Csv) if measured.reading.per_rank => Ok(measured.per_rank_csv()),
            OutputForm::Own(format) => Ok(printed(measured, format, look)?),
            OutputForm::Of(format, preset) => exported(format, preset, lines, measured.reading.of_mpiperf()),
        }
    }

    /// Refuses methods that lack the one from which this format is made.
    pub fn check(self, methods: &[Method]) -> Result<(), BadInput> {
        match self {
            OutputForm::Of(_, preset) if !methods.contains(&preset.method()) => {
                let needed = preset.method();
                Err(BadInput(format!("--format: this form is made of method {needed}; add it to --method")))
            }
            OutputForm::Own(_) | OutputForm::Of(..) => Ok(()),
        }
    }
}

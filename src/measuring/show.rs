//! Output formats of measurements.

use analysis::measuring::exported;
use formats::export;
use programs::method::{Method, Preset};
use render::results::{Format, Look, printed};
use scenario::BadInput;
use scenario::store::Line;
use study::measured::Measured;

/// Output format of any result, or that of another benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// Format that any result has.
    Own(Format),
    /// Format of a benchmark, for the measurements of its method.
    Of(export::Format, Preset),
}

impl OutputForm {
    /// All formats, in the order of help.
    pub const ALL: [OutputForm; 7] = [
        OutputForm::Own(Format::Table),
        OutputForm::Own(Format::Markdown),
        OutputForm::Own(Format::Csv),
        OutputForm::Own(Format::Json),
        OutputForm::Of(export::Format::Mpiperf, Preset::Mpiperf),
        OutputForm::Of(export::Format::Osu, Preset::Osu),
        OutputForm::Of(export::Format::Imb, Preset::Imb),
    ];

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
            OutputForm::Own(format) => Ok(printed(measured, format, look)?),
            OutputForm::Of(format, preset) => exported(format, preset, lines),
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

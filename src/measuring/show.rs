//! Output formats of measurements.

use analysis::measuring::exported;
use formats::export;
use models::method::{Method, Preset};
use render::results::{Format, Look, printed};
use scenario::BadInput;
use scenario::store::Line;
use study::measured::Measured;

/// Output format of any result, or that of another benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Format that any result has.
    Own(Format),
    /// Format of a benchmark, for the measurements of its method.
    Of(export::Format, Preset),
}

impl Form {
    /// All formats, in the order of help.
    pub const ALL: [Form; 7] = [
        Form::Own(Format::Table),
        Form::Own(Format::Markdown),
        Form::Own(Format::Csv),
        Form::Own(Format::Json),
        Form::Of(export::Format::Mpiperf, Preset::Mpiperf),
        Form::Of(export::Format::Osu, Preset::Osu),
        Form::Of(export::Format::Imb, Preset::Imb),
    ];

    /// Returns the name used in flags.
    pub fn name(self) -> &'static str {
        match self {
            Form::Own(format) => format.name(),
            Form::Of(_, preset) => preset.name(),
        }
    }

    /// Returns the measurements as text in this format.
    pub fn text(self, lines: &[Line], measured: &Measured, look: Look) -> anyhow::Result<String> {
        match self {
            Form::Own(format) => Ok(printed(measured, format, look)?),
            Form::Of(format, preset) => exported(format, preset, lines),
        }
    }

    /// Refuses methods that lack the one from which this format is made.
    pub fn check(self, methods: &[Method]) -> Result<(), BadInput> {
        match self {
            Form::Of(_, preset) if !methods.contains(&preset.method()) => {
                let needed = preset.method();
                Err(BadInput(format!("--format: this form is made of method {needed}; add it to --method")))
            }
            Form::Own(_) | Form::Of(..) => Ok(()),
        }
    }
}

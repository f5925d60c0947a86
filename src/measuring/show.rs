//! In which form the numbers are printed.

use analysis::measuring::exported;
use models::method::{Method, Preset};
use render::results::{Format, Look, printed};
use reports::export;
use reports::measured::Measured;
use scenario::BadInput;
use scenario::store::Line;

/// A form of any result, or another benchmark's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Of any result.
    Own(Format),
    /// As a benchmark prints what its method measures.
    Of(export::Format, Preset),
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 7] = [
        Form::Own(Format::Table),
        Form::Own(Format::Markdown),
        Form::Own(Format::Csv),
        Form::Own(Format::Json),
        Form::Of(export::Format::Mpiperf, Preset::Mpiperf),
        Form::Of(export::Format::Osu, Preset::Osu),
        Form::Of(export::Format::Imb, Preset::Imb),
    ];

    /// The name used in flags.
    pub fn name(self) -> &'static str {
        match self {
            Form::Own(format) => format.name(),
            Form::Of(_, preset) => preset.name(),
        }
    }

    /// What was measured, in this form.
    pub fn text(self, lines: &[Line], measured: &Measured, look: Look) -> anyhow::Result<String> {
        match self {
            Form::Own(format) => Ok(printed(measured, format, look)?),
            Form::Of(format, preset) => exported(format, preset, lines),
        }
    }

    /// Refuses methods without the one that this form is made of.
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

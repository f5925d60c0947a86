//! Pictures and trace files of any simulated run: the activities of each rank over time, and the messages.
//!
//! The ending of a file's name determines its format; [`Format`] lists the endings.

mod choice;
mod chrome;
#[cfg(test)]
mod fixture;
mod in_time;
mod lanes;
mod legend;
mod look;
mod page;
mod paje;
mod picture;
mod said;
mod svg;
#[cfg(test)]
mod tests;

use lanes::Lanes;
use models::time::Time;
use picture::Picture;
use programs::trace::Trace;
use render::ending::ending;
use render::plots::{Drawing, Form, Paper, printed};
pub use said::TELLING;
use std::io::{self, Write};
use std::path::Path;

/// Form in which a trace can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.html`: a page with the timeline, which zooms, and a table of each rank's times.
    Page,
    /// `.svg`, `.pdf`, `.png`: the timeline.
    Picture(Form),
    /// `.json`: Chrome trace events, for Perfetto (ui.perfetto.dev) and `chrome://tracing`.
    Chrome,
    /// `.paje` or `.trace`: Paje, for ViTE and pajeng.
    Paje,
}

impl Format {
    /// Returns the format that a file's ending names, in capitals or not.
    ///
    /// # Errors
    /// Fails for any other ending.
    pub fn from_path(path: &Path) -> Result<Format, String> {
        ending(
            path,
            &[
                ("html", "page with a timeline that zooms", Format::Page),
                ("svg", "timeline", Format::Picture(Form::Svg)),
                ("pdf", "the same for documents", Format::Picture(Form::Pdf)),
                ("png", "the same as dots", Format::Picture(Form::Png)),
                ("json", "Chrome trace events, for Perfetto", Format::Chrome),
                ("paje", "Paje, for ViTE", Format::Paje),
                ("trace", "the same", Format::Paje),
            ],
        )
    }
}

/// Writes a trace in the format that the file's ending names, a picture as its paper asks. The file is complete or
/// absent.
///
/// # Errors
/// Fails for an ending that names no format, for a picture that [`printed`] refuses, and where the system cannot write
/// the file.
pub fn write(path: &Path, trace: &Trace, paper: &Paper) -> Result<(), String> {
    let fill: Fill = match Format::from_path(path)? {
        Format::Page => bytes(page(trace).map_err(|error| error.to_string())?.into_bytes()),
        Format::Picture(form) => {
            let picture = printed(&picture(trace, paper), paper, form);
            bytes(picture.map_err(|error| format!("{}: {error}", path.display()))?)
        }
        Format::Chrome => Box::new(|file| chrome::write(trace, file)),
        Format::Paje => Box::new(|file| paje::write(trace, file)),
    };
    render::ending::write(path, fill)
}

/// A function that writes the content of a file.
type Fill<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

fn bytes(content: Vec<u8>) -> Fill<'static> {
    Box::new(move |file| file.write_all(&content))
}

/// The timeline as SVG, with title and caption where its paper wants a title. The same trace yields the same bytes.
pub fn picture(trace: &Trace, paper: &Paper) -> String {
    Picture::lay_out(&Lanes::from_trace(trace), paper, None).svg(true)
}

/// Options of a timeline within a report.
pub struct Within {
    /// End of the time axis, shared by pictures that are to be compared.
    pub until: Time,
    /// Caption, which the report prints below the picture.
    pub caption: String,
    /// Rank that the caption is about.
    pub told: Option<u32>,
    /// The root of all calls, where there is one.
    pub root: Option<u32>,
    /// Headings of the method's number and of the number that it is compared with.
    pub heads: [&'static str; 2],
}

/// The timeline as a figure of a report.
pub fn drawing(trace: Trace, within: Within) -> Drawing {
    Drawing::new(move |paper| Picture::lay_out(&Lanes::from_trace(&trace), paper, Some(&within)).svg(true))
}

/// Returns a self-contained page: the timeline, which zooms, and the times of each rank in each activity.
///
/// # Errors
/// Only where the template itself is broken; no trace can cause it.
pub fn page(trace: &Trace) -> Result<String, minijinja::Error> {
    page::render(trace)
}

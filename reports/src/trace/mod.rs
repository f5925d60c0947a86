//! Pictures and trace files of any simulated run: what each rank did when, and which messages flew.
//!
//! The ending of a file's name says what it holds; [`Format`] lists the endings.

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
use models::trace::Trace;
use picture::Picture;
use render::ending::ending;
use render::plots::{Drawing, Form, Paper, printed};
pub(crate) use said::TELLING;
use std::io::{self, Write};
use std::path::Path;

/// What a trace can be written as.
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
    /// The format that a file's ending names, in capitals or not.
    ///
    /// # Errors
    /// Any other ending.
    pub fn of(path: &Path) -> Result<Format, String> {
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

/// Writes a trace in the format that the file's ending names, a picture as its paper asks. The file is whole or not there.
///
/// # Errors
/// An ending that names no format; what [`printed`] refuses; what the system says.
pub fn write(path: &Path, trace: &Trace, paper: &Paper) -> Result<(), String> {
    let fill: Fill = match Format::of(path)? {
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

/// Writes what a file is to hold.
type Fill<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

fn bytes(content: Vec<u8>) -> Fill<'static> {
    Box::new(move |file| file.write_all(&content))
}

/// The timeline as SVG, with title and caption where its paper wants a title. The same trace yields the same bytes.
pub fn picture(trace: &Trace, paper: &Paper) -> String {
    Picture::of(&Lanes::of(trace), paper, None).svg(true)
}

/// A timeline that stands in a report.
pub(crate) struct Within {
    /// Where time ends at the right: shared by pictures that are to be compared.
    pub until: Time,
    /// What it tells; the report prints it below the picture.
    pub caption: String,
    /// The rank that it is about.
    pub told: Option<u32>,
    /// The root of all calls, where there is one.
    pub root: Option<u32>,
    /// Headings of what the method says and of what that is held against.
    pub heads: [&'static str; 2],
}

/// The timeline as a figure of a report.
pub(crate) fn drawing(trace: Trace, within: Within) -> Drawing {
    Drawing::new(move |paper| Picture::of(&Lanes::of(&trace), paper, Some(&within)).svg(true))
}

/// A page that needs nothing else: the timeline, which zooms, and how each rank spent its time.
///
/// # Errors
/// Only where the template itself is broken; no trace can cause it.
pub fn page(trace: &Trace) -> Result<String, minijinja::Error> {
    page::render(trace)
}

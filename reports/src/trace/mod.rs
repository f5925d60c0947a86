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
mod svg;
#[cfg(test)]
mod tests;

use lanes::Lanes;
use models::trace::Trace;
use picture::Picture;
use scenario::files::write_whole;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a trace can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.html`: a page with the timeline, which zooms, and a table of each rank's times.
    Page,
    /// `.svg`: the timeline.
    Picture,
    /// `.json`: Chrome trace events, for Perfetto (ui.perfetto.dev) and `chrome://tracing`.
    Chrome,
    /// `.paje` or `.trace`: Paje, for ViTE and pajeng.
    Paje,
}

/// A trace could not be written.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The file's name does not say what it is to hold.
    #[error(
        "{}: a trace cannot be written under this name, as its ending says the format; known are .html (page with a \
         timeline that zooms), .svg (timeline), .json (Chrome trace events, for Perfetto), .paje and .trace (Paje, \
         for ViTE)",
        .0.display()
    )]
    Ending(PathBuf),
    /// The file could not be written.
    #[error("{}: the trace cannot be written: {source}; choose a folder that exists and can be written to", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The template of the page is broken.
    #[error("the trace's page could not be filled in: {0}; its template page.html is at fault")]
    Template(#[from] minijinja::Error),
}

impl Format {
    /// The format that a file's ending names, in capitals or not.
    ///
    /// # Errors
    /// [`TraceError::Ending`] for any other ending.
    pub fn of(path: &Path) -> Result<Format, TraceError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            "html" => Ok(Format::Page),
            "svg" => Ok(Format::Picture),
            "json" => Ok(Format::Chrome),
            "paje" | "trace" => Ok(Format::Paje),
            _ => Err(TraceError::Ending(path.to_owned())),
        }
    }
}

/// Writes a trace in the format that the file's ending names. The file is whole or not there.
///
/// # Errors
/// [`TraceError::Ending`] where the ending names no format, [`TraceError::Io`] where the file cannot be written.
pub fn write(path: &Path, trace: &Trace) -> Result<(), TraceError> {
    let format = Format::of(path)?;
    let fill: Fill = match format {
        Format::Page => text(page(trace)?),
        Format::Picture => text(picture(trace)),
        Format::Chrome => Box::new(|file| chrome::write(trace, file)),
        Format::Paje => Box::new(|file| paje::write(trace, file)),
    };
    write_whole(path, fill).map_err(|source| TraceError::Io { path: path.to_owned(), source })
}

/// Writes what a file is to hold.
type Fill<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

fn text(text: String) -> Fill<'static> {
    Box::new(move |file| file.write_all(text.as_bytes()))
}

/// The timeline as SVG, with title and caption. The same trace yields the same bytes.
pub fn picture(trace: &Trace) -> String {
    Picture::of(&Lanes::of(trace)).svg(true)
}

/// A page that needs nothing else: the timeline, which zooms, and how each rank spent its time.
///
/// # Errors
/// Only where the template itself is broken; no trace can cause it.
pub fn page(trace: &Trace) -> Result<String, minijinja::Error> {
    page::render(trace)
}

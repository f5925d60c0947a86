//! Cost curves: the time of each algorithm over ranks or message lengths, and where another one becomes the cheapest.

mod draw;
mod envelope;
mod looks;
mod tables;
#[cfg(test)]
mod tests;

pub use draw::draw;
pub use envelope::{Crossover, Stretch, cheapest, crossovers};
pub use tables::{csv, html_table, page, text_table};

use crate::plots::numbers::{bytes, significant};
use scenario::files::write_whole;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

models::named! {
    /// What the times are plotted over.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Over {
        /// The message length in bytes.
        Bytes => "bytes", "message length",
        /// The number of ranks P.
        Ranks => "ranks", "ranks",
    }
    /// The heading of a column of places, and the name used in flags.
    fn name;
    /// The words of the axis.
    fn words;
}

/// The times of one algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The algorithm's name.
    pub name: String,
    /// Ranks or bytes, and the time in µs. In any order; what is not finite is left out, and of several times at one
    /// place the shortest counts.
    pub points: Vec<(f64, f64)>,
}

/// Curves to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is compared, for a heading.
    pub title: String,
    /// What the times are and under which circumstances they hold: one sentence each, for below the heading.
    pub notes: Vec<String>,
    /// What the curves' places are.
    pub over: Over,
    /// One curve for each algorithm; of equally cheap ones the first is said to be the cheapest.
    pub curves: Vec<Curve>,
}

/// A chart could not be written.
#[derive(Debug, Error)]
pub enum CurvesError {
    /// The file's name does not say what it is to hold.
    #[error(
        "{}: curves cannot be written under this name, as its ending says the format; known are .html (page with \
         plot and tables), .svg (plot) and .csv (data)", .0.display()
    )]
    Ending(PathBuf),
    /// A file could not be written.
    #[error(
        "{}: the curves cannot be written: {source}; choose a folder that exists and can be written to",
        path.display()
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The template of the page is broken.
    #[error("the page of curves could not be filled in: {0}; its template page.html is at fault")]
    Template(#[from] minijinja::Error),
}

/// Writes a chart in the format that the file's ending names, and beside a plot or a page its data as `.csv`.
/// Returns the files. Each is whole or not there.
///
/// # Errors
/// [`CurvesError::Ending`] where the ending names no format, [`CurvesError::Io`] where a file cannot be written.
pub fn write(path: &Path, chart: &Chart) -> Result<Vec<PathBuf>, CurvesError> {
    let mut files = match Ending::of(path)? {
        Ending::Html => vec![(path.to_owned(), page(chart)?)],
        Ending::Svg => vec![(path.to_owned(), draw(chart))],
        Ending::Csv => Vec::new(),
    };
    let data = if files.is_empty() { path.to_owned() } else { path.with_extension("csv") };
    files.push((data, csv(chart)));
    for (path, text) in &files {
        write_whole(path, |file| file.write_all(text.as_bytes()))
            .map_err(|source| CurvesError::Io { path: path.clone(), source })?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// Checks, before anything is worked out, that a chart can be written under this name.
///
/// # Errors
/// [`CurvesError::Ending`] where the ending names no format.
pub fn check(path: &Path) -> Result<(), CurvesError> {
    Ending::of(path).map(|_| ())
}

/// The formats by the endings of their files.
enum Ending {
    Html,
    Svg,
    Csv,
}

impl Ending {
    fn of(path: &Path) -> Result<Ending, CurvesError> {
        match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
            "html" => Ok(Ending::Html),
            "svg" => Ok(Ending::Svg),
            "csv" => Ok(Ending::Csv),
            _ => Err(CurvesError::Ending(path.to_owned())),
        }
    }
}

/// A number of bytes in the largest binary unit that divides it, for headings: `64 KiB`, `1000 B`.
pub fn length(length: u64) -> String {
    bytes(length)
}

impl Curve {
    /// The points that count, from left to right.
    fn clean(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> =
            self.points.iter().copied().filter(|(x, us)| x.is_finite() && us.is_finite()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points.dedup_by(|later, first| later.0 == first.0);
        points
    }
}

impl Over {
    /// A place with three significant digits: `11.3 KiB`, `24.0`; whole ones in full.
    fn print(self, x: f64) -> String {
        let whole = x >= 0.0 && x.fract() == 0.0 && x < 1e15;
        match self {
            Over::Ranks if whole => format!("{x}"),
            Over::Ranks => significant(x),
            Over::Bytes if whole && (x < 1024.0 || (x as u64).is_multiple_of(1024)) => bytes(x as u64),
            Over::Bytes => {
                let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];
                let fits = units.into_iter().find(|(_, power)| x >= f64::from(1u32 << power));
                let (unit, power) = fits.unwrap_or(("B", 0));
                format!("{} {unit}", significant(x / f64::from(1u32 << power)))
            }
        }
    }
}

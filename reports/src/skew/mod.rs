//! Exit skew: how far apart ranks leave a collective, from their finish times.

mod draw;
mod tables;
#[cfg(test)]
mod tests;

pub use draw::draw;
pub use tables::{json, page, text_table};

use models::time::{Span, Time};
use scenario::files::write_whole;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The quantiles of a [`Distribution`] beyond its ends, in percent.
const QUANTILES: [usize; 5] = [1, 25, 50, 75, 99];

/// Exits of one algorithm under the same circumstances, as they come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exits {
    skews: Vec<Span>,
    delays: Vec<Span>,
}

impl Exits {
    /// Takes in one call: when each rank left it.
    pub fn add(&mut self, finish: &[Time]) {
        let Some(first) = finish.iter().copied().min() else { return };
        let delays = finish.iter().map(|time| time.since(first));
        self.skews.extend(delays.clone().max());
        self.delays.extend(delays);
    }

    /// How they are distributed; none where nothing was taken in.
    pub fn distributions(mut self) -> Option<(Distribution, Distribution)> {
        Some((Distribution::of(&mut self.skews)?, Distribution::of(&mut self.delays)?))
    }
}

/// A distribution of durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// How many were taken in.
    pub count: usize,
    /// The shortest.
    pub min: Span,
    /// The shortest that a hundredth of them does not exceed.
    pub p01: Span,
    /// … a quarter …
    pub p25: Span,
    /// … half of them …
    pub median: Span,
    /// … three quarters …
    pub p75: Span,
    /// … and 99 hundredths.
    pub p99: Span,
    /// The mean, rounded to the nearest ps.
    pub mean: Span,
    /// The longest.
    pub max: Span,
}

impl Distribution {
    /// Of durations, which are left in another order; none of none.
    pub fn of(spans: &mut [Span]) -> Option<Distribution> {
        let count = spans.len();
        let (min, max) = (*spans.iter().min()?, *spans.iter().max()?);
        let sum: u128 = spans.iter().map(|span| u128::from(span.0)).sum();
        let mean = Span(((sum + count as u128 / 2) / count as u128) as u64);
        let [p01, p25, median, p75, p99] = QUANTILES.map(|percent| {
            let index = (count * percent).div_ceil(100).max(1) - 1;
            *spans.select_nth_unstable(index).1
        });
        Some(Distribution { count, min, p01, p25, median, p75, p99, mean, max })
    }
}

/// One algorithm under one set of circumstances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The algorithm's name.
    pub algorithm: String,
    /// True if its ranks were disturbed.
    pub noise: bool,
    /// Last exit − first exit, of each realisation.
    pub skew: Distribution,
    /// Each rank's exit after the first one, of all realisations.
    pub delay: Distribution,
}

/// Exit skews to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skew {
    /// What is compared, for a heading.
    pub title: String,
    /// Under which circumstances: one sentence each.
    pub notes: Vec<String>,
    /// The quiet and the disturbed of one algorithm follow each other.
    pub rows: Vec<Row>,
}

/// A picture of exit skews could not be written.
#[derive(Debug, Error)]
pub enum SkewError {
    /// The file's name does not say what it is to hold.
    #[error(
        "{}: exit skews cannot be written under this name, as its ending says the format; known are .html (page with \
         picture and table) and .svg (picture)", .0.display()
    )]
    Ending(PathBuf),
    /// The file could not be written.
    #[error(
        "{}: the exit skews cannot be written: {source}; choose a folder that exists and can be written to",
        path.display()
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The template of the page is broken.
    #[error("the page of exit skews could not be filled in: {0}; its template page.html is at fault")]
    Template(#[from] minijinja::Error),
}

/// Writes the picture, or the page, as the file's ending says. The file is whole or not there.
///
/// # Errors
/// As [`check`], and [`SkewError::Io`] where the file cannot be written.
pub fn write(path: &Path, skew: &Skew) -> Result<(), SkewError> {
    let text = if is_page(path)? { page(skew)? } else { draw(skew) };
    write_whole(path, |file| file.write_all(text.as_bytes()))
        .map_err(|source| SkewError::Io { path: path.to_owned(), source })
}

/// Checks, before anything is worked out, that skews can be written under this name.
///
/// # Errors
/// [`SkewError::Ending`] where the ending names no format.
pub fn check(path: &Path) -> Result<(), SkewError> {
    is_page(path).map(|_| ())
}

fn is_page(path: &Path) -> Result<bool, SkewError> {
    match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
        "html" => Ok(true),
        "svg" => Ok(false),
        _ => Err(SkewError::Ending(path.to_owned())),
    }
}

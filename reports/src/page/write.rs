//! From a page to its files.

use super::{Figure, Page, Section};
use crate::template::fill;
use minijinja::value::Serde;
use scenario::files::write_whole;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A page could not be written.
#[derive(Debug, Error)]
pub enum PageError {
    /// Only where the template itself is broken.
    #[error("the page could not be filled in: {0}; its template page/page.html is at fault")]
    Template(#[from] minijinja::Error),
    /// The disk.
    #[error("cannot write {path}: {error}")]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// The folder of pictures and their numbers, beside the page.
const PICTURES: &str = "pictures";

/// A page and what is the same on all.
#[derive(Serialize)]
struct Whole<'a> {
    version: &'static str,
    pictures: &'static str,
    page: &'a Page,
}

impl Section {
    /// Its figures and those of its parts.
    fn all_figures<'a>(&'a self, all: &mut Vec<&'a Figure>) {
        all.extend(&self.figures);
        self.more.parts.iter().for_each(|part| part.all_figures(all));
    }
}

impl Page {
    /// The page as HTML. The same page yields the same bytes.
    ///
    /// # Errors
    /// Only where the template itself is broken.
    pub fn html(&self) -> Result<String, PageError> {
        let whole = Whole { version: env!("CARGO_PKG_VERSION"), pictures: PICTURES, page: self };
        Ok(fill(include_str!("page.html"), Serde(whole))?)
    }

    /// Writes `report.html` into a folder, and every picture with its numbers into `pictures/` there; the page's path.
    ///
    /// # Errors
    /// What cannot be written. What was there before stays as it was, or is replaced whole.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, PageError> {
        let put = |path: PathBuf, text: &str| {
            let written = write_whole(&path, |file| file.write_all(text.as_bytes()));
            written.map_err(|error| PageError::Write { path: path.clone(), error }).map(|()| path)
        };
        let pictures = folder.join(PICTURES);
        let mut figures = Vec::new();
        self.sections.iter().for_each(|section| section.all_figures(&mut figures));
        if !figures.is_empty() {
            let made = std::fs::create_dir_all(&pictures);
            made.map_err(|error| PageError::Write { path: pictures.clone(), error })?;
        }
        for figure in figures {
            put(pictures.join(format!("{}.svg", figure.name)), &figure.svg)?;
            put(pictures.join(format!("{}.csv", figure.name)), &figure.csv)?;
        }
        put(folder.join("report.html"), &self.html()?)
    }
}

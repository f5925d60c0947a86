//! From a page to its files.

use super::{Figure, Page, Section};
use crate::plots::{Form, Paper};
use crate::template::Templates;
use crate::whence::Whence;
use minijinja::value::Serde;
use scenario::files::write_whole;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of a page's file in its folder.
pub const FILE: &str = "report.html";

/// The reason why a page could not be written.
#[derive(Debug, Error)]
pub enum PageError {
    /// The template itself is broken, which no page can cause.
    #[error("the page could not be filled in: {0}; its template in page/ is at fault")]
    Template(#[from] minijinja::Error),
    /// A picture could not be converted into the form of its file.
    #[error("{path}: {error}")]
    Print {
        /// Path of the picture's file.
        path: PathBuf,
        /// Reason of the failure.
        error: String,
    },
    /// A file could not be written to the disk.
    #[error("cannot write {path}: {error}")]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Reason of the failure.
        error: io::Error,
    },
}

/// Folder of pictures and their numbers, beside the page.
const PICTURES: &str = "pictures";

/// Values of the template of a page: all but its sections, which are filled in one by one, so that the values of the
/// largest alone are in memory.
#[derive(Serialize)]
struct Whole<'a> {
    version: &'static str,
    page: &'a Page,
    /// Target and heading of each section that has a heading.
    contents: Vec<(String, &'a str)>,
    /// Text in the place of the sections.
    sections: &'static str,
}

/// Values of the template of a section.
#[derive(Serialize)]
struct Part<'a> {
    id: String,
    section: &'a Section,
    pictures: &'static str,
    /// Ending of the pictures' files.
    form: &'static str,
}

/// Place of the sections in the page, which no escaped text holds.
const SECTIONS: &str = "<sections/>";

impl Section {
    /// Collects the figures of the section and of its parts.
    fn all_figures<'a>(&'a self, all: &mut Vec<&'a Figure>) {
        all.extend(&self.figures);
        self.more.parts.iter().for_each(|part| part.all_figures(all));
    }
}

impl Page {
    /// Returns the page as HTML. The same page yields the same bytes.
    ///
    /// # Errors
    /// Fails only where the template itself is broken.
    pub fn html(&self) -> Result<String, PageError> {
        self.html_with(Form::Svg)
    }

    /// Returns the page as HTML with links to pictures in files of this form.
    fn html_with(&self, form: Form) -> Result<String, PageError> {
        Ok(self.parts(form)?.collect::<Result<String, _>>()?)
    }

    /// Returns the HTML of the page part by part: what is above the sections, each section, and what is below.
    fn parts(&self, form: Form) -> Result<impl Iterator<Item = Result<String, minijinja::Error>>, minijinja::Error> {
        let templates =
            Templates::new([("page.html", include_str!("page.html")), ("section.html", include_str!("section.html"))])?;
        let ids = self.sections.iter().enumerate().map(|(index, section)| match section.more.id.as_str() {
            "" => format!("section-{}", index + 1),
            id => id.to_owned(),
        });
        let with_headings = ids.clone().zip(&self.sections).filter(|(_, section)| !section.heading.is_empty());
        let contents = with_headings.map(|(id, section)| (id, section.heading.as_str())).collect();
        let whole = Whole { version: env!("CARGO_PKG_VERSION"), page: self, contents, sections: SECTIONS };
        let page = templates.fill("page.html", Serde(whole))?;
        let (above, below) = page.split_once(SECTIONS).expect("the template has a place for the sections");
        let section = move |(id, section)| {
            let values = Part { id, section, pictures: PICTURES, form: form.name() };
            Ok(templates.fill("section.html", Serde(values))? + "\n")
        };
        let [above, below] = [above, below].map(|end| std::iter::once(Ok(end.to_owned())));
        Ok(above.chain(ids.zip(&self.sections).map(section)).chain(below))
    }

    /// Returns all figures of the page, from the top.
    pub fn figures(&self) -> Vec<&Figure> {
        let mut figures = Vec::new();
        self.sections.iter().for_each(|section| section.all_figures(&mut figures));
        figures
    }

    /// Writes `report.html` into a folder, and every picture with its numbers into `pictures/` there; returns the
    /// page's path.
    ///
    /// # Errors
    /// Fails on files that cannot be written. Files that existed before stay as they were, or are replaced whole.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, PageError> {
        self.write_on(&Paper::default(), folder)
    }

    /// Writes the page as [`Page::write`] does, with the files of the pictures as their paper sets them; pictures on
    /// the page stay as they are.
    ///
    /// # Errors
    /// Fails where [`Page::write`] does, and where [`crate::plots::printed`] does.
    pub fn write_on(&self, paper: &Paper, folder: &Path) -> Result<PathBuf, PageError> {
        let put = |path: PathBuf, content: &[u8]| {
            let written = write_whole(&path, |file| file.write_all(content));
            written.map_err(|error| PageError::Write { path: path.clone(), error }).map(|()| path)
        };
        let form = paper.form.unwrap_or(Form::Svg);
        let pictures = folder.join(PICTURES);
        let figures = self.figures();
        if !figures.is_empty() {
            let made = std::fs::create_dir_all(&pictures);
            made.map_err(|error| PageError::Write { path: pictures.clone(), error })?;
        }
        let whence = Whence::from_facts(&self.environment);
        for figure in figures {
            let path = pictures.join(format!("{}.{}", figure.name, form.name()));
            let picture = figure.drawing.file(paper, form);
            let picture = picture.map_err(|error| PageError::Print { path: path.clone(), error })?;
            put(path, &picture)?;
            put(pictures.join(format!("{}.csv", figure.name)), figure.numbers.csv(Some(&whence)).as_bytes())?;
        }
        let (path, mut parts) = (folder.join(FILE), self.parts(form)?);
        let written = write_whole(&path, |file| {
            parts.try_for_each(|part| file.write_all(part.map_err(io::Error::other)?.as_bytes()))
        });
        written.map_err(|error| PageError::Write { path: path.clone(), error }).map(|()| path)
    }
}

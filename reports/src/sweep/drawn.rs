//! What a sweep shows beyond its rows, in every form: words, a page, a picture, numbers.

use super::file::holds_rows;
use crate::ending::{ending, write};
use crate::page::{Figure, Page, PageError, Section};
use crate::table::Table;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A picture with the words and the numbers that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What is compared.
    pub title: String,
    /// What the numbers are and under which circumstances they hold: one sentence each.
    pub notes: Vec<String>,
    /// How the picture is to be read.
    pub caption: &'static str,
    /// The picture as SVG.
    pub svg: String,
    /// For people.
    pub tables: Vec<Table>,
    /// What the tables do not say.
    pub remarks: Vec<String>,
    /// For other programs.
    pub csv: String,
    /// The same as one object.
    pub json: Value,
}

impl Drawn {
    /// For a terminal.
    pub fn text(&self) -> String {
        let notes = self.notes.iter().map(|note| format!("  {note}\n"));
        let tables = self.tables.iter().map(Table::text);
        let remarks = self.remarks.iter().map(|remark| format!("{remark}\n"));
        format!("{}\n{}", self.title, notes.chain(tables).chain(remarks).collect::<String>())
    }

    /// A page that needs nothing else.
    ///
    /// # Errors
    /// Only where the template itself is broken.
    pub fn page(&self) -> Result<String, PageError> {
        let figure = Figure { caption: self.caption.to_owned(), svg: self.svg.clone(), ..Figure::default() };
        let section = Section::new("Picture and numbers").with_paragraphs(self.remarks.clone());
        let page = Page {
            question: self.title.clone(),
            details: self.notes.clone(),
            origin: "Simulated".to_owned(),
            sections: vec![section.with_figures([figure]).with_tables(self.tables.clone())],
            ..Page::default()
        };
        page.html()
    }

    /// Writes what the file's ending names, and beside a page or a picture its numbers as `.csv`; the files. Each is whole or
    /// not there.
    ///
    /// # Errors
    /// As [`drawn_as`]; what the system says.
    pub fn write(&self, path: &Path) -> Result<Vec<PathBuf>, String> {
        let numbers = (path.with_extension("csv"), self.csv.clone());
        let files = match drawn_as(path)? {
            "html" => vec![(path.to_owned(), self.page().map_err(|error| error.to_string())?), numbers],
            "svg" => vec![(path.to_owned(), self.svg.clone()), numbers],
            _ => vec![(path.to_owned(), self.csv.clone())],
        };
        if let Some((path, _)) = files.iter().find(|(path, _)| holds_rows(path)) {
            return Err(format!("{} holds the rows of a sweep; name another file", path.display()));
        }
        for (path, text) in &files {
            write(path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

/// What a file of this name is to hold: `html`, `svg` or `csv`.
///
/// # Errors
/// An ending that names no form.
pub fn drawn_as(path: &Path) -> Result<&'static str, String> {
    let page = "page with picture and tables";
    ending(path, &[("html", page, "html"), ("svg", "picture", "svg"), ("csv", "numbers", "csv")])
}

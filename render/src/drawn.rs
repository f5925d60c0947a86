//! A picture with its words and numbers, in every form: text, a page, a picture, a file of numbers.

use crate::columns;
use crate::data::Table;
use crate::ending::{ending, write};
use crate::page::{Figure, Page, PageError, Section};
use crate::plots::{Drawing, Form, Paper};
use crate::results::Results;
use crate::table;
use programs::observation::{Carrier, World};
use scenario::axis::{Axis, Key};
use std::path::{Path, PathBuf};

/// A picture with the words and the numbers that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Heading that says what is compared.
    pub title: String,
    /// Question that the picture answers.
    pub question: &'static str,
    /// Notes on the meaning of the numbers and on the circumstances under which they hold, one sentence each.
    pub notes: Vec<String>,
    /// Origin of the numbers, for example `Simulated`.
    pub origin: &'static str,
    /// Explanation of how the picture is to be read.
    pub caption: &'static str,
    /// Picture, drawn when it is written.
    pub drawing: Drawing,
    /// Tables laid out for readers.
    pub tables: Vec<table::Table>,
    /// Remarks that the tables do not contain.
    pub remarks: Vec<String>,
    /// Numbers that the picture shows.
    pub rows: Table,
    /// Tables of results derived from the rows, such as crossovers.
    pub others: Vec<Table>,
}

/// Origin of the numbers of sweeps.
pub const SIMULATED: &str = "Simulated";

impl Drawn {
    /// Adds the coordinates in which all its points agree, as columns before the others.
    #[must_use]
    pub fn with_key(mut self, key: &Key) -> Drawn {
        let simulated = (World::Simulated.name(), Carrier::Modelled.name());
        let key = key.clone().named(Axis::World, simulated.0).named(Axis::Transport, simulated.1);
        let is_missing = |axis: &Axis| self.rows.columns.iter().all(|column| column.name != axis.name());
        let missing: Vec<Axis> = key.0.keys().copied().filter(is_missing).collect();
        let cells = vec![columns::at(&key, missing.clone()).collect(); self.rows.rows.len()];
        self.rows = self.rows.with_columns(0, columns::axes(missing), cells);
        self
    }

    /// Returns title, notes and tables as parts of another page.
    pub fn sections(&self) -> Vec<Section> {
        let Page { details, sections, .. } = self.page();
        [Section::new(self.title.clone()).with_paragraphs(details)].into_iter().chain(sections).collect()
    }

    /// Returns a page that needs no other file.
    ///
    /// # Errors
    /// Fails only where the template itself is broken.
    pub fn html(&self) -> Result<String, PageError> {
        let figure = Figure { caption: self.caption.to_owned(), drawing: self.drawing.clone(), ..Figure::default() };
        let section = Section::new("Picture and numbers").with_paragraphs(self.remarks.clone());
        let sections = vec![section.with_figures([figure]).with_tables(self.tables.clone())];
        Page { question: self.title.clone(), answer: String::new(), sections, ..self.page() }.html()
    }

    /// Writes the file whose ending `path` names (a picture as `paper` asks) and, beside a page or a picture, its
    /// numbers as `.csv`. Returns the paths of the files; each is written whole or not at all.
    ///
    /// # Errors
    /// Fails where [`drawn_as`] or [`crate::plots::printed`] fails, where a file would be overwritten, and where the
    /// system cannot write it.
    pub fn write(&self, path: &Path, paper: &Paper) -> Result<Vec<PathBuf>, String> {
        let numbers = (path.with_extension("csv"), self.csv().into_bytes());
        let files = match drawn_as(path)? {
            Holds::Page => {
                let page = self.html().map_err(|error| error.to_string())?;
                vec![(path.to_owned(), page.into_bytes()), numbers]
            }
            Holds::Picture(form) => {
                let picture = self.drawing.file(paper, form);
                vec![(path.to_owned(), picture.map_err(|error| format!("{}: {error}", path.display()))?), numbers]
            }
            Holds::Numbers => vec![(path.to_owned(), numbers.1)],
        };
        // The same numbers may lie beside several pictures.
        let differs = |(path, content): &&(PathBuf, Vec<u8>)| std::fs::read(path).is_ok_and(|there| there != *content);
        if let Some((path, _)) = files.iter().find(differs) {
            return Err(exists(path));
        }
        for (path, content) in &files {
            write(path, |file| file.write_all(content))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

impl Results for Drawn {
    fn notes(&self) -> Vec<String> {
        self.notes.iter().chain(&self.remarks).cloned().collect()
    }

    fn page(&self) -> Page {
        Page {
            question: self.question.to_owned(),
            answer: self.title.clone(),
            details: self.notes.clone(),
            origin: self.origin.to_owned(),
            sections: vec![
                Section::default().with_tables(self.tables.clone()),
                Section::default().with_paragraphs(self.remarks.clone()),
            ],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.rows.clone()
    }

    fn others(&self) -> Vec<Table> {
        self.others.clone()
    }
}

/// Content of a file of something drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A page with the picture and the tables.
    Page,
    /// Picture alone, in this form.
    Picture(Form),
    /// Numbers alone, as CSV.
    Numbers,
}

/// Returns the message that a file is not overwritten.
fn exists(path: &Path) -> String {
    format!("{} exists already: move it away, or name another file", path.display())
}

/// Returns the content of a new file, by its ending.
///
/// # Errors
/// Fails where the ending names no form, or the file exists already.
pub fn drawn_as(path: &Path) -> Result<Holds, String> {
    let pictures = Form::ALL.map(|form| (form.name(), form.words(), Holds::Picture(form)));
    let mut known = vec![("html", "page with picture and tables", Holds::Page)];
    known.extend(pictures);
    known.push(("csv", "numbers", Holds::Numbers));
    let holds = ending(path, &known)?;
    if path.exists() { Err(exists(path)) } else { Ok(holds) }
}

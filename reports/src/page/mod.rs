//! The page of any campaign: a question, its answer, and sections of sentences, tables and pictures.
//!
//! Who has something to tell builds [`Section`]s; this module makes of them one HTML page that needs nothing else,
//! and beside it every picture as SVG with its data as CSV. Several pages go on one, one after the other.

#[cfg(test)]
mod tests;
mod together;
mod write;

pub use write::PageError;

use serde::Serialize;

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// What was asked.
    pub question: String,
    /// The answer, in a sentence.
    pub answer: String,
    /// What else is worth knowing at once, a sentence each.
    pub details: Vec<String>,
    /// Which campaign, with its seed: a line.
    pub origin: String,
    /// What is told, in this order.
    pub sections: Vec<Section>,
    /// The commands that do all of it again.
    pub reproduce: Vec<String>,
    /// What ran where: fact and value.
    pub environment: Vec<(String, String)>,
}

/// One part of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// Its heading, which the contents of the page repeat.
    pub heading: String,
    /// Paragraphs under it.
    pub paragraphs: Vec<String>,
    /// Warnings, each marked as one.
    pub warnings: Vec<String>,
    /// Pictures, then tables.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// What few sections have.
    pub more: More,
}

/// What else a section may have.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct More {
    /// By what links find it; `section-1`, … where nothing is said. Parts without are found by nobody.
    pub id: String,
    /// A warning in a word or two beside the heading.
    pub flag: String,
    /// Facts, a name and a value each, before pictures and tables.
    pub facts: Vec<(String, String)>,
    /// A list, behind the paragraphs.
    pub list: Vec<String>,
    /// Parts of it, one after the other, with headings of their own.
    pub parts: Vec<Section>,
    /// True for a part that shows its heading alone until it is opened.
    pub folded: bool,
}

/// A picture with the numbers that it shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// Stem of its files beside the page; unique on the page, of lower-case letters, digits and hyphens.
    pub name: String,
    /// What it shows, for those who see it and for those who do not.
    pub caption: String,
    /// The picture.
    pub svg: String,
    /// Its numbers: a line of heads with units, then rows.
    pub csv: String,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Heads of its columns, with units.
    pub head: Vec<String>,
    /// Rows; the first cell of each is its head. A row of one cell is the heading of those below it.
    pub rows: Vec<Vec<Cell>>,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// Said smaller below it, an interval perhaps; empty for nothing.
    pub note: String,
    /// True for numbers, which do not wrap.
    pub number: bool,
    /// How it is coloured.
    pub mood: Mood,
    /// The id of what is said more of it there; empty for nothing.
    pub link: String,
}

/// What a cell's colour says beside its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mood {
    /// Nothing.
    #[default]
    Plain,
    /// As it should be.
    Agrees,
    /// Nearly so.
    Close,
    /// Not so.
    Differs,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// A verdict in its colour.
    pub fn verdict(text: impl Into<String>, note: impl Into<String>, mood: Mood) -> Cell {
        Cell { text: text.into(), note: note.into(), number: true, mood, ..Cell::default() }
    }

    /// The same cell with something smaller below it.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Cell {
        self.note = note.into();
        self
    }

    /// The same cell with a link to what is told of it elsewhere on the page.
    #[must_use]
    pub fn linking(mut self, id: impl Into<String>) -> Cell {
        self.link = id.into();
        self
    }

    /// A number, as it is to be printed, with what is said below it.
    pub fn number(text: impl Into<String>, note: impl Into<String>) -> Cell {
        Cell { text: text.into(), note: note.into(), number: true, ..Cell::default() }
    }
}

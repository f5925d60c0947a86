//! The page of any campaign: a question, its answer, and sections of sentences, tables and pictures.
//!
//! Who has something to tell builds [`Section`]s; this module makes of them one HTML page that needs nothing else,
//! and beside it every picture, as its paper asks, with its data as CSV. Several pages go on one, one after the other.

mod markdown;
mod terminal;
#[cfg(test)]
mod tests;
mod together;
mod write;

pub use crate::table::{Cell, Mood, Table};
pub use write::{FILE, PageError};

use crate::plots::Drawing;
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
    #[serde(rename = "svg")]
    pub drawing: Drawing,
    /// Its numbers: a line of heads with units, then rows.
    pub csv: String,
}

impl Figure {
    /// A picture with its numbers.
    pub fn new(name: impl Into<String>, caption: impl Into<String>, drawing: Drawing, csv: String) -> Figure {
        Figure { name: name.into(), caption: caption.into(), drawing, csv }
    }
}

macro_rules! parts_of_sections {
    ($($(#[$doc:meta])* $method:ident: $($field:ident).+, $part:ty;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $method<P: Into<$part>>(mut self, parts: impl IntoIterator<Item = P>) -> Section {
            self.$($field).+.extend(parts.into_iter().map(Into::into));
            self
        }
    )*};
}

impl Section {
    /// A section with nothing under its heading yet.
    pub fn new(heading: impl Into<String>) -> Section {
        Section { heading: heading.into(), ..Section::default() }
    }

    /// Whether nothing stands under the heading.
    pub fn is_empty(&self) -> bool {
        *self == Section { heading: self.heading.clone(), ..Section::default() }
    }

    /// The heading, with the flag behind it.
    pub(crate) fn title(&self) -> String {
        let flag = if self.more.flag.is_empty() { String::new() } else { format!(" ({})", self.more.flag) };
        format!("{}{flag}", self.heading)
    }

    /// The section of what was left out.
    pub fn left_out(what: &[String]) -> Section {
        Section::new("What was left out, and why").with_id("left-out").with_list(what)
    }

    /// The same, found by links under this name.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Section {
        self.more.id = id.into();
        self
    }

    /// The same, its heading alone until it is opened.
    #[must_use]
    pub fn folded(mut self) -> Section {
        self.more.folded = true;
        self
    }

    /// The same with these facts, a name and a value each.
    #[must_use]
    pub fn with_facts<N: Into<String>, V: Into<String>>(mut self, facts: impl IntoIterator<Item = (N, V)>) -> Section {
        self.more.facts.extend(facts.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    parts_of_sections! {
        /// The same with these paragraphs behind those that it has.
        with_paragraphs: paragraphs, String;
        /// The same with these warnings.
        with_warnings: warnings, String;
        /// The same with these pictures.
        with_figures: figures, Figure;
        /// The same with these tables.
        with_tables: tables, Table;
        /// The same with these items of its list.
        with_list: more.list, String;
        /// The same with these parts.
        with_parts: more.parts, Section;
    }
}

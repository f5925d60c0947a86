//! The page of any campaign: a question, its answer, and sections of sentences, tables and pictures.
//!
//! Modules with results build [`Section`]s; this module makes of them one HTML page that needs nothing else, and beside
//! it every picture, as its paper sets it, with its data as CSV. Several pages can be joined into one, one after the
//! other.

mod markdown;
mod terminal;
#[cfg(test)]
mod tests;
mod together;
mod write;

pub use crate::table::{Cell, Mood, Table};
pub use write::{FILE, PageError};

use crate::data;
use crate::plots::Drawing;
use serde::Serialize;

/// A page of results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// Question that the page answers.
    pub question: String,
    /// Answer to the question, in a sentence.
    pub answer: String,
    /// Further sentences that belong to the answer.
    pub details: Vec<String>,
    /// Line that names the campaign with its seed.
    pub origin: String,
    /// Sections of the page, in order.
    #[serde(skip)]
    pub sections: Vec<Section>,
    /// Commands that reproduce the results.
    pub reproduce: Vec<String>,
    /// Environment of the runs, as facts and values.
    pub environment: Vec<(String, String)>,
}

/// A section of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// Heading of the section, which the contents of the page repeat.
    pub heading: String,
    /// Paragraphs under the heading.
    pub paragraphs: Vec<String>,
    /// Warnings, each marked as one.
    pub warnings: Vec<String>,
    /// Pictures, which come before the tables.
    pub figures: Vec<Figure>,
    /// Tables of the section.
    pub tables: Vec<Table>,
    /// Members that few sections have.
    pub more: More,
}

/// Further members of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct More {
    /// Target of links to the section; sections without one are called `section-1`, …, and parts without one have no
    /// target.
    pub id: String,
    /// A warning in a word or two beside the heading.
    pub flag: String,
    /// Facts, a name and a value each, before pictures and tables.
    pub facts: Vec<(String, String)>,
    /// Items of a list behind the paragraphs.
    pub list: Vec<String>,
    /// Paragraphs before the others on the origin of the numbers, which terminals show only with all details.
    pub background: Vec<String>,
    /// Parts of the section, one after the other, with headings of their own.
    pub parts: Vec<Section>,
    /// True for a part that shows its heading alone until it is opened.
    pub folded: bool,
}

/// A picture with the numbers that it shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// Stem of its files beside the page, unique on the page, of lower-case letters, digits and hyphens.
    pub name: String,
    /// Description of the picture, for readers who see it and for those who do not.
    pub caption: String,
    /// Drawing of the picture.
    #[serde(rename = "svg")]
    pub drawing: Drawing,
    /// Numbers of the picture.
    #[serde(skip)]
    pub numbers: data::Table,
}

impl Figure {
    /// Returns a picture with its numbers.
    pub fn new(name: impl Into<String>, caption: impl Into<String>, drawing: Drawing, numbers: data::Table) -> Figure {
        Figure { name: name.into(), caption: caption.into(), drawing, numbers }
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
    /// Returns a section with nothing under its heading yet.
    pub fn new(heading: impl Into<String>) -> Section {
        Section { heading: heading.into(), ..Section::default() }
    }

    /// Whether the section has nothing under its heading.
    pub fn is_empty(&self) -> bool {
        *self == Section { heading: self.heading.clone(), ..Section::default() }
    }

    /// Returns the heading, with the flag behind it.
    pub(crate) fn title(&self) -> String {
        let flag = if self.more.flag.is_empty() { String::new() } else { format!(" ({})", self.more.flag) };
        format!("{}{flag}", self.heading)
    }

    /// Returns the section on parts that were left out.
    pub fn left_out(what: &[String]) -> Section {
        Section::new("What was left out, and why").with_id("left-out").with_list(what)
    }

    /// Returns the section with this target of links.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Section {
        self.more.id = id.into();
        self
    }

    /// Returns the section folded: its heading alone is shown until it is opened.
    #[must_use]
    pub fn folded(mut self) -> Section {
        self.more.folded = true;
        self
    }

    /// Returns the section with these facts, a name and a value each.
    #[must_use]
    pub fn with_facts<N: Into<String>, V: Into<String>>(mut self, facts: impl IntoIterator<Item = (N, V)>) -> Section {
        self.more.facts.extend(facts.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    parts_of_sections! {
        /// Returns the section with these paragraphs appended.
        with_paragraphs: paragraphs, String;
        /// Returns the section with these paragraphs on the origin of the numbers.
        with_background: more.background, String;
        /// Returns the section with these warnings.
        with_warnings: warnings, String;
        /// Returns the section with these pictures.
        with_figures: figures, Figure;
        /// Returns the section with these tables.
        with_tables: tables, Table;
        /// Returns the section with these items of its list.
        with_list: more.list, String;
        /// Returns the section with these parts.
        with_parts: more.parts, Section;
    }
}

//! A result of a page, tables and files, for everything that has no type of its own.

use crate::data::{Cell, Filled, Known, Table};
use crate::page::{Page, Section};
use crate::results::Results;
use crate::whence::Whence;

/// Result of a test's answers: a page, typed tables, and the files that a folder keeps of it.
#[derive(Default)]
pub struct Summary {
    /// Answer, notes that qualify it, and sections.
    pub page: Page,
    /// Tables, that of the CSV first.
    pub tables: Vec<Table>,
    /// Numbers about the whole test.
    pub facts: Vec<(&'static str, Cell)>,
    /// Tables in files of their own, by file name.
    pub kept: Vec<(&'static str, Table)>,
    /// Other files: name and content.
    pub files: Vec<(String, String)>,
    /// Origin of the rows.
    pub whence: Whence,
}

impl Summary {
    /// Makes a summary of an answer, notes that qualify it, a section, and tables, that of the CSV first.
    pub fn new(
        answer: String,
        details: Vec<String>,
        section: Section,
        tables: impl IntoIterator<Item = Table>,
    ) -> Summary {
        let page = Page { answer, details, sections: vec![section], ..Page::default() };
        Summary { page, tables: tables.into_iter().collect(), ..Summary::default() }
    }

    /// Adds the notes, sections and tables of further results on the same subject.
    pub fn extend(&mut self, more: &dyn Results) {
        self.page.details.extend(more.notes());
        self.page.sections.extend(more.page().sections);
        self.tables.extend(more.others().into_iter().chain([more.rows()]));
    }

    /// Returns the files that a folder keeps of it, apart from the text and the object: name and content.
    pub fn files(&self) -> Vec<(String, String)> {
        let tables = self.kept.iter().map(|(name, table)| ((*name).to_owned(), table.csv(Some(&self.whence))));
        tables.chain(self.files.iter().cloned()).collect()
    }
}

impl Results for Summary {
    fn notes(&self) -> Vec<String> {
        self.page.details.clone()
    }

    fn page(&self) -> Page {
        self.page.clone()
    }

    fn rows(&self) -> Table {
        self.tables[0].clone()
    }

    fn others(&self) -> Vec<Table> {
        let environment = Some(&self.page.environment).filter(|facts| !facts.is_empty());
        self.tables[1..].iter().cloned().chain(environment.map(|facts| environment_of(facts))).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        self.facts.clone()
    }

    fn whence(&self) -> Option<Whence> {
        Some(self.whence.clone())
    }
}

/// Returns the environment of the ranks: a row for each fact.
pub fn environment_of(facts: &[(String, String)]) -> Table {
    const FACT: Known = Known::text("fact", "what is said", "kernel");
    const SAID: Known = Known::text("said", "what is the case", "Linux 6.1");
    let columns: [Filled<(String, String)>; 2] =
        [(FACT.column(), &|(fact, _)| fact.as_str().into()), (SAID.column(), &|(_, said)| said.as_str().into())];
    Table::from_rows("environment", facts, &columns)
}

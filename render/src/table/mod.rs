//! Tables in every form: columns of a terminal, Markdown, CSV; pages fill them into their template.

mod csv;
mod lines;

pub use csv::{csv_text, csv_writer, rounded};

use crate::plots::numbers::with_limits;
use programs::machine::Estimate;
use serde::Serialize;

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// Caption of the table.
    pub caption: String,
    /// Heads of its columns, with units.
    pub head: Vec<String>,
    /// Rows of cells; the first cell of each is its head. A row of one cell is the heading of those below it.
    pub rows: Vec<Vec<Cell>>,
    /// True where the first cells are sentences: they wrap, and on a terminal and a narrow page the cells of each row
    /// stand one below the other.
    pub sentences: bool,
    /// Sentences below the table, on the meaning of its cells.
    pub notes: Vec<String>,
    /// Columns that narrow terminals leave out, the last one first.
    #[serde(skip)]
    pub spare: Vec<usize>,
    /// True where terminals show the table only with all details.
    #[serde(skip)]
    pub is_detail: bool,
}

/// A cell of a table of texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// Text of the cell.
    pub text: String,
    /// Smaller text below it, often an interval; empty for nothing.
    pub note: String,
    /// True for numbers, which do not wrap.
    pub number: bool,
    /// Meaning of the cell's colour.
    pub mood: Mood,
    /// Target of a link to details on the cell; empty for no link.
    pub link: Box<str>,
    /// Bar behind the number on a terminal, where there is room.
    #[serde(skip)]
    pub bar: Option<Box<Bar>>,
}

/// A number as the length of a bar. All bars of a table have one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// A ratio: from 0 on, with a mark at 1.
    Ratio(f64),
    /// A difference: to the left of 0, or to the right.
    Change(f64),
}

/// Meaning of a cell's colour, in addition to its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mood {
    /// No judgement, no colour.
    #[default]
    Plain,
    /// The value is as expected.
    Agrees,
    /// The value is nearly as expected.
    Close,
    /// The value differs from the expected one.
    Differs,
}

impl Cell {
    /// Returns a cell of words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// Returns a verdict in its colour.
    pub fn verdict(text: impl Into<String>, note: impl Into<String>, mood: Mood) -> Cell {
        Cell { mood, ..Cell::number(text, note) }
    }

    /// Returns the cell with a smaller text below it.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Cell {
        self.note = note.into();
        self
    }

    /// Returns the cell with a bar behind it, if there is one.
    #[must_use]
    pub fn with_bar(self, bar: impl Into<Option<Bar>>) -> Cell {
        Cell { bar: bar.into().map(Box::new), ..self }
    }

    /// Returns the cell with a link to its details elsewhere on the page.
    #[must_use]
    pub fn linking(mut self, id: impl Into<String>) -> Cell {
        self.link = id.into().into_boxed_str();
        self
    }

    /// Returns a number in its printed form, with a smaller text below it.
    pub fn number(text: impl Into<String>, note: impl Into<String>) -> Cell {
        Cell { text: text.into(), note: note.into(), number: true, ..Cell::default() }
    }

    /// Returns a value with its interval below it.
    pub fn estimate(estimate: &Estimate) -> Cell {
        let (value, limits) = with_limits(estimate);
        Cell::number(value, limits.unwrap_or_default())
    }

    /// Returns text and note in one line.
    pub(crate) fn whole(&self) -> String {
        format!("{} {}", self.text, self.note).trim_end().to_owned()
    }
}

impl Table {
    /// Returns a table under a caption.
    pub fn new<H: Into<String>>(
        caption: impl Into<String>,
        head: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Table {
        let head = head.into_iter().map(Into::into).collect();
        Table { caption: caption.into(), head, rows: rows.into_iter().collect(), ..Table::default() }
    }

    /// Returns the table, with sentences in its first cells.
    #[must_use]
    pub fn of_sentences(mut self) -> Table {
        self.sentences = true;
        self
    }

    /// Returns the table as one that terminals show only with all details.
    #[must_use]
    pub fn as_detail(self) -> Table {
        Table { is_detail: true, ..self }
    }

    /// Returns the table without columns that are empty in all rows.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Table {
        let says = |cell: &Cell| !matches!(cell.text.as_str(), "" | "–") || !cell.note.is_empty();
        let whole = |row: &&mut Vec<Cell>| row.len() > 1;
        for column in (1..self.head.len()).rev() {
            if self.rows.iter().all(|row| row.len() < 2 || row.get(column).is_none_or(|cell| !says(cell))) {
                self.head.remove(column);
                let rows = self.rows.iter_mut().filter(whole).filter(|row| row.len() > column);
                rows.for_each(|row| drop(row.remove(column)));
            }
        }
        self
    }

    /// Returns a table of texts alone; `is_number` names the columns that hold numbers.
    pub fn plain<H: Into<String>, R: IntoIterator<Item = String>>(
        head: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = R>,
        is_number: impl Fn(usize) -> bool,
    ) -> Table {
        let cell = |(column, text): (usize, String)| Cell { text, number: is_number(column), ..Cell::default() };
        let row = |row: R| row.into_iter().enumerate().map(cell).collect();
        Table::new("", head, rows.into_iter().map(row).collect::<Vec<_>>())
    }

    /// Returns the lines of [`Table::lines`] as one text.
    pub fn text(&self) -> String {
        self.lines().join("\n") + "\n"
    }

    /// Returns the text with a rule under the heads, as wide as the widest line.
    pub fn ruled(&self) -> String {
        let lines = self.lines();
        let wide = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).saturating_sub(2);
        let (heads, rows) = lines.split_at(1);
        let rows: String = rows.iter().map(|row| format!("{row}\n")).collect();
        format!("{}\n  {}\n{rows}", heads[0], "─".repeat(wide))
    }

    /// Returns the table as Markdown, numbers to the right.
    pub fn markdown(&self) -> String {
        // A vertical bar inside a cell would end it.
        let cell = |cell: String| cell.replace('|', "\\|");
        let line = |cells: Vec<String>| {
            let cells: Vec<String> = cells.into_iter().map(cell).collect();
            format!("| {} |\n", cells.join(" | ").replace('\n', " "))
        };
        let mark = |column| if self.is_number(column) { "---:".to_owned() } else { "---".to_owned() };
        let rows = self.rows.iter().map(|row| line(row.iter().map(Cell::whole).collect()));
        let heads = [line(self.head.clone()), line((0..self.head.len()).map(mark).collect())];
        heads.into_iter().chain(rows).collect()
    }

    fn is_number(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.get(column).is_some_and(|cell| cell.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_in_columns_whatever_their_letters() {
        let rows = [["bc", "−23"], ["", ""]].map(|row| row.map(str::to_owned));
        let table = Table::plain(["Ä", "1"], rows, |column| column == 1);
        assert_eq!(table.lines(), ["  Ä     1", "  bc  −23", ""]);
        assert_eq!(table.ruled(), "  Ä     1\n  ───────\n  bc  −23\n\n");
        assert_eq!(table.markdown(), "| Ä | 1 |\n| --- | ---: |\n| bc | −23 |\n|  |  |\n");
        let range = Table::plain(["|e|"], [["0.91|0.93".to_owned()]], |_| false);
        assert_eq!(range.markdown(), "| \\|e\\| |\n| --- |\n| 0.91\\|0.93 |\n");
    }

    #[test]
    fn columns_that_say_nothing_are_left_out_and_headings_of_rows_stay() {
        let row = |cells: [&str; 3]| cells.map(Cell::text).to_vec();
        let rows = [vec![Cell::text("group")], row(["a", "–", "1"]), row(["b", "", "–"])];
        let table = Table::new("", ["name", "verdict", "us"], rows).without_empty_columns();
        assert_eq!(table.head, ["name", "us"]);
        assert_eq!(table.rows.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!(table.rows[1][1], Cell::text("1"));
    }
}

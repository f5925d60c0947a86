//! CSV files by the names of their columns, which differ between forms.

use crate::PublishedError;
use csv::StringRecord;
use std::str::FromStr;

/// Table whose head is read.
pub(crate) struct CsvTable<'a> {
    file: &'a str,
    heads: StringRecord,
    lines: csv::StringRecordsIntoIter<&'a [u8]>,
}

/// Cells of one line of a table.
pub(crate) struct Cells<'a> {
    file: &'a str,
    heads: StringRecord,
    record: StringRecord,
    /// Number of the line, counted from 1, the head being the first.
    pub line: usize,
}

impl<'a> CsvTable<'a> {
    /// Reads the head. Blanks around cells are no part of them.
    pub(crate) fn new(file: &'a str, text: &'a str) -> Result<CsvTable<'a>, PublishedError> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(text.as_bytes());
        let heads = reader.headers().map_err(|error| cut_off_error(file, &error))?.clone();
        Ok(CsvTable { file, heads, lines: reader.into_records() })
    }

    /// Returns the heads that are none of these.
    pub(crate) fn unknown(&self, known: &[&str]) -> Vec<String> {
        self.heads.iter().filter(|head| !known.contains(head)).map(str::to_owned).collect()
    }
}

impl<'a> Iterator for CsvTable<'a> {
    type Item = Result<Cells<'a>, PublishedError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = match self.lines.next()? {
            Ok(record) => record,
            Err(error) => return Some(Err(cut_off_error(self.file, &error))),
        };
        let line = record.position().map_or(1, |position| position.line() as usize);
        Some(Ok(Cells { file: self.file, heads: self.heads.clone(), record, line }))
    }
}

fn cut_off_error(file: &str, error: &csv::Error) -> PublishedError {
    let line = error.position().map_or(1, |position| position.line() as usize);
    PublishedError::new(file, line, "expected as many cells as the head has; the file was cut off: get it again")
}

impl Cells<'_> {
    /// Returns the cell under the first of these heads that there is. Marks for a missing value become an empty text.
    pub(crate) fn text(&self, heads: &[&str]) -> &str {
        let at = heads.iter().find_map(|head| self.heads.iter().position(|known| known == *head));
        let text = at.and_then(|at| self.record.get(at)).unwrap_or_default();
        if text == "null" { "" } else { text }
    }

    /// Returns a number, `None` where the cell is empty or there is no such head.
    pub(crate) fn maybe<N: FromStr>(&self, heads: &[&str]) -> Result<Option<N>, PublishedError> {
        let text = self.text(heads);
        let wrong = |_| {
            let short: String = text.chars().take(40).collect();
            self.error(&format!("{}: expected a number, found '{short}'", heads.join(" or ")))
        };
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(wrong) }
    }

    /// Returns a number that must be there.
    pub(crate) fn number<N: FromStr>(&self, heads: &[&str]) -> Result<N, PublishedError> {
        let absent = || self.error(&format!("expected a number under {}, found none", heads.join(" or ")));
        self.maybe(heads)?.ok_or_else(absent)
    }

    pub(crate) fn error(&self, message: &str) -> PublishedError {
        PublishedError::new(self.file, self.line, message)
    }
}

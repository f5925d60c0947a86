//! CSV as a test reads it: every row by the heads of its columns.

use std::collections::BTreeMap;

/// A row of a table: its cells by their heads.
pub type CsvRow = BTreeMap<String, String>;

/// All rows. Lines with more or fewer cells than there are heads are no table.
pub fn rows(text: &str) -> Vec<CsvRow> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().expect("heads").clone();
    let row =
        |record: csv::StringRecord| heads.iter().zip(&record).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    reader.records().map(|record| row(record.expect("as many cells as heads"))).collect()
}

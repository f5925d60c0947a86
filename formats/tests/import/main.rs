//! What the importers make of texts that the tools printed, and of texts made from the lines of their sources.

mod any_text;
mod around;
mod field;
mod more;
mod pico;
mod tools;

use parallax_formats::import::{Imported, PrintedRow, read};
use std::path::PathBuf;

fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read_to_string(path).expect(name)
}

fn runs(name: &str) -> Vec<Imported> {
    read(name, &data(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// A text's only run.
fn imported(name: &str) -> Imported {
    let mut runs = runs(name);
    assert_eq!(runs.len(), 1, "{name}");
    runs.remove(0)
}

/// Names and values of a row.
fn values(row: &PrintedRow) -> Vec<(&str, Option<f64>)> {
    row.columns.iter().map(|column| (column.name.as_str(), column.value)).collect()
}

fn fact<'a>(imported: &'a Imported, label: &str) -> &'a str {
    let found = imported.facts.iter().find(|(found, _)| found == label);
    found.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("no {label} in {:?}", imported.facts))
}

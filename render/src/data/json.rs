//! Results as one JSON object: rows have the names of the CSV, numbers their full precision.

use super::{Cell, Kind, Table};
use crate::results::Results;
use crate::whence::{HEADS, Whence};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The JSON object of a result: its answer, its notes, facts about the whole, and a member for the rows of each table.
pub struct Object<'a>(pub &'a dyn Results);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Object(results) = self;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("answer", &results.answer())?;
        object.serialize_entry("notes", &results.notes())?;
        for (name, cell) in results.facts() {
            object.serialize_entry(name, &cell)?;
        }
        let whence = results.whence();
        for table in [results.rows()].into_iter().chain(results.others()) {
            let rows = table.rows.iter().map(|cells| JsonRow { table: &table, cells, whence: whence.as_ref() });
            object.serialize_entry(table.name, &rows.collect::<Vec<JsonRow>>())?;
        }
        object.end()
    }
}

/// A row of a table, with its origin where it has one.
pub(super) struct JsonRow<'a> {
    pub table: &'a Table,
    pub cells: &'a [Cell],
    pub whence: Option<&'a Whence>,
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        for (column, cell) in self.table.columns.iter().zip(self.cells) {
            match column.kind {
                Kind::Interval => {
                    for (head, number) in column.heads().iter().zip(cell.limits()) {
                        row.serialize_entry(head, &number)?;
                    }
                }
                _ => row.serialize_entry(&column.name, cell)?,
            }
        }
        if let Some(whence) = self.whence {
            for (head, text) in HEADS.iter().zip(self.table.origin(self.cells, whence)) {
                row.serialize_entry(head, &Some(text).filter(|text| !text.is_empty()))?;
            }
        }
        row.end()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::None => serializer.serialize_none(),
            // An empty text in the CSV is null.
            Cell::Text(text) if text.is_empty() => serializer.serialize_none(),
            Cell::Count(count) => serializer.serialize_u64(*count),
            Cell::Negative(number) => serializer.serialize_i64(*number),
            Cell::Number(_) | Cell::Interval(_) => self.number().serialize(serializer),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

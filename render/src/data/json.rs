//! Results as one JSON object: rows have the names of the CSV, numbers their full precision.

use super::{Cell, Column, Kind, Table};
use crate::whence::{HEADS, Whence};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The object of a result: its answer, its notes, facts about the whole, and a member for the rows of each table.
///
/// # Errors
/// None that is known: cells hold no other values than JSON has.
pub fn object(
    answer: &str,
    notes: &[String],
    facts: &[(&'static str, Cell)],
    tables: &[Table],
    whence: Option<&Whence>,
) -> serde_json::Result<String> {
    serde_json::to_string(&Object { answer, notes, facts, tables, whence })
}

struct Object<'a> {
    answer: &'a str,
    notes: &'a [String],
    facts: &'a [(&'static str, Cell)],
    tables: &'a [Table],
    whence: Option<&'a Whence>,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("answer", self.answer)?;
        object.serialize_entry("notes", self.notes)?;
        for (name, cell) in self.facts {
            object.serialize_entry(name, cell)?;
        }
        for table in self.tables {
            let rows = table.rows.iter().map(|cells| Row { columns: &table.columns, cells, whence: self.whence });
            object.serialize_entry(table.name, &rows.collect::<Vec<Row>>())?;
        }
        object.end()
    }
}

struct Row<'a> {
    columns: &'a [Column],
    cells: &'a [Cell],
    whence: Option<&'a Whence>,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        for (column, cell) in self.columns.iter().zip(self.cells) {
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
            let world = self.columns.iter().position(|column| column.name == "world");
            let cells = whence.cells(world.map(|place| self.cells[place].text()));
            for (head, text) in HEADS.iter().zip(cells) {
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
            Cell::Count(count) => serializer.serialize_u64(*count),
            Cell::Number(_) | Cell::Interval(_) => self.number().serialize(serializer),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

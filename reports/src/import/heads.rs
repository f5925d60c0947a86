//! Heads of columns: what stands under each, and one row of cells read by them.

use super::text::Place;
use super::{Column, ImportError, Row};

/// What the numbers under a head are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// [`Row::bytes`].
    Bytes,
    /// [`Row::count`].
    Count,
    /// [`Row::ranks`].
    Ranks,
    /// [`Row::calls`].
    Calls,
    /// A column of this name; printed numbers times this power of ten.
    Number { name: String, power: i32 },
    /// A column of this name: 1 for `Pass`, 0 for `Fail`.
    Verdict { name: String },
}

/// One column's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub head: String,
    pub role: Role,
}

impl Head {
    pub(super) fn new(head: &str, role: Role) -> Head {
        Head { head: head.to_owned(), role }
    }

    /// A column whose unit is the printed one.
    pub(super) fn plain(head: &str, name: &str) -> Head {
        Head::scaled(head, name, 0)
    }

    pub(super) fn scaled(head: &str, name: &str, power: i32) -> Head {
        Head::new(head, Role::Number { name: name.to_owned(), power })
    }

    /// A head that is not known: its letters and digits, with what is known of its unit.
    pub(super) fn other(head: &str) -> Head {
        let lower = head.to_ascii_lowercase();
        let (bare, unit) =
            [("(us)", "_us"), ("[usec]", "_us"), ("(mb/s)", "_mb_per_s"), ("(%)", "_percent"), ("[%]", "_percent")]
                .into_iter()
                .find_map(|(printed, unit)| Some((lower.strip_suffix(printed)?, unit)))
                .unwrap_or((&lower, ""));
        Head::plain(head, &format!("{}{unit}", slug(bare)))
    }
}

/// Letters and digits, joined by underscores.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Reads one row of cells, of which `row` knows the operation.
///
/// # Errors
/// If there are more or fewer cells than heads, or one is no number.
pub(super) fn read_row(place: Place, heads: &[Head], cells: &[&str], mut row: Row) -> Result<Row, ImportError> {
    if cells.len() != heads.len() {
        let (expected, found) = (heads.len(), cells.len());
        let cure = if found < expected {
            "the row was cut off: delete it, or run again"
        } else {
            "delete the row if it is not the tool's"
        };
        return Err(
            place.error(format!("expected {expected} values as in the head of the table, found {found}; {cure}"))
        );
    }
    row.line = place.line;
    for (Head { head, role }, cell) in heads.iter().zip(cells) {
        match role {
            Role::Bytes => row.bytes = Some(place.whole(cell, "bytes")?),
            Role::Count => row.count = Some(place.whole(cell, "elements")?),
            Role::Ranks => row.ranks = Some(place.whole(cell, "processes")?),
            Role::Calls => row.calls = Some(place.whole(cell, "calls")?),
            Role::Number { name, power } => {
                let value = place.number(cell, *power, head)?;
                row.columns.push(Column { head: head.clone(), name: name.clone(), value });
            }
            Role::Verdict { name } => {
                let value = match *cell {
                    "Pass" => 1.0,
                    "Fail" => 0.0,
                    other => {
                        return Err(place.error(format!(
                            "{head}: expected Pass or Fail, found '{}'",
                            super::text::shortened(other)
                        )));
                    }
                };
                row.columns.push(Column { head: head.clone(), name: name.clone(), value: Some(value) });
            }
        }
    }
    Ok(row)
}

//! Heads of columns with their meaning, and the reader of one row of cells below them.

use super::conditions::say;
use super::runs::Said;
use super::text::TextPlace;
use super::{Column, ImportError, PrintedRow};

/// Meaning of the numbers under a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Size of the call, for [`PrintedRow::bytes`].
    Bytes,
    /// Number of elements, for [`PrintedRow::count`].
    Count,
    /// Number of processes, for [`PrintedRow::ranks`].
    Ranks,
    /// Number of calls, for [`PrintedRow::calls`].
    Calls,
    /// A column of this name, whose values are printed numbers times this power of ten.
    Number { name: String, power: i32 },
    /// A column of this name, whose values are 1 for `Pass` and 0 for `Fail`.
    Verdict { name: String },
    /// A word of this name.
    Word { name: String },
}

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

    /// Head of an unknown column: its letters and digits, followed by its unit where this is known.
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

/// Letters and digits of a text, joined by underscores.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Reads a line below the heads of a table; `now` is a row that holds the operation.
///
/// # Errors
/// Returns the meaning of the line, if it is no row of that table.
pub(super) fn row(place: TextPlace, heads: Option<&[Head]>, line: &str, now: &PrintedRow) -> Result<PrintedRow, Said> {
    let cells: Vec<&str> = line.split_whitespace().collect();
    let Some(heads) = heads.filter(|_| is_like_row(&cells)) else { return Err(Said::Foreign) };
    read_row(place, heads, &cells, now.clone()).map_err(|error| Said::Broken(error.message))
}

/// Whether cells look like a row's: the first is a number, and the others begin like numbers.
pub(super) fn is_like_row(cells: &[&str]) -> bool {
    let begins = |cell: &&str| {
        let bare = cell.trim_start_matches(['+', '-', '.']);
        let known = ["", "nan", "inf", "Pass", "Fail"];
        bare.starts_with(|first: char| first.is_ascii_digit()) || known.contains(&bare)
    };
    let first = cells.first().copied().unwrap_or_default();
    first.parse::<f64>().is_ok() && first.contains(|letter: char| letter.is_ascii_digit()) && cells.iter().all(begins)
}

/// Notes whether numbers were checked between the calls: tools then print one more column.
pub(super) fn say_validated(heads: &[Head], now: &mut PrintedRow) {
    let checks = |head: &Head| matches!(head.role, Role::Verdict { .. }) || head.head == "defects";
    say(now, "validation", if heads.iter().any(checks) { "on" } else { "" });
}

/// Reads one row of cells; `row` holds the operation.
///
/// # Errors
/// Fails if there are more or fewer cells than heads, if one is no number, or if none has a decimal point where numbers
/// have one.
pub(super) fn read_row(
    place: TextPlace,
    heads: &[Head],
    cells: &[&str],
    mut row: PrintedRow,
) -> Result<PrintedRow, ImportError> {
    if cells.len() != heads.len() {
        let (expected, found) = (heads.len(), cells.len());
        let values = format!("expected {expected} values as in the head of the table, found {found}");
        return Err(place.error(if found < expected { format!("{values}: the row was cut off") } else { values }));
    }
    row.line = place.line;
    let mut measured = Vec::new();
    for (Head { head, role }, &cell) in heads.iter().zip(cells) {
        match role {
            Role::Bytes => row.bytes = Some(place.whole(cell, "bytes")?),
            Role::Count => row.count = Some(place.whole(cell, "elements")?),
            Role::Ranks => row.ranks = Some(place.whole(cell, "processes")?),
            Role::Calls => row.calls = Some(place.whole(cell, "calls")?),
            Role::Word { name } => say(&mut row, name, cell),
            Role::Number { name, power } => {
                if cell.ends_with('.') {
                    return Err(place.error(format!("{head}: expected decimals, found '{cell}': the row was cut off")));
                }
                let value = place.number(cell, *power, head)?;
                measured.push(cell);
                row.columns.push(Column { head: head.clone(), name: name.clone(), value });
            }
            Role::Verdict { name } => {
                let value = match cell {
                    "Pass" => 1.0,
                    "Fail" => 0.0,
                    other => {
                        let found = super::text::shortened(other);
                        return Err(place.error(format!("{head}: expected Pass or Fail, found '{found}'")));
                    }
                };
                row.columns.push(Column { head: head.clone(), name: name.clone(), value: Some(value) });
            }
        }
    }
    let is_whole = |cell: &&str| cell.bytes().all(|byte| byte.is_ascii_digit());
    if !measured.is_empty() && measured.iter().all(is_whole) {
        return Err(place.error("expected numbers with decimals, found whole ones"));
    }
    Ok(row)
}

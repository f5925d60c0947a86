//! The tables as Markdown: one for each operation and world, as wide as it is.

use super::table::columns;
use super::{Measured, Subject};
use render::table::Table;

/// All tables.
pub fn markdown(measured: &Measured) -> String {
    let mut text = format!("# {}\n", measured.question);
    text.extend(measured.launches.iter().map(|launches| format!("\n{launches}\n")));
    for subject in &measured.subjects {
        text.push_str(&one(subject));
    }
    text
}

fn one(subject: &Subject) -> String {
    let (names, columns) = columns(subject);
    let head = |text: &[String; 2]| {
        let [first, second] = text;
        if first.ends_with('-') { format!("{first}{second}") } else { format!("{first} {second}").trim().to_owned() }
    };
    let all = || std::iter::once(&names).chain(&columns);
    let mut text = format!("\n## {}\n\n{}", subject.title(), subject.measured_by);
    if subject.oversubscribed {
        text.push_str("; oversubscribed");
    }
    text.push_str("\n\n");
    let rows = (0..subject.rows.len()).map(|row| all().map(move |column| column.cells[row].trim().to_owned()));
    text + &Table::plain(all().map(|column| head(&column.head)), rows, |_| true).markdown()
}

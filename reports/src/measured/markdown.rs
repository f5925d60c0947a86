//! The tables as Markdown: one for each operation and world, as wide as it is.

use super::table::columns;
use super::{Measured, Subject};

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
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("\n## {}\n\n{}", subject.title(), subject.measured_by);
    if subject.oversubscribed {
        text.push_str("; oversubscribed");
    }
    text.push_str("\n\n");
    text.push_str(&line(all().map(|column| head(&column.head)).collect()));
    text.push_str(&line(all().map(|_| "---:".to_owned()).collect()));
    for row in 0..subject.rows.len() {
        text.push_str(&line(all().map(|column| column.cells[row].trim().to_owned()).collect()));
    }
    text
}

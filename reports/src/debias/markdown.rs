//! The answer as Markdown: a table for each operation, ranks and column.

use super::Answer;
use super::rows::{Legend, Shown, tables};
use super::show::{cells, heads, title};

/// All tables, remarks below.
pub fn markdown(answer: &Answer) -> String {
    let mut legend = Legend::default();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("# What the calls took\n\nTimes in µs. Reference: {}\n", answer.reference);
    for table in tables(&answer.rows) {
        let shown = Shown::of(&table);
        let heads = heads(&shown);
        text.push_str(&format!("\n## {}\n\n", title(table[0], &shown)));
        let mut marks = vec!["---:".to_owned(); heads.len()];
        if let Some(last) = marks.last_mut() {
            *last = "---".to_owned();
        }
        text.push_str(&line(heads));
        text.push_str(&line(marks));
        for row in table {
            text.push_str(&line(cells(row, &shown, &mut legend)));
        }
    }
    text.push('\n');
    answer.warnings().iter().for_each(|warning| text.push_str(&format!("**!** {warning}\n\n")));
    answer.states.iter().for_each(|sentence| text.push_str(&format!("{sentence}\n\n")));
    for (letter, remark) in legend.entries() {
        text.push_str(&format!("- {letter}: {remark}\n"));
    }
    text.push_str(&format!("\n{}\n", answer.tally()));
    text
}

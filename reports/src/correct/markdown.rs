//! The answer as Markdown: a table for each operation, ranks and column.

use super::Answer;
use super::rows::{Legend, Shown, tables};
use super::show::{one, title};

/// All tables, remarks below.
pub fn markdown(answer: &Answer) -> String {
    let mut legend = Legend::default();
    let mut text = format!("# Times of the calls\n\nTimes in µs. Reference: {}\n", answer.reference);
    for table in tables(&answer.rows) {
        let shown = Shown::of(&table);
        let rows = one(&table, &shown, &mut legend).markdown();
        text += &format!("\n## {}\n\n{rows}", title(table[0], &shown));
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

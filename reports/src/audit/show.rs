//! Audits in a terminal and as Markdown: for each operation a table of ratios, a line for each length.

use super::answer::{advice, answer, ratio};
use super::{Audit, Row};
use crate::columns::aligned;
use crate::measured::reference_words;
use crate::plots::numbers::significant;
use crate::states::States;
use crate::statistics::LaunchCount;
use crate::summary::cells::wrapped;

/// One table: rows of one operation, world and state, by one way to run one benchmark.
struct Block<'a> {
    title: String,
    rows: Vec<&'a Row>,
}

fn blocks(audit: &Audit) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    for row in &audit.rows {
        let state = row.state.as_ref().map(|state| format!(", {}", States::words(state))).unwrap_or_default();
        let title = format!("{}, {}, {} ranks, {}{state}", row.collective, row.title(), row.ranks, row.world.title());
        match blocks.iter_mut().find(|block| block.title == title) {
            Some(block) => block.rows.push(row),
            None => blocks.push(Block { title, rows: vec![row] }),
        }
    }
    blocks
}

const HEADS: [&str; 9] =
    ["bytes", "printed µs", "reference µs", "printed ÷ reference", "E4 buffers", "E2 ranks", "rest", "launches", ""];

fn cells(row: &Row) -> Vec<String> {
    let factor = |log: Option<f64>| log.map_or("–".to_owned(), |log| format!("×{:.2}", log.exp()));
    vec![
        row.bytes.to_string(),
        significant(row.printed_us),
        significant(row.reference_us),
        ratio(row),
        factor(row.parts.never_rewritten),
        factor(row.parts.ranks_counted),
        factor(Some(row.parts.rest)),
        row.log_ratio.launches.to_string(),
        remark(row),
    ]
}

fn remark(row: &Row) -> String {
    if let Some(modes) = &row.modes {
        let [low, high] = modes.modes;
        return format!(
            "two groups of launches: ×{:.2} ({}) and ×{:.2} ({})",
            low.median.exp(),
            low.launches,
            high.median.exp(),
            high.launches
        );
    }
    match row.log_ratio.count {
        LaunchCount::Enough => String::new(),
        LaunchCount::Few | LaunchCount::TooFew => row.log_ratio.count.mark().to_owned(),
    }
}

/// How to read the tables.
fn reading(audit: &Audit) -> Vec<String> {
    let mut said = vec![
        format!(
            "Reference ({}): {}. It was taken between the benchmark's rows, in the same processes and on the benchmark's \
             own buffers; numbers and references of different states of the machine are never compared.",
            audit.reference.name(),
            reference_words(Some(audit.reference))
        ),
        format!(
            "printed ÷ reference = E4 · E2 · rest. E4: buffers are never rewritten. E2: other ranks than the slowest count. Rest: \
             how calls are started, how numbers are summed up. Intervals hold with {:.0} % confidence over launches.",
            audit.confidence * 100.0
        ),
    ];
    if audit.unpaired > 0 {
        said.push(format!(
            "{} printed numbers are left out: the state of the machine changed or was unclear while they were measured, or \
             their calls were not seen.",
            audit.unpaired
        ));
    }
    said
}

/// For a terminal.
pub fn table(audit: &Audit, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = |text: &str| lines.extend(wrapped(text, width, "  "));
    audit.load.iter().for_each(|load| paragraph(&format!("! {load}.")));
    paragraph(&answer(audit));
    advice(audit).iter().for_each(|advice| paragraph(&format!("- {advice}")));
    for block in blocks(audit) {
        lines.push(String::new());
        lines.extend(wrapped(&block.title, width, "  "));
        let mut rows = vec![HEADS.map(str::to_owned).to_vec()];
        rows.extend(block.rows.iter().map(|row| cells(row)));
        lines.extend(aligned(&rows, |column| column < 8).0);
    }
    lines.push(String::new());
    for said in reading(audit).iter().chain(&audit.left_out) {
        lines.extend(wrapped(said, width, "  "));
    }
    lines.join("\n") + "\n"
}

/// One page of Markdown.
pub fn markdown(audit: &Audit) -> String {
    let mut text = format!("# {}\n\n", audit.question);
    audit.load.iter().for_each(|load| text.push_str(&format!("**{load}.**\n\n")));
    text.push_str(&format!("{}\n\n", answer(audit)));
    advice(audit).iter().for_each(|advice| text.push_str(&format!("- {advice}\n")));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    for block in blocks(audit) {
        text.push_str(&format!("\n## {}\n\n", block.title));
        text.push_str(&line(HEADS.map(str::to_owned).to_vec()));
        text.push_str(&line(HEADS.map(|_| "---:".to_owned()).to_vec()));
        block.rows.iter().for_each(|row| text.push_str(&line(cells(row))));
    }
    text.push('\n');
    reading(audit).iter().chain(&audit.left_out).for_each(|said| text.push_str(&format!("{said}\n\n")));
    text
}

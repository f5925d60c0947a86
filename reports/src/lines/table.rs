//! Lines between cores for people.

use super::Lines;
use super::sentence::percent;
use std::fmt::Write;

/// The sentence, the matrix with the classes' names, over time what was seen of each class, and how fast each core is.
pub(super) fn table(lines: &Lines) -> String {
    let mut text = format!("{}\n", lines.sentence());
    let matrix = matrix(lines);
    if !matrix.is_empty() {
        let _ = write!(text, "\nHow long a cache line takes from core to core (half a round trip, median)\n{matrix}");
    }
    if lines.for_s.is_some() {
        text.push_str(&classes(lines));
    }
    text.push_str("\nTime that a core takes for the same work in registers, ns\n");
    for eight in lines.works().chunks(8) {
        let all: Vec<String> = eight.iter().map(|(core, ns)| format!("core {core}: {ns:.0}")).collect();
        let _ = writeln!(text, "  {}", all.join("  "));
    }
    text
}

fn matrix(lines: &Lines) -> String {
    let class = |from: usize, to: usize| {
        let (one, other) = (lines.cores[from], lines.cores[to]);
        let cores = [one.min(other), one.max(other)];
        lines.pairs.iter().find(|pair| pair.cores == cores).and_then(|pair| pair.class)
    };
    let width = lines.seen.iter().map(|class| class.name.len()).max().unwrap_or(0).max("unclear".len());
    lines.matrix().terminal(|from, to| format!("{:<width$}", lines.name(class(from, to))))
}

fn classes(lines: &Lines) -> String {
    let mut text = format!(
        "\n{:<10}{:>10}{:>12}{:>10}{:>18}{:>16}\n",
        "class", "line, ns", "of looks", "visits", "median visit, s", "longest, s"
    );
    for class in &lines.seen {
        let _ = writeln!(
            text,
            "{:<10}{:>10.1}{:>12}{:>10}{:>18.3}{:>16.3}",
            class.name,
            class.line_ns,
            percent(class.share),
            class.visits,
            class.median_visit_s,
            class.longest_visit_s
        );
    }
    let unclear = percent(lines.unclear_share());
    let _ = writeln!(text, "{:<10}{:>10}{unclear:>12}{:>10}{:>18}{:>16}", "unclear", "–", "–", "–", "–");
    text
}

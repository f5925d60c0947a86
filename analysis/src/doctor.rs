//! A diagnosis as a page for a terminal, at most 100 columns wide.

use campaign::doctor::{Diagnosis, Finding, Level};
use std::fmt;

/// Columns of the page.
const WIDTH: usize = 100;
/// Columns before a finding's text: two blanks, a sign, a blank, what it is about, two blanks.
const INDENT: usize = 4 + ABOUT + 2;
/// Columns of the longest "what it is about".
const ABOUT: usize = 14;

/// A diagnosis to be printed.
pub struct Page<'a> {
    /// What was found.
    pub diagnosis: &'a Diagnosis,
    /// Whether signs have colours.
    pub coloured: bool,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.diagnosis.sections {
            writeln!(f, "{}", self.paint("1", section.title))?;
            for finding in &section.findings {
                self.finding(f, finding)?;
            }
            writeln!(f)?;
        }
        for line in wrapped(&summary(self.diagnosis), WIDTH) {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl Page<'_> {
    fn finding(&self, f: &mut fmt::Formatter<'_>, finding: &Finding) -> fmt::Result {
        let (sign, colour) = match finding.level {
            Level::Ok => ("✓", "32"),
            Level::Note => ("•", "33"),
            Level::Problem => ("✗", "1;31"),
        };
        let mut lines = wrapped(&finding.says, WIDTH - INDENT).into_iter();
        let first = lines.next().unwrap_or_default();
        writeln!(f, "  {} {:ABOUT$}  {first}", self.paint(colour, sign), finding.about)?;
        for line in lines {
            writeln!(f, "{:INDENT$}{line}", "")?;
        }
        let to_do = finding.to_do.iter().flat_map(|to_do| wrapped(to_do, WIDTH - INDENT - 2));
        for (number, line) in to_do.enumerate() {
            let arrow = if number == 0 { self.paint(colour, "→") } else { " ".to_owned() };
            writeln!(f, "{:INDENT$}{arrow} {line}", "")?;
        }
        Ok(())
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A text in lines; its own line breaks stay.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| render::words::wrapped(line, width, "")).collect()
}

/// What it comes to.
fn summary(diagnosis: &Diagnosis) -> String {
    let counted = |count: usize, one: &str| match count {
        0 => format!("no {one}s"),
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let worlds = match diagnosis.worlds.as_slice() {
        [] => "Nothing can be measured here; predictions work.".to_owned(),
        [only] => format!("Ranks can be measured here in one world: {only}."),
        [first @ .., last] => format!("Ranks can be measured here in these worlds: {} and {last}.", first.join(", ")),
    };
    format!("{worlds} {}, {}.", counted(diagnosis.problems, "problem"), counted(diagnosis.notes, "note"))
        .replace(". no ", ". No ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::doctor::Section;

    #[test]
    fn the_page_keeps_to_a_hundred_columns_and_says_what_it_comes_to() {
        let long = Finding {
            level: Level::Note,
            about: "memory copies",
            says: "many words ".repeat(40),
            to_do: Some("and more to do ".repeat(30)),
        };
        let short = Finding { level: Level::Ok, about: "swap", says: "none".to_owned(), to_do: None };
        let sections = vec![Section { title: "Machine", findings: vec![short, long] }];
        let diagnosis = Diagnosis { worlds: vec!["threads", "mpich"], problems: 0, notes: 1, sections };
        let page = Page { diagnosis: &diagnosis, coloured: false }.to_string();
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
        assert!(page.contains("  ✓ swap            none\n"), "{page}");
        assert!(
            page.ends_with("Ranks can be measured here in these worlds: threads and mpich. No problems, 1 note.\n"),
            "{page}"
        );
    }
}

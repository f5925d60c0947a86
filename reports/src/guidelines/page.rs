//! Guidelines as a page.

use super::show::{advice, axes, checks, doubts, shown};
use super::{Check, Guidelines, Verdict};
use render::page::{Cell, Page, Section, Table};

/// The page; `command` is what made it.
pub fn page(guidelines: &Guidelines, command: &str) -> Page {
    let violated: Vec<&Check> =
        shown(guidelines, true).into_iter().filter(|check| check.verdict != Verdict::Kept).collect();
    let kept: Vec<&Check> =
        shown(guidelines, true).into_iter().filter(|check| check.verdict == Verdict::Kept).collect();
    let (_, common) = axes(guidelines);
    let paragraphs = if common.0.is_empty() { Vec::new() } else { vec![format!("All cases: {common}.")] };
    let advice = advice(guidelines).into_iter().map(|(name, advice)| vec![Cell::text(name), Cell::text(advice)]);
    let what_to_do = Table::new("What to do", ["guideline", "cure"], advice);
    let percent = 100.0 * guidelines.at_least;
    let how = format!(
        "A call of a library should not take longer than an equivalent sequence of its other calls, than the same \
         call with more data or on more ranks, or than several calls with a part of the data each (Träff, Gropp \
         and Thakur 2010; mock-ups as in PGMPI, Hunold and others 2016). Each of a mock-up's calls is timed on its \
         own, so that what they gain by overlapping counts for the call. Violated: the one-sided rank test is \
         significant, adjusted for all checks (Holm 1979), and the factor is at least {percent} % above 1. \
         Suspected: the factor is as large, but may be due to chance."
    );
    let section = |heading: &str, checks: &[&Check]| {
        Section::new(heading.to_owned()).with_paragraphs(paragraphs.clone()).with_tables([table(guidelines, checks)])
    };
    let mut sections = Vec::new();
    if !violated.is_empty() {
        let mut first = section("Violated and suspected", &violated);
        first.paragraphs.extend(doubts(guidelines).iter().map(|(doubt, count)| format!("{count} suspected: {doubt}.")));
        if !what_to_do.rows.is_empty() {
            first.tables.insert(0, what_to_do);
        }
        sections.push(first);
    }
    if !kept.is_empty() {
        sections.push(section("Kept", &kept));
    }
    sections.push(Section::new("How it was judged").with_paragraphs([how]));
    Page {
        question: format!("Does {} keep the performance guidelines?", guidelines.name),
        answer: guidelines.sentence.clone(),
        details: guidelines.notes.clone(),
        origin: guidelines.name.clone(),
        sections,
        reproduce: vec![command.to_owned()],
        environment: Vec::new(),
    }
}

fn table(guidelines: &Guidelines, of: &[&Check]) -> Table {
    let caption = "Calls against equivalent sequences".to_owned();
    Table { caption, ..checks(guidelines, of).noting(&[6]) }
}

//! Subjects at a glance: a line for each method with its slowest rank, whose time is that of the collective, and the
//! rank that it misreports most, with the error ratio as a bar. All bars have one scale.

use render::page::{Cell, Mood, Section, Table};
use render::plots::numbers::bytes;
use render::table::Bar;
use study::cells::{number, ratio};
use study::comparison::{MethodComparison, RankRow, Report, SubjectComparison, Verdict};
use study::plots::reporting;

const HEADS: [&str; 8] = ["", "slow", "meas. µs", "pred. µs", "worst", "r meas.", "r pred.", "ranks"];

/// Returns the section of all subjects but those that have a table of their own; `None` without any.
pub(super) fn section(report: &Report) -> Option<Section> {
    let subjects: Vec<&SubjectComparison> =
        report.subjects.iter().filter(|subject| !subject.is_told_beside()).collect();
    let which = if subjects.len() < report.subjects.len() { "Other subjects" } else { "All subjects" };
    let heading = format!("{which}: slowest and most misreported rank (✓ agrees, ≈ within 5 %, ✗ differs)");
    let lengths_vary = subjects.windows(2).any(|pair| pair[0].case.subject.bytes != pair[1].case.subject.bytes);
    let calls_vary = subjects.windows(2).any(|pair| pair[0].case.timing.calls != pair[1].case.timing.calls);
    let rows = subjects.iter().flat_map(|subject| {
        let length = if lengths_vary { format!(", {}", bytes(subject.case.subject.bytes)) } else { String::new() };
        let calls = if calls_vary { format!(", k = {}", subject.case.timing.calls) } else { String::new() };
        let flag = if subject.oversubscribed { "oversubscribed" } else { "" };
        let heading = Cell { mood: Mood::Close, ..Cell::text(subject.title() + &length + &calls).noting(flag) };
        [vec![heading]].into_iter().chain(reporting(subject).map(row))
    });
    let table = Table { spare: vec![1, 3], ..Table::new("", HEADS, rows) };
    (!subjects.is_empty()).then(|| Section::new(heading).with_tables([table]))
}

fn row(method: &MethodComparison) -> Vec<Cell> {
    let shifted = method.most_misreported();
    let of = |row: Option<&RankRow>, text: fn(&RankRow) -> String| Cell::number(row.map(text).unwrap_or_default(), "");
    let slowest = method.slowest();
    let measured = of(shifted, |row| ratio(row.measured_ratio.value));
    vec![
        Cell::text(method.method.name()),
        of(slowest, |row| row.rank.to_string()),
        of(slowest, |row| number(row.measured_us.value)),
        of(slowest, |row| number(row.predicted_us.value)),
        of(shifted, |row| row.rank.to_string()),
        measured.with_bar(shifted.map(|row| Bar::Ratio(row.told_ratio()))),
        of(shifted, |row| ratio(row.predicted_ratio.value)),
        tally(&method.rows),
    ]
}

/// Prints the number of ranks of each verdict, `7 ✓ 1 ≈`, in the colour of the last one.
fn tally(rows: &[RankRow]) -> Cell {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let mut found = Verdict::ALL.map(|verdict| (count(verdict), verdict)).into_iter().filter(|(count, _)| *count > 0);
    let word = |verdict| match verdict {
        Verdict::Agrees => "✓",
        Verdict::Close => "≈",
        Verdict::Differs => "✗",
        Verdict::Idle => "take no time",
        Verdict::Unmeasured => "simulated",
        Verdict::Unpredicted => "measured",
    };
    let words = found.clone().map(|(count, verdict)| format!("{count} {}", word(verdict)));
    let mood = found.next_back().map_or(Mood::Plain, |(_, verdict)| mood(verdict));
    Cell { mood, ..Cell::text(words.collect::<Vec<_>>().join(" ")) }
}

/// Colour of a verdict.
pub(crate) fn mood(verdict: Verdict) -> Mood {
    match verdict {
        Verdict::Agrees => Mood::Agrees,
        Verdict::Close => Mood::Close,
        Verdict::Differs => Mood::Differs,
        Verdict::Idle | Verdict::Unmeasured | Verdict::Unpredicted => Mood::Plain,
    }
}

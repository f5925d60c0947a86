//! Subjects at a glance: a line for each method with its slowest rank, whose time is that of the collective, and the
//! rank that it misreports most, with the error ratio as a bar. All bars have one scale.

use render::paint::Paint;
use render::plots::numbers::bytes;
use study::cells::{PaintVerdict, bar, in_columns, number, ratio};
use study::comparison::{MethodComparison, RankRow, Report, SubjectComparison, Verdict};
use study::plots::reporting;

/// Columns that fit into the width.
#[derive(Clone, Copy)]
struct Columns {
    /// Width of the bars; 0 leaves them out.
    bar: usize,
    /// Whether the slowest rank's number and predicted time are shown.
    predicted: bool,
}

impl Columns {
    fn new(width: usize) -> Columns {
        // Columns that are always there: method 18, times 11, ratios 25 and verdicts 14. The other numbers take 17, a
        // bar's gap 2.
        let predicted = width >= 86;
        let left = width.saturating_sub(if predicted { 87 } else { 70 });
        Columns { bar: if left < 6 { 0 } else { left.min(24) }, predicted }
    }

    fn line(self, cells: [&str; 8]) -> String {
        let [slow, predicted] = if self.predicted { [4, 9] } else { [0, 0] };
        in_columns(cells, [-16, slow, 9, predicted, 5, 7, -(self.bar as isize), 7])
    }
}

/// Returns the lines of all subjects but those that have a table of their own; empty without any.
pub(super) fn subjects(report: &Report, width: usize, paint: Paint) -> Vec<String> {
    let subjects: Vec<&SubjectComparison> =
        report.subjects.iter().filter(|subject| !subject.is_told_beside()).collect();
    if subjects.is_empty() {
        return Vec::new();
    }
    let columns = Columns::new(width);
    let full = subjects.iter().copied().map(largest_ratio).fold(1.0, f64::max);
    let which = if subjects.len() < report.subjects.len() { "Other subjects" } else { "All subjects" };
    let more = if columns.predicted { ": slowest and most misreported rank" } else { "" };
    let mut lines = vec![paint.bold(&format!("{which}{more}")) + &paint.faint("  ✓ agrees  ≈ within 5 %  ✗ differs")];
    let heads = ["", "slow", "meas. µs", "pred. µs", "worst", "r meas.", "", "r pred."];
    lines.push(paint.faint(&(columns.line(heads) + "ranks")));
    let lengths_vary = subjects.windows(2).any(|pair| pair[0].case.subject.bytes != pair[1].case.subject.bytes);
    let calls_vary = subjects.windows(2).any(|pair| pair[0].case.timing.calls != pair[1].case.timing.calls);
    for subject in subjects {
        let length = if lengths_vary { format!(", {}", bytes(subject.case.subject.bytes)) } else { String::new() };
        let calls = if calls_vary { format!(", k = {}", subject.case.timing.calls) } else { String::new() };
        lines.extend(heading(subject, &(length + &calls), width, paint));
        lines.extend(reporting(subject).map(|method| one(method, columns, full, paint)));
    }
    lines
}

/// Returns a subject's title, with `more` to distinguish it from others.
fn heading(subject: &SubjectComparison, more: &str, width: usize, paint: Paint) -> Vec<String> {
    const FLAG: &str = "  oversubscribed";
    let title = subject.title() + more;
    let fits = title.chars().count() + FLAG.len() <= width;
    let mut lines = paint.bold_lines(&title, width, "  ");
    match lines.last_mut().filter(|_| subject.oversubscribed) {
        Some(line) if fits => line.push_str(&paint.warning(FLAG)),
        Some(_) => lines.push(paint.warning(FLAG)),
        None => (),
    }
    lines
}

fn one(method: &MethodComparison, columns: Columns, full: f64, paint: Paint) -> String {
    let shifted = method.most_misreported();
    let of = |row: Option<&RankRow>, text: fn(&RankRow) -> String| row.map(text).unwrap_or_default();
    let slowest = method.slowest();
    let cells = [
        method.method.name().to_owned(),
        of(slowest, |row| row.rank.to_string()),
        of(slowest, |row| number(row.measured_us.value)),
        of(slowest, |row| number(row.predicted_us.value)),
        of(shifted, |row| row.rank.to_string()),
        of(shifted, |row| ratio(row.measured_ratio.value)),
        shifted.map(|row| bar(row.told_ratio(), full, columns.bar)).unwrap_or_default(),
        of(shifted, |row| ratio(row.predicted_ratio.value)),
    ];
    columns.line(cells.each_ref().map(String::as_str)) + &tally(&method.rows, paint)
}

/// Prints the number of ranks of each verdict: `7 ✓ 1 ≈`.
fn tally(rows: &[RankRow], paint: Paint) -> String {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let counts = Verdict::ALL.map(|verdict| (count(verdict), verdict));
    let told = counts.iter().filter(|(count, _)| *count > 0);
    told.map(|(count, verdict)| paint.tally(*count, *verdict)).collect::<Vec<_>>().join(" ")
}

/// Returns the largest ratio that is shown for a subject, at least 1.
pub(super) fn largest_ratio(subject: &SubjectComparison) -> f64 {
    let rows = subject.methods.iter().flat_map(|method| &method.rows);
    rows.map(RankRow::told_ratio).filter(|ratio| ratio.is_finite()).fold(1.0, f64::max)
}

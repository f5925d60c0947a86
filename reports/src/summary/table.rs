//! One subject as a table: a block for each method, a line for each rank.

use super::glance::largest_ratio;
use models::names::counted;
use programs::method::Method;
use render::paint::Paint;
use render::words::{indented, wrapped};
use study::cells::{PaintVerdict, bar, in_columns, number, percent, ratio};
use study::compare::{CONFIDENCE, FEWEST};
use study::comparison::{MethodComparison, RankRow, SubjectComparison};

/// Number of first ranks that are shown of many; [`LAST`] is the number of last ones.
const FIRST: usize = 8;
const LAST: usize = 4;

/// Columns that fit into the width.
#[derive(Clone, Copy)]
struct Columns {
    /// Width of the bars; 0 leaves them out.
    bar: usize,
    /// Whether half widths of the measured intervals are shown.
    interval: bool,
}

impl Columns {
    fn new(width: usize) -> Columns {
        // The other columns take 63, intervals 9 and a bar's gap 2.
        let interval = width >= 90;
        let left = width.saturating_sub(if interval { 74 } else { 65 });
        Columns { bar: if left < 6 { 0 } else { left.min(24) }, interval }
    }

    fn line(self, cells: [&str; 8]) -> String {
        let interval = if self.interval { -7 } else { 0 };
        in_columns(cells, [4, 9, interval, 9, 7, -(self.bar as isize), 7, 6])
    }
}

/// Returns the lines of a subject.
pub(super) fn subject(subject: &SubjectComparison, width: usize, paint: Paint) -> Vec<String> {
    let columns = Columns::new(width);
    let title = format!(
        "{}, {} B, root {}",
        subject.title_without_root(),
        subject.case.subject.bytes,
        subject.case.subject.root
    );
    let mut lines = paint.bold_lines(&title, width, "  ");
    if subject.oversubscribed {
        lines.push(format!("  {}", paint.warning("oversubscribed: more ranks than cores")));
    }
    let about = |what: &str, by: &str| match by {
        "" => Vec::new(),
        by => wrapped(&format!("  {what} by {by}"), width - 2, "  "),
    };
    for line in about("predicted", &subject.predicted_by).into_iter().chain(about("measured", &subject.measured_by)) {
        lines.push(format!("  {}", paint.faint(&line)));
    }
    if let Some(why) = subject.unpredicted() {
        lines.extend(wrapped(&why, width - 2, "  ").iter().map(|line| format!("  {}", paint.faint(line))));
    }
    if let Some(facts) = window_facts(subject) {
        lines.extend(wrapped(&facts, width - 2, "  ").iter().map(|line| format!("  {}", paint.faint(line))));
    }
    lines.push(heads(columns, paint));
    let full = largest_ratio(subject);
    for method in &subject.methods {
        lines.push(format!("  {}", heading(subject, method)));
        lines.extend(rows(method, columns, full, paint));
    }
    for reason in &subject.reasons {
        lines.extend(indented(&format!("why: {reason}"), width, "     "));
    }
    lines
}

/// Returns a subject's first method alone, rank by rank.
pub(super) fn first_method(subject: &SubjectComparison, width: usize, paint: Paint) -> Vec<String> {
    let columns = Columns::new(width);
    let method = subject.methods.iter().find(|method| method.method != Method::Window).or(subject.methods.first());
    let Some(method) = method else { return Vec::new() };
    let mut lines = wrapped(&format!("{}: {}", subject.title(), heading(subject, method)), width, "  ");
    lines.iter_mut().for_each(|line| *line = paint.bold(line));
    lines.push(heads(columns, paint));
    lines.extend(rows(method, columns, largest_ratio(subject), paint));
    lines
}

fn heads(columns: Columns, paint: Paint) -> String {
    let heads = ["rank", "meas. µs", "±", "pred. µs", "r meas.", "", "r pred.", "closed"];
    paint.faint(&(columns.line(heads) + "times"))
}

/// Returns the facts of clocks and windows, where there were windows.
fn window_facts(subject: &SubjectComparison) -> Option<String> {
    let (before, after) = subject.clock_bound_us;
    let (middle, high) = subject.start_skew_us;
    (subject.window_us > 0.0).then(|| {
        format!(
            "windows of {} µs, start skew {} µs (99 %: {}), clocks within {} µs, {} at the end",
            number(subject.window_us),
            number(middle),
            number(high),
            number(before),
            number(after)
        )
    })
}

fn heading(subject: &SubjectComparison, method: &MethodComparison) -> String {
    let (samples, calls) = (counted(method.samples, "sample"), counted(subject.case.timing.calls, "call"));
    let behind = match method.method {
        Method::Window | Method::RoundTime => format!("{} valid of {} starts", method.samples, method.starts),
        Method::BarrierSubtract => {
            format!("{samples} of {calls} with barriers, barriers subtracted")
        }
        Method::BarrierInside => {
            format!("{samples} of {calls} with barriers")
        }
        Method::Loop | Method::BarrierLoop | Method::RootRotation | Method::BarrierOwn | Method::LoopTrace => {
            format!("{samples} of {calls}")
        }
    };
    let few = if method.samples < FEWEST {
        format!("; too few for {} % intervals", CONFIDENCE * 100.0)
    } else {
        String::new()
    };
    format!("{} ({behind}{few})", method.method)
}

/// Returns the first and the last ranks; those between are summed up in a line.
fn rows(method: &MethodComparison, columns: Columns, full: f64, paint: Paint) -> Vec<String> {
    let rows = &method.rows;
    let line = |row: &RankRow| one(row, method.method, columns, full, paint);
    if rows.len() <= FIRST + LAST + 1 {
        return rows.iter().map(line).collect();
    }
    let (first, between, last) = (&rows[..FIRST], &rows[FIRST..rows.len() - LAST], &rows[rows.len() - LAST..]);
    let of = |end: fn(f64, f64) -> f64| between.iter().map(|row| row.measured_ratio.value).fold(f64::NAN, end);
    let (low, high) = (ratio(of(f64::min)), ratio(of(f64::max)));
    let between = format!("     …  {} ranks between, r measured {low} to {high}", between.len());
    first.iter().map(line).chain([paint.faint(&between)]).chain(last.iter().map(line)).collect()
}

fn one(row: &RankRow, method: Method, columns: Columns, full: f64, paint: Paint) -> String {
    let measured = &row.measured_us;
    let half_width = (measured.high - measured.low) / 2.0 / measured.value;
    // The reference of the window method is itself: a bar would show nothing.
    let drawn = if method == Method::Window { String::new() } else { bar(row.told_ratio(), full, columns.bar) };
    let cells = [
        &row.rank.to_string(),
        &number(measured.value),
        &format!("±{}", percent(half_width)),
        &number(row.predicted_us.value),
        &ratio(row.measured_ratio.value),
        &drawn,
        &ratio(row.predicted_ratio.value),
        &row.closed_form_ratio.map_or_else(|| ratio(f64::NAN), ratio),
    ];
    columns.line(cells.map(|cell| cell.as_str())) + &paint.verdict(row.verdict)
}

//! Tables of a terminal: for each operation and world a line for each number of bytes, all columns side by side.

use super::details::detail_lines;
use super::foot::{bounds, cards, first_of_all, legend, memory, states};
use super::layout::{Column, paired, panels};
use super::numbers::numbers;
use super::per_rank;
use super::steadiness::findings;
use super::{Cell, Hidden, Measured, MeasuredRow, Printed, Reading, Seen, Spread, Subject};
use crate::cells::{NOTHING, ratio};
use crate::clock_checks;
use crate::measures::Measure;
use crate::over::OverReference;
use programs::method::Method;
use render::paint::Paint;
use render::table::Table as LaidOut;
use render::words::{apart, indented, wrapped};
use statistics::median;

/// Least width of a table, in columns.
const NARROWEST: usize = 64;

/// Prints times to the nanosecond where they are short, with four digits where they are long; a dash for `None`.
pub(super) fn micros(us: Option<f64>) -> String {
    match us.filter(|us| us.is_finite()) {
        None => NOTHING.to_owned(),
        Some(us) => {
            let decimals = [1_000.0, 100.0, 10.0].iter().position(|&from| us.abs() >= from).unwrap_or(3);
            format!("{us:.decimals$}")
        }
    }
}

/// Lowers the first letter of a sentence that continues another one.
fn lower_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Prints a ratio: `×0.21`.
pub(super) fn times(value: Option<f64>) -> String {
    format!("×{}", ratio(value.unwrap_or(f64::NAN)))
}

/// Prints a ratio: `×0.21`; `×0.21|0.40` where launches fall into two groups; empty for `None`.
pub(super) fn over(ratio: Option<&OverReference>) -> String {
    ratio.map_or_else(String::new, |over| {
        over.groups().map_or_else(|| times(Some(over.ratio().0)), |groups| format!("×{groups}"))
    })
}

/// Returns all tables, `width` columns wide, coloured if `colour`; lines end in `\n`.
pub(super) fn table(measured: &Measured, width: usize, colour: bool) -> String {
    written(measured, width, Paint(colour), |one, width, paint| subject(one, &measured.reading, width, paint))
}

/// Returns the numbers one by one, with their intervals and the data behind them.
pub(super) fn details(measured: &Measured, width: usize, colour: bool) -> String {
    written(measured, width, Paint(colour), |one, width, paint| {
        let numbers = detail_lines(one, measured.reading.confidence(), paint);
        heading(one, &measured.reading, width, paint).into_iter().chain(numbers).collect()
    })
}

fn written(
    measured: &Measured,
    width: usize,
    paint: Paint,
    tell: impl Fn(&Subject, usize, Paint) -> Vec<String>,
) -> String {
    let width = width.max(NARROWEST);
    let load = measured.load.iter().flat_map(|load| wrapped(&format!("! {load}."), width, "  "));
    let mut parts: Vec<Vec<String>> = vec![load.map(|line| paint.warning(&line)).collect()];
    parts.extend(measured.subjects.iter().map(|one| {
        let ranks = measured.reading.per_rank.then(|| {
            let table = per_rank::seen(&numbers(std::slice::from_ref(one)), &measured.reading);
            rank_lines(&table, width, paint)
        });
        tell(one, width, paint).into_iter().chain(ranks.into_iter().flatten()).collect()
    }));
    parts.push(states(measured, width));
    parts.push(first_of_all(measured, width));
    parts.push(clock_checks::terminal::table(&measured.clocks, width, paint));
    parts.push(cards(measured, width));
    parts.push(bounds(measured, width));
    parts.push(memory(measured, width));
    if !measured.left_out.is_empty() {
        let what = measured.left_out.iter().flat_map(|what| wrapped(&format!("  {what}"), width, "  "));
        parts.push(std::iter::once(paint.bold("Left out")).chain(what).collect());
    }
    parts.extend(measured.launches.as_ref().map(|launches| wrapped(launches, width, "  ")));
    parts.push(legend(measured, width).iter().map(|line| paint.faint(line)).collect());
    apart(parts)
}

/// Returns the title of a subject, the origin of its measurements, and caveats.
fn heading(subject: &Subject, reading: &Reading, width: usize, paint: Paint) -> Vec<String> {
    let mut lines = paint.bold_lines(&subject.title(), width, "  ");
    let launches = match subject.launches {
        1 => "1 launch (ratios have no interval)".to_owned(),
        few @ 2..4 => format!("{few} launches (numbers are means of their medians, ratios have no interval)"),
        few if few < reading.launches_for_a_median() => {
            format!("{few} launches (few: numbers are means of their medians)")
        }
        many => format!("{many} launches (numbers are medians of their medians)"),
    };
    let about = format!(
        "{}; {launches}, k = {}, {} synchronisation{}",
        subject.measured_by,
        subject.case.timing.calls,
        subject.case.timing.conditions.sync,
        reading.words().iter().map(|words| format!(", {words}")).collect::<String>()
    );
    lines.extend(wrapped(&about, width - 2, "").iter().map(|line| format!("  {}", paint.faint(line))));
    if subject.oversubscribed {
        let beware = wrapped("oversubscribed: more ranks than cores; ranks sleep while they wait", width - 2, "");
        lines.extend(beware.iter().map(|line| format!("  {}", paint.warning(line))));
    }
    lines
}

fn subject(subject: &Subject, reading: &Reading, width: usize, paint: Paint) -> Vec<String> {
    let mut lines = heading(subject, reading, width, paint);
    let (names, columns) = columns(subject);
    for panel in panels(&names, &columns, width) {
        lines.extend(panel[..3].iter().map(|head| paint.faint(head)));
        lines.extend(panel[3..].iter().cloned());
    }
    let mut said: Vec<String> = groups(subject).into_iter().collect();
    let unsure = subject.rows.iter().find_map(|row| row.unsure.as_ref());
    said.extend(unsure.map(|why| format!("! the clocks may be wrong: {why}")));
    said.extend(subject.empty_window.clone());
    let shaky = subject.rows.iter().find_map(|row| Some((row.bytes, row.shaky.as_ref()?)));
    said.extend(shaky.map(|(bytes, why)| format!("? the reference is too uncertain for ratios: at {bytes} B {why}")));
    if let Some((first, more)) = findings(subject).split_first() {
        let more = if more.is_empty() { String::new() } else { format!("; {} more: --details", more.len()) };
        said.push(format!("~ not steady: {first}{more}"));
    }
    let disturbed = subject.rows.iter().find_map(|row| Some((row.bytes, row.disturbed.as_ref()?)));
    said.extend(disturbed.map(|(bytes, why)| format!("* disturbed: at {bytes} B {}", lower_first(why))));
    lines.extend(said.iter().flat_map(|said| indented(said, width, "  ")));
    lines
}

/// Returns the lines of the table of ranks, below its caption.
fn rank_lines(table: &LaidOut, width: usize, paint: Paint) -> Vec<String> {
    let caption = wrapped(&table.caption, width - 2, "").into_iter().map(|line| format!("  {}", paint.faint(&line)));
    caption.chain(table.lines()).collect()
}

/// Describes the first ratio whose launches fall into two groups, with the number of further ones.
fn groups(subject: &Subject) -> Option<String> {
    let all: Vec<String> = subject
        .rows
        .iter()
        .flat_map(|row| row.ratios().map(move |(name, over)| (row, name, over)))
        .filter(|(_, _, over)| over.modes.is_some())
        .map(|(row, name, over)| format!("{name} at {} B: {}", row.bytes, over.remark()))
        .collect();
    let more = match all.len() {
        0 | 1 => String::new(),
        2 => "; one more ratio has two groups: --details".to_owned(),
        all => format!("; {} more ratios have two groups: --details", all - 1),
    };
    all.first().map(|first| format!("| no single ratio: {first}{more}"))
}

/// Returns the column of bytes, and all columns beside it.
pub(super) fn columns(subject: &Subject) -> (Column, Vec<Column>) {
    let rows = &subject.rows;
    let each = |text: &dyn Fn(&MeasuredRow) -> String| rows.iter().map(text).collect::<Vec<String>>();
    let names = Column::new("", "bytes", each(&|row| row.bytes.to_string()));
    let mut columns: Vec<Column> = subject.cells().into_iter().map(|which| method_column(which, subject)).collect();
    columns.extend(benchmark_columns(rows));
    columns.extend(seen_columns(rows));
    let spread = |head, of: fn(&MeasuredRow) -> Option<Spread>| {
        let number = |pick: fn(Spread) -> f64| each(&|row| micros(of(row).map(pick)));
        let median = Column::new(WINDOWS, head, number(|spread| spread.median_us));
        let p99 = Column::new(WINDOWS, &format!("{head} 99 %"), number(|s| s.p99_us));
        [median, p99]
    };
    if rows.iter().any(|row| row.start_skew_us.is_some()) {
        columns.extend(spread("start", |row| row.start_skew_us));
        columns.extend(spread("exit", |row| row.exit_skew_us));
        let length = |row: &MeasuredRow| micros(row.window_us) + if row.window_capped { ">" } else { "" };
        columns.push(Column::new(WINDOWS, "length", each(&length)));
    }
    if rows.iter().any(|row| !row.first_calls.is_empty()) {
        let pairs: Vec<(String, String)> = rows.iter().map(first_call).collect();
        let head = ["µs".to_owned(), "× later".to_owned()];
        columns.push(Column { group: "first call".to_owned(), head, cells: paired(&pairs) });
    }
    columns.extend(fixed_window_columns(rows));
    columns.extend(hidden_columns(rows));
    (names, columns)
}

const METHODS: &str = "methods, µs, × the reference";
const WINDOWS: &str = "reference's windows: skew and length, µs";

fn method_column((method, is_reference): (Method, bool), subject: &Subject) -> Column {
    let cell = |row: &MeasuredRow| {
        let cell = row.cell((method, is_reference));
        let flag = match (is_reference, &row.unsure, &row.shaky) {
            (true, Some(_), _) => "!",
            (true, None, Some(_)) => "?",
            _ => "",
        };
        let disturbed = if is_reference && row.disturbed.is_some() { "*" } else { "" };
        let value = micros(cell.and_then(|cell| cell.us).map(|us| us.value)) + flag + disturbed;
        let against = over(cell.filter(|_| !is_reference).and_then(|cell| cell.ratio.as_ref()));
        (value, against)
    };
    let cells = paired(&subject.rows.iter().map(cell).collect::<Vec<_>>());
    match subject.reference.filter(|_| is_reference) {
        Some(buffer) => {
            let head = ["reference".to_owned(), format!("({})", buffer.name())];
            Column { group: METHODS.to_owned(), head, cells }
        }
        None => Column::new(METHODS, method.name(), cells),
    }
}

/// Returns the columns of benchmarks; those that print equal numbers share one.
fn benchmark_columns(rows: &[MeasuredRow]) -> Vec<Column> {
    let Some(first) = rows.first() else { return Vec::new() };
    let column = |(place, printed): (usize, &Printed)| {
        let number = |row: &MeasuredRow| row.benchmarks.get(place).and_then(|printed| printed.us);
        let against = |row: &MeasuredRow| over(row.benchmarks.get(place).and_then(|printed| printed.ratio.as_ref()));
        let there = rows.iter().any(|row| number(row).is_some());
        let by: Vec<&str> = printed.by.iter().map(|preset| preset.title()).collect();
        there.then(|| Column {
            group: "benchmarks would print, µs, × the reference".to_owned(),
            head: [by.join("+"), short_head(printed.heads[0])],
            cells: paired(&rows.iter().map(|row| (micros(number(row)), against(row))).collect::<Vec<_>>()),
        })
    };
    first.benchmarks.iter().enumerate().filter_map(column).collect()
}

/// Returns columns of the windows' other measures. The time from the first start is left out: it is the window method's
/// number.
fn seen_columns(rows: &[MeasuredRow]) -> Vec<Column> {
    let Some(first) = rows.first() else { return Vec::new() };
    let column = |(place, seen): (usize, &Seen)| {
        let number = |row: &MeasuredRow| row.columns.get(place).and_then(|seen| seen.us);
        let there = seen.measure != Measure::FromFirstStart && rows.iter().any(|row| number(row).is_some());
        let cells = rows.iter().map(|row| micros(number(row))).collect();
        there.then(|| Column::new("reference's windows: other views, µs", seen.measure.name(), cells))
    };
    first.columns.iter().enumerate().filter_map(column).collect()
}

/// Returns columns of the hidden shares of overlapped calls.
fn hidden_columns(rows: &[MeasuredRow]) -> Vec<Column> {
    let Some(first) = rows.first() else { return Vec::new() };
    let column = |(place, hidden): (usize, &Hidden)| {
        let cell = |row: &MeasuredRow| percent(row.hidden.get(place).and_then(|hidden| hidden.percent));
        Column::new("overlap, % of the call", hidden.by.title(), rows.iter().map(cell).collect())
    };
    first.hidden.iter().enumerate().map(column).collect()
}

/// Prints a share in percent.
pub(super) fn percent(percent: Option<f64>) -> String {
    percent.map_or_else(|| NOTHING.to_owned(), |percent| format!("{percent:.0}"))
}

/// Shortens a benchmark's head: `t_avg[usec]` to `avg`, `median_sec` to `median`.
fn short_head(head: &str) -> String {
    head.trim_start_matches("t_")
        .trim_end_matches("[usec]")
        .trim_end_matches("_sec")
        .trim_matches(['[', ']'])
        .to_lowercase()
}

/// Prints the first call, and its ratio to the later ones: the median of several launches.
fn first_call(row: &MeasuredRow) -> (String, String) {
    let first: Vec<f64> = row.first_calls.iter().map(|call| call.first_us).collect();
    let ratios: Vec<f64> = row.first_calls.iter().filter_map(|call| call.ratio()).collect();
    (micros(median(&first)), median(&ratios).map(|ratio| times(Some(ratio))).unwrap_or_default())
}

fn fixed_window_columns(rows: &[MeasuredRow]) -> Vec<Column> {
    let mut lengths: Vec<f64> = rows.iter().flat_map(|row| &row.fixed_windows).map(|fixed| fixed.window_us).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    lengths.dedup();
    let cell = |row: &MeasuredRow, length: f64| {
        let found: Option<&Cell> =
            row.fixed_windows.iter().find(|fixed| fixed.window_us == length).map(|fixed| &fixed.cell);
        (micros(found.and_then(|cell| cell.us).map(|us| us.value)), over(found.and_then(|cell| cell.ratio.as_ref())))
    };
    let column = |length: f64| {
        let cells: Vec<(String, String)> = rows.iter().map(|row| cell(row, length)).collect();
        let head = if length < 1_000.0 { format!("{length} µs") } else { format!("{} ms", length / 1_000.0) };
        let group = "fixed windows: µs, × the adapting window's";
        Column { group: group.to_owned(), head: [String::new(), head], cells: paired(&cells) }
    };
    lengths.into_iter().map(column).collect()
}

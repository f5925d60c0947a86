//! One subject as a table: a block for each method, a line for each rank.

use super::glance::mood;
use models::names::counted;
use programs::method::Method;
use render::page::{Cell, Section, Table};
use render::table::Bar;
use study::cells::{number, percent, ratio};
use study::compare::{CONFIDENCE, FEWEST};
use study::comparison::{MethodComparison, RankRow, SubjectComparison, Verdict};

/// Number of first ranks that are shown of many; [`LAST`] is the number of last ones.
const FIRST: usize = 8;
const LAST: usize = 4;

const HEADS: [&str; 8] = ["rank", "meas. µs", "±", "pred. µs", "r meas.", "r pred.", "closed", "times"];

/// Returns the section of a subject, with every method rank by rank.
pub(super) fn section(subject: &SubjectComparison) -> Section {
    let title = format!(
        "{}, {} B, root {}",
        subject.title_without_root(),
        subject.case.subject.bytes,
        subject.case.subject.root
    );
    let by = [("predicted", &subject.predicted_by), ("measured", &subject.measured_by)];
    let by = by.into_iter().filter(|(_, by)| !by.is_empty()).map(|(what, by)| format!("{what} by {by}"));
    let rows = subject
        .methods
        .iter()
        .flat_map(|method| [vec![Cell::text(heading(subject, method))]].into_iter().chain(rows(method)));
    let notes = subject.reasons.iter().map(|reason| format!("why: {reason}")).collect();
    let crowded = subject.oversubscribed.then_some("oversubscribed: more ranks than cores");
    Section::new(title)
        .with_warnings(crowded)
        .with_paragraphs(by)
        .with_paragraphs(subject.unpredicted())
        .with_paragraphs(window_facts(subject))
        .with_tables([Table { notes, ..table(rows) }])
}

/// Returns the section of a subject's first method alone, rank by rank; `None` where there is no method.
pub(super) fn first_method(subject: &SubjectComparison) -> Option<Section> {
    let method = subject.methods.iter().find(|method| method.method != Method::Window).or(subject.methods.first())?;
    let title = format!("{}: {}", subject.title(), heading(subject, method));
    Some(Section::new(title).with_tables([table(rows(method))]))
}

/// Returns a table of ranks, in which narrow terminals leave out the half widths of intervals.
fn table(rows: impl IntoIterator<Item = Vec<Cell>>) -> Table {
    Table { spare: vec![2], ..Table::new("", HEADS, rows) }
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
fn rows(method: &MethodComparison) -> Vec<Vec<Cell>> {
    let rows = &method.rows;
    let line = |rank: &RankRow| row(rank, method.method);
    if rows.len() <= FIRST + LAST + 1 {
        return rows.iter().map(line).collect();
    }
    let (first, between, last) = (&rows[..FIRST], &rows[FIRST..rows.len() - LAST], &rows[rows.len() - LAST..]);
    let of = |end: fn(f64, f64) -> f64| between.iter().map(|row| row.measured_ratio.value).fold(f64::NAN, end);
    let (low, high) = (ratio(of(f64::min)), ratio(of(f64::max)));
    let between = format!("…  {} ranks between, r measured {low} to {high}", between.len());
    first.iter().map(line).chain([vec![Cell::text(between)]]).chain(last.iter().map(line)).collect()
}

fn row(row: &RankRow, method: Method) -> Vec<Cell> {
    let measured = &row.measured_us;
    let half_width = (measured.high - measured.low) / 2.0 / measured.value;
    // The reference of the window method is itself: a bar would show nothing.
    let bar = (method != Method::Window).then(|| Bar::Ratio(row.told_ratio()));
    let number_cell = |text: String| Cell::number(text, "");
    let verdict = match row.verdict {
        Verdict::Agrees | Verdict::Close | Verdict::Differs => row.verdict.name(),
        Verdict::Idle | Verdict::Unmeasured | Verdict::Unpredicted => "–",
    };
    vec![
        number_cell(row.rank.to_string()),
        number_cell(number(measured.value)),
        Cell::text(format!("±{}", percent(half_width))),
        number_cell(number(row.predicted_us.value)),
        number_cell(ratio(row.measured_ratio.value)).with_bar(bar),
        number_cell(ratio(row.predicted_ratio.value)),
        number_cell(row.closed_form_ratio.map_or_else(|| ratio(f64::NAN), ratio)),
        Cell { mood: mood(row.verdict), ..Cell::text(verdict) },
    ]
}

//! The answer of an audit of texts, in sentences: the range of the printed numbers' ratios, and the limits of texts.

use super::answer::{extreme, ratio};
use super::{Audit, AuditRow, NOT_PAIRED, Texts};
use calibration::states::{MetState, States};
use render::groups::distinct;
use render::plots::numbers::bytes;

/// A number that differs by more than this factor from all values expected from the references is of another machine,
/// library or state, or of a method that shifts it as far.
const FAR: f64 = 2.0;

/// The rows in one state, without columns of minima.
fn in_state(audit: &Audit, state: Option<MetState>) -> Vec<&AuditRow> {
    audit.rows.iter().filter(|row| row.state == state && !row.is_least()).collect()
}

/// The states that rows are in, the most visited first.
fn states(audit: &Audit) -> Vec<Option<MetState>> {
    distinct(audit.rows.iter().map(|row| row.state))
}

/// Name of a number: `bcast 8 B by OSU in osu.np2.txt (not paired), Avg Latency(us)`.
fn named(row: &AuditRow) -> String {
    format!("{} {} by {}", row.collective, bytes(row.bytes), row.title())
}

/// The first sentences of the answer.
pub(super) fn conclude(audit: &Audit) -> String {
    let states = states(audit);
    let ranges: Vec<(Option<MetState>, Range)> =
        states.into_iter().filter_map(|state| Some((state, Range::from_rows(&in_state(audit, state))?))).collect();
    let mut said = Vec::new();
    match ranges.as_slice() {
        all if !all.iter().any(|(_, range)| range.is_firm) => {
            said.push("All ratios are too uncertain for an answer: take more launches.".to_owned());
        }
        [(_, range)] => said.push(format!("The printed numbers lie {}.", range.words)),
        several => {
            let words = |(state, range): &(Option<MetState>, Range)| {
                let state = state.as_ref().map(States::words).unwrap_or_default();
                format!("if they were printed while {state}, the numbers lie {}", range.words)
            };
            let each: Vec<String> = several.iter().map(words).collect();
            said.push(format!("{}: {}.", dependence(audit, several), each.join("; ")));
        }
    }
    said.extend(elsewhere(audit));
    said.join(" ")
}

/// Whether the answer depends on the state in which texts were printed, in words.
fn dependence(audit: &Audit, ranges: &[(Option<MetState>, Range)]) -> String {
    let state = "the state of the machine in which the texts were printed, which they do not state";
    match apart(audit) {
        Some(example) => format!("The answer depends on {state} ({example})"),
        None if ranges.iter().all(|(_, range)| range.is_firm) => {
            format!("Within the intervals, the answer does not depend on {state}")
        }
        None => format!("The answer may depend on {state}; some states occurred in too few launches"),
    }
}

/// The range of the ratios in which numbers lie, in words.
struct Range {
    words: String,
    is_firm: bool,
}

impl Range {
    /// `between ×0.71 [0.60, 0.84] and ×1.43 [1.20, 1.70] of the reference that was measured here; worst …`: from the
    /// firm rows, if there are any.
    fn from_rows(rows: &[&AuditRow]) -> Option<Range> {
        let firm: Vec<&AuditRow> = rows.iter().copied().filter(|row| row.over.is_firm()).collect();
        let is_firm = !firm.is_empty();
        let rows = if is_firm { firm.as_slice() } else { rows };
        let (least, most) = (extreme(rows, -1.0)?, extreme(rows, 1.0)?);
        let size = |row: &AuditRow| row.over.log_ratio.value.abs();
        let worst = if size(least) > size(most) { least } else { most };
        let (low, high, named) = (ratio(least), ratio(most), named(worst));
        let doubt = if is_firm { "" } else { " (uncertain: take more launches)" };
        let words = format!(
            "between {low} and {high} of the reference that was measured here{doubt}, worst {}: {named}",
            ratio(worst)
        );
        Some(Range { words, is_firm })
    }
}

/// The number that differs most between states, if its ratios lie beyond each other's intervals: `… is ×0.71 or ×1.43`.
fn apart(audit: &Audit) -> Option<String> {
    let is_same = |one: &AuditRow, other: &AuditRow| {
        (one.ranks, one.collective, one.bytes, one.title())
            == (other.ranks, other.collective, other.bytes, other.title())
    };
    let outside = |one: &AuditRow, other: &AuditRow| {
        let interval = other.over.log_ratio.interval;
        interval.is_some_and(|(low, high)| !(low..=high).contains(&one.over.log_ratio.value))
    };
    let mut widest: Option<(f64, &AuditRow, &AuditRow)> = None;
    for (place, one) in audit.rows.iter().enumerate().filter(|(_, row)| !row.is_least()) {
        for other in audit.rows[place + 1..].iter().filter(|other| other.state != one.state && is_same(one, other)) {
            let wide = (one.over.log_ratio.value - other.over.log_ratio.value).abs();
            let differs = outside(one, other) && outside(other, one);
            if differs && widest.is_none_or(|(known, ..)| wide > known) {
                widest = Some((wide, one, other));
            }
        }
    }
    widest.map(|(_, one, other)| format!("{}: {} or {}", named(one), ratio(one), ratio(other)))
}

/// A sentence for each text whose every number is far beyond all values expected from the references, in one direction.
fn elsewhere(audit: &Audit) -> Vec<String> {
    let mut texts: Vec<&String> = audit.rows.iter().filter_map(|row| row.text.as_ref()).collect();
    texts.sort_unstable();
    texts.dedup();
    let told = |text: &String| {
        let rows: Vec<&AuditRow> =
            audit.rows.iter().filter(|row| row.text.as_ref() == Some(text) && !row.is_least()).collect();
        let side = far(rows.first()?)?;
        let all = rows.iter().all(|row| far(row) == Some(side));
        all.then(|| {
            format!(
                "Every number of {text} is {side} the values expected from the references of all observed states: the \
                 text was probably printed on another machine, with another library or in another state."
            )
        })
    };
    texts.into_iter().filter_map(told).collect()
}

/// The side on which a number is far beyond the reference of every launch, also on never rewritten buffers and by the
/// ranks that its column counts.
fn far(row: &AuditRow) -> Option<&'static str> {
    let logs = || row.over.of_launches.iter().map(|(_, log)| *log);
    let buffers = row.parts.never_rewritten.unwrap_or(0.0);
    let counted = buffers + row.parts.ranks_counted.unwrap_or(0.0);
    let least = logs().fold(f64::INFINITY, f64::min) - buffers.max(counted).max(0.0);
    let most = logs().fold(f64::NEG_INFINITY, f64::max) - buffers.min(counted).min(0.0);
    if least > FAR.ln() {
        Some("more than twice")
    } else if most < -FAR.ln() {
        Some("less than half of")
    } else {
        None
    }
}

/// Further advice: the references of the comparison, and the questions that texts leave open.
pub(super) fn advice(audit: &Audit, texts: &Texts) -> Vec<String> {
    let mark = NOT_PAIRED[..1].to_uppercase() + &NOT_PAIRED[1..];
    let mut said = vec![
        format!(
            "{mark}. A text is one launch, in an unknown state of the machine: each interval is a prediction interval \
             for one more launch, and further launches hardly narrow it."
        ),
        format!(
            "References were measured on {}, {}, in {} launches of Parallax's own ranks, with the same calls, lengths, \
             elements and numbers of ranks. They are not valid for a text of another machine.",
            texts.host,
            if texts.started.is_empty() { "at an unknown time" } else { &texts.started },
            texts.launches
        ),
        flags(audit),
    ];
    said.extend(texts.remarks.iter().cloned());
    said
}

/// The command that answers the question of a text's flags: their effect on the numbers.
fn flags(audit: &Audit) -> String {
    let run: Vec<&AuditRow> = audit.rows.iter().filter(|row| ["OSU", "IMB"].contains(&row.tool.as_str())).collect();
    let listed = |of: &dyn Fn(&AuditRow) -> String| {
        let mut all: Vec<String> = run.iter().map(|row| of(row)).collect();
        all.sort_unstable();
        all.dedup();
        all.join(",")
    };
    let command = match run.as_slice() {
        [] => "osu,imb …".to_owned(),
        _ => format!("{} {}", listed(&|row| row.tool.to_lowercase()), listed(&|row| row.collective.to_string())),
    };
    format!(
        "A text cannot show which flags would have been better: `parallax audit {command}` runs the benchmark and \
         compares its flags."
    )
}

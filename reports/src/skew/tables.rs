//! Exit skews as text, as JSON and as a page.

use super::{Distribution, Skew, draw};
use crate::table::Table;
use crate::template::fill;
use minijinja::value::Serde;
use models::time::Span;
use serde_json::{Value, json};

const HEADS: [&str; 9] = ["algorithm", "noise", "exits", "min", "median", "mean", "p99", "max", "count"];

/// For people, in µs: two lines for each algorithm and circumstance.
pub fn text_table(skew: &Skew) -> String {
    let mut text = format!("{}\n", skew.title);
    skew.notes.iter().for_each(|note| text += &format!("  {note}\n"));
    text + &Table::plain(HEADS, rows(skew), |column| column >= 3).text()
}

/// What a row is called, and its two distributions.
fn rows(skew: &Skew) -> impl Iterator<Item = [String; 9]> {
    skew.rows.iter().flat_map(|row| {
        let noise = if row.noise { "yes" } else { "no" };
        [("last − first", row.skew), ("each − first", row.delay)].map(|(exits, d)| {
            let [min, median, mean, p99, max] = [d.min, d.median, d.mean, d.p99, d.max].map(microseconds);
            [
                row.algorithm.clone(),
                noise.to_owned(),
                exits.to_owned(),
                min,
                median,
                mean,
                p99,
                max,
                d.count.to_string(),
            ]
        })
    })
}

/// With three decimals: whole ns, which is finer than any exit is known.
fn microseconds(span: Span) -> String {
    format!("{:.3}", span.as_us())
}

/// For programs: times in integer picoseconds.
pub fn json(skew: &Skew) -> Value {
    let of = |d: &Distribution| {
        json!({
            "count": d.count, "min": d.min, "p01": d.p01, "p25": d.p25, "median": d.median, "mean": d.mean,
            "p75": d.p75, "p99": d.p99, "max": d.max,
        })
    };
    let rows: Vec<Value> = skew
        .rows
        .iter()
        .map(|row| {
            json!({
                "algorithm": row.algorithm, "noise": row.noise,
                "skew_ps": of(&row.skew), "exit_after_first_ps": of(&row.delay),
            })
        })
        .collect();
    json!({ "title": skew.title, "notes": skew.notes, "rows": rows })
}

/// A page that needs nothing else: the picture and the table.
///
/// # Errors
/// Only where the template itself is broken; no skew can cause it.
pub fn page(skew: &Skew) -> Result<String, minijinja::Error> {
    let rows: Vec<[String; 9]> = rows(skew).collect();
    let page = json!({ "title": skew.title, "svg": draw(skew), "heads": HEADS, "rows": rows });
    Ok(fill(include_str!("page.html"), Serde(page))? + "\n")
}

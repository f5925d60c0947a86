//! A small sweep as a table for people: what is varied, and the finish.

use super::row::{Found, Row};
use crate::table::Table;
use models::time::{Span, Time};
use scenario::sweep::{Point, Sweep};

/// The question, then a row per point, in µs.
pub fn table(sweep: &Sweep, rows: &[Row<'_>]) -> String {
    let varied: Vec<&str> = sweep.varied().collect();
    let heads = varied.iter().copied().chain(["finish", "mean", "exit skew", "engine"]);
    let rows = rows.iter().map(|row| varied.iter().map(|key| value(&row.point, key)).chain(found(&row.found)));
    let table = Table::plain(heads, rows, |column| (varied.len()..varied.len() + 3).contains(&column)).ruled();
    let legend = "finish: the last rank's, or the latest realisation's, in µs; mean: over ranks, or realisations";
    format!("{}\n\n{table}\n{legend}\n", sweep.question)
}

fn value(point: &Point<'_>, key: &str) -> String {
    let shape = &point.shape;
    match key {
        "algorithm" => format!("{} {}", point.algorithm.collective, point.algorithm.name),
        "ranks" => shape.ranks.to_string(),
        "bytes" => shape.bytes.to_string(),
        "root" => shape.root.to_string(),
        "segment" => shape.segment_bytes.to_string(),
        "fanout" => shape.fanout.to_string(),
        "model" => [point.model, point.send_rule.unwrap_or_default(), &point.settings].join(" ").trim().to_owned(),
        "platform" if point.refinements.is_empty() => "none".to_owned(),
        "platform" => point.refinements.to_owned(),
        "noise" if point.noise.is_empty() => "none".to_owned(),
        "noise" => point.noise.join(" + "),
        "entry" => point.entry.to_owned(),
        "seed" => point.seed.to_string(),
        "realisations" => point.realisations.to_string(),
        _ => point.repeat.to_string(),
    }
}

fn found(found: &Result<Found, String>) -> Vec<String> {
    match found {
        Ok(found) => {
            let Found { finish: [_, mean, max], exit_skew, .. } = found;
            vec![microseconds(*max), microseconds(*mean), microseconds(since_zero(*exit_skew)), found.engine.clone()]
        }
        Err(message) => vec![String::new(), String::new(), String::new(), format!("failed: {message}")],
    }
}

fn since_zero(span: Span) -> Time {
    Time(span.0)
}

/// To the nanosecond.
fn microseconds(time: Time) -> String {
    let ns = time.0.saturating_add(500) / 1_000;
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

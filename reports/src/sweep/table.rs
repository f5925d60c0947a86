//! A small sweep as a table for people: what is varied, and the finish.

use super::row::{Found, Row};
use crate::table::Table;
use models::time::Time;
use scenario::axis::{Axis, Key};
use scenario::sweep::{Point, Sweep};

/// The question, then a row per point, in µs.
pub fn table(sweep: &Sweep, rows: &[Row<'_>]) -> String {
    let varied: Vec<Axis> = sweep.varied().collect();
    let heads = varied.iter().map(|axis| axis.name()).chain(["finish", "mean", "exit skew", "engine"]);
    let rows = rows.iter().map(|row| {
        let key = row.point.key();
        let varied: Vec<String> = varied.iter().map(|&axis| value(&row.point, &key, axis)).collect();
        varied.into_iter().chain(found(&row.found))
    });
    let table = Table::plain(heads, rows, |column| (varied.len()..varied.len() + 3).contains(&column)).ruled();
    let legend = "finish: the last rank's, or the latest realisation's, in µs; mean: over ranks, or realisations";
    format!("{}\n\n{table}\n{legend}\n", sweep.question)
}

/// The collective beside its algorithm, and the network as the file writes it.
fn value(point: &Point<'_>, key: &Key, axis: Axis) -> String {
    match axis {
        Axis::Algorithm => format!("{} {}", point.algorithm.collective, point.algorithm.name),
        Axis::Model => [point.model, point.send_rule.unwrap_or_default(), &point.settings].join(" ").trim().to_owned(),
        other => key.text(other),
    }
}

fn found(found: &Result<Found, String>) -> Vec<String> {
    match found {
        Ok(found) => {
            let [last, mean, skew] = [found.finish.max, found.finish.mean, Time(found.exit_skew.0)].map(microseconds);
            vec![last, mean, skew, found.engine.clone()]
        }
        Err(message) => vec![String::new(), String::new(), String::new(), format!("failed: {message}")],
    }
}

/// To the nanosecond.
pub(super) fn microseconds(time: Time) -> String {
    let ns = time.0.saturating_add(500) / 1_000;
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

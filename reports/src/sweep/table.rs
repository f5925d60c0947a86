//! A small sweep as a table for people: what is varied, and the finish.

use super::row::{Found, Printed, Row};
use crate::table::Table;
use models::time::Time;
use scenario::axis::{Axis, Key};
use scenario::sweep::{Point, Sweep};

/// The question, then a row per point, in µs.
pub fn table(sweep: &Sweep, rows: &[Row<'_>]) -> String {
    let (table, legend) = of_rows(sweep, rows);
    format!("{}\n\n{}\n{legend}\n", sweep.question, table.ruled())
}

/// A row per point, and what the columns are.
pub(super) fn of_rows(sweep: &Sweep, rows: &[Row<'_>]) -> (Table, &'static str) {
    let varied: Vec<Axis> = sweep.varied().collect();
    let prints = rows.iter().any(|row| row.found.as_ref().is_ok_and(|found| found.printed.is_some()));
    let results: &[&str] =
        if prints { &["printed", "truth", "ratio"] } else { &["finish", "mean", "exit skew", "engine"] };
    let heads = varied.iter().map(|axis| axis.name()).chain(results.iter().copied());
    let rows = rows.iter().map(|row| {
        let key = row.point.key();
        let varied: Vec<String> = varied.iter().map(|&axis| value(&row.point, &key, axis)).collect();
        varied.into_iter().chain(found(&row.found, prints))
    });
    let table = Table::plain(heads, rows, |column| (varied.len()..varied.len() + 3).contains(&column));
    let legend = if prints {
        "printed: the benchmark's number, the mean over realisations; truth: time of the slowest rank in one call \
         that all ranks enter together, without noise; in µs"
    } else {
        "finish: the last rank's, or the latest realisation's, in µs; mean: over ranks, or realisations"
    };
    (table, legend)
}

/// The collective beside its algorithm, and the network as the file writes it.
pub(super) fn value(point: &Point<'_>, key: &Key, axis: Axis) -> String {
    match axis {
        Axis::Algorithm => format!("{} {}", point.called.collective(), point.called.name()),
        Axis::Model => [point.model, point.send_rule.unwrap_or_default(), &point.settings].join(" ").trim().to_owned(),
        other => key.text(other),
    }
}

fn found(found: &Result<Found, String>, prints: bool) -> Vec<String> {
    match found {
        Ok(found) if prints => {
            let number = |number: f64| format!("{number:.3}");
            let printed = found.printed.map(|Printed { printed_us, truth_us }| {
                [number(printed_us), number(truth_us), number(printed_us / truth_us)]
            });
            printed.unwrap_or_default().to_vec()
        }
        Ok(found) => {
            let [last, mean, skew] = [found.finish.max, found.finish.mean, Time(found.exit_skew.0)].map(microseconds);
            vec![last, mean, skew, found.engine.clone()]
        }
        Err(message) => {
            let empty = if prints { 2 } else { 3 };
            [vec![String::new(); empty], vec![format!("failed: {message}")]].concat()
        }
    }
}

/// To the nanosecond.
pub(super) fn microseconds(time: Time) -> String {
    let ns = time.0.saturating_add(500) / 1_000;
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

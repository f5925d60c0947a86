//! A small sweep as a table for readers: the varied values, and the finish.

use super::row::{Printed, SweepRow};
use models::shared_broadcast::Size;
use models::time::Time;
use render::plots::numbers::bytes;
use render::table::Table;
use scenario::axis::{Axis, Key};
use scenario::sweep::{Sweep, SweepPoint};

/// Returns the question, then a row per point, in µs.
pub fn table(sweep: &Sweep, rows: &[SweepRow<'_>]) -> String {
    let (table, legend) = of_rows(sweep, rows);
    format!("{}\n\n{}\n{legend}\n", sweep.question, table.ruled())
}

/// Returns a row per point, and the legend of the columns.
pub(super) fn of_rows(sweep: &Sweep, rows: &[SweepRow<'_>]) -> (Table, &'static str) {
    let varied: Vec<Axis> = sweep.varied().collect();
    let shows = Shows::for_rows(rows);
    let heads = varied.iter().map(|axis| axis.name()).chain(shows.heads().iter().copied());
    let rows = rows.iter().map(|row| {
        let key = row.point.key();
        let varied: Vec<String> = varied.iter().map(|&axis| value(&row.point, &key, axis)).collect();
        varied.into_iter().chain(found(row, shows))
    });
    let numbers = varied.len()..varied.len() + shows.numbers();
    (Table::plain(heads, rows, |column| numbers.contains(&column)), shows.legend())
}

/// Results that a table shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    Completion,
    Printed,
    /// Completion of broadcasts through queues in shared memory, beside the memory that these take.
    Queues,
}

impl Shows {
    fn for_rows(rows: &[SweepRow<'_>]) -> Shows {
        let prints = rows.iter().any(|row| row.found.as_ref().is_ok_and(|found| found.printed.is_some()));
        let queues = rows.iter().any(|row| row.point.queue().is_some());
        match (prints, queues) {
            (true, _) => Shows::Printed,
            (false, true) => Shows::Queues,
            (false, false) => Shows::Completion,
        }
    }

    fn heads(self) -> &'static [&'static str] {
        match self {
            Shows::Completion => &["finish", "mean", "exit skew", "engine"],
            Shows::Printed => &["printed", "truth", "ratio"],
            Shows::Queues => &["finish", "mean", "exit skew", "queue", "size"],
        }
    }

    /// Returns the number of columns, from the first, that are numbers.
    fn numbers(self) -> usize {
        match self {
            Shows::Completion | Shows::Printed => 3,
            Shows::Queues => 4,
        }
    }

    fn legend(self) -> &'static str {
        match self {
            Shows::Completion => {
                "finish: the last rank's, or the latest realisation's, in µs; mean: over ranks, or realisations"
            }
            Shows::Printed => {
                "printed: the benchmark's number, the mean over realisations; truth: time of the slowest rank in one call \
                 that all ranks enter together, without noise; in µs"
            }
            Shows::Queues => {
                "finish: the last rank's, in µs; mean: over ranks; queue: memory of one rank's queue; size: small below 10 MiB, \
                 large above 100 MiB"
            }
        }
    }
}

/// Returns a point's value on an axis: an algorithm with its collective, a network as the file writes it.
pub(super) fn value(point: &SweepPoint<'_>, key: &Key, axis: Axis) -> String {
    match axis {
        Axis::Algorithm => format!("{} {}", point.called.collective(), point.called.name()),
        Axis::Model => [point.model, point.send_rule.unwrap_or_default(), &point.settings].join(" ").trim().to_owned(),
        other => key.text(other),
    }
}

fn found(row: &SweepRow<'_>, shows: Shows) -> Vec<String> {
    let found = match &row.found {
        Ok(found) => found,
        Err(message) => {
            let empty = shows.heads().len() - 1;
            return [vec![String::new(); empty], vec![format!("failed: {message}")]].concat();
        }
    };
    let times = || [found.finish.max, found.finish.mean, Time(found.exit_skew.0)].map(microseconds).to_vec();
    match shows {
        Shows::Completion => [times(), vec![found.engine.clone()]].concat(),
        Shows::Printed => {
            let number = |number: f64| format!("{number:.3}");
            let printed = found.printed.map(|Printed { printed_us, truth_us }| {
                [number(printed_us), number(truth_us), number(printed_us / truth_us)]
            });
            printed.unwrap_or_default().to_vec()
        }
        Shows::Queues => {
            let memory = row.point.queue().map(|queue| queue.bytes());
            let memory = memory.map(|memory| vec![bytes(memory), Size::for_bytes(memory).name().to_owned()]);
            [times(), memory.unwrap_or_default()].concat()
        }
    }
}

/// Prints a time in µs to the nanosecond.
pub(super) fn microseconds(time: Time) -> String {
    let ns = time.0.saturating_add(500) / 1_000;
    format!("{}.{:03}", ns / 1_000, ns % 1_000)
}

//! MPIPerf 0.0.x: facts, a legend, heads in brackets, rows.
//!
//! Source: src/report.c, `report_write_*` in src/bench_coll.c, bench_nbc.c and bench_pt2pt.c (0.0.3). Reductions count
//! elements of MPI_DOUBLE, all others bytes (`bench_*_printinfo` in src/coll). A row without correct runs prints zeros,
//! which are no numbers.

use super::conditions::{SYNCHRONISATION, say};
use super::heads::{Head, Role, row};
use super::names::{collective, combines};
use super::runs::{Reader, Said};
use super::text::{TextPlace, comment};
use super::{Column, Imported, PrintedRow};

/// The version of a title like `# mpiperf 0.0.3 report`.
pub(super) fn title(line: &str) -> Option<&str> {
    comment(line)?.strip_prefix("mpiperf ")?.strip_suffix(" report")
}

/// Whether a line is found in MPIPerf's text alone.
pub(super) fn is_its_own(line: &str) -> bool {
    title(line).is_some() || line.starts_with("# Benchmark: ") || heads(line).is_some()
}

/// The heads of a table like `# [Procs] [Count]     [TRuns] [Mean]`.
pub(super) fn heads(line: &str) -> Option<Vec<&str>> {
    let line = comment(line).filter(|line| line.starts_with("[Procs]") || line.starts_with("[Parameter]"))?;
    Some(line.split('[').filter_map(|head| head.trim().strip_suffix(']')).collect())
}

pub(super) struct Mpiperf {
    titled: bool,
    now: PrintedRow,
    /// Power of ten from the printed unit to µs: 6 where times are in seconds.
    power: i32,
    /// Meaning of the column `[Parameter]`.
    parameter: Role,
    table: Option<Vec<Head>>,
}

impl Default for Mpiperf {
    fn default() -> Mpiperf {
        Mpiperf { titled: false, now: PrintedRow::default(), power: 0, parameter: Role::Count, table: None }
    }
}

impl Reader for Mpiperf {
    fn begins(&self, line: &str) -> bool {
        (self.titled || self.table.is_some()) && title(line).is_some()
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(version) = title(line) {
            self.titled = true;
            run.version = Some(version.to_owned());
        } else if let Some(heads) = heads(line) {
            self.table = Some(heads.into_iter().map(|head| self.head(head)).collect());
        } else if let Some(content) = comment(line) {
            self.remark(content, run);
        } else if !line.is_empty() {
            match row(place, self.table.as_deref(), line, &self.now) {
                Ok(row) => run.rows.push(finished(row, run)),
                Err(said) => return said,
            }
        }
        Said::Its
    }
}

impl Mpiperf {
    fn head(&self, head: &str) -> Head {
        let time = |name: &str| Head::scaled(head, name, self.power);
        match head {
            "Procs" => Head::new(head, Role::Ranks),
            "Count" => Head::new(head, Role::Count),
            "Parameter" => Head::new(head, self.parameter.clone()),
            "TRuns" => Head::new(head, Role::Calls),
            "CRuns" => Head::plain(head, "correct_runs"),
            "FRuns" => Head::plain(head, "kept_runs"),
            "Rank" => Head::plain(head, "rank"),
            "Mean" => time("mean_us"),
            "RSE" => Head::plain(head, "relative_standard_error"),
            "StdErr" => time("standard_error_us"),
            "Min" => time("min_us"),
            "Max" => time("max_us"),
            "Err" => time("error_us"),
            "CI LB" => time("interval_low_us"),
            "CI UB" => time("interval_high_us"),
            "RelErr" => Head::plain(head, "relative_error"),
            "BlockingTime" => time("blocking_us"),
            "CompTime" => time("compute_us"),
            "CompTimeReal" => time("computed_us"),
            "Init" => time("init_us"),
            "Wait" => time("wait_us"),
            "Total" => time("total_us"),
            "Overlap" => Head::plain(head, "overlap"),
            _ => Head::other(head),
        }
    }

    fn remark(&mut self, content: &str, run: &mut Imported) {
        if let Some(name) = content.strip_prefix("Benchmark: ") {
            self.now = PrintedRow {
                benchmark: name.trim().to_owned(),
                collective: collective(name.trim()),
                ..PrintedRow::default()
            };
            self.table = None;
        } else if let Some((name, _)) = content.split_once(" time (") {
            // Replaces "Benchmark:" in versions before 0.0.3, and in tests between two processes.
            self.now = PrintedRow { benchmark: name.to_owned(), collective: collective(name), ..PrintedRow::default() };
        }
        match content.split_once(": ") {
            Some(("Time scale", scale)) => self.power = if scale.trim() == "seconds" { 6 } else { 0 },
            Some(("Variable parameter", parameter)) => {
                self.parameter = if parameter.trim() == "Commsize" { Role::Ranks } else { Role::Count };
            }
            _ => {}
        }
        let process = content.split_once(':').filter(|(rank, _)| rank.parse::<u32>().is_ok());
        if let Some((rank, host)) = process {
            run.fact(&format!("process {rank}"), host);
        } else if let Some((label, value)) = content.split_once(": ") {
            run.fact(label, value);
        }
    }
}

/// Completes a row by its bytes and conditions, and removes zeros that are no numbers.
fn finished(mut row: PrintedRow, run: &Imported) -> PrintedRow {
    let said = |label: &str, usual: &str| run.said(label).filter(|value| *value != usual).unwrap_or_default();
    say(&mut row, SYNCHRONISATION, said("Synchronization method", "synctime"));
    if !said("Cache defeat", "off").is_empty() {
        say(&mut row, "buffers", "off cache");
    }
    if !said("Statistical analysis of data (removing outliers)", "on").is_empty() {
        say(&mut row, "outliers", "kept");
    }
    let doubles = combines(&row.benchmark);
    row.datatype = Some(if doubles { "MPI_DOUBLE" } else { "MPI_BYTE" }.to_owned());
    row.bytes = row.count.and_then(|count| count.checked_mul(if doubles { 8 } else { 1 }));
    if row.value("correct_runs") == Some(0.0) || row.calls == Some(0) {
        let counted = |column: &Column| column.name.ends_with("_runs") || column.name == "rank";
        row.columns.iter_mut().filter(|column| !counted(column)).for_each(|column| column.value = None);
    }
    row
}

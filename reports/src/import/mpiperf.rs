//! MPIPerf 0.0.x: facts, a legend, heads in brackets, rows.
//!
//! Source: src/report.c, `report_write_*` in src/bench_coll.c, bench_nbc.c and bench_pt2pt.c (0.0.3). Reductions count
//! elements of MPI_DOUBLE, all others bytes (`bench_*_printinfo` in src/coll). A row without correct runs prints zeros:
//! those are no numbers.

use super::heads::{Head, Role, read_row};
use super::names::{collective, combines};
use super::text::{Place, begins_with_number, comment, lines};
use super::{Column, ImportError, Imported, Row, Tool};

/// The version of a title like `# mpiperf 0.0.3 report`.
pub(super) fn title(line: &str) -> Option<&str> {
    comment(line)?.strip_prefix("mpiperf ")?.strip_suffix(" report")
}

/// The heads of a table like `# [Procs] [Count]     [TRuns] [Mean]`.
pub(super) fn heads(line: &str) -> Option<Vec<&str>> {
    let line = comment(line).filter(|line| line.starts_with("[Procs]") || line.starts_with("[Parameter]"))?;
    Some(line.split('[').filter_map(|head| head.trim().strip_suffix(']')).collect())
}

/// What the text has said so far.
struct Report {
    now: Row,
    /// 6 where times are in seconds.
    power: i32,
    /// What `[Parameter]` is.
    parameter: Role,
}

impl Report {
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

    fn remark(&mut self, content: &str, imported: &mut Imported) {
        if let Some(name) = content.strip_prefix("Benchmark: ") {
            self.now = Row { benchmark: name.trim().to_owned(), collective: collective(name.trim()), ..Row::default() };
        } else if let Some((name, _)) = content.split_once(" time (") {
            // Versions before 0.0.3, and tests between two processes, in place of "Benchmark:".
            self.now = Row { benchmark: name.to_owned(), collective: collective(name), ..Row::default() };
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
            imported.fact(&format!("process {rank}"), host);
        } else if let Some((label, value)) = content.split_once(": ") {
            imported.fact(label, value);
        }
    }
}

pub(super) fn read(file: &str, text: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported::of(Tool::Mpiperf);
    let mut report = Report { now: Row::default(), power: 0, parameter: Role::Count };
    let mut table: Option<Vec<Head>> = None;
    for (line, content) in lines(text) {
        let place = Place { file, line };
        if let Some(version) = title(content) {
            imported.version = imported.version.or_else(|| Some(version.to_owned()));
            (report.power, table) = (0, None);
        } else if let Some(heads) = heads(content) {
            table = Some(heads.into_iter().map(|head| report.head(head)).collect());
        } else if let Some(content) = comment(content) {
            report.remark(content, &mut imported);
        } else if begins_with_number(content) {
            let heads = table.as_ref().ok_or_else(|| {
                place.error("expected the head of a table before its rows, like '# [Procs] [Count] [TRuns] …'")
            })?;
            let cells: Vec<&str> = content.split_whitespace().collect();
            imported.rows.push(finished(read_row(place, heads, &cells, report.now.clone())?));
        } else if !content.is_empty() {
            imported.left_out.push(line);
        }
    }
    Ok(imported)
}

/// A row with its bytes, and without zeros that stand for nothing.
fn finished(mut row: Row) -> Row {
    let doubles = combines(&row.benchmark);
    row.datatype = Some(if doubles { "MPI_DOUBLE" } else { "MPI_BYTE" }.to_owned());
    row.bytes = row.count.and_then(|count| count.checked_mul(if doubles { 8 } else { 1 }));
    if row.value("correct_runs") == Some(0.0) || row.calls == Some(0) {
        let counted = |column: &Column| column.name.ends_with("_runs") || column.name == "rank";
        row.columns.iter_mut().filter(|column| !counted(column)).for_each(|column| column.value = None);
    }
    row
}

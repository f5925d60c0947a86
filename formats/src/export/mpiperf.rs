//! MPIPerf's fourteen columns.
//!
//! Source: src/report.c and `report_write_colltest_synctime` in src/bench_coll.c (0.0.3): times in µs of the slowest
//! rank of each sample, without the lowest and the highest quarter, or another share. The standard error, and with it RSE, Err, the
//! interval and RelErr, is the winsorised one: the program's own, from the kept values alone, is too small. The legend
//! above the table states this.

use super::{MpiperfStatistics, Table, operation, printed_bytes};
use models::collective::Collective;
use programs::observation::{Case, Counted, Observation, times_ps};
use statistics::trimmed_mean;
use std::io::{self, Write};

/// Columns behind `Procs` … `FRuns`: head as the program spells it, and its width.
const COLUMNS: [(&str, usize); 9] = [
    ("[Mean]", 14),
    ("[RSE]", 10),
    ("[StdErr]", 14),
    ("[Min]", 14),
    ("[Max]", 14),
    ("[Err]", 14),
    ("[CI LB]", 14),
    ("[CI UB]", 14),
    ("[RelErr]", 10),
];

const LEGEND: &str = "\
# Characteristics of measurements:
#   Procs - total number of processes
#   Count - count of elements in send/recv buffer
#   TRuns - total number of measurements (valid and invalid measurements)
#   CRuns - number of correct measurements (only valid)
#   FRuns - number of correct measurements after statistical analysis (removing of outliers)
#   Mean - arithmetic mean of execution time (based on FRuns)
#   RSE - relative standard error (StdErr / Mean)
#   StdErr - standard error of the trimmed mean, winsorised: that of FRuns alone is too small
#   Min - minimal value
#   Max - miximal value
#   CL - confidence level: 90%, 95% or 99%
#   Err - error of measurements: t_student * StdErr
#   CI LB - lower bound of confidence interval: Mean - Err
#   CI UB - upper bound of confidence interval: Mean + Err
#   RelErr - relative error of measurements: Err / Mean
#
# Value of Mean are computed as
# mean_of_runs(max_of_all_procs(t[0][j], ..., t[Procs - 1][j])),
# where t[i][j] is a time of process i at measure j = 1, 2, ..., CRuns
#
";

pub(super) fn write(tables: &[Table], statistics: MpiperfStatistics, out: &mut dyn Write) -> io::Result<()> {
    tables.iter().try_for_each(|table| write_table(table, statistics, out))
}

fn write_table(table: &Table, statistics: MpiperfStatistics, out: &mut dyn Write) -> io::Result<()> {
    let case = table.case();
    let operation = operation(case);
    let counts = || table.rows.iter().filter_map(|row| count(&row.case));
    let synchronised = if case.timing.method.is_synchronised() { "synctime" } else { "nosync" };
    writeln!(out, "# mpiperf 0.0.3 report")?;
    writeln!(out, "# {}", table.origin())?;
    if case.subject.collective.combines() {
        writeln!(out, "# Bytes are added; they are counted by eights, as MPIPerf's elements are MPI_DOUBLE")?;
    }
    writeln!(out, "# Benchmark: {operation}")?;
    writeln!(out, "# Min number of processes: {0}\n# Max number of processes: {0}", case.place.ranks)?;
    writeln!(out, "# Min data size: {}", counts().min().unwrap_or_default())?;
    writeln!(out, "# Max data size: {}", counts().max().unwrap_or_default())?;
    let trimmed = statistics.trim != MpiperfStatistics::default().trim;
    let trimmed = if trimmed { format!(", {} % at each end", statistics.trim.percent()) } else { String::new() };
    writeln!(out, "# Statistical analysis of data (removing outliers): on{trimmed}")?;
    writeln!(out, "# Time scale: microseconds\n# Synchronization method: {synchronised}\n# Master process: 0\n#")?;
    let rule = "-".repeat(66);
    write!(
        out,
        "{LEGEND}# {rule}\n# Benchmark: {operation}\n# Confidence level (CL): {:.0}%\n# {rule}\n",
        statistics.confidence * 100.0
    )?;
    write!(out, "# {:<7} {:<11} {:<7} {:<7} {:<7}", "[Procs]", "[Count]", "[TRuns]", "[CRuns]", "[FRuns]")?;
    let heads: String = COLUMNS.iter().map(|(head, width)| format!(" {head:<width$}")).collect();
    writeln!(out, "{}\n#", heads.trim_end())?;
    table.rows.iter().try_for_each(|row| write_row(row, statistics, out))
}

fn write_row(row: &Observation, statistics: MpiperfStatistics, out: &mut dyn Write) -> io::Result<()> {
    let Some(count) = count(&row.case) else {
        return writeln!(out, "# {} B are no whole number of MPI_DOUBLE: left out", printed_bytes(&row.case));
    };
    let slowest = slowest_us(row);
    let total = row.ranks[0].stamps.len();
    let trimmed = trimmed_mean(&slowest, statistics.trim.as_f64());
    let kept = trimmed.map_or(0, |trimmed| trimmed.kept);
    write!(out, "  {:<7} {count:<11} {total:<7} {:<7} {kept:<7}", row.case.place.ranks, slowest.len())?;
    let mut sorted = slowest;
    sorted.sort_unstable_by(f64::total_cmp);
    let numbers = trimmed.map_or([0.0; COLUMNS.len()], |trimmed| {
        // The program prints an error of 0 for a single value.
        let error = trimmed.standard_error.unwrap_or(0.0);
        let reach = trimmed.interval(statistics.confidence).map_or(0.0, |interval| interval.high - trimmed.value);
        let relative = |part: f64| if part > 0.0 { part / trimmed.value } else { 0.0 };
        let (min, max) = (sorted[trimmed.dropped], sorted[trimmed.dropped + trimmed.kept - 1]);
        let (low, high) = (trimmed.value - reach, trimmed.value + reach);
        [trimmed.value, relative(error), error, min, max, reach, low, high, relative(reach)]
    });
    for ((_, width), number) in COLUMNS.iter().zip(numbers) {
        write!(out, " {number:<width$.2}")?;
    }
    writeln!(out)
}

/// Times of the slowest rank in each valid sample, in µs by its own clock.
fn slowest_us(row: &Observation) -> Vec<f64> {
    let times = times_ps(&row.ranks, Counted::FromOwnStart);
    let samples = times.iter().map(Vec::len).min().unwrap_or(0);
    let slowest = |index: usize| times.iter().map(|times| times[index].1).max().unwrap_or_default();
    (0..samples).map(|index| slowest(index) as f64 / 1e6).collect()
}

/// Number of elements as MPIPerf counts them: of MPI_DOUBLE for reductions, of bytes for other operations; 1 for a
/// barrier. `None` where the bytes are no whole number of MPI_DOUBLE.
fn count(case: &Case) -> Option<u64> {
    let bytes = printed_bytes(case);
    if case.subject.collective == Collective::Barrier {
        Some(1)
    } else if case.subject.collective.combines() {
        bytes.is_multiple_of(8).then_some(bytes / 8)
    } else {
        Some(bytes)
    }
}

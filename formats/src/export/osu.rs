//! OSU's tables.
//!
//! Source: `print_preamble`, `print_only_header`, `print_stats` and `omb_calculate_tail_lat` in util/osu_util_mpi.c
//! (7.4).

use super::{Table, calls, printed_bytes};
use models::collective::Collective;
use programs::aggregation::reported_us;
use programs::method::Preset;
use programs::observation::{Case, Counted, Observation, times_ps};
use std::io::{self, Write};

/// Percentiles that `-z` prints by default.
const PERCENTILES: [usize; 3] = [50, 90, 99];

pub(super) fn write(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    tables.iter().try_for_each(|table| write_table(table, out))
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let case = table.case();
    let has_size = case.subject.collective != Collective::Barrier;
    writeln!(out, "\n# OSU MPI {} Latency Test v7.4", operation(case))?;
    writeln!(out, "# {}", table.origin())?;
    if has_size {
        // Parallax's reductions add bytes.
        let datatype = if case.subject.collective.combines() { "MPI_UINT8_T" } else { "MPI_CHAR" };
        writeln!(out, "# Datatype: {datatype}.")?;
        write!(out, "{:<10}{:>18}", "# Size", "Avg Latency(us)")?;
    } else {
        write!(out, "# Avg Latency(us)")?;
    }
    write!(out, "{:>18}{:>18}{:>12}", "Min Latency(us)", "Max Latency(us)", "Iterations")?;
    let every_call =
        table.rows.iter().all(|row| row.ranks.iter().flat_map(|rank| &rank.stamps).all(|stamp| stamp.calls == 1));
    if every_call {
        PERCENTILES.iter().try_for_each(|percent| write!(out, "{:>18}", format!("P{percent} Tail Lat(us)")))?;
    }
    writeln!(out)?;
    table.rows.iter().try_for_each(|row| write_row(row, has_size, every_call, out))
}

fn write_row(row: &Observation, has_size: bool, every_call: bool, out: &mut dyn Write) -> io::Result<()> {
    let bytes = printed_bytes(&row.case);
    let columns = Preset::Osu.columns();
    let numbers: Option<Vec<f64>> = columns.iter().map(|column| reported_us(&row.ranks, &column.aggregation)).collect();
    let Some(numbers) = numbers else {
        return writeln!(out, "# {bytes} B: no valid time on every rank");
    };
    if has_size {
        write!(out, "{bytes:<10}{:>18.2}", numbers[0])?;
    } else {
        write!(out, "{:>17.2}", numbers[0])?;
    }
    write!(out, "{:>18.2}{:>18.2}{:>12}", numbers[1], numbers[2], calls(row))?;
    if every_call {
        tails_us(row).iter().try_for_each(|tail| write!(out, "{tail:>18.2}"))?;
    }
    writeln!(out)
}

/// Percentiles over samples of the mean over ranks: element ⌊n·p/100⌋, counted from 1, of the sorted means.
fn tails_us(row: &Observation) -> [f64; PERCENTILES.len()] {
    let times = times_ps(&row.ranks, Counted::FromOwnStart);
    let samples = times.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |index: usize| times.iter().map(|times| times[index].1 as f64).sum::<f64>() / times.len() as f64;
    let mut means: Vec<f64> = (0..samples).map(mean).collect();
    means.sort_unstable_by(f64::total_cmp);
    // The program reads before its array where there are fewer samples than percents; here the first sample is taken.
    PERCENTILES.map(|percent| means[(samples * percent / 100).max(1) - 1] / 1e6)
}

fn operation(case: &Case) -> String {
    if !super::is_plain(case) {
        return super::operation(case);
    }
    match (case.subject.collective, case.subject.counts.is_some()) {
        (Collective::Bcast, _) => "Broadcast".to_owned(),
        (Collective::Alltoall, false) => "All-to-All Personalized Exchange".to_owned(),
        (Collective::Alltoall, true) => "All-to-Allv Personalized Exchange".to_owned(),
        _ => super::operation(case),
    }
}

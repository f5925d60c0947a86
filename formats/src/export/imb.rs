//! IMB's tables.
//!
//! Source: `IMB_print_header`, `IMB_make_line`, `IMB_display_times` in src_c/IMB_output.c (2021.11).

use super::{Table, calls, operation, printed_bytes};
use models::collective::Collective;
use programs::aggregation::reported_us;
use programs::method::Preset;
use programs::observation::Observation;
use std::io::{self, Write};

/// Times in the order in which they are printed; [`Preset::columns`] has the one that is quoted first in front.
const TIMES: [&str; 3] = ["t_min[usec]", "t_max[usec]", "t_avg[usec]"];

pub(super) fn write(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    let rule = "-".repeat(64);
    writeln!(out, "#{rule}\n#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n#{rule}")?;
    for table in tables {
        write_table(table, out)?;
    }
    writeln!(out, "\n\n# All processes entering MPI_Finalize\n")
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let case = table.case();
    let has_size = case.subject.collective != Collective::Barrier;
    let mut heads = if has_size { vec!["#bytes"] } else { Vec::new() };
    heads.push("#repetitions");
    heads.extend(TIMES);
    // Four heads make a rule for four columns, five one for five, each thirteen wide.
    let rule = "-".repeat(13 * heads.len() - 1);
    writeln!(out, "\n# {}\n#{rule}", table.origin())?;
    writeln!(out, "# Benchmarking {} \n# #processes = {} \n#{rule}", operation(case), case.place.ranks)?;
    heads.iter().try_for_each(|head| write!(out, "{head:>13}"))?;
    writeln!(out)?;
    table.rows.iter().try_for_each(|row| write_row(row, has_size, out))
}

fn write_row(row: &Observation, has_size: bool, out: &mut dyn Write) -> io::Result<()> {
    let bytes = printed_bytes(&row.case);
    let columns = Preset::Imb.columns();
    let time = |head: &&str| {
        let column = columns.iter().find(|column| column.head == *head)?;
        reported_us(&row.ranks, &column.aggregation)
    };
    let Some(times) = TIMES.iter().map(time).collect::<Option<Vec<f64>>>() else {
        return writeln!(out, "# {bytes} B: no valid time on every rank");
    };
    if has_size {
        write!(out, "{bytes:>13}")?;
    }
    write!(out, "{:>13}", calls(row))?;
    times.iter().try_for_each(|time| write!(out, "{time:>13.2}"))?;
    writeln!(out)
}

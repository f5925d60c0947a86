//! ReproMPI: summaries (one row for each call and size) and raw samples (one line for each sample, or for each sample
//! and process).
//!
//! Source: src/reprompi_bench/output_management/results_output.c, bench_info_output.c, and the modules' own
//! `print_sync_info`. Sizes are elements unless it was built with OPTION_PRINT_MSIZES_BYTES; times are in s. A summary
//! without valid samples prints zeros, which are no numbers. Raw samples are summed up as with `runtime_type=local`:
//! each sample counts by its slowest process, on the process's own clock.

use super::conditions::{SYNCHRONISATION, say};
use super::heads::Head;
use super::names::collective;
use super::runs::{Reader, Said};
use super::text::{TextPlace, comment};
use super::{Column, ImportError, Imported, PrintedRow, Sample};
use raw::Raw;
use statistics::median;

mod raw;

/// Whether a line is found in ReproMPI's text alone.
pub(super) fn is_its_own(line: &str) -> bool {
    let is_fact = || line.strip_prefix("#@").is_some_and(|fact| fact.contains('='));
    line.starts_with("#Command-Line Arguments:") || is_fact() || heads(line).is_some()
}

/// The heads of a table, if the line holds them.
fn heads(line: &str) -> Option<Vec<&str>> {
    let heads: Vec<&str> = line.split_whitespace().collect();
    let first = heads.iter().position(|head| *head == "test").filter(|&at| at <= 1)?;
    let is_table = heads[first..].iter().any(|head| ["nrep", "total_nrep"].contains(head));
    is_table.then_some(heads)
}

#[derive(Default)]
pub(super) struct Reprompi {
    table: Option<Vec<String>>,
    raw: Raw,
}

impl Reader for Reprompi {
    fn begins(&self, line: &str) -> bool {
        // Lines below a table belong to its run; lines above one do not.
        self.table.is_some() && is_its_own(line)
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(heads) = heads(line) {
            self.table = Some(heads.into_iter().map(str::to_owned).collect());
        } else if let Some(remark) = comment(line) {
            fact(remark, run);
        } else if !line.is_empty() {
            let Some(heads) = self.table.as_ref().filter(|_| is_row(line)) else { return Said::Foreign };
            let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
            let read = cells(place, &heads, line).and_then(|cells| match heads.contains(&"nrep") {
                true => self.raw.add(place, &heads, &cells),
                false => summary(place, &heads, &cells).map(|row| run.rows.push(row)),
            });
            if let Err(error) = read {
                return Said::Broken(error.message);
            }
        }
        Said::Its
    }

    fn end(&mut self, run: &mut Imported) {
        run.rows.extend(std::mem::take(&mut self.raw).rows().into_iter().map(summed_up));
        complete(run);
    }
}

/// Reads a fact: `#@key=value`, `#Command-Line Arguments: …`, `# Execution time: …`.
fn fact(remark: &str, run: &mut Imported) {
    if let Some((key, value)) = remark.strip_prefix('@').and_then(|rest| rest.split_once('=')) {
        if key == "reproMPIcommitSHA1" {
            run.version = Some(value.trim().to_owned());
        }
        run.fact(key, value);
    } else if let Some(arguments) = remark.strip_prefix("Command-Line Arguments:") {
        run.fact("command line", arguments);
    } else if let Some((label, value)) = remark.split_once(": ") {
        run.fact(label, value);
    }
}

/// Whether a line is a row. Rows begin with the process or with the call; the launcher's own lines do not.
fn is_row(content: &str) -> bool {
    let mut words = content.split_whitespace();
    let first = words.next().unwrap_or_default();
    let call = if first.parse::<u64>().is_ok() { words.next().unwrap_or_default() } else { first };
    let known = ["Send_Recv", "Sendrecv", "Isend_Recv", "Isend_Irecv", "Send_Irecv", "Empty"];
    call.starts_with("MPI_") || call.starts_with("GL_") || known.contains(&call)
}

fn cells<'a>(place: TextPlace, heads: &[&str], content: &'a str) -> Result<Vec<&'a str>, ImportError> {
    let cells: Vec<&str> = content.split_whitespace().collect();
    if cells.len() == heads.len() {
        return Ok(cells);
    }
    let (expected, found) = (heads.len(), cells.len());
    let cut_off = if found < expected { ": the row was cut off" } else { "" };
    Err(place.error(format!("expected {expected} values as in the head of the table, found {found}{cut_off}")))
}

fn summary(place: TextPlace, heads: &[&str], cells: &[&str]) -> Result<PrintedRow, ImportError> {
    let mut row = PrintedRow { line: place.line, ..PrintedRow::default() };
    for (&head, &cell) in heads.iter().zip(cells) {
        match head {
            "test" => (row.benchmark, row.collective) = (cell.to_owned(), collective(cell)),
            "count" => row.count = Some(place.whole(cell, "elements")?),
            "msize_bytes" | "msize" => row.bytes = Some(place.whole(cell, "bytes")?),
            "total_nrep" => row.calls = Some(place.whole(cell, "calls")?),
            _ => {
                let (name, power) = match head.strip_suffix("_sec") {
                    Some("var") => ("variance_us2".to_owned(), 12),
                    Some(what) => (format!("{what}_us"), 6),
                    None if head == "valid_nrep" => ("valid_samples".to_owned(), 0),
                    None => (Head::other(head).head, 0),
                };
                let value = place.number(cell, power, head)?;
                row.columns.push(Column { head: head.to_owned(), name, value });
            }
        }
    }
    if row.value("valid_samples") == Some(0.0) {
        let times = row.columns.iter_mut().filter(|column| column.name != "valid_samples");
        times.for_each(|column| column.value = None);
    }
    Ok(row)
}

/// Adds the numbers of a summary to a row of raw samples.
fn summed_up(mut row: PrintedRow) -> PrintedRow {
    let times = slowest_ps(&row.samples);
    let samples = row.samples.iter().map(|sample| sample.index).collect::<std::collections::BTreeSet<_>>();
    row.calls = Some(samples.len() as u64);
    let mut column = |name: &str, value: Option<f64>| {
        row.columns.push(Column { head: String::new(), name: name.to_owned(), value });
    };
    column("valid_samples", Some(times.len() as f64));
    let us = |ps: f64| ps / 1e6;
    column("mean_us", (!times.is_empty()).then(|| us(times.iter().sum::<f64>() / times.len() as f64)));
    column("median_us", median(&times).map(us));
    column("min_us", times.iter().copied().reduce(f64::min).map(us));
    column("max_us", times.iter().copied().reduce(f64::max).map(us));
    row
}

/// The longest time of each sample that is valid on all processes, in ps.
fn slowest_ps(samples: &[Sample]) -> Vec<f64> {
    let mut slowest = std::collections::BTreeMap::new();
    for sample in samples {
        let (time, valid) = slowest.entry(sample.index).or_insert((i64::MIN, true));
        *time = sample.time_ps.max(*time);
        *valid &= sample.valid;
    }
    slowest.into_values().filter(|(_, valid)| *valid).map(|(time, _)| time as f64).collect()
}

/// Adds ranks, types, bytes and conditions, which stand above the rows or in the command line.
fn complete(run: &mut Imported) {
    let said = |label: &str, flag: &str| run.said(label).or_else(|| run.value_of(flag));
    let ranks = run.said("nprocs").and_then(|ranks| ranks.parse().ok());
    let datatype = said("datatype", "--datatype").unwrap_or("MPI_BYTE").to_owned();
    let size = run.said("datatype_size_bytes").and_then(|size| size.parse::<u64>().ok()).or_else(|| size_of(&datatype));
    let synchronisation = said("procsync", "--proc-sync").unwrap_or_default().to_owned();
    let runtime_type =
        said("runtime_type", "--runtime-type").filter(|kind| *kind != "local").unwrap_or_default().to_owned();
    for row in &mut run.rows {
        row.ranks = ranks;
        row.datatype = Some(datatype.clone());
        row.bytes = row.bytes.or_else(|| row.count?.checked_mul(size?));
        say(row, SYNCHRONISATION, &synchronisation);
        say(row, "runtime_type", &runtime_type);
    }
}

/// Size in bytes of the types that `--datatype` takes (parse_common_options.c), on the machines that this runs on.
fn size_of(datatype: &str) -> Option<u64> {
    Some(match datatype {
        "MPI_BYTE" | "MPI_CHAR" => 1,
        "MPI_INT" | "MPI_FLOAT" => 4,
        "MPI_DOUBLE" => 8,
        _ => return None,
    })
}

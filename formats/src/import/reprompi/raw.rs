//! ReproMPI's raw samples: readings of clocks in seconds, with ten places.
//!
//! MPI_Wtime may count from 1970: readings are kept as whole picoseconds, exact to the last place, and counted from the
//! earliest reading of the text, as a float of that size moves in steps of 238 ns.

use super::super::names::collective;
use super::super::text::{TextPlace, shortened};
use super::super::{ImportError, PrintedRow, Sample};

/// Readings of start and end in ps, not rebased.
type Interval = Option<(i128, i128)>;

/// Rows of samples, in the order in which their calls first appear.
#[derive(Default)]
pub(super) struct Raw {
    rows: Vec<(PrintedRow, Vec<Read>)>,
}

/// A sample without its readings, and its intervals on the local and on the global clock.
type Read = (Sample, Interval, Interval);

#[derive(Default)]
struct Cells<'a> {
    sample: Sample,
    test: &'a str,
    count: Option<u64>,
    bytes: Option<u64>,
    local: [Option<i128>; 2],
    global: [Option<i128>; 2],
    runtime: Option<i128>,
}

impl Raw {
    /// Adds the sample of one line to the row of its call.
    pub(super) fn add(&mut self, place: TextPlace, heads: &[&str], cells: &[&str]) -> Result<(), ImportError> {
        let line = read(place, heads, cells)?;
        let is_its = |(row, _): &&mut (PrintedRow, Vec<_>)| {
            row.benchmark == line.test && (row.count, row.bytes) == (line.count, line.bytes)
        };
        let at = match self.rows.iter_mut().rev().find(is_its) {
            Some((_, samples)) => samples,
            None => {
                let row = PrintedRow {
                    line: place.line,
                    benchmark: line.test.to_owned(),
                    collective: collective(line.test),
                    count: line.count,
                    bytes: line.bytes,
                    ..PrintedRow::default()
                };
                self.rows.push((row, Vec::new()));
                &mut self.rows.last_mut().expect("one was pushed").1
            }
        };
        let both = |[start, end]: [Option<i128>; 2]| start.zip(end);
        let (local, global) = (both(line.local), both(line.global));
        let lasted = line.runtime.or(local.map(|(start, end)| end - start)).or(global.map(|(start, end)| end - start));
        let lasted = lasted
            .ok_or_else(|| place.error("expected runtime_sec or readings of start and end in the head of the table"))?;
        let time_ps = i64::try_from(lasted)
            .map_err(|_| place.error("the sample lasted more than 106 days; check the readings"))?;
        at.push((Sample { time_ps, ..line.sample }, local, global));
        Ok(())
    }

    /// Returns the rows, their readings counted from the earliest.
    pub(super) fn rows(self) -> Vec<PrintedRow> {
        let earliest = |clock: fn(&Read) -> Interval| {
            let all = self.rows.iter().flat_map(|(_, samples)| samples);
            all.filter_map(clock).map(|(start, end)| start.min(end)).min().unwrap_or_default()
        };
        let (local_zero, global_zero) = (earliest(|sample| sample.1), earliest(|sample| sample.2));
        // A reading more than 106 days after the earliest stays at the end of the range.
        let since = |zero: i128, reading: i128| i64::try_from(reading - zero).unwrap_or(i64::MAX);
        let rebased =
            |zero: i128, interval: Interval| interval.map(|(start, end)| (since(zero, start), since(zero, end)));
        let row = |(row, samples): (PrintedRow, Vec<Read>)| {
            let samples = samples.into_iter().map(|(sample, local, global)| Sample {
                local_ps: rebased(local_zero, local),
                global_ps: rebased(global_zero, global),
                ..sample
            });
            PrintedRow { samples: samples.collect(), ..row }
        };
        self.rows.into_iter().map(row).collect()
    }
}

fn read<'a>(place: TextPlace, heads: &[&str], cells: &[&'a str]) -> Result<Cells<'a>, ImportError> {
    let mut line = Cells { sample: Sample { valid: true, ..Sample::default() }, ..Cells::default() };
    for (&head, &cell) in heads.iter().zip(cells) {
        match head {
            "process" => line.sample.rank = Some(place.whole(cell, "a process")?),
            "test" => line.test = cell,
            "nrep" => line.sample.index = place.whole(cell, "a sample")?,
            "count" => line.count = Some(place.whole(cell, "elements")?),
            "msize_bytes" | "msize" => line.bytes = Some(place.whole(cell, "bytes")?),
            "errorcode" => line.sample.valid = place.whole::<i64>(cell, "an error code")? == 0,
            "loc_tstart_sec" => line.local[0] = Some(picoseconds(place, cell, head)?),
            "loc_tend_sec" => line.local[1] = Some(picoseconds(place, cell, head)?),
            "gl_tstart_sec" => line.global[0] = Some(picoseconds(place, cell, head)?),
            "gl_tend_sec" => line.global[1] = Some(picoseconds(place, cell, head)?),
            "runtime_sec" => line.runtime = Some(picoseconds(place, cell, head)?),
            _ => {}
        }
    }
    Ok(line)
}

/// Returns printed seconds as whole picoseconds; further places are cut off.
fn picoseconds(place: TextPlace, cell: &str, head: &str) -> Result<i128, ImportError> {
    let wrong = || place.error(format!("{head}: expected seconds like 0.0000012340, found '{}'", shortened(cell)));
    let (sign, digits) = match cell.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, cell),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    // Twelve digits of seconds are 31 thousand years.
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || !is_number(whole) || !is_number(part) {
        return Err(wrong());
    }
    let part: String = part.chars().chain(std::iter::repeat('0')).take(12).collect();
    let ps: i128 = format!("{whole}{part}").parse().map_err(|_| wrong())?;
    Ok(sign * ps)
}

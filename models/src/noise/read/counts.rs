//! Counts of work by intervals (FTQ): a header of `# key=value` lines with `interval_ns`, then `start_ns<TAB>units`.

use super::own::{header, keys, nanoseconds};
use super::{after_start, picoseconds};
use crate::noise::work::WorkCounts;
use crate::time::{Span, Time};
use std::fmt::Write;

const INTERVAL: &str = "interval_ns";

/// Reads a file of counts of work.
///
/// # Errors
/// Names the file, the line and the expected content.
pub fn counts(name: &str, bytes: &[u8]) -> Result<WorkCounts, String> {
    let text = super::text(name, bytes)?;
    let mut work = WorkCounts { name: name.to_owned(), ..WorkCounts::default() };
    for (number, line) in text.lines().enumerate() {
        let (number, line) = (number + 1, line.trim());
        if line.starts_with('#') {
            match header(line) {
                Some((INTERVAL, value)) => {
                    let interval = picoseconds(value).filter(|&interval| interval > 0);
                    let interval = interval.ok_or_else(|| {
                        format!(
                            "{name} line {number}: {INTERVAL}: expected a length in ns, up to 10^15, found '{value}'"
                        )
                    })?;
                    work.interval = Span(interval);
                }
                Some((key, value)) => work.header.push((key.to_owned(), value.to_owned())),
                None => {}
            }
        } else if !line.is_empty() {
            work.counts.push(entry(name, number, line, work.counts.last())?);
        }
    }
    if work.interval == Span::ZERO {
        return Err(format!("{name}: expected # {INTERVAL}=… in its header"));
    }
    if work.counts.is_empty() {
        return Err(format!("{name}: expected lines of a start in ns and a count, found none"));
    }
    Ok(work)
}

/// Reads one line: a start and a count.
pub fn entry(name: &str, line: usize, text: &str, before: Option<&(Time, u64)>) -> Result<(Time, u64), String> {
    let mut fields = text.split_ascii_whitespace();
    let (start, units) = (fields.next().and_then(picoseconds), fields.next().and_then(|units| units.parse().ok()));
    let (Some(start), Some(units), None) = (start, units, fields.next()) else {
        return Err(format!("{name} line {line}: expected a start in ns and a whole number, found '{text}'"));
    };
    after_start(name, line, before.map(|before| before.0), Time(start))?;
    Ok((Time(start), units))
}

/// Header above counts of intervals of this length.
pub fn counts_head(more: &[(String, String)], interval: Span) -> String {
    let mut text = String::from("# work of one CPU by intervals: start in ns, and units done\n");
    text.push_str(&keys(more, INTERVAL));
    writeln!(text, "# {INTERVAL}={}", nanoseconds(interval.0)).expect("writing to a string");
    text
}

/// Line of an interval in the file.
pub fn counts_line(start: Time, units: u64) -> String {
    format!("{}\t{units}\n", nanoseconds(start.0))
}

/// Writes counts so that [`counts`] reads the same values again.
pub fn write_counts(work: &WorkCounts) -> String {
    let mut text = counts_head(&work.header, work.interval);
    work.counts.iter().for_each(|&(start, units)| text.push_str(&counts_line(start, units)));
    text
}

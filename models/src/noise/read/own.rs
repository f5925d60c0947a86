//! Our own format: a header of `# key=value` lines, then `start_ns<TAB>duration_ns`, one file for each rank.
//! gnuplot, Netgauge's and LogGOPSim's tools read it as it is.
//!
//! `length_ns` in the header, which must be there, says how long was recorded.

use super::{entry, in_order, picoseconds};
use crate::noise::trace::{Detour, DetourTrace};
use crate::quantity::decimal;
use crate::time::Span;
use std::fmt::Write;

const LENGTH: &str = "length_ns";

pub(super) fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().strip_prefix('#')?.split_once('=')?;
    Some((key.trim(), value.trim()))
}

/// Whether a text is of this format: the comments before its first entry say a length.
pub(super) fn is_own(text: &str) -> bool {
    let comments = text.lines().take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
    comments.filter_map(header).any(|(key, _)| key == LENGTH)
}

pub(super) fn read(name: &str, text: &str) -> Result<DetourTrace, String> {
    let mut trace = DetourTrace { name: name.to_owned(), ..DetourTrace::default() };
    let mut length = None;
    for (number, line) in text.lines().enumerate() {
        let (number, line) = (number + 1, line.trim());
        if line.starts_with('#') {
            match header(line) {
                Some((LENGTH, _)) if length.is_some() => {
                    return Err(format!("{name} line {number}: {LENGTH} is given twice"));
                }
                Some((LENGTH, value)) => length = Some(length_of(name, number, value)?),
                Some((key, value)) => trace.header.push((key.to_owned(), value.to_owned())),
                None => {}
            }
        } else if !line.is_empty() {
            let length = length.ok_or_else(|| format!("{name} line {number}: expected # {LENGTH}=… before it"))?;
            let detour = entry(name, number, line)?;
            in_order(name, number, trace.detours.last(), &detour)?;
            if detour.start.0 >= length {
                return Err(format!("{name} line {number}: starts after the end of the trace, {LENGTH} in its header"));
            }
            trace.detours.push(detour);
        }
    }
    trace.length = Span(length.ok_or_else(|| format!("{name}: expected # {LENGTH}=… in its header"))?);
    Ok(trace)
}

fn length_of(name: &str, line: usize, value: &str) -> Result<u64, String> {
    let length = picoseconds(value).filter(|&length| length > 0);
    length
        .ok_or_else(|| format!("{name} line {line}: {LENGTH}: expected the length in ns, up to 10^15, found '{value}'"))
}

/// Writes a trace so that [`trace`](super::trace) reads the same again, given a header of plain keys; line
/// breaks in it become blanks, and what it says under the name of the length is left out.
pub fn write(trace: &DetourTrace) -> String {
    let mut text = head(&trace.header, trace.length);
    trace.detours.iter().for_each(|detour| text.push_str(&line(detour)));
    text
}

/// What stands above the detours of a trace of this length: a header of such keys.
pub fn head(keys: &[(String, String)], length: Span) -> String {
    let mut text = String::from("# detours of one CPU: start and duration, in ns\n");
    text.push_str(&self::keys(keys, LENGTH));
    writeln!(text, "# {LENGTH}={}", nanoseconds(length.0)).expect("writing to a string");
    text
}

/// Lines of a header; what it says under the `own` name is left out: another format's may say something else there.
pub(super) fn keys(all: &[(String, String)], own: &str) -> String {
    let mut text = String::new();
    for (key, value) in all {
        let line = format!("# {}={}", one_line(key), one_line(value));
        if header(&line).is_some_and(|(key, _)| key != own) {
            writeln!(text, "{line}").expect("writing to a string");
        }
    }
    text
}

/// The line of a detour.
pub fn line(detour: &Detour) -> String {
    format!("{}\t{}\n", nanoseconds(detour.start.0), nanoseconds(detour.duration.0))
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Picoseconds as ns with as many decimals as they need.
pub fn nanoseconds(ps: u64) -> String {
    decimal(ps.into(), 3)
}

//! Our own format: a header of `# key=value` lines, then `start_ns<TAB>duration_ns`, one file for each rank. gnuplot,
//! Netgauge's and LogGOPSim's tools read it without conversion.
//!
//! The header must have `length_ns`, the duration of the recording.

use super::{entry, in_order, picoseconds};
use crate::noise::trace::{Detour, DetourTrace};
use crate::time::Span;
use std::fmt::Write;

const LENGTH: &str = "length_ns";

pub(super) fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().strip_prefix('#')?.split_once('=')?;
    Some((key.trim(), value.trim()))
}

/// Whether a text is in this format: the comments before its first entry contain a length.
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

/// Writes a trace so that [`trace`](super::trace) reads the same again, given a header of plain keys. Line breaks in it
/// become blanks, and an entry under the name of the length is left out.
pub fn write(trace: &DetourTrace) -> String {
    let mut text = head(&trace.header, trace.length);
    trace.detours.iter().for_each(|detour| text.push_str(&line(detour)));
    text
}

/// Header above the detours of a trace of this length, with these keys.
pub fn head(keys: &[(String, String)], length: Span) -> String {
    let mut text = String::from("# detours of one CPU: start and duration, in ns\n");
    text.push_str(&self::keys(keys, LENGTH));
    writeln!(text, "# {LENGTH}={}", nanoseconds(length.0)).expect("writing to a string");
    text
}

/// Lines of a header. An entry under the `own` name is left out: it may have another meaning in another format.
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

/// Line of a detour in the file.
pub fn line(detour: &Detour) -> String {
    let mut line = String::with_capacity(LINE_BYTES);
    push_nanoseconds(&mut line, detour.start.0);
    line.push('\t');
    push_nanoseconds(&mut line, detour.duration.0);
    line.push('\n');
    line
}

/// Usual length of a line, in bytes.
const LINE_BYTES: usize = 32;

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Writes picoseconds as ns with the decimals that they need.
pub fn nanoseconds(ps: u64) -> String {
    let mut text = String::new();
    push_nanoseconds(&mut text, ps);
    text
}

/// Appends picoseconds as ns to a text: files have millions of them.
pub fn push_nanoseconds(text: &mut String, ps: u64) {
    // The largest number of 64 bits has 17 digits before the point.
    let mut digits = [b'0'; 21];
    let point = digits.len() - 4;
    let (mut whole, mut rest) = (ps / 1_000, ps % 1_000);
    for place in (point + 1..digits.len()).rev() {
        (digits[place], rest) = (b'0' + (rest % 10) as u8, rest / 10);
    }
    digits[point] = b'.';
    let mut begin = point;
    while whole > 0 || begin == point {
        begin -= 1;
        (digits[begin], whole) = (b'0' + (whole % 10) as u8, whole / 10);
    }
    let digits = std::str::from_utf8(&digits[begin..]).expect("digits and a point");
    text.push_str(digits.trim_end_matches('0').trim_end_matches('.'));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::decimal;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_written_as_all_quantities_are(ps in prop_oneof![0..3_000_u64, any::<u64>(), (0..9_u64).prop_map(|k| k * 10_000)]) {
            prop_assert_eq!(nanoseconds(ps), decimal(ps.into(), 3));
        }
    }
}

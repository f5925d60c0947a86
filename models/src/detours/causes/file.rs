//! Files of causes: a header of `# key=value` lines, that of the rank's detours among them, then
//! `start_ns<TAB>duration_ns<TAB>class<TAB>what<TAB>traced_ns`, the detours in their order.

use super::{Cause, Class};
use crate::noise::read::{Format, head as detours_head, nanoseconds, picoseconds, text, trace};
use crate::noise::{Detour, DetourTrace};
use crate::time::{Span, Time};
use std::collections::BTreeMap;

/// What stands in the first line.
const FIRST: &str =
    "# what took one CPU in its detours: start and duration in ns, class, name, and how much was traced, in ns\n";

/// What took the CPU of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CausesFile {
    /// Its name, how long was recorded, and what its header says; the detours are in the entries.
    pub of: DetourTrace,
    /// Detour after detour.
    pub entries: Vec<Entry>,
    /// What entries name by place.
    pub names: Vec<String>,
}

/// One detour and what took the CPU in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When, and for how long.
    pub detour: Detour,
    /// What took the largest part.
    pub class: Class,
    /// The place of its name.
    pub what: u32,
    /// How much of it was traced.
    pub traced: Span,
}

/// What stands above the causes of detours that were recorded for so long: a header of such keys.
pub fn head(keys: &[(String, String)], length: Span) -> String {
    let head = detours_head(keys, length);
    let keys = head.split_once('\n').map_or("", |(_, keys)| keys);
    format!("{FIRST}{keys}")
}

/// The line of a detour. What would break the line is a blank in it.
pub fn line(detour: &Detour, cause: &Cause<'_>) -> String {
    let what: String = cause.what.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let what = what.trim();
    let (start, duration, traced) = (detour.start.0, detour.duration.0, cause.traced.0);
    let [start, duration, traced] = [start, duration, traced].map(nanoseconds);
    format!("{start}\t{duration}\t{}\t{}\t{traced}\n", cause.class, if what.is_empty() { "-" } else { what })
}

/// Reads causes.
///
/// # Errors
/// What cannot be read: file, line, what was expected.
pub fn read(name: &str, bytes: &[u8]) -> Result<CausesFile, String> {
    let all = text(name, bytes)?;
    let headed: String = all.lines().filter(|line| line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    let of = trace(name, headed.as_bytes(), Some(Format::Own))?;
    let mut file = CausesFile { of, ..CausesFile::default() };
    let mut places = BTreeMap::new();
    for (number, line) in (1..).zip(all.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty()) {
        let (detour, class, what, traced) =
            entry(line).map_err(|message| format!("{name} line {number}: {message}"))?;
        if file.entries.last().is_some_and(|last| last.detour.start > detour.start) {
            let message = "starts before the line above it; expected them in the order of time";
            return Err(format!("{name} line {number}: {message}"));
        }
        let what = *places.entry(what).or_insert_with(|| {
            file.names.push(what.to_owned());
            file.names.len() as u32 - 1
        });
        file.entries.push(Entry { detour, class, what, traced });
    }
    Ok(file)
}

/// A detour, its class, its name, and how much of it was traced.
fn entry(line: &str) -> Result<(Detour, Class, &str, Span), String> {
    let bad =
        || format!("expected start, duration, class, name and traced time in ns, with tabs between, found '{line}'");
    let fields: Vec<&str> = line.split('\t').collect();
    let [start, duration, class, what, traced] = fields[..] else { return Err(bad()) };
    let [Some(start), Some(duration), Some(traced)] = [start, duration, traced].map(picoseconds) else {
        return Err(bad());
    };
    let detour = Detour { start: Time(start), duration: Span(duration) };
    Ok((detour, Class::find(class)?, what, Span(traced)))
}

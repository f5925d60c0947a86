//! Files of causes: a header of `# key=value` lines, with those of the rank's detours among them, then lines of
//! `start_ns<TAB>duration_ns<TAB>class<TAB>what<TAB>traced_ns`, with the detours in their order.

use super::{Cause, Class};
use models::noise::read::{NoiseFormat, head as detours_head, picoseconds, push_nanoseconds, text, trace};
use models::noise::{Detour, DetourTrace};
use models::time::{Span, Time};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// First line of the file.
const FIRST: &str =
    "# what took one CPU in its detours: start and duration in ns, class, name, and how much was traced, in ns\n";

/// Causes of the detours of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CausesFile {
    /// Name, duration and header of the recording; its detours are in `entries`.
    pub of: DetourTrace,
    /// Entries, one per detour.
    pub entries: Vec<Entry>,
    /// Names of causes, to which entries refer by index.
    pub names: Vec<String>,
}

/// One detour with its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Start and duration of the detour.
    pub detour: Detour,
    /// Class with the largest part of the detour.
    pub class: Class,
    /// Index of the cause's name.
    pub what: u32,
    /// Part of the detour that was traced.
    pub traced: Span,
}

/// Header above the causes of detours that were recorded for `length`, with these keys.
pub fn head(keys: &[(String, String)], length: Span) -> String {
    let head = detours_head(keys, length);
    let keys = head.split_once('\n').map_or("", |(_, keys)| keys);
    format!("{FIRST}{keys}")
}

/// Line of a detour. Control characters in the cause's name become blanks, since they would break the line.
pub fn line(detour: &Detour, cause: &Cause<'_>) -> String {
    let mut line = String::with_capacity(LINE_BYTES);
    push_nanoseconds(&mut line, detour.start.0);
    line.push('\t');
    push_nanoseconds(&mut line, detour.duration.0);
    line.push('\t');
    line.push_str(cause.class.name());
    line.push('\t');
    let mut what = Cow::Borrowed(cause.what);
    if what.contains(char::is_control) {
        what = what.replace(char::is_control, " ").into();
    }
    let what = what.trim();
    line.push_str(if what.is_empty() { "-" } else { what });
    line.push('\t');
    push_nanoseconds(&mut line, cause.traced.0);
    line.push('\n');
    line
}

/// Usual length of a line, in bytes.
const LINE_BYTES: usize = 80;

/// Reads a file of causes.
///
/// # Errors
/// Names the file, the line and the expected content.
pub fn read(name: &str, bytes: &[u8]) -> Result<CausesFile, String> {
    let all = text(name, bytes)?;
    let headed: String = all.lines().filter(|line| line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    let of = trace(name, headed.as_bytes(), Some(NoiseFormat::Own))?;
    let mut file = CausesFile { of, ..CausesFile::default() };
    let mut places = BTreeMap::new();
    // Consecutive detours often have the same cause, which is looked up once.
    let mut last = None;
    for (number, line) in (1..).zip(all.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty()) {
        let at = |message: String| format!("{name} line {number}: {message}");
        let (detour, names, traced) = entry(line).ok_or_else(|| at(expected(line)))?;
        if file.entries.last().is_some_and(|last| last.detour.start > detour.start) {
            return Err(at("starts before the line above it; expected them in the order of time".to_owned()));
        }
        let (class, what) = match last {
            Some((before, found)) if before == names => found,
            _ => {
                let [class, what] = names;
                let what = *places.entry(what).or_insert_with(|| {
                    file.names.push(what.to_owned());
                    file.names.len() as u32 - 1
                });
                (Class::find(class).map_err(at)?, what)
            }
        };
        last = Some((names, (class, what)));
        file.entries.push(Entry { detour, class, what, traced });
    }
    Ok(file)
}

/// Reads a line: the detour, the names of the class and of the cause, and the traced time.
fn entry(line: &str) -> Option<(Detour, [&str; 2], Span)> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let (start, duration, class, what, traced) = (next()?, next()?, next()?, next()?, next()?);
    if next().is_some() {
        return None;
    }
    let detour = Detour { start: Time(picoseconds(start)?), duration: Span(picoseconds(duration)?) };
    Some((detour, [class, what], Span(picoseconds(traced)?)))
}

fn expected(line: &str) -> String {
    format!("expected start, duration, class, name and traced time in ns, with tabs between, found '{line}'")
}

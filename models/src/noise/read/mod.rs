//! Readers of recorded detours: from bytes to a [`DetourTrace`], and back.

mod counts;
mod own;
mod selfish;

pub use counts::entry as counted;
pub use counts::{counts, counts_head, counts_line, write_counts};
pub use own::push_nanoseconds;
pub use own::{head, line, nanoseconds, write};

use super::trace::{Detour, DetourTrace, sort_by_rank};
use crate::time::{Span, Time};

crate::named! {
    /// File format of recorded detours.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NoiseFormat {
        /// Our own format: see [`write()`].
        Own => "own",
        /// Format of Netgauge's selfish benchmark, which LogGOPSim reads as a noise trace.
        Selfish => "selfish",
    }
    /// Name of the format in `format=…`.
    fn name;
}

impl NoiseFormat {
    /// Returns the format of that name.
    ///
    /// # Errors
    /// Names the known formats.
    pub fn parse(name: &str) -> Result<NoiseFormat, String> {
        let found = crate::names::find("format", name, &NoiseFormat::ALL, NoiseFormat::name);
        found.map_err(|message| format!("key 'format': {message}"))
    }
}

/// Reads one trace. Without a format the content determines it: ours has `length_ns=` in its header.
///
/// # Errors
/// Names the file, the line and the expected content.
pub fn trace(name: &str, bytes: &[u8], format: Option<NoiseFormat>) -> Result<DetourTrace, String> {
    let text = text(name, bytes)?;
    let format = format.unwrap_or(if own::is_own(text) { NoiseFormat::Own } else { NoiseFormat::Selfish });
    match format {
        NoiseFormat::Own => own::read(name, text),
        NoiseFormat::Selfish => selfish::read(name, text),
    }
}

/// Reads the traces of one collection, given by their files' names and contents. They are in the order of the ranks
/// that their headers name, or as given where no header names one.
///
/// # Errors
/// Fails where [`trace`] fails, or if two traces are of one rank.
pub fn traces(files: &[(String, Vec<u8>)], format: Option<NoiseFormat>) -> Result<Vec<DetourTrace>, String> {
    let traces = files.iter().map(|(name, bytes)| trace(name, bytes, format));
    let mut traces = traces.collect::<Result<Vec<DetourTrace>, String>>()?;
    sort_by_rank(&mut traces)?;
    Ok(traces)
}

/// Text of a file, which must be UTF-8.
pub fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("{name} line {line}: not a text file")
    })
}

/// Limit of the length of a trace, in ns: eleven days, far below the range of time.
pub const LONGEST_NS: u64 = 1_000_000_000_000_000;

/// Reads one line of two numbers, start and duration in ns, with white space between.
fn entry(name: &str, line: usize, text: &str) -> Result<Detour, String> {
    let mut fields = text.split_ascii_whitespace().map(picoseconds);
    match (fields.next(), fields.next(), fields.next()) {
        (Some(Some(start)), Some(Some(duration)), None) => Ok(Detour { start: Time(start), duration: Span(duration) }),
        _ => Err(format!(
            "{name} line {line}: expected start and duration, two numbers of ns from 0 to 10^15, found '{text}'"
        )),
    }
}

/// Reads a decimal number of ns, to the nearest picosecond; `None` if it cannot be read or is too large.
pub fn picoseconds(ns: &str) -> Option<u64> {
    let bytes = ns.as_bytes();
    let point = bytes.iter().position(|&byte| byte == b'.').unwrap_or(bytes.len());
    let (whole, fraction) = (&bytes[..point], bytes.get(point + 1..).unwrap_or_default());
    if whole.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    let append = |ns: u64, &byte: &u8| Some(ns * 10 + digit(byte)?).filter(|&ns| ns < LONGEST_NS);
    let whole = whole.iter().try_fold(0, append)?;
    let digit = |place: usize| fraction.get(place).map_or(0, |byte| u64::from(byte - b'0'));
    let rounded_up = u64::from(digit(3) >= 5);
    Some(whole * 1_000 + digit(0) * 100 + digit(1) * 10 + digit(2) + rounded_up)
}

/// Refuses an entry that starts before the one above it.
fn in_order(name: &str, line: usize, before: Option<&Detour>, detour: &Detour) -> Result<(), String> {
    after_start(name, line, before.map(|before| before.start), detour.start)
}

/// Refuses a start before the one above it.
fn after_start(name: &str, line: usize, before: Option<Time>, start: Time) -> Result<(), String> {
    match before {
        Some(before) if before > start => {
            Err(format!("{name} line {line}: starts before the line above it; expected them in the order of time"))
        }
        _ => Ok(()),
    }
}

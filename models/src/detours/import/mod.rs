//! Detours that other tools recorded: from their files to traces, or to counts of work.

mod ftq;
mod fwq;
mod osnoise;
mod refused;

pub use refused::refused;

use super::Baseline;
use crate::noise::read::{self, Format as TraceFormat};
use crate::noise::{DetourTrace, WorkCounts};
use crate::time::Span;

crate::named! {
    /// Whose files they are.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        /// Netgauge's selfish benchmark.
        Selfish => "selfish",
        /// Durations of quanta in cycles, one in a line (`fwq_0_times.dat`), or Netgauge's in µs.
        Fwq => "fwq",
        /// Starts and counts of intervals: in one file, or in `…_times.dat` and `…_counts.dat`; or Netgauge's.
        Ftq => "ftq",
        /// Lines of Linux's osnoise tracer.
        Osnoise => "osnoise",
    }
    /// The name used in flags.
    fn name;
}

/// What is known of files beside their text.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Cycles in a second, where times are cycles.
    pub hz: Option<f64>,
    /// FWQ: what quanta are compared with.
    pub baseline: Baseline,
    /// FWQ: a detour is longer than this.
    pub threshold: Option<Span>,
}

/// What files hold, in the order of ranks.
#[derive(Clone, Debug, PartialEq)]
pub enum Imported {
    /// Detours of each rank.
    Detours(Vec<DetourTrace>),
    /// Work of each rank.
    Counts(Vec<WorkCounts>),
}

/// Reads files, given by name and content; without a format the first says itself what they are.
///
/// # Errors
/// What cannot be read: file, line, what was expected; cycles without their rate; what says no detours, and what does.
pub fn import(files: &[(String, Vec<u8>)], format: Option<Format>, known: &Known) -> Result<Imported, String> {
    let (name, bytes) = files.first().ok_or("expected files of recorded noise, found none")?;
    for (name, bytes) in files {
        refused::check(name, read::text(name, bytes)?)?;
    }
    let format = match format {
        Some(format) => format,
        // FWQ's and FTQ's files of times have one name.
        None if files.iter().any(|(name, _)| name.ends_with("_counts.dat")) => Format::Ftq,
        None => guess(name, read::text(name, bytes)?)?,
    };
    let each = |of: &dyn Fn(&str, &str) -> Result<DetourTrace, String>| {
        let traces = files.iter().map(|(name, bytes)| of(name, read::text(name, bytes)?));
        traces.collect::<Result<Vec<DetourTrace>, String>>().map(numbered).map(Imported::Detours)
    };
    match format {
        Format::Selfish => each(&|name, text| read::trace(name, text.as_bytes(), Some(TraceFormat::Selfish))),
        Format::Fwq => each(&|name, text| fwq::read(name, text, known)),
        Format::Ftq => ftq::read(files, known).map(Imported::Counts),
        Format::Osnoise => osnoise::read(files).map(Imported::Detours),
    }
}

/// What a file is, by what is in it.
fn guess(name: &str, text: &str) -> Result<Format, String> {
    let says = |begin: &str| comment(text, begin).is_some();
    let is_data = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = text.lines().map(str::trim).find(is_data).unwrap_or("");
    let selfish =
        |line: &str| line.trim_start().starts_with('#') && (line.contains("Selfish") || line.contains("selfish"));
    if text.lines().any(selfish) {
        Ok(Format::Selfish)
    } else if says("# Frequency") || says(NETGAUGE_FTQ) {
        Ok(Format::Ftq)
    } else if text.lines().any(osnoise::is_event) || says(osnoise::TRACER) {
        Ok(Format::Osnoise)
    } else if says(NETGAUGE_FWQ) || fwq::is_said(first) || is_number(first) {
        Ok(Format::Fwq)
    } else {
        let known = Format::ALL.map(Format::name).join(", ");
        Err(format!("{name}: not known whose file this is; name it with --format ({known})"))
    }
}

/// What stands above the intervals of Netgauge's FTQ.
const NETGAUGE_FTQ: &str = "# Fixed Time Quantum Benchmark";
/// What stands above the quanta of Netgauge's FWQ.
const NETGAUGE_FWQ: &str = "# Fixed Work Quantum Benchmark";

/// What follows the begin of a comment, of the first that begins so.
fn comment<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.trim().strip_prefix(begin)).map(str::trim)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Traces with the ranks of their places in their headers.
fn numbered(mut traces: Vec<DetourTrace>) -> Vec<DetourTrace> {
    let ranks = traces.len();
    for (rank, trace) in traces.iter_mut().enumerate() {
        trace.header.splice(0..0, keys(rank, ranks));
    }
    traces
}

/// The first keys of a header.
fn keys(rank: usize, ranks: usize) -> [(String, String); 2] {
    [("rank".to_owned(), rank.to_string()), ("ranks".to_owned(), ranks.to_string())]
}

/// A line that is a whole number.
fn whole(name: &str, line: usize, text: &str, what: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("{name} line {line}: expected {what}, found '{}'", text.trim()))
}

/// The rate of cycles.
fn rate(name: &str, known: &Known) -> Result<f64, String> {
    let rate = known.hz.ok_or_else(|| {
        format!("{name}: times are cycles; also give --hz, the rate of the clock that counts them, like --hz 2.4e9")
    })?;
    let usable = rate.is_finite() && (1e3..=1e12).contains(&rate);
    usable.then_some(rate).ok_or_else(|| format!("--hz: expected 1e3 to 1e12 cycles in a second, found {rate}"))
}

/// Lines with something in them that are no comments, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = (1..).zip(text.lines().map(str::trim));
    all.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

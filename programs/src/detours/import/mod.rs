//! Import of detours that other tools recorded: from their files to traces, or to counts of work.

mod ftq;
mod fwq;
mod osnoise;
mod refused;

pub use refused::refused;

use super::Baseline;
use models::noise::read::{self, NoiseFormat};
use models::noise::{DetourTrace, WorkCounts};
use models::time::Span;

models::named! {
    /// Format of files of other tools.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ImportFormat {
        /// Output of Netgauge's selfish benchmark.
        Selfish => "selfish",
        /// Durations of quanta in cycles, one in a line (`fwq_0_times.dat`), or Netgauge's in µs.
        Fwq => "fwq",
        /// Starts and counts of intervals, in one file, in `…_times.dat` and `…_counts.dat`, or in Netgauge's format.
        Ftq => "ftq",
        /// Lines of Linux's osnoise tracer.
        Osnoise => "osnoise",
    }
    /// Name of the format in flags.
    fn name;
}

/// Parameters of files that their text does not contain.
#[derive(Clone, Copy, Debug)]
pub struct ImportParameters {
    /// Cycles per second, where times are in cycles.
    pub hz: Option<f64>,
    /// FWQ: reference of the durations of quanta.
    pub baseline: Baseline,
    /// FWQ: excess above which a quantum contains a detour.
    pub threshold: Option<Span>,
}

/// Content of files, in the order of ranks.
#[derive(Clone, Debug, PartialEq)]
pub enum Imported {
    /// Traces of detours, one per rank.
    Detours(Vec<DetourTrace>),
    /// Counts of work, one per rank.
    Counts(Vec<WorkCounts>),
}

/// Reads files, given by name and content. Without a format, the content of the first determines it.
///
/// # Errors
/// Names the file, the line and the expected content, or cycles whose rate is missing. For output from which no detours
/// can be had, it names a recording from which they can.
pub fn import(
    files: &[(String, Vec<u8>)],
    format: Option<ImportFormat>,
    known: &ImportParameters,
) -> Result<Imported, String> {
    let (name, bytes) = files.first().ok_or("expected files of recorded noise, found none")?;
    for (name, bytes) in files {
        refused::check(name, read::text(name, bytes)?)?;
    }
    let format = match format {
        Some(format) => format,
        // The time files of FWQ and of FTQ have the same names.
        None if files.iter().any(|(name, _)| name.ends_with("_counts.dat")) => ImportFormat::Ftq,
        None => guess(name, read::text(name, bytes)?)?,
    };
    let each = |of: &dyn Fn(&str, &str) -> Result<DetourTrace, String>| {
        let traces = files.iter().map(|(name, bytes)| of(name, read::text(name, bytes)?));
        traces.collect::<Result<Vec<DetourTrace>, String>>().map(numbered).map(Imported::Detours)
    };
    match format {
        ImportFormat::Selfish => each(&|name, text| read::trace(name, text.as_bytes(), Some(NoiseFormat::Selfish))),
        ImportFormat::Fwq => each(&|name, text| fwq::read(name, text, known)),
        ImportFormat::Ftq => ftq::read(files, known).map(Imported::Counts),
        ImportFormat::Osnoise => osnoise::read(files).map(Imported::Detours),
    }
}

/// Guesses the format of a file from its content.
fn guess(name: &str, text: &str) -> Result<ImportFormat, String> {
    let says = |begin: &str| comment(text, begin).is_some();
    let is_data = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = text.lines().map(str::trim).find(is_data).unwrap_or("");
    let selfish =
        |line: &str| line.trim_start().starts_with('#') && (line.contains("Selfish") || line.contains("selfish"));
    if text.lines().any(selfish) {
        Ok(ImportFormat::Selfish)
    } else if says("# Frequency") || says(NETGAUGE_FTQ) {
        Ok(ImportFormat::Ftq)
    } else if text.lines().any(osnoise::is_event) || says(osnoise::TRACER) {
        Ok(ImportFormat::Osnoise)
    } else if says(NETGAUGE_FWQ) || fwq::is_said(first) || is_number(first) {
        Ok(ImportFormat::Fwq)
    } else {
        let known = ImportFormat::ALL.map(ImportFormat::name).join(", ");
        Err(format!("{name}: not known whose file this is; name it with --format ({known})"))
    }
}

/// Beginning of the header of Netgauge's FTQ.
const NETGAUGE_FTQ: &str = "# Fixed Time Quantum Benchmark";
/// Beginning of the header of Netgauge's FWQ.
const NETGAUGE_FWQ: &str = "# Fixed Work Quantum Benchmark";

/// Text behind `begin` in the first comment that begins with it.
fn comment<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.trim().strip_prefix(begin)).map(str::trim)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Adds the rank of its place to the header of each trace.
fn numbered(mut traces: Vec<DetourTrace>) -> Vec<DetourTrace> {
    let ranks = traces.len();
    for (rank, trace) in traces.iter_mut().enumerate() {
        trace.header.splice(0..0, keys(rank, ranks));
    }
    traces
}

/// First keys of a header.
fn keys(rank: usize, ranks: usize) -> [(String, String); 2] {
    [("rank".to_owned(), rank.to_string()), ("ranks".to_owned(), ranks.to_string())]
}

/// Reads a line that is a whole number.
fn whole(name: &str, line: usize, text: &str, what: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("{name} line {line}: expected {what}, found '{}'", text.trim()))
}

/// Rate of cycles per second.
fn rate(name: &str, known: &ImportParameters) -> Result<f64, String> {
    let rate = known.hz.ok_or_else(|| {
        format!("{name}: times are cycles; also give --hz, the rate of the clock that counts them, like --hz 2.4e9")
    })?;
    let usable = rate.is_finite() && (1e3..=1e12).contains(&rate);
    usable.then_some(rate).ok_or_else(|| format!("--hz: expected 1e3 to 1e12 cycles in a second, found {rate}"))
}

/// Lines that are neither empty nor comments, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = (1..).zip(text.lines().map(str::trim));
    all.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

//! Files of FTQ (Sottile, Minnich): the start of each interval, and the units of work done in it. Newer ones hold both,
//! times in ns, behind a header with `# Frequency`. Older ones have times in cycles, beside the counts or in a file of
//! their own. Netgauge's hold the number of each interval in place of its start, and the duration of all in the header.

use super::{ImportParameters, NETGAUGE_FTQ, comment, keys, lines, rate, whole};
use models::clock::{Ticks, Timescale};
use models::noise::WorkCounts;
use models::noise::read::{self, LONGEST_NS};
use models::spread::median;
use models::time::{Span, Time};

const TIMES: &str = "_times.dat";
const COUNTS: &str = "_counts.dat";

pub(super) fn read(files: &[(String, Vec<u8>)], known: &ImportParameters) -> Result<Vec<WorkCounts>, String> {
    let mut all = Vec::new();
    for (name, bytes) in files {
        let text = read::text(name, bytes)?;
        if let Some(stem) = name.strip_suffix(TIMES) {
            let counts = format!("{stem}{COUNTS}");
            let (_, bytes) = files
                .iter()
                .find(|(name, _)| *name == counts)
                .ok_or_else(|| format!("{name}: expected {counts} beside it, with the counts of these intervals"))?;
            all.push(pair((name, text), (&counts, read::text(&counts, bytes)?), known)?);
        } else if let Some(stem) = name.strip_suffix(COUNTS) {
            let times = format!("{stem}{TIMES}");
            if !files.iter().any(|(name, _)| *name == times) {
                return Err(format!("{name}: expected {times} beside it, with the times of these intervals"));
            }
        } else {
            all.push(single(name, text, known)?);
        }
    }
    let ranks = all.len();
    for (rank, work) in all.iter_mut().enumerate() {
        work.header.splice(0..0, keys(rank, ranks));
        work.header.push(("method".to_owned(), "ftq".to_owned()));
        work.header.push(("imported_from".to_owned(), work.name.clone()));
    }
    Ok(all)
}

/// Reads two columns: times in ns if the header has the rate of intervals, numbers of intervals if it has their
/// duration, else times in cycles.
fn single(name: &str, text: &str, known: &ImportParameters) -> Result<WorkCounts, String> {
    if comment(text, NETGAUGE_FTQ).is_some() {
        return numbered(name, text);
    }
    let Some(hz) = comment(text, "# Frequency") else {
        let (starts, units) = columns(name, text, "a time in cycles and a count")?.into_iter().unzip();
        return of_cycles((name, starts), (name, units), known);
    };
    let mut counts = Vec::new();
    for (number, line) in lines(text) {
        counts.push(read::counted(name, number, line, counts.last())?);
    }
    let hz = hz.parse::<f64>().ok().filter(|hz| hz.is_finite() && *hz > 0.0);
    let told = hz.map(|hz| Span((1e12 / hz).round() as u64)).filter(|interval| *interval > Span::ZERO);
    let place = comment(text, "# thread").and_then(|text| text.split_once("core ")).map(|(_, core)| core.trim());
    let header = place.map(|core| ("cpu".to_owned(), core.to_owned())).into_iter().collect();
    work(name, counts, told, header)
}

/// Reads Netgauge's files, in which no start is written: an interval begins at the end of the one before.
fn numbered(name: &str, text: &str) -> Result<WorkCounts, String> {
    let told = comment(text, "# Compute-Cycle Duration:").and_then(|text| text.strip_suffix("usec"));
    let us = told.and_then(|us| us.trim().parse().ok()).filter(|us| (1..=LONGEST_INTERVAL_US).contains(us));
    let interval = Span::from_us(us.ok_or_else(|| {
        format!("{name}: expected the duration of an interval above them, like # Compute-Cycle Duration: 100 usec")
    })?);
    let mut counts = Vec::new();
    for (number, units) in columns(name, text, "the number of an interval and its iterations")? {
        if number != counts.len() as u64 {
            return Err(format!(
                "{name}: interval {number} stands where {} is due; expected all in order",
                counts.len()
            ));
        }
        counts.push((Time::ZERO + interval * number, units));
    }
    work(name, counts, Some(interval), vec![("starts".to_owned(), "counted".to_owned())])
}

/// Longest accepted interval, in µs: an hour.
const LONGEST_INTERVAL_US: u64 = 3_600_000_000;

/// Reads lines of two whole numbers.
fn columns(name: &str, text: &str, what: &'static str) -> Result<Vec<(u64, u64)>, String> {
    let both = |line: &str| {
        let mut fields = line.split_ascii_whitespace().map(|field| field.parse().ok());
        let both = (fields.next()??, fields.next()??);
        fields.next().is_none().then_some(both)
    };
    let one =
        |(number, line)| both(line).ok_or_else(|| format!("{name} line {number}: expected {what}, found '{line}'"));
    lines(text).map(one).collect()
}

/// Reads times in cycles and counts from a file each.
fn pair(times: (&str, &str), counts: (&str, &str), known: &ImportParameters) -> Result<WorkCounts, String> {
    let numbers = |(name, text): (&str, &str), what: &'static str| {
        let name = name.to_owned();
        lines(text).map(|(number, line)| whole(&name, number, line, what)).collect::<Result<Vec<u64>, String>>()
    };
    let (starts, units) = (numbers(times, "a time in cycles")?, numbers(counts, "a count")?);
    of_cycles((times.0, starts), (counts.0, units), known)
}

/// Builds counts from the counter readings at which intervals began and the work in each; errors name the file of
/// either.
fn of_cycles(
    (name, starts): (&str, Vec<u64>),
    (counts, units): (&str, Vec<u64>),
    known: &ImportParameters,
) -> Result<WorkCounts, String> {
    let ticks_per_second = rate(name, known)?;
    let scale = Timescale { ticks_per_second, origin: Ticks(0), granularity_ticks: 1 };
    if starts.len() != units.len() {
        let (all, found) = (starts.len(), units.len());
        return Err(format!("{counts}: {found} counts for the {all} times of {name}; expected as many"));
    }
    if let Some(place) = starts.windows(2).position(|pair| pair[0] > pair[1]) {
        let line = place + 2;
        return Err(format!("{name} number {line} is earlier than the one before; expected them in the order of time"));
    }
    let (first, last) = (starts.first().copied().unwrap_or(0), starts.last().copied().unwrap_or(0));
    if (last - first) as f64 / ticks_per_second >= LONGEST_NS as f64 / 1e9 {
        return Err(too_long(name));
    }
    let at = |cycles: u64| scale.time(Ticks(cycles - first));
    let counts = starts.iter().zip(units).map(|(&start, units)| (at(start), units)).collect();
    work(name, counts, None, vec![("hz".to_owned(), ticks_per_second.to_string())])
}

/// Builds counts with intervals of the stated length, else of the median distance of their starts.
fn work(
    name: &str,
    counts: Vec<(Time, u64)>,
    told: Option<Span>,
    header: Vec<(String, String)>,
) -> Result<WorkCounts, String> {
    let apart = counts.windows(2).map(|pair| pair[1].0.since(pair[0].0));
    let interval = told.or(Some(median(apart))).filter(|interval| *interval > Span::ZERO);
    // Imported counts are written to files, which are read again.
    if counts.last().is_some_and(|last| last.0.0 / 1_000 >= LONGEST_NS) {
        return Err(too_long(name));
    }
    match interval {
        Some(interval) if !counts.is_empty() => Ok(WorkCounts { name: name.to_owned(), interval, counts, header }),
        _ => Err(format!("{name}: expected two or more intervals, found {}", counts.len())),
    }
}

fn too_long(name: &str) -> String {
    format!("{name}: all intervals together take longer than 10^15 ns; expected cycles, and their rate (--hz)")
}

//! Files of FTQ (Sottile, Minnich): when each interval began, and how many units of work were done in it. Newer ones hold both,
//! times in ns, behind a header with `# Frequency`; older ones have a file of times in cycles and one of counts.

use super::{Known, keys, lines, rate, whole};
use crate::clock::{Ticks, Timescale};
use crate::noise::{WorkCounts, read};
use crate::time::{Span, Time};

const TIMES: &str = "_times.dat";
const COUNTS: &str = "_counts.dat";

pub(super) fn read(files: &[(String, Vec<u8>)], known: &Known) -> Result<Vec<WorkCounts>, String> {
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
            all.push(single(name, text)?);
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

/// Times in ns and counts, line by line.
fn single(name: &str, text: &str) -> Result<WorkCounts, String> {
    let mut counts = Vec::new();
    for (number, line) in lines(text) {
        counts.push(read::counted(name, number, line, counts.last())?);
    }
    let comment = |start: &str| text.lines().find_map(|line| line.trim().strip_prefix(start)).map(str::trim);
    let hz = comment("# Frequency").and_then(|text| text.parse::<f64>().ok()).filter(|hz| hz.is_finite() && *hz > 0.0);
    let told = hz.map(|hz| Span((1e12 / hz).round() as u64)).filter(|interval| *interval > Span::ZERO);
    let place = comment("# thread").and_then(|text| text.split_once("core ")).map(|(_, core)| core.trim());
    let header = place.map(|core| ("cpu".to_owned(), core.to_owned())).into_iter().collect();
    work(name, counts, told, header)
}

/// Times in cycles, and counts, in files of their own.
fn pair(times: (&str, &str), counts: (&str, &str), known: &Known) -> Result<WorkCounts, String> {
    let ticks_per_second = rate(times.0, known)?;
    let scale = Timescale { ticks_per_second, origin: Ticks(0), granularity_ticks: 1 };
    let numbers = |(name, text): (&str, &str), what: &'static str| {
        let name = name.to_owned();
        lines(text).map(|(number, line)| whole(&name, number, line, what)).collect::<Result<Vec<u64>, String>>()
    };
    let (starts, units) = (numbers(times, "a time in cycles")?, numbers(counts, "a count")?);
    if starts.len() != units.len() {
        let (all, found) = (starts.len(), units.len());
        return Err(format!("{}: {found} counts for the {all} times of {}; expected as many", counts.0, times.0));
    }
    if let Some(place) = starts.windows(2).position(|pair| pair[0] > pair[1]) {
        let line = place + 2;
        return Err(format!(
            "{} number {line} is earlier than the one before; expected them in the order of time",
            times.0
        ));
    }
    let first = starts.first().copied().unwrap_or(0);
    let at = |cycles: u64| scale.time(Ticks(cycles - first));
    let counts = starts.iter().zip(units).map(|(&start, units)| (at(start), units)).collect();
    work(times.0, counts, None, vec![("hz".to_owned(), ticks_per_second.to_string())])
}

/// Intervals are as long as is told, or as most of them are.
fn work(
    name: &str,
    counts: Vec<(Time, u64)>,
    told: Option<Span>,
    header: Vec<(String, String)>,
) -> Result<WorkCounts, String> {
    let mut apart: Vec<Span> = counts.windows(2).map(|pair| pair[1].0.since(pair[0].0)).collect();
    apart.sort_unstable();
    let interval = told.or(apart.get(apart.len() / 2).copied()).filter(|interval| *interval > Span::ZERO);
    match interval {
        Some(interval) if !counts.is_empty() => Ok(WorkCounts { name: name.to_owned(), interval, counts, header }),
        _ => Err(format!("{name}: expected two or more intervals, found {}", counts.len())),
    }
}

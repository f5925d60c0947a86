//! OSU Micro-Benchmarks 3 to 7: a title, heads, a row for each size; several tests may follow each other.
//!
//! Source: `print_preamble`, `print_only_header`, `print_stats` and their non-blocking twins in util/osu_util_mpi.c
//! (7.4), osu_latency.c, osu_mbw_mr.c. Only the p2p tests state the number of processes. MB are 10⁶ bytes.

use super::conditions::{SYNCHRONISATION, say};
use super::heads::{Head, Role, row, say_validated};
use super::names::collective;
use super::runs::{Reader, Said};
use super::text::{TextPlace, begins_with_number, comment, wide_cells};
use super::{Column, Imported, PrintedRow};
use std::borrow::Cow;

/// The operation and the version of a title like `# OSU MPI Broadcast Latency Test v7.4`.
pub(super) fn title(line: &str) -> Option<(&str, Option<&str>)> {
    let title = line.trim_start_matches(['#', ' ']);
    // The benchmarks in Python call themselves OMB-Py and have no version.
    let name = title.strip_prefix("OSU ").or(title.strip_prefix("OMB-Py "))?;
    let (name, version) = match (name.rsplit_once(" v"), name.split_once(" (Version ")) {
        (Some((name, version)), _) if begins_with_number(version) => (name, version.split_whitespace().next()),
        (_, Some((name, version))) => (name, version.strip_suffix(')')),
        _ => (name, None),
    };
    let name = name.trim().strip_suffix(" Test")?;
    // "MPI Broadcast Latency", "MPI-CUDA Broadcast Latency", but "MPI_Put Latency".
    Some((name.strip_prefix("MPI ").unwrap_or(name), version))
}

fn head(head: &str) -> Head {
    let (name, power) = match head {
        "Size" | "Size (B)" => return Head::new(head, Role::Bytes),
        "Iterations" => return Head::new(head, Role::Calls),
        "Validation" => return Head::new(head, Role::Verdict { name: "passed".to_owned() }),
        "Avg Latency(us)" | "Avg Lat(us)" | "Latency(us)" | "Latency (us)" => ("mean_us", 0),
        "Min Latency(us)" => ("min_us", 0),
        "Max Latency(us)" => ("max_us", 0),
        "Overall(us)" => ("overall_us", 0),
        "Pure Comm.(us)" => ("pure_us", 0),
        "Bandwidth (MB/s)" | "MB/s" => ("mb_per_s", 0),
        "Messages/s" => ("messages_per_s", 0),
        "Transmit Size" => ("transmit_bytes", 0),
        _ => return percentile(head).unwrap_or_else(|| Head::other(head)),
    };
    Head::scaled(head, name, power)
}

/// Head of a percentile: `P90 Tail Lat(us)`, `P90 Tail BW(MB/s)`.
fn percentile(head: &str) -> Option<Head> {
    let (percent, rest) = head.strip_prefix('P')?.split_once(' ')?;
    let unit = match rest {
        "Tail Lat(us)" => "us",
        "Tail BW(MB/s)" => "mb_per_s",
        _ => return None,
    };
    percent.parse::<u8>().ok()?;
    Some(Head::plain(head, &format!("p{percent}_{unit}")))
}

/// Known heads, found even where their blanks look like those between columns: longer ones before those that they begin
/// with.
const HEADS: [&str; 16] = [
    "Size (B)",
    "Size",
    "Avg Latency(us)",
    "Avg Lat(us)",
    "Min Latency(us)",
    "Max Latency(us)",
    "Latency(us)",
    "Latency (us)",
    "Overall(us)",
    "Compute(us)",
    "Pure Comm.(us)",
    "Overlap(%)",
    "Bandwidth (MB/s)",
    "MB/s",
    "Messages/s",
    "Iterations",
];

/// The heads of a table, if the line holds them; old versions print some without `#`.
pub(super) fn heads(line: &str) -> Option<Vec<Head>> {
    let line = line.trim_start_matches(['#', ' ']);
    let cells = known_heads(line).unwrap_or_else(|| wide_cells(line));
    let is_value = |cell: &&str| ["(us)", "(MB/s)", "MB/s", "Messages/s"].iter().any(|unit| cell.ends_with(unit));
    let is_first = cells.first().is_some_and(|first| HEADS.contains(first));
    let is_table = is_first && cells.iter().any(is_value) && cells.iter().all(|cell| !cell.contains(" = "));
    is_table.then(|| cells.into_iter().map(head).collect())
}

/// The heads of a line whose blanks were squeezed, if all are known.
fn known_heads(line: &str) -> Option<Vec<&str>> {
    let (mut rest, mut heads) = (line.trim(), Vec::new());
    while !rest.is_empty() {
        let ends = |length: &usize| rest[*length..].chars().next().is_none_or(char::is_whitespace);
        let known = HEADS.into_iter().chain(["Validation", "Transmit Size"]);
        let tail = ["Tail Lat(us)", "Tail BW(MB/s)"].into_iter().filter_map(|head| Some(rest.find(head)? + head.len()));
        let tail = tail.filter(|length| percentile(&rest[..*length]).is_some());
        let mut lengths = known.filter(|head| rest.starts_with(head)).map(str::len).chain(tail);
        let length = lengths.find(ends)?;
        heads.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(heads)
}

/// Whether a line stands above the title in some versions: the threads or processes of osu_latency_mt and
/// osu_latency_mp.
fn is_above_title(line: &str) -> bool {
    let known = ["Number of Sender threads: ", "Number of forked processes in sender: "];
    comment(line).is_some_and(|fact| known.iter().any(|known| fact.starts_with(known)))
}

/// Whether a line is found in OSU's text alone.
pub(super) fn is_its_own(line: &str) -> bool {
    title(line).is_some() || is_above_title(line)
}

#[derive(Default)]
pub(super) struct Osu {
    now: PrintedRow,
    table: Option<Vec<Head>>,
}

impl Reader for Osu {
    fn begins(&self, line: &str) -> bool {
        !self.now.benchmark.is_empty() && title(line).is_some() || self.table.is_some() && is_above_title(line)
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some((name, version)) = title(line) {
            run.version = version.map(str::to_owned);
            let ranks = is_of_pair(name).then_some(2);
            let above = if self.now.benchmark.is_empty() { std::mem::take(&mut self.now.words) } else { Vec::new() };
            self.now = PrintedRow {
                benchmark: name.to_owned(),
                collective: collective(name),
                ranks,
                words: above,
                ..PrintedRow::default()
            };
        } else if let Some(heads) = heads(line) {
            say_validated(&heads, &mut self.now);
            self.table = Some(heads);
        } else if let Some(row) = start_up(place, line, &self.now) {
            run.rows.push(row);
        } else if let Some(content) = comment(line) {
            self.remark(content, run);
        } else if !line.is_empty() {
            match row(place, self.heads_of(line).as_deref(), line, &self.now) {
                Ok(row) => run.rows.push(row),
                Err(said) => return said,
            }
        }
        Said::Its
    }
}

impl Osu {
    /// Returns the heads above a row. With buffers on a device some versions print the values of `-f` below the heads
    /// without it (7.3).
    fn heads_of(&self, line: &str) -> Option<Cow<'_, [Head]>> {
        let table = self.table.as_deref()?;
        let cells: Vec<Option<f64>> = line.split_whitespace().map(|cell| cell.parse().ok()).collect();
        let is_full = matches!(cells.as_slice(), [Some(_), Some(mean), Some(min), Some(max), Some(calls)]
            if min <= mean && mean <= max && calls.fract() == 0.0);
        let full = ["Size", "Avg Latency(us)", "Min Latency(us)", "Max Latency(us)", "Iterations"].map(head);
        Some(if is_full && *table == full[..2] { Cow::Owned(full.into()) } else { Cow::Borrowed(table) })
    }

    fn remark(&mut self, content: &str, run: &mut Imported) {
        let now = &mut self.now;
        if content.starts_with("[ ") {
            // [ pairs: 2 ] [ window size: 64 ]
            for (label, value) in content.split(['[', ']']).filter_map(|part| part.split_once(": ")) {
                match label.trim() {
                    "pairs" => now.ranks = value.trim().parse().ok().and_then(|pairs: u32| pairs.checked_mul(2)),
                    "window size" => say(now, "window_size", value),
                    _ => {}
                }
            }
            return run.fact("table", content);
        }
        if content.starts_with("Send Buffer on ") || content.starts_with("Rank 0 Memory on ") {
            // Places of sender and receiver, in brackets: H is the host, D the device.
            let places: Vec<&str> = content.split('(').filter_map(|part| Some(part.split_once(')')?.0)).collect();
            let is_usual = places.iter().all(|place| *place == "H");
            say(now, "buffers", &if is_usual { String::new() } else { places.join(" ") });
        }
        match content.split_once(": ") {
            Some(("Datatype", value)) => now.datatype = Some(value.trim_end_matches('.').to_owned()),
            Some(("Window creation", value)) => say(now, "window", value),
            Some(("Synchronization", value)) => say(now, SYNCHRONISATION, value),
            Some(("Number of Sender threads" | "Number of forked processes in sender", value)) => {
                say(now, "threads", value)
            }
            Some(("Number of Receiver threads" | "Number of forked processes in receiver", value)) => {
                let both = format!("{} to {}", now.word("threads"), value.trim());
                say(now, "threads", &both);
            }
            _ => run.fact("remark", content),
        }
    }
}

/// Beginnings of the names of one-sided tests.
const ONE_SIDED: [&str; 6] =
    ["MPI_Put ", "MPI_Get ", "MPI_Accumulate ", "MPI_Get_accumulate ", "MPI_Compare_and_swap ", "MPI_Fetch_and_op "];

/// Whether a test runs between two processes, wherever its buffers are.
fn is_of_pair(name: &str) -> bool {
    let bare = name.split_once(' ').filter(|(first, _)| first.starts_with("MPI-")).map_or(name, |(_, rest)| rest);
    let known = ["Latency", "Bandwidth", "Bi-Directional Bandwidth", "Multi-threaded Latency", "Multi-process Latency"];
    known.contains(&bare) || ONE_SIDED.iter().any(|call| bare.starts_with(call))
}

/// Reads the line of osu_init: `nprocs: 4, min: 10 ms, max: 12 ms, avg: 11 ms`.
fn start_up(place: TextPlace, line: &str, now: &PrintedRow) -> Option<PrintedRow> {
    let (ranks, times) = line.strip_prefix("nprocs: ")?.split_once(", ")?;
    let mut row = PrintedRow { line: place.line, ranks: ranks.trim().parse().ok(), ..now.clone() };
    for part in times.split(", ") {
        let (head, value) = part.split_once(": ")?;
        let (number, unit) = value.trim().split_once(' ')?;
        let power = match unit {
            "s" => 6,
            "ms" => 3,
            "us" => 0,
            _ => return None,
        };
        let name = if head == "avg" { "mean_us".to_owned() } else { format!("{head}_us") };
        let value = place.number(number, power, head).ok()?;
        row.columns.push(Column { head: head.to_owned(), name, value });
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_many_years() {
        assert_eq!(title("# OSU MPI Latency Test v3.1.1"), Some(("Latency", Some("3.1.1"))));
        assert_eq!(
            title("# OSU MPI-CUDA Non-blocking Allreduce Latency Test v7.5"),
            Some(("MPI-CUDA Non-blocking Allreduce Latency", Some("7.5")))
        );
        assert_eq!(title("# OSU MPI_Put Latency Test v5.6.3"), Some(("MPI_Put Latency", Some("5.6.3"))));
        assert_eq!(title("# OMB-Py MPI Bandwidth Test"), Some(("Bandwidth", None)));
        assert_eq!(title("# OSU MPI Bandwidth Test (Version 2.2)"), Some(("Bandwidth", Some("2.2"))));
        assert_eq!(title("# OSU is where it was run"), None);
    }

    #[test]
    fn tables_of_the_benchmarks_in_python() {
        let text = "# OMB-Py MPI Allreduce Latency Test\n# Size (B)   Avg Latency(us)\n1024                   82.20\n";
        let row = &super::super::read("a.txt", text).expect("a table")[0].rows[0];
        assert_eq!((row.bytes, row.value("mean_us")), (Some(1024), Some(82.2)));
    }
}

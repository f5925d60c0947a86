//! Why a text has no row that can be read: it is of a tool that is known and not read, of an unknown one, or has no table.

use super::heads::is_like_row;
use super::runs::Found;
use super::text::Place;
use super::{ImportError, Tool};

/// A text that is known and not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unread {
    /// A line of it has one of these, whose words are one blank apart.
    marks: &'static [&'static str],
    /// What it is.
    what: &'static str,
    /// What to do.
    cure: &'static str,
}

impl Unread {
    /// What is said of it beside texts that are read.
    pub(super) fn note(&self, line: usize) -> String {
        format!("line {line} begins the text of {}, which is not read; {}", self.what, self.cure)
    }
}

/// A text for which OSU and IMB have the same test.
const fn other(marks: &'static [&'static str], what: &'static str) -> Unread {
    Unread { marks, what, cure: "run the same test of OSU or IMB" }
}

const UNREAD: [Unread; 10] = [
    Unread {
        marks: &["[ window size: varied ]"],
        what: "OSU's table over window sizes",
        cure: "run osu_mbw_mr without -V, once for each window size",
    },
    Unread {
        marks: &["latency=round-trip-time/2 in nanoseconds"],
        what: "core-to-core-latency for terminals",
        cure: "give what it prints with --csv",
    },
    Unread {
        marks: &["/dev/cpu_dma_latency set to", "# Min Latencies:"],
        what: "cyclictest",
        cure: "noise import says what can be read of noise",
    },
    Unread { marks: &["OSU MPI Hello World Test"], what: "osu_hello", cure: "run osu_init" },
    other(&["#bytes #iterations", "#bytes iterations", " BW peak["], "perftest (ib_write_lat and others)"),
    other(&["bytes #sent #ack total time", "bytes iters total time"], "libfabric's fabtests"),
    other(&["| # iterations | 50.0%ile |"], "ucx_perftest"),
    other(&["size (bytes),iter"], "MPIBenchmarks.jl"),
    other(&["Begin of Summary section."], "HPC Challenge"),
    other(&["Network Tests v"], "GPCNeT"),
];

/// The text that is known and not read of which a line is.
pub(super) fn unread(line: &str) -> Option<&'static Unread> {
    if !line.contains(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    UNREAD.iter().find(|unread| unread.marks.iter().any(|mark| line.contains(mark)))
}

/// How many of a line's cells are numbers, and how many there are.
fn numbers(line: &str) -> (usize, usize) {
    let cells = line.split([' ', '\t', ',', ';', '|']).filter(|cell| !cell.is_empty());
    cells.fold((0, 0), |(numbers, all), cell| (numbers + usize::from(cell.parse::<f64>().is_ok()), all + 1))
}

/// The line in which a table of numbers begins, if there is one: half of its cells are numbers, or another one has some, too.
fn table(lines: &[(usize, String)]) -> Option<usize> {
    let some: Vec<&(usize, String)> = lines.iter().filter(|(_, line)| numbers(line).0 > 1).collect();
    let half = |line: &str| numbers(line).0 * 2 >= numbers(line).1;
    let (first, line) = some.first()?;
    (some.len() > 1 || half(line)).then_some(*first)
}

/// Why nothing was found in the lines of a text.
pub(super) fn why(file: &str, lines: &[(usize, String)], found: &Found) -> ImportError {
    let last = lines.last().map_or(1, |(line, _)| *line);
    let at = |line: usize, message: String| Place { file, line }.error(message);
    let known = || Tool::ALL.map(Tool::title).join(", ");
    let broken = found.left_out.iter().find(|left| !left.why.is_empty());
    let is_row = |(_, line): &&(usize, String)| is_like_row(&line.split_whitespace().collect::<Vec<_>>());
    let row_behind = |first: usize| lines.iter().find(|line| line.0 > first && is_row(line)).map(|(line, _)| *line);
    if let Some(broken) = broken {
        return at(broken.line, broken.why.clone());
    }
    if let Some((line, Unread { what, cure, .. })) = found.unread.first() {
        return at(*line, format!("expected the text of {}, found that of {what}, which is not read; {cure}", known()));
    }
    if let Some((first, tool)) = found.empty.first() {
        return match row_behind(*first) {
            Some(line) => at(
                line,
                format!(
                    "expected the head of a table of {tool} before its rows (the tool begins in line {first}); give all that it printed"
                ),
            ),
            None => at(
                last,
                format!(
                    "expected rows of {tool}, which begins in line {first}, found none: it was ended before its first result; run it again"
                ),
            ),
        };
    }
    let head = lines.iter().find_map(|(line, content)| Some((*line, Tool::with_heads(content)?)));
    if let Some((line, tool)) = head {
        let title = "above a head of its table, which says what was measured";
        return at(line, format!("expected the title of {tool} {title}, found none; give all that the tool printed"));
    }
    match table(lines) {
        Some(line) => at(
            line,
            format!(
                "expected the text of {}, found numbers of an unknown tool; give all that the tool printed",
                known()
            ),
        ),
        None => at(
            1,
            format!("expected the text of {}, found no table of numbers; give all that the tool printed", known()),
        ),
    }
}

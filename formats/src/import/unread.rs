//! Reasons why a text has no row that can be read: it is of a known tool that is not read, of an unknown one, or has no
//! table.

use super::heads::is_like_row;
use super::runs::FoundRuns;
use super::text::TextPlace;
use super::{ImportError, Tool};
use programs::detours::import::refused;

/// A known kind of text that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unread {
    /// Name of the tool or kind of text.
    what: &'static str,
    /// Remedy for the user.
    cure: &'static str,
}

impl Unread {
    /// Note for the user beside texts that are read.
    pub(super) fn note(&self, line: usize) -> String {
        format!("line {line} begins the text of {}, which is not read; {}", self.what, self.cure)
    }
}

/// The remedy for a test that OSU and IMB have, too.
const SAME_TEST: &str = "run the same test of OSU or IMB";

/// Marks of lines, each with the kind of text; the words of a mark are one blank apart.
const UNREAD: [(&[&str], Unread); 10] = [
    (
        &["[ window size: varied ]"],
        Unread { what: "OSU's table over window sizes", cure: "run osu_mbw_mr without -V, once for each window size" },
    ),
    (
        &["latency=round-trip-time/2 in nanoseconds"],
        Unread { what: "core-to-core-latency for terminals", cure: "give what it prints with --csv" },
    ),
    (&["OSU MPI Hello World Test"], Unread { what: "osu_hello", cure: "run osu_init" }),
    (
        &["#bytes #iterations", "#bytes iterations", " BW peak["],
        Unread { what: "perftest (ib_write_lat and others)", cure: SAME_TEST },
    ),
    (
        &["bytes #sent #ack total time", "bytes iters total time"],
        Unread { what: "libfabric's fabtests", cure: SAME_TEST },
    ),
    (&["| # iterations | 50.0%ile |"], Unread { what: "ucx_perftest", cure: SAME_TEST }),
    (&["size (bytes),iter"], Unread { what: "MPIBenchmarks.jl", cure: SAME_TEST }),
    (&["Begin of Summary section."], Unread { what: "HPC Challenge", cure: SAME_TEST }),
    (&["Network Tests v"], Unread { what: "GPCNeT", cure: SAME_TEST }),
    (&["p0 p1 dist len ave time (us)"], Unread { what: "mpptest", cure: SAME_TEST }),
];

/// The known kind of text that is not read to which a line belongs.
pub(super) fn unread(line: &str) -> Option<Unread> {
    if !line.contains(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if ["# OSU MPI", "# Benchmarking "].iter().any(|title| words.matches(title).count() > 1) {
        return Some(Unread { what: "two tables side by side", cure: "give one table below the other" });
    }
    let known = UNREAD.iter().find(|(marks, _)| marks.iter().any(|mark| words.contains(mark)));
    let cure = "`parallax noise import` names what can be read of noise";
    known.map(|(_, unread)| *unread).or_else(|| Some(Unread { what: refused(line)?, cure }))
}

/// Number of a line's cells that are numbers, and number of all its cells.
fn numbers(line: &str) -> (usize, usize) {
    let cells = line.split([' ', '\t', ',', ';', '|']).filter(|cell| !cell.is_empty());
    cells.fold((0, 0), |(numbers, all), cell| (numbers + usize::from(cell.parse::<f64>().is_ok()), all + 1))
}

/// The line in which a table of numbers begins, if there is one: half of its cells are numbers, or another line has
/// some, too.
fn table(lines: &[(usize, String)]) -> Option<usize> {
    let some: Vec<&(usize, String)> = lines.iter().filter(|(_, line)| numbers(line).0 > 1).collect();
    let half = |line: &str| numbers(line).0 * 2 >= numbers(line).1;
    let (first, line) = some.first()?;
    (some.len() > 1 || half(line)).then_some(*first)
}

/// Whether a line may have been a row before its separators or units were changed: every cell begins with a digit, the
/// last is a number.
fn is_almost_row(line: &str) -> bool {
    let cells: Vec<&str> = line.split_whitespace().collect();
    let begin = |cell: &&str| cell.starts_with(|letter: char| letter.is_ascii_digit());
    cells.len() > 1 && cells.iter().all(begin) && cells.last().is_some_and(|cell| cell.parse::<f64>().is_ok())
}

/// The error that says why nothing was found in the lines of a text.
pub(super) fn why(file: &str, lines: &[(usize, String)], found: &FoundRuns) -> ImportError {
    let last = lines.last().map_or(1, |(line, _)| *line);
    let at = |line: usize, message: String| TextPlace { file, line }.error(message);
    let known = || Tool::ALL.map(Tool::title).join(", ");
    let broken = found.left_out.iter().find(|left| !left.why.is_empty());
    let is_row = |(_, line): &&(usize, String)| is_like_row(&line.split_whitespace().collect::<Vec<_>>());
    let row_behind = |first: usize| lines.iter().find(|line| line.0 > first && is_row(line)).map(|(line, _)| *line);
    let other_behind = |first: usize| {
        let behind = &lines[lines.partition_point(|(line, _)| *line <= first)..];
        table(behind).or_else(|| behind.iter().find(|(_, line)| is_almost_row(line)).map(|(line, _)| *line))
    };
    if let Some(broken) = broken {
        return at(broken.line, broken.why.clone());
    }
    if let Some((line, Unread { what, cure, .. })) = found.unread.first() {
        return at(*line, format!("expected the text of {}, found that of {what}, which is not read; {cure}", known()));
    }
    if let Some((first, tool)) = found.empty.first() {
        return match (row_behind(*first), other_behind(*first)) {
            (Some(line), _) => at(
                line,
                format!(
                    "expected the head of a table of {tool} before its rows (the tool begins in line {first}); give all that it printed"
                ),
            ),
            (None, Some(line)) => at(
                line,
                format!(
                    "expected rows of {tool} as it prints them, with blanks between numbers (the tool begins in line \
                     {first}); give what it printed"
                ),
            ),
            (None, None) => at(
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

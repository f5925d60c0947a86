//! Why a text has no row that can be read: it is of a tool that is known and not read, of an unknown one, or has no table.

use super::heads::is_like_row;
use super::runs::Found;
use super::text::Place;
use super::{ImportError, Tool};

/// A text that is known and not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unread {
    /// A line of it has this.
    mark: &'static str,
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

const IN_ITS_PLACE: &str = "run the same test of OSU or IMB";

/// Marks of lines that are found in these texts alone.
const UNREAD: [Unread; 8] = [
    Unread {
        mark: "[ window size: varied ]",
        what: "OSU's table over window sizes",
        cure: "run osu_mbw_mr without -V, once for each window size",
    },
    Unread { mark: "OSU MPI Hello World Test", what: "osu_hello, which measures nothing", cure: "run osu_init" },
    Unread { mark: "#iterations", what: "perftest (ib_write_lat and others)", cure: IN_ITS_PLACE },
    Unread { mark: "bytes   #sent", what: "libfabric's fi_pingpong", cure: IN_ITS_PLACE },
    Unread { mark: "# iterations | 50.0%ile", what: "ucx_perftest", cure: IN_ITS_PLACE },
    Unread { mark: "size (bytes),iterations,", what: "MPIBenchmarks.jl", cure: IN_ITS_PLACE },
    Unread { mark: "Begin of Summary section.", what: "HPC Challenge", cure: IN_ITS_PLACE },
    Unread { mark: "Network Tests v", what: "GPCNeT", cure: IN_ITS_PLACE },
];

/// The text that is known and not read of which a line is.
pub(super) fn unread(line: &str) -> Option<&'static Unread> {
    UNREAD.iter().find(|unread| line.contains(unread.mark))
}

/// Why nothing was found in the lines of a text.
pub(super) fn why(file: &str, lines: &[(usize, String)], found: &Found) -> ImportError {
    let last = lines.last().map_or(1, |(line, _)| *line);
    let at = |line: usize, message: String| Place { file, line }.error(message);
    let known = || Tool::ALL.map(Tool::title).join(", ");
    let broken = found.left_out.iter().find(|left| !left.why.is_empty());
    let numbers = |(_, line): &&(usize, String)| is_like_row(&line.split_whitespace().collect::<Vec<_>>());
    let row_behind = |first: usize| lines.iter().find(|line| line.0 > first && numbers(line)).map(|(line, _)| *line);
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
    match row_behind(0) {
        Some(line) => at(
            line,
            format!(
                "expected the text of {}, found numbers of an unknown tool; give all that the tool printed",
                known()
            ),
        ),
        None => at(1, format!("expected the text of {}, found no table: no line holds numbers", known())),
    }
}

//! Known tables with anything around them: prefixes of launchers and loggers, foreign lines, other tools before and behind, the
//! same text again. Whatever stands there, the rows are the same.

use super::data;
use parallax_formats::import::{PrintedRow, read};
use proptest::prelude::*;

/// Texts that begin with a line of their tool.
const TEXTS: [&str; 14] = [
    "imb-2018-several.txt",
    "imb-nbc-2019.txt",
    "imb.sync0.allreduce.np2.r7.txt",
    "mpiperf-0.0.2-null.txt",
    "mpiperf-seconds.txt",
    "mpiperf.wtime.bcast.np2.r7.txt",
    "osu-latency-6.2.txt",
    "osu-several-7.3.txt",
    "osu.default.allreduce.np2.r7.txt",
    "reprompi-raw-processes.txt",
    "reprompi-raw.txt",
    "reprompi.barrier.allreduce.np2.r7.txt",
    "reprompi.rts.bcast.np2.r7.txt",
    "skampi-5.txt",
];

/// What is written before each line; `%` is the line's number.
const PREFIXES: [&str; 13] = [
    "",
    "[1,0]<stdout>:",
    "[1,0]<stdout>: ",
    "[prterun-node17-42@1,0]<stdout>: ",
    "Tue Nov  3 12:04:% 2031<stdout>:",
    "0: ",
    " 0: ",
    "[0] ",
    "[node17:04242] ",
    "stdout: ",
    "2031-02-03T04:05:%Z ",
    "> ",
    "> [1,0]<stdout>: ",
];

/// Lines of nobody's.
const FOREIGN: [&str; 11] = [
    "0 gpu 0",
    "17",
    "3 4",
    "2031-02-03 04:05:06 end of job",
    "12:04:05 up 3 days,  load average: 0.10, 0.20, 0.30",
    "3: Error Reduce,size = 4,sample #0",
    "0 0x0000000000054db0 __GI___sigaction()  :0",
    "[n1:42] mca_base_component_repository_open: unable to open mca_op_avx",
    "srun: job 42 queued and waiting for resources",
    "mpirun noticed that process rank 3 was slow",
    "| 8 | 1.20 |",
];

/// One text with what is around it.
#[derive(Clone, Debug)]
struct Piece {
    name: &'static str,
    prefix: &'static str,
    /// Foreign lines with their places.
    foreign: Vec<(usize, &'static str)>,
    colours: bool,
}

impl Piece {
    /// Its lines as they are given, each with whether it is foreign.
    fn lines(&self) -> Vec<(String, bool)> {
        let text = data(self.name);
        let mut lines: Vec<(&str, bool)> = text.lines().map(|line| (line, false)).collect();
        for &(place, line) in &self.foreign {
            lines.insert(place % (lines.len() + 1), (line, true));
        }
        let written = lines.into_iter().enumerate().map(|(number, (line, is_foreign))| {
            let prefix = self.prefix.replace('%', &format!("{:02}", number % 60));
            let (on, off) = if self.colours { ("\u{1b}[32m", "\u{1b}[0m") } else { ("", "") };
            (format!("{on}{prefix}{line}{off}\n"), is_foreign)
        });
        written.collect()
    }
}

/// The rows of a text, without their places in it, and the lines that are left out.
fn found(text: &str) -> (Vec<PrintedRow>, Vec<usize>) {
    let runs = read("a.txt", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let left_out = runs.iter().flat_map(|run| &run.left_out).map(|left| left.line).collect();
    let rows = runs.into_iter().flat_map(|run| run.rows).map(|row| PrintedRow { line: 0, ..row });
    (rows.collect(), left_out)
}

/// Demands the rows of all pieces in the text of all, and that foreign lines are named once.
fn check(pieces: &[Piece]) {
    let lines: Vec<(String, bool)> = pieces.iter().flat_map(Piece::lines).collect();
    let text: String = lines.iter().map(|(line, _)| line.as_str()).collect();
    let expected: Vec<PrintedRow> = pieces.iter().flat_map(|piece| found(&data(piece.name)).0).collect();
    let (rows, mut left_out) = found(&text);
    assert_eq!(rows.len(), expected.len(), "{pieces:?}\n{text}");
    for (found, expected) in rows.iter().zip(&expected) {
        assert_eq!(found, expected, "{pieces:?}");
    }
    left_out.sort_unstable();
    assert!(left_out.windows(2).all(|two| two[0] < two[1]), "{left_out:?} of {pieces:?}");
    for (index, (line, is_foreign)) in lines.iter().enumerate() {
        let is_told = left_out.binary_search(&(index + 1)).is_ok();
        assert!(is_told || !is_foreign, "line {}, {line}, of {pieces:?}", index + 1);
    }
}

fn piece() -> impl Strategy<Value = Piece> {
    let foreign = prop::collection::vec((0..200usize, prop::sample::select(&FOREIGN[..])), 0..4);
    let (name, prefix) = (prop::sample::select(&TEXTS[..]), prop::sample::select(&PREFIXES[..]));
    (name, prefix, foreign, any::<bool>()).prop_map(|(name, prefix, foreign, colours)| Piece {
        name,
        prefix,
        foreign,
        colours,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_the_same_whatever_is_around_them(pieces in prop::collection::vec(piece(), 1..4)) {
        check(&pieces);
    }
}

//! Conditions under which a row was measured: words of the row, which distinguish its case from others.

use super::PrintedRow;
use scenario::store::Word;

/// Names of words that state unusual conditions of a measurement.
const CONDITIONS: [&str; 13] = [
    // Several transfers at once, or one by one: IMB's MODE.
    "mode",
    // Number of groups of ranks that ran at once, and the group that a row is of.
    "groups",
    "group",
    "threads",
    // Ranks or cores that exchanged messages, where each pair has a number, and the ranks that took part in a call.
    "pair",
    "cores",
    "communicator",
    // Transfers that are under way at once.
    "window_size",
    // Method by which the memory window was made.
    "window",
    // Location on host or device, or other buffers in each call.
    "buffers",
    "root",
    // Operation that combined the numbers, where it is no sum.
    "reduction",
    // The numbers were checked between the calls.
    "validation",
];

/// Word for the synchronisation of ranks; its value is `off` where there is none between calls.
pub const SYNCHRONISATION: &str = "synchronisation";

/// Root of calls that have another one each.
pub const ROTATING: &str = "rotating";

/// Buffers of calls that have other ones each.
pub const OFF_CACHE: &str = "off cache";

/// Names of words that state an unusual way in which the time was obtained.
const METHODS: [&str; 3] = [SYNCHRONISATION, "runtime_type", "outliers"];

/// Word for the source of the number of ranks, if it was not the table: a [`RanksFrom`].
pub const RANKS_FROM: &str = "ranks_from";

models::named! {
    /// Source of the number of ranks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RanksFrom {
        /// The text of the benchmark.
        Text => "text",
        /// A command above the table.
        CommandLine => "command-line",
        /// The flag `--ranks` of the command.
        Flag => "flag",
        /// The name of the file.
        FileName => "file-name",
    }
    /// The name used in files.
    fn name;
}

/// Gives a number of ranks to a row that does not state it itself.
pub(super) fn say_ranks(row: &mut PrintedRow, ranks: Option<u32>, from: RanksFrom) {
    if row.ranks.is_none() && ranks.is_some() {
        row.ranks = ranks;
        say(row, RANKS_FROM, from.name());
    }
}

/// Source of the number of ranks of a row.
pub fn ranks_from(row: &PrintedRow) -> RanksFrom {
    let said = row.word(RANKS_FROM);
    RanksFrom::ALL.into_iter().find(|from| from.name() == said).unwrap_or(RanksFrom::Text)
}

/// Sets a word of a row; an empty value removes the word.
pub(super) fn say(row: &mut PrintedRow, name: &str, value: &str) {
    row.words.retain(|word| word.name != name);
    if !value.trim().is_empty() {
        row.words.push(Word { name: name.to_owned(), value: value.trim().to_owned() });
    }
}

/// The conditions under which a row was measured: `mode aggregate`.
pub fn conditions(row: &PrintedRow) -> Vec<String> {
    said(row, &CONDITIONS).map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect()
}

/// The ways in which a row's time was obtained: `mpibarrier`.
pub fn methods(row: &PrintedRow) -> Vec<String> {
    said(row, &METHODS).map(|(_, value)| value.to_owned()).collect()
}

/// Names of all words that are conditions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CONDITIONS.into_iter().chain(METHODS).chain([RANKS_FROM])
}

fn said<'a>(row: &'a PrintedRow, names: &'a [&'static str]) -> impl Iterator<Item = (&'static str, &'a str)> {
    names.iter().map(|name| (*name, row.word(name))).filter(|(_, value)| !value.is_empty())
}

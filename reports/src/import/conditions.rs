//! Under which conditions a row was measured: words of the row, which tell its case apart from others.

use super::Row;
use scenario::store::Word;

/// Names of words that say what was measured otherwise than usual.
const CONDITIONS: [&str; 13] = [
    // Several transfers at once, or one by one: IMB's MODE.
    "mode",
    // How many groups of ranks ran at once, and which of them a row is of.
    "groups",
    "group",
    "threads",
    // Which ranks or cores exchanged messages, where each pair has a number, and among which ranks a call was.
    "pair",
    "cores",
    "communicator",
    // Transfers that are under way at once.
    "window_size",
    // How the memory window was made.
    "window",
    // On host or device, or other ones in each call.
    "buffers",
    "root",
    // How numbers were combined, where that is no sum.
    "reduction",
    // The numbers were checked between the calls.
    "validation",
];

/// What keeps ranks together: `off` where nothing does between calls.
pub(crate) const SYNCHRONISATION: &str = "synchronisation";

/// The root of calls that have another one each.
pub(crate) const ROTATING: &str = "rotating";

/// The buffers of calls that have other ones each.
pub(crate) const OFF_CACHE: &str = "off cache";

/// Names of words that say how the time was obtained otherwise than usual.
const METHODS: [&str; 3] = [SYNCHRONISATION, "runtime_type", "outliers"];

/// The word that says who told the number of ranks, if it was not the table: a [`RanksFrom`].
pub(crate) const RANKS_FROM: &str = "ranks_from";

models::named! {
    /// Who said how many ranks there were.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RanksFrom {
        /// The text.
        Text => "text",
        /// A command above the table.
        CommandLine => "command-line",
        /// --ranks.
        Flag => "flag",
        /// The file's name.
        FileName => "file-name",
    }
    /// The name used in files.
    fn name;
}

/// Gives a number of ranks to a row that does not say it itself.
pub(super) fn say_ranks(row: &mut Row, ranks: Option<u32>, from: RanksFrom) {
    if row.ranks.is_none() && ranks.is_some() {
        row.ranks = ranks;
        say(row, RANKS_FROM, from.name());
    }
}

/// Who said the number of ranks of a row.
pub(crate) fn ranks_from(row: &Row) -> RanksFrom {
    let said = row.word(RANKS_FROM);
    RanksFrom::ALL.into_iter().find(|from| from.name() == said).unwrap_or(RanksFrom::Text)
}

/// Says a word of a row; an empty one is taken back.
pub(super) fn say(row: &mut Row, name: &str, value: &str) {
    row.words.retain(|word| word.name != name);
    if !value.trim().is_empty() {
        row.words.push(Word { name: name.to_owned(), value: value.trim().to_owned() });
    }
}

/// Under which conditions a row was measured: `mode aggregate`.
pub(crate) fn conditions(row: &Row) -> Vec<String> {
    said(row, &CONDITIONS).map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect()
}

/// How a row's time was obtained: `mpibarrier`.
pub(crate) fn methods(row: &Row) -> Vec<String> {
    said(row, &METHODS).map(|(_, value)| value.to_owned()).collect()
}

/// Names of all words that are conditions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CONDITIONS.into_iter().chain(METHODS).chain([RANKS_FROM])
}

fn said<'a>(row: &'a Row, names: &'a [&'static str]) -> impl Iterator<Item = (&'static str, &'a str)> {
    names.iter().map(|name| (*name, row.word(name))).filter(|(_, value)| !value.is_empty())
}

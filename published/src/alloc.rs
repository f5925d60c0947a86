//! `alloc.csv`: which rank runs on which node, written once for a run, or once for each number of ranks.

use crate::PublishedError;
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// Where ranks are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alloc {
    /// The file's name.
    pub name: String,
    /// How many ranks it lists.
    pub ranks: u32,
    /// On how many nodes.
    pub nodes: u32,
    /// The most on one.
    pub most: u32,
}

/// Whether a file is one; those of the framework's traces are not of the run.
pub(crate) fn is_alloc(name: &str) -> bool {
    name.starts_with("alloc") && name.ends_with(".csv")
}

/// Reads one; `file` is what errors call it.
pub(crate) fn read(file: &str, text: &str) -> Result<Alloc, PublishedError> {
    let mut on_node: BTreeMap<String, u32> = BTreeMap::new();
    let mut ranks = BTreeSet::new();
    // Early versions of the framework fill each rank's place with zeros.
    for cells in Table::of(file, &text.replace('\0', ""))? {
        let cells = cells?;
        let rank: u32 = cells.number(&["MPI_Rank"])?;
        if !ranks.insert(rank) {
            return Err(cells.error(&format!("rank {rank} is listed a second time; expected one line for each rank")));
        }
        *on_node.entry(cells.text(&["allocation"]).to_owned()).or_default() += 1;
    }
    let missing = (0..).zip(&ranks).find(|(expected, rank)| expected != *rank).map(|(expected, _)| expected);
    if let Some(missing) = missing.or(ranks.is_empty().then_some(0)) {
        return Err(PublishedError::new(file, 1, format!("expected one line for each rank, found none for {missing}")));
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let name = file.rsplit('/').next().unwrap_or(file).to_owned();
    let most = on_node.values().copied().max().unwrap_or(0);
    Ok(Alloc { name, ranks: count(ranks.len()), nodes: count(on_node.len()), most })
}

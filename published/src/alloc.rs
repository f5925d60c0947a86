//! The file `alloc.csv`: the node on which each rank runs, written once for a run, or once for each number of ranks.

use crate::table::CsvTable;
use crate::{Hosts, PublishedError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Places of the ranks of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alloc {
    /// Name of the file.
    pub name: String,
    pub ranks: u32,
    /// Number of nodes on which ranks run.
    pub nodes: u32,
    /// Largest number of ranks on one node.
    pub most: u32,
    /// Places of the ranks, as `--platform placement=` takes them.
    pub placement: String,
    /// Host of each rank.
    pub hosts: Arc<Hosts>,
}

/// Returns whether a file is one of these. Those of the framework's traces are not of the run.
pub(crate) fn is_alloc(name: &str) -> bool {
    name.starts_with("alloc") && name.ends_with(".csv")
}

/// Reads such a file. `file` is its name in errors, and `run` the run that it is of.
pub(crate) fn read(file: &str, run: &str, text: &str) -> Result<Alloc, PublishedError> {
    let mut on_node: BTreeMap<String, u32> = BTreeMap::new();
    let mut ranks = BTreeMap::new();
    // Early versions of the framework fill each rank's place with zeros.
    for cells in CsvTable::new(file, &text.replace('\0', ""))? {
        let cells = cells?;
        let rank: u32 = cells.number(&["MPI_Rank"])?;
        let node = cells.text(&["allocation"]).to_owned();
        if ranks.insert(rank, (node.clone(), cells.line)).is_some() {
            return Err(cells.error(&format!("rank {rank} is listed a second time; expected one line for each rank")));
        }
        *on_node.entry(node).or_default() += 1;
    }
    let missing = (0..).zip(ranks.keys()).find(|(expected, rank)| expected != *rank).map(|(expected, _)| expected);
    if let Some(missing) = missing.or(ranks.is_empty().then_some(0)) {
        return Err(PublishedError::new(file, 1, format!("expected one line for each rank, found none for {missing}")));
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let name = file.rsplit('/').next().unwrap_or(file).to_owned();
    let most = on_node.values().copied().max().unwrap_or(0);
    let hosts = Hosts { file: format!("{run}/{name}"), of_rank: ranks.values().cloned().collect() };
    Ok(Alloc {
        name,
        ranks: count(ranks.len()),
        nodes: count(on_node.len()),
        most,
        placement: placement(ranks.values().map(|(node, _)| node), most),
        hosts: Arc::new(hosts),
    })
}

/// Returns blocks of `most` ranks where consecutive ranks share nodes, else the number of each rank's node, in the
/// order of first ranks.
fn placement<'a>(nodes: impl Iterator<Item = &'a String>, most: u32) -> String {
    let mut numbers: BTreeMap<&String, usize> = BTreeMap::new();
    let mut of_rank = Vec::new();
    for node in nodes {
        let next = numbers.len();
        of_rank.push(*numbers.entry(node).or_insert(next));
    }
    let in_blocks = of_rank.iter().enumerate().all(|(rank, node)| rank / most.max(1) as usize == *node);
    match in_blocks {
        true => format!("block:{most}"),
        false => format!("list:{}", of_rank.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_placement(lines: &str) -> String {
        read("alloc.csv", "run", &format!("MPI_Rank,allocation\n{lines}")).expect("an allocation").placement
    }

    #[test]
    fn blocks_are_told_from_other_placements_whatever_the_order_of_the_lines() {
        assert_eq!(read_placement("0,a\n1,a\n2,b\n3,b\n"), "block:2");
        assert_eq!(read_placement("3,b\n0,a\n2,b\n1,a\n"), "block:2");
        assert_eq!(read_placement("0,b\n1,b\n2,a\n"), "block:2", "the last node may have fewer");
        assert_eq!(read_placement("0,a\n1,b\n2,a\n3,b\n"), "list:0/1/0/1");
        assert_eq!(read_placement("0,a\n1,b\n2,b\n"), "list:0/1/1");
    }
}

//! Distances of nodes: a map of a machine's nodes, as PICO's repository has one for Leonardo
//! (`tracer/maps/leonardo.txt`).
//!
//! Each line is of one node and has pairs of a key and a value: `NODE 0001 RACK 1 CELL 1 ROW 1 PARTITION 1 SWITCH
//! 10100`. A cell is a group of a dragonfly, whose switches are all linked with each other (Kim, Dally, Scott, Abts
//! 2008). Other keys are not read.

use crate::PublishedError;
use std::collections::BTreeMap;

/// Hosts of the ranks, with the lines that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// Name of the file in errors.
    pub file: String,
    /// Name of each rank's host, and its line, counted from 1.
    pub of_rank: Vec<(String, usize)>,
}

/// Map of a machine's nodes, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeMap {
    file: String,
    cell_of: BTreeMap<u64, String>,
}

const EXAMPLE: &str = "NODE 0001 CELL 1";

impl NodeMap {
    /// Reads a map. `file` is its name in errors.
    ///
    /// # Errors
    ///
    /// Fails for a line that is no list of pairs, lacks a node's number or its cell, or names a node again, and if
    /// there is no line at all.
    pub fn parse(file: &str, text: &str) -> Result<NodeMap, PublishedError> {
        let mut cell_of = BTreeMap::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let wrong = |found: &str| {
                let message = format!("expected pairs of a key and a value, like {EXAMPLE} …, found {found}");
                PublishedError::new(file, line, message)
            };
            let words: Vec<&str> = text.split_whitespace().collect();
            let value = |key: &str| words.chunks(2).find(|pair| pair[0] == key).and_then(|pair| pair.get(1).copied());
            if !words.len().is_multiple_of(2) {
                let short: String = text.trim().chars().take(60).collect();
                return Err(wrong(&format!("an odd number of words: '{short}'")));
            }
            let number = value("NODE").ok_or_else(|| wrong("no NODE"))?;
            let cell = value("CELL").ok_or_else(|| wrong("no CELL"))?;
            let node = number.parse().map_err(|_| wrong(&format!("NODE {number}, which is no number")))?;
            if cell_of.insert(node, cell.to_owned()).is_some() {
                return Err(PublishedError::new(
                    file,
                    line,
                    format!("node {node} stands there a second time; expected one line for each"),
                ));
            }
        }
        if cell_of.is_empty() {
            let message = format!("expected a line for each node, like {EXAMPLE}, found none");
            return Err(PublishedError::new(file, 1, message));
        }
        Ok(NodeMap { file: file.to_owned(), cell_of })
    }

    /// Returns the places of ranks, as `--platform placement=` takes them: `list:CELL.NODE.SOCKET/…`, in which the
    /// nodes of one cell share a switch and each node has one socket. Cells are numbered in the order of their first
    /// ranks, and nodes within their cell.
    ///
    /// # Errors
    ///
    /// Fails for a host whose name has not exactly one number, and for a node that the map lacks.
    pub fn placement(&self, hosts: &Hosts) -> Result<String, PublishedError> {
        let mut cells: BTreeMap<&str, usize> = BTreeMap::new();
        let mut nodes: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        let mut in_cell: Vec<usize> = Vec::new();
        let mut seats = Vec::new();
        for (host, line) in &hosts.of_rank {
            let wrong = |message: String| PublishedError::new(&hosts.file, *line, message);
            let node = number(host).ok_or_else(|| {
                wrong(format!("expected a host whose name before the first dot has one number, that of a node in {}, like lrdn0005.leonardo.local, found '{host}'", self.file))
            })?;
            let cell = self.cell_of.get(&node).ok_or_else(|| {
                wrong(format!("host '{host}' is node {node}; expected a line NODE {node} CELL … in {}, found none; give the map of this machine", self.file))
            })?;
            let next = cells.len();
            let cell = *cells.entry(cell.as_str()).or_insert(next);
            in_cell.resize(cells.len(), 0);
            let seat = *nodes.entry((cell, node)).or_insert_with(|| {
                in_cell[cell] += 1;
                in_cell[cell] - 1
            });
            seats.push(format!("{cell}.{seat}.0"));
        }
        Ok(format!("list:{}", seats.join("/")))
    }
}

/// Returns the only number in a host's name without its domain.
fn number(host: &str) -> Option<u64> {
    let name = host.split('.').next().unwrap_or_default();
    let mut numbers = name.split(|one: char| !one.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let only = numbers.next().filter(|_| numbers.next().is_none())?;
    only.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str =
        "NODE 0001 RACK 1 CELL 7 ROW 1\n\nNODE 0002 RACK 1 CELL 7 ROW 1\nNODE 0010 RACK 2 CELL 3 ROW 1  \n";

    fn hosts(names: &[&str]) -> Hosts {
        let lines = names.iter().zip(2..).map(|(name, line)| ((*name).to_owned(), line));
        Hosts { file: "run/alloc.csv".to_owned(), of_rank: lines.collect() }
    }

    #[test]
    fn nodes_of_a_cell_share_a_switch() {
        let map = NodeMap::parse("map.txt", MAP).expect("a map");
        let placed = |names: &[&str]| map.placement(&hosts(names)).expect("placed");
        let names = ["n0010.site2.org", "n0010.site2.org", "n0002.site2.org", "n0001.site2.org", "n0010.site2.org"];
        assert_eq!(placed(&names), "list:0.0.0/0.0.0/1.0.0/1.1.0/0.0.0");
        assert_eq!(placed(&["n1", "n2"]), "list:0.0.0/0.1.0", "zeros in front count for nothing");
    }

    #[test]
    fn what_is_no_map_is_named_by_its_line() {
        let said = |text: &str| NodeMap::parse("map.txt", text).expect_err(text).to_string();
        for (text, line, expected) in [
            ("NODE 1 CELL 1\nNODE 2 CELL\n", 2, "odd number"),
            ("NODE 1 RACK 1\n", 1, "no CELL"),
            ("\nRACK 1 CELL 1\n", 2, "no NODE"),
            ("NODE one CELL 1\n", 1, "no number"),
            ("NODE 1 CELL 1\nNODE 01 CELL 2\n", 2, "second time"),
            ("\n", 1, "found none"),
        ] {
            let said = said(text);
            assert!(said.starts_with(&format!("map.txt line {line}: ")) && said.contains(expected), "{said}");
        }
    }

    #[test]
    fn hosts_that_the_map_lacks_are_named_by_their_line() {
        let map = NodeMap::parse("map.txt", MAP).expect("a map");
        let said = |name: &str| map.placement(&hosts(&["n1", name])).expect_err(name).to_string();
        for (name, expected) in [("n3", "NODE 3 CELL"), ("login", "one number"), ("r1n2", "one number")] {
            let said = said(name);
            assert!(said.starts_with("run/alloc.csv line 3: ") && said.contains("map.txt"), "{said}");
            assert!(said.contains(expected) && said.contains(name), "{said}");
        }
    }
}

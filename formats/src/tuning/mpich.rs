//! MPICH's selection of collectives in JSON, a tree of conditions whose leaves are algorithms.
//!
//! A file replaces the whole tree of the library, for all collectives, so that it is written over the library's own one,
//! which lies in its shared library as text. Conditions are tried in their order; one that holds is never left again.
//! Source: `src/mpi/coll/src/csel.c` and `csel_container.c` of MPICH 4.0.2 and 5.0.1.

use super::{Entry, Piece, Split, Written, of_all_ranks, operation};
use models::call::{Call, LengthForm};
use models::collective::Collective;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Largest number that the library reads.
const MOST: u64 = i32::MAX as u64;
/// Size of a page, in bytes: the library maps a file and reads up to the zeros behind its end, which must be there.
const PAGE: usize = 4096;
/// Beginning of each of the trees in the shared library, and a part that the generic one alone has.
const BEGIN: &[u8] = b"{\"collective=";
const GENERIC: &str = "\"algorithm=MPIR_";

/// A tree of conditions and algorithms, in the order of the text, which matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tree(Vec<(String, Tree)>);

impl Tree {
    fn leaf(algorithm: &str) -> Tree {
        Tree(vec![(format!("algorithm={algorithm}"), Tree::default())])
    }

    /// Writes conditions on less than a number of ranks so that they mean the same at any depth: below a condition on lengths,
    /// `comm_size<8` holds for 8 ranks, too (seen in 4.0.2 and 5.0.2).
    fn settle(&mut self) {
        for (key, _) in &mut self.0 {
            if let Some(ranks) = key.strip_prefix("comm_size<").and_then(|number| number.parse::<u32>().ok()) {
                *key = format!("comm_size<={}", ranks.saturating_sub(1));
            }
        }
    }

    fn at(&mut self, key: &str) -> Option<&mut Tree> {
        self.0.iter_mut().find(|(known, _)| known == key).map(|(_, tree)| tree)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, tree)| (key, tree)))
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Tree;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of objects")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Tree(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Returns the library's own tree from the bytes of its shared library. `None` where there is none.
pub fn built_in(shared: &[u8]) -> Option<String> {
    let begins = shared.windows(BEGIN.len()).enumerate().filter(|(_, window)| *window == BEGIN).map(|(at, _)| at);
    let texts = begins.filter_map(|at| {
        let length = shared[at..].iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(&shared[at..at + length]).ok()
    });
    let is_tree = |text: &&str| text.contains(GENERIC) && serde_json::from_str::<Tree>(text).is_ok();
    texts.filter(is_tree).max_by_key(|text| text.len()).map(str::to_owned)
}

/// What the conditions of an operation say.
struct Conditions {
    /// Condition on the length of a message; `None` where there is none that can be used.
    size: Option<&'static str>,
    /// Whether this length is that of all ranks' blocks.
    of_all: bool,
    /// Conditions under which alone the entries stand; else the library's own choice.
    under: &'static [(&'static str, &'static str)],
}

/// Returns the conditions of an operation. Lengths of gather and scatter count elements there, and on ranks that give none
/// another number; scans have no length. `None` for barriers, whose
/// algorithms have parameters since 4.1, and for exscan, which has no place for algorithms within a communicator.
fn conditions(collective: Collective) -> Option<Conditions> {
    const IN_PLACE: &[(&str, &str)] = &[("is_sendbuf_inplace=no", "is_sendbuf_inplace=yes")];
    const COMMUTES: &[(&str, &str)] = &[("is_commutative=yes", "is_commutative=no")];
    const BUILT_IN: &[(&str, &str)] = &[("is_op_built_in=yes", "is_op_built_in=no")];
    let of = |size, of_all, under| Some(Conditions { size, of_all, under });
    match collective {
        Collective::Bcast => of(Some("avg_msg_size"), false, &[]),
        Collective::Reduce | Collective::Allreduce => of(Some("avg_msg_size"), false, BUILT_IN),
        Collective::Alltoall => of(Some("avg_msg_size"), false, IN_PLACE),
        Collective::Allgather => of(Some("total_msg_size"), true, &[]),
        Collective::ReduceScatter => of(Some("total_msg_size"), true, COMMUTES),
        Collective::Gather | Collective::Scatter => of(None, false, &[]),
        Collective::Scan => of(None, false, &[]),
        Collective::Barrier | Collective::Exscan => None,
    }
}

/// Returns where a tree can change the algorithm. The library's device comes before the tree: it carries out some operations
/// otherwise, and takes time for all of them. For operations of the tree it is switched off.
pub(super) fn split(collective: Collective) -> Split {
    match conditions(collective) {
        Some(Conditions { size: Some(_), .. }) => Split::WithoutOwnChoice,
        Some(Conditions { size: None, .. }) | None => Split::Nowhere,
    }
}

/// Returns the algorithm of a name as a tree has it. `None` for algorithms that need more than a name, or conditions that
/// a tree cannot check: `smp`.
fn leaf(operation: &str, name: &str, own: &Tree) -> Option<Tree> {
    let mut capital = operation.to_owned();
    capital[..1].make_ascii_uppercase();
    match name {
        "smp" => None,
        "nb" => Some(Tree::leaf(&format!("MPIR_{capital}_allcomm_nb"))),
        // Their first step is to give every rank a share of the elements.
        "reduce_scatter_gather" | "reduce_scatter_allgather" => {
            let leaf = Tree::leaf(&format!("MPIR_{capital}_intra_{name}"));
            Some(Tree(vec![("count<pow2".to_owned(), own.clone()), ("count=any".to_owned(), leaf)]))
        }
        // It takes one length for all blocks.
        "noncommutative" if operation == "reduce_scatter" => {
            let leaf = Tree::leaf(&format!("MPIR_{capital}_intra_{name}"));
            let irregular = ("is_block_regular=no".to_owned(), own.clone());
            Some(Tree(vec![("is_block_regular=yes".to_owned(), leaf), irregular]))
        }
        name => Some(Tree::leaf(&format!("MPIR_{capital}_intra_{name}"))),
    }
}

/// Whether a tree can have an algorithm of a call.
pub(super) fn can_hold(collective: Collective, call: &Call, name: &str) -> bool {
    let is_regular = call.form == LengthForm::Regular || collective == Collective::ReduceScatter;
    is_regular && conditions(collective).is_some() && leaf(collective.name(), name, &Tree::default()).is_some()
}

pub(super) fn written(entries: &[Entry], (folder, name): (&Path, &str), built_in: &str) -> Result<Written, String> {
    let mut tree: Tree =
        serde_json::from_str(built_in).map_err(|error| format!("MPICH's own table cannot be read: {error}"))?;
    let mut written = Written::default();
    let mut by_operation: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.pieces.is_empty()) {
        by_operation.entry(operation(entry)).or_default().push(entry);
    }
    let mut devices = Vec::new();
    for (operation, mut entries) in by_operation {
        let Some(conditions) = conditions(entries[0].collective) else {
            written.left_out.push(format!("{operation}: MPICH's tables cannot name its algorithms"));
            continue;
        };
        let place = tree.at(&format!("collective={operation}")).and_then(|of| of.at("comm_type=intra"));
        let own = place.ok_or_else(|| format!("MPICH's own table has no {operation} within a communicator"))?;
        own.settle();
        entries.sort_by_key(|entry| entry.ranks);
        match of_ranks(&operation, &entries, &conditions, own) {
            Ok(tuned) => {
                *own = tuned;
                devices.push(operation.to_uppercase());
            }
            Err(why) => written.left_out.push(why),
        }
    }
    if devices.is_empty() {
        return Ok(written);
    }
    let file = format!("{name}.json");
    let mut text = serde_json::to_string_pretty(&tree).map_err(|error| error.to_string())? + "\n";
    if text.len().is_multiple_of(PAGE) {
        text.push('\n');
    }
    let path = folder.join(&file).display().to_string();
    written.environment.push(("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE".to_owned(), path));
    let device = devices.into_iter().map(|name| (format!("MPIR_CVAR_{name}_DEVICE_COLLECTIVE"), "0".to_owned()));
    written.environment.extend(device);
    written.files.push((file, text));
    Ok(written)
}

/// Returns the tree of an operation: for each number of ranks its pieces, for all others the library's own tree.
fn of_ranks(operation: &str, entries: &[&Entry], conditions: &Conditions, own: &Tree) -> Result<Tree, String> {
    let mut all = Vec::new();
    for entry in entries {
        let ranks = entry.ranks;
        if ranks > 1 && all.last().is_none_or(|(key, _)| *key != format!("comm_size<={}", ranks - 1)) {
            all.push((format!("comm_size<={}", ranks - 1), own.clone()));
        }
        let mut tree = pieces(operation, entry, conditions, own)?;
        for (holds, else_holds) in conditions.under.iter().rev() {
            tree = Tree(vec![((*holds).to_owned(), tree), ((*else_holds).to_owned(), own.clone())]);
        }
        all.push((format!("comm_size<={ranks}"), tree));
    }
    all.push(("comm_size=any".to_owned(), own.clone()));
    Ok(Tree(all))
}

/// Returns the tree of the lengths of an entry.
fn pieces(operation: &str, entry: &Entry, conditions: &Conditions, own: &Tree) -> Result<Tree, String> {
    let leaf_of = |algorithm: &str| {
        let why =
            || format!("{operation} on {} ranks: {algorithm} has conditions that a table cannot check", entry.ranks);
        leaf(operation, algorithm, own).ok_or_else(why)
    };
    let Some(condition) = conditions.size else {
        return match &entry.pieces[..] {
            [one] => leaf_of(&one.algorithm),
            _ => Err(format!("{operation}: MPICH's tables cannot tell its lengths apart")),
        };
    };
    let size = |bytes: u64| if conditions.of_all { of_all_ranks(bytes, entry.ranks) } else { bytes };
    let mut chain: Vec<(String, Tree)> = Vec::new();
    let mut below = |bytes: u64, tree: Tree| {
        if bytes > 0 && bytes <= MOST {
            chain.push((format!("{condition}<{bytes}"), tree));
        }
    };
    let mut reached = 0;
    let mut last = own.clone();
    for Piece { from_bytes, below_bytes, algorithm, .. } in &entry.pieces {
        let leaf = leaf_of(algorithm)?;
        if *from_bytes > reached {
            below(size(*from_bytes), own.clone());
        }
        match below_bytes {
            Some(end) if size(*end) <= MOST => {
                below(size(*end), leaf);
                reached = *end;
            }
            Some(_) | None => last = leaf,
        }
    }
    chain.push((format!("{condition}=any"), last));
    Ok(Tree(chain))
}

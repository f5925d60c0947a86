//! Trees of notifications of a fragment (Kurnosov and Tokmasheva 2020).

use crate::collective::Tree;
use crate::names;
use std::fmt;

/// A tree of notifications, whose top is the root of a broadcast, whichever rank that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Notified(Tree);

/// Names of the kinds of trees.
const KINDS: [&str; 5] = ["chain", "complete", "flat", "kary", "knomial"];

impl Notified {
    /// Tree in which the root notifies all other ranks.
    pub const FLAT: Notified = Notified(Tree::Flat);
    /// Tree in which each rank notifies the next one.
    pub const CHAIN: Notified = Notified(Tree::Chains { chains: 1 });

    /// Returns the tree in which place v notifies the places k v + 1 to k v + k.
    pub const fn complete(fanout: u32) -> Notified {
        Notified(Tree::Complete { fanout })
    }

    /// Reads `flat`, `chain`, `kary:4` (up to four children each, which are dealt out level by level), `complete:4` (up
    /// to four children each that follow each other) or `knomial:2` (the binomial tree).
    ///
    /// # Errors
    /// Fails for a tree that is not known, and for a number that is missing, below 2, or not asked for.
    pub fn parse(text: &str) -> Result<Notified, String> {
        let (kind, number) = match text.split_once(':') {
            Some((kind, number)) => (kind, Some(number)),
            None => (text, None),
        };
        let width = || match number.map(str::parse::<u32>) {
            Some(Ok(width)) if width >= 2 => Ok(width),
            _ => Err(format!("expected {kind}:K with a whole number K of at least 2, like {kind}:4, found \"{text}\"")),
        };
        match (kind, number) {
            ("flat", None) => Ok(Notified::FLAT),
            ("chain", None) => Ok(Notified::CHAIN),
            ("flat" | "chain", Some(_)) => Err(format!("expected {kind} without a number, found \"{text}\"")),
            ("kary", _) => Ok(Notified(Tree::Levels { fanout: width()? })),
            ("complete", _) => Ok(Notified::complete(width()?)),
            ("knomial", _) => Ok(Notified(Tree::KNomial { radix: width()? })),
            _ => Err(names::unknown("tree", kind, KINDS)),
        }
    }

    /// Returns the ranks that a rank notifies, in this order.
    pub fn children(self, rank: u32, root: u32, ranks: u32) -> impl Iterator<Item = u32> {
        let position = position(rank, root, ranks);
        let child = move |index| self.0.child(position, index, ranks);
        (0..).map_while(child).map(move |child| at(child, root, ranks))
    }

    /// Returns the rank that notifies a rank; `None` for the root.
    pub fn parent(self, rank: u32, root: u32, ranks: u32) -> Option<u32> {
        self.0.parent(position(rank, root, ranks), ranks).map(|parent| at(parent, root, ranks))
    }

    /// Returns the number of notifications until a rank knows of a fragment.
    pub fn depth(self, rank: u32, root: u32, ranks: u32) -> u32 {
        std::iter::successors(Some(rank), |&rank| self.parent(rank, root, ranks)).skip(1).count() as u32
    }
}

/// Returns a rank's place in the tree, counted from the root.
fn position(rank: u32, root: u32, ranks: u32) -> u32 {
    if rank >= root { rank - root } else { rank + (ranks - root) }
}

/// Returns the rank at a place in the tree.
fn at(position: u32, root: u32, ranks: u32) -> u32 {
    if position < ranks - root { root + position } else { position - (ranks - root) }
}

impl fmt::Display for Notified {
    /// Writes the tree as [`Notified::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Tree::Flat => f.write_str("flat"),
            Tree::Levels { fanout } => write!(f, "kary:{fanout}"),
            Tree::Complete { fanout } => write!(f, "complete:{fanout}"),
            Tree::KNomial { radix } => write!(f, "knomial:{radix}"),
            Tree::Chains { .. } | Tree::InOrder | Tree::Doubling => f.write_str("chain"),
        }
    }
}

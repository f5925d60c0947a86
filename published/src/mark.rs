//! Marks of rows whose number may not be what its name says. The row stays.

use crate::PublishedRow;
use serde::Serialize;
use std::collections::BTreeMap;

models::named! {
    /// Reason not to take a row for the algorithm of its name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Mark {
        /// Buffers lie in memory of GPUs.
        Gpu => "gpu", "buffers lie in memory of GPUs: copies and other transports are in the number",
        /// The row is the library's own choice by another name.
        NotForced => "not-forced",
            "the number is that of the library's own choice at all lengths, while the framework's code of this name differs: the algorithm was not forced",
        /// No file of the run says that the algorithm was used.
        Unconfirmed => "unconfirmed",
            "no decision file of the run says that the library used this algorithm: some names were not obeyed",
        /// The data pass by one-sided transfers.
        OneSided => "one-sided", "data pass by one-sided transfers of uTofu: they are no messages",
        /// The buffer is no multiple of the ranks.
        Remainder => "remainder",
            "the elements are no multiple of the ranks: blocks are rounded down and the remainder is not moved",
    }
    /// The name used in files.
    fn name;
    /// The reason, in a sentence.
    fn reason;
    Display(name);
}

impl Mark {
    /// Returns whether the row is not what its name says, so that comparisons leave it out.
    pub fn excludes(self) -> bool {
        match self {
            Mark::Gpu | Mark::NotForced | Mark::Unconfirmed | Mark::OneSided => true,
            Mark::Remainder => false,
        }
    }
}

/// Absolute logarithm up to which numbers count as equal: repeats within a run are 1 to 9 % apart.
const EQUAL: f64 = 0.15;
/// Absolute logarithm within which half of the lengths must lie.
const MOSTLY_EQUAL: f64 = 0.02;
/// Absolute logarithm from which numbers differ, if a third of the lengths are so.
const DIFFERENT: f64 = 0.25;
/// Least number of common lengths for a mark.
const LEAST_LENGTHS: usize = 4;

/// Marks the rows of any runs.
pub(crate) fn mark(rows: &mut [PublishedRow]) {
    let not_forced = not_forced(rows);
    for (row, not_forced) in rows.iter_mut().zip(not_forced) {
        let one_sided = row.algorithm.split('-').any(|word| word == "UTOFU");
        for (mark, holds) in [
            (Mark::Gpu, row.gpu),
            (Mark::NotForced, not_forced),
            (Mark::Unconfirmed, row.library == "FJMPI" && !row.confirmed),
            (Mark::OneSided, one_sided),
            (Mark::Remainder, row.drops_a_remainder()),
        ] {
            if holds {
                row.marks.push(mark);
            }
        }
    }
}

/// Medians of a test's rows of one algorithm, by length.
type Lengths = BTreeMap<u64, f64>;

/// Returns, for each row, whether its algorithm was not forced: its name ends in the library's (`ring_mpich`), at most
/// one length is off the numbers of `default_mpich`, and those of `ring_over`, the framework's own code, differ.
fn not_forced(rows: &[PublishedRow]) -> Vec<bool> {
    let test = |row: &PublishedRow| (row.system.clone(), row.run.clone(), row.test, row.collective, row.ranks);
    let mut medians: BTreeMap<_, Lengths> = BTreeMap::new();
    for row in rows {
        medians.entry((test(row), row.algorithm.clone())).or_default().insert(row.elements, row.calls.median_us);
    }
    let decided = |row: &PublishedRow| -> Option<bool> {
        let (name, library) = row.algorithm.rsplit_once('_')?;
        if name == "default" || library == "over" {
            return None;
        }
        let of = |algorithm: String| medians.get(&(test(row), algorithm));
        let own = of(row.algorithm.clone())?;
        let to_default = apart(own, of(format!("default_{library}"))?);
        let to_over = apart(own, of(format!("{name}_over"))?);
        let off = |all: &[f64], bound: f64| all.iter().filter(|apart| **apart > bound).count();
        let is_default = to_default.len() >= LEAST_LENGTHS
            && off(&to_default, EQUAL) <= 1
            && 2 * off(&to_default, MOSTLY_EQUAL) <= to_default.len();
        Some(is_default && !to_over.is_empty() && 3 * off(&to_over, DIFFERENT) >= to_over.len())
    };
    rows.iter().map(|row| decided(row).unwrap_or(false)).collect()
}

/// Returns the distances of two algorithms at each common length, as absolute logarithms.
fn apart(a: &Lengths, b: &Lengths) -> Vec<f64> {
    let common = a.iter().filter_map(|(elements, one)| Some((one, b.get(elements)?)));
    common.filter(|(one, other)| **one > 0.0 && **other > 0.0).map(|(one, other)| (one / other).ln().abs()).collect()
}

//! Open MPI 4.1: algorithms that coll/tuned takes with its fixed rules, and their handling of calls that they do not
//! fit.
//!
//! Restated from `ompi/mca/coll/tuned/coll_tuned_decision_fixed.c` and the algorithms in `ompi/mca/coll/base` of
//! v4.1.4. The fixed rules set neither segments nor a fanout: "chain" is then one chain, and "segmented_ring" has one
//! segment. scan, exscan, gatherv and scatterv are not tuned: they run coll/basic's linear algorithms.

use super::openmpi_4_1_tables as tables;
use super::{Pick, mean_block};
use crate::collective::{Algorithm, Collective, Shape};

/// Rows of a table: fewer ranks than the number, and cells of fewer bytes than a number with the algorithm's number.
pub(super) type Rows = &'static [(u32, &'static [(u64, usize)])];

/// Returns the names behind the numbers 1, 2, 3, ….
fn names(collective: Collective, uneven: bool) -> &'static [&'static str] {
    match collective {
        Collective::Barrier => &["linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"],
        Collective::Bcast => &[
            "basic_linear",
            "chain",
            "pipeline",
            "split_binary_tree",
            "binary_tree",
            "binomial",
            "knomial",
            "scatter_allgather",
            "scatter_allgather_ring",
        ],
        Collective::Reduce => &["linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner"],
        Collective::Allreduce => {
            &["basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring", "rabenseifner"]
        }
        Collective::Gather => &["basic_linear", "binomial", "linear_sync"],
        Collective::Scatter => &["basic_linear", "binomial", "linear_nb"],
        Collective::Allgather if uneven => &["default", "bruck", "ring", "neighbor", "two_proc"],
        Collective::Allgather => &["linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"],
        Collective::Alltoall if uneven => &["basic_linear", "pairwise"],
        Collective::Alltoall => &["linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"],
        Collective::ReduceScatter if uneven => &["non-overlapping", "recursive_halving", "ring", "butterfly"],
        Collective::ReduceScatter => &["basic_linear", "recursive_doubling", "recursive_halving", "butterfly"],
        Collective::Scan | Collective::Exscan => &["linear"],
    }
}

/// A call as the library sees it.
#[derive(Clone, Copy)]
pub(in crate::collective) struct LibraryCall<'a> {
    pub collective: Collective,
    pub shape: &'a Shape,
    /// Number of elements of the buffer, or of a block.
    pub elements: u64,
    /// Whether the operation, if any, commutes.
    pub commutative: bool,
    /// Whether it is the variant that takes a count for each rank; of reduce-scatter `MPI_Reduce_scatter`, also where
    /// counts are equal.
    pub with_counts: bool,
}

/// Returns the table that decides, and the number of bytes that is looked up in it.
fn table(asked: &LibraryCall<'_>) -> (Rows, u64) {
    const FIRST: Rows = &[(u32::MAX, &[(u64::MAX, 1)])];
    let LibraryCall { collective, shape, commutative, with_counts: uneven, .. } = *asked;
    let rows = match collective {
        Collective::Barrier => tables::BARRIER,
        Collective::Bcast => tables::BCAST,
        Collective::Reduce if commutative => tables::REDUCE,
        Collective::Reduce => tables::REDUCE_IN_ORDER,
        Collective::Allreduce if commutative => tables::ALLREDUCE,
        Collective::Allreduce => tables::ALLREDUCE_IN_ORDER,
        Collective::Gather | Collective::Scatter if uneven => FIRST,
        Collective::Gather => tables::GATHER,
        Collective::Scatter => tables::SCATTER,
        Collective::Allgather if uneven => tables::ALLGATHERV,
        Collective::Allgather => tables::ALLGATHER,
        Collective::Alltoall if uneven => tables::ALLTOALLV,
        Collective::Alltoall => tables::ALLTOALL,
        Collective::ReduceScatter if !commutative => FIRST,
        Collective::ReduceScatter if uneven => tables::REDUCE_SCATTER,
        Collective::ReduceScatter => tables::REDUCE_SCATTER_BLOCK,
        Collective::Scan | Collective::Exscan => FIRST,
    };
    let bytes = match collective {
        Collective::Barrier => 0,
        Collective::ReduceScatter if uneven => shape.total(),
        _ if collective.has_blocks() => mean_block(shape),
        _ => shape.bytes,
    };
    (rows, bytes)
}

pub(super) fn picks(collective: Collective, shape: &Shape, commutative: bool) -> Result<Pick, String> {
    let with_counts = shape.counts.is_some();
    by_itself(&LibraryCall { collective, shape, elements: shape.bytes, commutative, with_counts })
}

/// Returns the algorithm that the library takes by its fixed rules.
///
/// # Errors
/// Names the library's algorithm where it is not one of ours.
pub(in crate::collective) fn by_itself(asked: &LibraryCall<'_>) -> Result<Pick, String> {
    let (rows, bytes) = table(asked);
    let row = rows.iter().position(|(below, _)| asked.shape.ranks < *below).unwrap_or(rows.len() - 1);
    let cells = rows[row].1;
    let cell = cells.iter().position(|(below, _)| bytes < *below).unwrap_or(cells.len() - 1);
    let limits = [
        range("P", u64::from(if row == 0 { 0 } else { rows[row - 1].0 }), u64::from(rows[row].0), u32::MAX.into()),
        range("m", if cell == 0 { 0 } else { cells[cell - 1].0 }, cells[cell].0, u64::MAX),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let limits = if limits.is_empty() { "always".to_owned() } else { limits.join(", ") };
    carried_out(asked, names(asked.collective, asked.with_counts)[cells[cell].1 - 1], &limits)
}

/// Returns the algorithm that really runs when the library is made to use the one of this name, without segments and
/// fanouts.
///
/// # Errors
/// Fails where there is none of this name, where the library refuses the call, and where the algorithm is not one of
/// ours.
pub(in crate::collective) fn forced(asked: &LibraryCall<'_>, name: &str) -> Result<Pick, String> {
    let known = names(asked.collective, asked.with_counts);
    let Some(chosen) = known.iter().find(|known| **known == name) else {
        return Err(format!("openmpi-4.1 has no {} '{name}'; known: {}", asked.collective, known.join(", ")));
    };
    if *chosen == "two_proc" && asked.shape.ranks != 2 {
        return Err(format!("openmpi-4.1 refuses two_proc for {} ranks; expected 2", asked.shape.ranks));
    }
    carried_out(asked, chosen, "forced")
}

/// Returns the algorithm that really runs when one is chosen for a reason.
fn carried_out(asked: &LibraryCall<'_>, chosen: &'static str, why: &str) -> Result<Pick, String> {
    let LibraryCall { collective, shape, .. } = *asked;
    let (called, hands_over) = runs(asked, chosen);
    let rule = format!("{why}: {chosen}{hands_over}");
    let algorithm =
        Algorithm::for_collective(collective).find(|algorithm| algorithm.openmpi == Some(called)).ok_or_else(|| {
            format!(
                "openmpi-4.1 takes '{called}' for {collective} here, which is not among Parallax's algorithms ({rule})"
            )
        })?;
    let fanout = match (collective, called) {
        (_, "chain") => 1,
        (_, "knomial") => 4,
        // coll_tuned_alltoall_algorithm_max_requests is 0: no limit.
        (Collective::Alltoall, "linear_sync") => shape.ranks.saturating_sub(1),
        _ => 0,
    };
    Ok(Pick { algorithm, called, shape: Shape { segment_bytes: 0, fanout, ..*shape }, rule })
}

/// Returns the words `low ≤ what < high` without a limit that does not exist; `None` where there is no limit.
fn range(what: &str, low: u64, high: u64, none: u64) -> Option<String> {
    match (low, high == none) {
        (0, true) => None,
        (0, false) => Some(format!("{what} < {high}")),
        (_, true) => Some(format!("{what} ≥ {low}")),
        (_, false) if low + 1 == high => Some(format!("{what} = {low}")),
        (_, false) => Some(format!("{low} ≤ {what} < {high}")),
    }
}

/// Returns the name of the algorithm that really runs when one is chosen, and the reason in words: some hand over to
/// another where they do not fit.
fn runs(asked: &LibraryCall<'_>, chosen: &'static str) -> (&'static str, &'static str) {
    let LibraryCall { collective, shape, elements, commutative, .. } = *asked;
    let ranks = u64::from(shape.ranks);
    let power = 1u64 << shape.log2_floor();
    match (collective, chosen) {
        (Collective::Allreduce, "ring" | "segmented_ring") if elements < ranks => {
            ("recursive_doubling", ", which hands over to recursive_doubling with fewer elements than ranks")
        }
        (Collective::Allreduce, "segmented_ring") if ranks > 1 => {
            ("ring", ", which hands over to ring when there is one segment")
        }
        (Collective::Allreduce, "rabenseifner") if power < 2 || elements < power || !commutative => {
            ("basic_linear", ", which hands over to basic_linear with fewer elements than 2^⌊log₂P⌋")
        }
        (Collective::Reduce, "rabenseifner") if power < 2 || elements < power || !commutative => {
            ("linear", ", which hands over to linear with fewer elements than 2^⌊log₂P⌋")
        }
        (Collective::Bcast, "split_binary_tree") if elements < 2 => {
            ("pipeline", ", which hands over to one chain when it cannot split the message")
        }
        (Collective::Bcast, "scatter_allgather" | "scatter_allgather_ring") if elements < ranks => {
            ("basic_linear", ", which hands over to basic_linear with fewer elements than ranks")
        }
        (Collective::Allgather, "recursive_doubling") if power != ranks => {
            ("bruck", ", which hands over to bruck when P is not a power of two")
        }
        (Collective::Allgather, "neighbor") if ranks % 2 == 1 => ("ring", ", which hands over to ring when P is odd"),
        (Collective::Alltoall, "two_proc") => ("pairwise", ", the same messages as pairwise"),
        (Collective::Alltoall, "basic_linear") => ("linear", ", sends and receives posted all at once"),
        (Collective::Allgather, "default") => ("linear", ", a gather and a broadcast"),
        (Collective::ReduceScatter, "basic_linear") => ("non-overlapping", ", a reduction and a scatter"),
        _ => (chosen, ""),
    }
}

//! MPICH 4.0: algorithms that its `auto` takes for blocking collectives.
//!
//! Restated from `maint/tuning/coll/mpir/generic.json` of v4.0.2 (the same in 4.0 … 4.0.3), the rules for a
//! communicator in which no two ranks share a node, or with `MPIR_CVAR_DEVICE_COLLECTIVES=none`. With several ranks on
//! a node the device puts these together in two levels, within nodes and between them; that is not described here.

use super::Pick;
use crate::collective::{Algorithm, Collective, Shape};

pub(super) fn picks(collective: Collective, shape: &Shape, commutative: bool) -> Result<Pick, String> {
    let (called, rule) = rule(collective, shape, commutative);
    let algorithm =
        Algorithm::for_collective(collective).find(|algorithm| algorithm.mpich == Some(called)).ok_or_else(|| {
            format!(
                "mpich-4.0 takes '{called}' for {collective} here, which is not among Parallax's algorithms ({rule})"
            )
        })?;
    let shape = Shape { segment_bytes: 0, fanout: 0, ..*shape };
    Ok(Pick { algorithm, called, shape, rule: format!("{rule}: {called}") })
}

/// Returns MPICH's name of the algorithm that it takes, and the condition that held.
fn rule(collective: Collective, shape: &Shape, commutative: bool) -> (&'static str, &'static str) {
    let power_of_two = shape.ranks.is_power_of_two();
    let uneven = shape.counts.is_some();
    match collective {
        Collective::Barrier => ("dissemination", "always"),
        Collective::Bcast => bcast(shape),
        Collective::Reduce | Collective::Allreduce => reduce(collective, shape),
        Collective::Gather if uneven => ("linear (gatherv)", "always"),
        Collective::Scatter if uneven => ("linear (scatterv)", "always"),
        Collective::Gather | Collective::Scatter => ("binomial", "always"),
        Collective::Allgather => match (power_of_two, shape.total()) {
            (true, ..524_288) => ("recursive_doubling", "P a power of two, P·m < 524288"),
            (true, _) => ("ring", "P a power of two, P·m ≥ 524288"),
            (false, ..81_920) => ("brucks", "P not a power of two, P·m < 81920"),
            (false, _) => ("ring", "P not a power of two, P·m ≥ 81920"),
        },
        Collective::Alltoall if uneven => ("scattered", "always"),
        Collective::Alltoall => match (shape.ranks, shape.bytes) {
            (8.., ..=256) => ("brucks", "P ≥ 8, m ≤ 256"),
            (_, ..=32_768) => ("scattered", "m ≤ 32768"),
            _ => ("pairwise", "m > 32768"),
        },
        Collective::ReduceScatter => match (commutative, shape.total()) {
            (true, ..524_288) => ("recursive_halving", "P·m < 524288"),
            (true, _) => ("pairwise", "P·m ≥ 524288"),
            (false, _) if power_of_two && !uneven => {
                ("noncommutative", "P a power of two, the operation does not commute")
            }
            (false, _) => ("recursive_doubling", "the operation does not commute"),
        },
        Collective::Scan | Collective::Exscan => ("recursive_doubling", "always"),
    }
}

fn bcast(shape: &Shape) -> (&'static str, &'static str) {
    match (shape.ranks, shape.bytes) {
        (..8, _) => ("binomial", "P < 8"),
        (_, ..=12_288) => ("binomial", "m ≤ 12288"),
        (ranks, ..=524_288) if ranks.is_power_of_two() => {
            ("scatter_recursive_doubling_allgather", "P a power of two, 12288 < m ≤ 524288")
        }
        (ranks, _) if ranks.is_power_of_two() => ("scatter_ring_allgather", "P a power of two, m > 524288"),
        _ => ("scatter_ring_allgather", "P not a power of two, m > 12288"),
    }
}

/// Decides on reductions, whose elements are compared with the largest power of two of ranks.
fn reduce(collective: Collective, shape: &Shape) -> (&'static str, &'static str) {
    let few = shape.bytes < 1 << shape.log2_floor();
    match (collective, shape.bytes) {
        (Collective::Reduce, ..=2_048) => ("binomial", "m ≤ 2048"),
        (Collective::Reduce, _) if few => ("binomial", "fewer elements than 2^⌊log₂P⌋"),
        (Collective::Reduce, _) => ("reduce_scatter_gather", "m > 2048, a built-in operation"),
        (_, ..=8) => ("recursive_doubling", "m ≤ 8"),
        (_, _) if few => ("recursive_doubling", "fewer elements than 2^⌊log₂P⌋"),
        (_, _) => ("reduce_scatter_allgather", "m > 8, a built-in operation"),
    }
}

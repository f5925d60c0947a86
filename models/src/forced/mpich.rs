//! MPICH's collectives: names in the order in which the description of each variable lists them (MPICH 4.0.2, MPI_T), which
//! is that of their numbers, `auto` being 0. The order is looked at again where a name is used.
//!
//! What falls back is an error there (`MPIR_CVAR_COLLECTIVE_FALLBACK=error`); said here is what is known beforehand.

use super::{Asked, Setting, Table};

pub(super) const ALGORITHMS: Table = &[
    ("barrier", &[(1, "nb"), (2, "smp"), (3, "dissemination")]),
    (
        "bcast",
        &[
            (1, "binomial"),
            (2, "nb"),
            (3, "smp"),
            (4, "scatter_recursive_doubling_allgather"),
            (5, "scatter_ring_allgather"),
        ],
    ),
    ("gather", &[(1, "binomial"), (2, "nb")]),
    ("gatherv", &[(1, "linear"), (2, "nb")]),
    ("scatter", &[(1, "binomial"), (2, "nb")]),
    ("scatterv", &[(1, "linear"), (2, "nb")]),
    ("allgather", &[(1, "brucks"), (2, "nb"), (3, "recursive_doubling"), (4, "ring")]),
    ("allgatherv", &[(1, "brucks"), (2, "nb"), (3, "recursive_doubling"), (4, "ring")]),
    ("alltoall", &[(1, "brucks"), (2, "nb"), (3, "pairwise"), (4, "pairwise_sendrecv_replace"), (5, "scattered")]),
    ("alltoallv", &[(1, "nb"), (2, "pairwise_sendrecv_replace"), (3, "scattered")]),
    ("alltoallw", &[(1, "nb"), (2, "pairwise_sendrecv_replace"), (3, "scattered")]),
    ("reduce", &[(1, "binomial"), (2, "nb"), (3, "smp"), (4, "reduce_scatter_gather")]),
    ("allreduce", &[(1, "nb"), (2, "smp"), (3, "recursive_doubling"), (4, "reduce_scatter_allgather")]),
    (
        "reduce_scatter",
        &[(1, "nb"), (2, "noncommutative"), (3, "pairwise"), (4, "recursive_doubling"), (5, "recursive_halving")],
    ),
    (
        "reduce_scatter_block",
        &[(1, "noncommutative"), (2, "recursive_doubling"), (3, "pairwise"), (4, "recursive_halving"), (5, "nb")],
    ),
    ("scan", &[(1, "nb"), (2, "smp"), (3, "recursive_doubling")]),
    ("exscan", &[(1, "nb"), (2, "recursive_doubling")]),
];

pub(super) fn setting(operation: &str, number: i32, name: &'static str, known: &[(i32, &'static str)]) -> Setting {
    let variable = format!("MPIR_CVAR_{}_INTRA_ALGORITHM", operation.to_uppercase());
    let listed = known.iter().map(|(_, name)| *name).collect();
    // Of error, print and silent the first.
    let required = vec![("MPIR_CVAR_COLLECTIVE_FALLBACK", 0)];
    Setting { variable, number, name, listed, further: Vec::new(), required, captured: false, component: None }
}

/// Why it would be an error, where that is known beforehand.
pub(super) fn falls_back(operation: &str, name: &str, asked: &Asked) -> Option<String> {
    match (operation, name) {
        ("bcast", "scatter_recursive_doubling_allgather")
        | ("allgather" | "allgatherv", "recursive_doubling")
        | ("reduce_scatter" | "reduce_scatter_block", "noncommutative")
            if !asked.ranks.is_power_of_two() =>
        {
            Some(format!("it needs a number of ranks that is a power of two, found {}", asked.ranks))
        }
        ("reduce", "reduce_scatter_gather") | ("allreduce", "reduce_scatter_allgather")
            if asked.elements < asked.power_of_two() =>
        {
            Some(format!("it needs at least {} elements, found {}", asked.power_of_two(), asked.elements))
        }
        ("alltoall" | "alltoallv" | "alltoallw", "pairwise_sendrecv_replace") if !asked.in_place => {
            Some("it is for calls in place".to_owned())
        }
        ("alltoall" | "alltoallv" | "alltoallw", "pairwise" | "scattered" | "brucks") if asked.in_place => {
            Some("it is not for calls in place".to_owned())
        }
        _ => None,
    }
}

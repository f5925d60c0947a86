//! Open MPI's coll/tuned: numbers and names as `ompi_info --param coll tuned --level 9` of 4.1.4 lists them.
//!
//! Source of what falls back: `ompi/mca/coll/base/coll_base_*.c` of Open MPI 4.1.

use super::{Asked, Component, Number, Setting, Table};
use crate::collective::Shape;

/// The number of what is no algorithm of coll/tuned but a component of its own: coll/sm, which copies through shared memory.
pub(super) const COMPONENT: i32 = -1;

pub(super) const ALGORITHMS: Table = &[
    (
        "bcast",
        &[
            (1, "basic_linear"),
            (2, "chain"),
            (3, "pipeline"),
            (4, "split_binary_tree"),
            (5, "binary_tree"),
            (6, "binomial"),
            (7, "knomial"),
            (8, "scatter_allgather"),
            (9, "scatter_allgather_ring"),
            (COMPONENT, "sm"),
        ],
    ),
    (
        "reduce",
        &[
            (1, "linear"),
            (2, "chain"),
            (3, "pipeline"),
            (4, "binary"),
            (5, "binomial"),
            (6, "in-order_binary"),
            (7, "rabenseifner"),
        ],
    ),
    (
        "allreduce",
        &[
            (1, "basic_linear"),
            (2, "nonoverlapping"),
            (3, "recursive_doubling"),
            (4, "ring"),
            (5, "segmented_ring"),
            (6, "rabenseifner"),
        ],
    ),
    (
        "barrier",
        &[(1, "linear"), (2, "double_ring"), (3, "recursive_doubling"), (4, "bruck"), (5, "two_proc"), (6, "tree")],
    ),
    (
        "allgather",
        &[(1, "linear"), (2, "bruck"), (3, "recursive_doubling"), (4, "ring"), (5, "neighbor"), (6, "two_proc")],
    ),
    ("allgatherv", &[(1, "default"), (2, "bruck"), (3, "ring"), (4, "neighbor"), (5, "two_proc")]),
    ("alltoall", &[(1, "linear"), (2, "pairwise"), (3, "modified_bruck"), (4, "linear_sync"), (5, "two_proc")]),
    ("alltoallv", &[(1, "basic_linear"), (2, "pairwise")]),
    ("gather", &[(1, "basic_linear"), (2, "binomial"), (3, "linear_sync")]),
    ("scatter", &[(1, "basic_linear"), (2, "binomial"), (3, "linear_nb")]),
    ("reduce_scatter", &[(1, "non-overlapping"), (2, "recursive_halving"), (3, "ring"), (4, "butterfly")]),
    (
        "reduce_scatter_block",
        &[(1, "basic_linear"), (2, "recursive_doubling"), (3, "recursive_halving"), (4, "butterfly")],
    ),
    ("scan", &[(1, "linear"), (2, "recursive_doubling")]),
    ("exscan", &[(1, "linear"), (2, "recursive_doubling")]),
];

/// Operations whose variables for segments and fanouts exist and matter.
const WITH_TREES: [&str; 3] = ["bcast", "reduce", "allreduce"];

pub(super) fn setting(operation: &str, number: i32, name: &'static str, shape: &Shape) -> Setting {
    if number == COMPONENT {
        return preferred(name);
    }
    let variable = format!("coll_tuned_{operation}_algorithm");
    let mut further = Vec::new();
    if WITH_TREES.contains(&operation) {
        further.push((format!("{variable}_segmentsize"), i32::try_from(shape.segment_bytes).unwrap_or(i32::MAX)));
        if shape.fanout > 0 {
            let fanout = i32::try_from(shape.fanout).unwrap_or(i32::MAX);
            let which = match name {
                "chain" => "chain_fanout",
                "knomial" => "knomial_radix",
                _ => "tree_fanout",
            };
            further.push((format!("{variable}_{which}"), fanout));
        }
    }
    let required = vec![("coll_tuned_use_dynamic_rules", 1)];
    Setting { variable, number: Number::Known(number), name, further, required, captured: true, component: None }
}

/// A component that the case's communicator prefers. It must be willing, with a priority above 0 before `MPI_Init`.
/// Source: `ompi/mca/coll/base/coll_base_comm_select.c` and `coll/sm/coll_sm_module.c` of Open MPI 4.1.
fn preferred(name: &'static str) -> Setting {
    let component = Component { key: "ompi_comm_coll_preference", name, maps: "coll-sm" };
    Setting {
        variable: format!("coll_{name}_priority"),
        number: Number::Known(1),
        name,
        further: Vec::new(),
        required: Vec::new(),
        captured: true,
        component: Some(component),
    }
}

/// Why another algorithm would be used, or none.
pub(super) fn falls_back(operation: &str, name: &str, asked: &Asked) -> Option<String> {
    let too_few = |least: u64| {
        (asked.elements < least).then(|| format!("it needs at least {least} elements, found {}", asked.elements))
    };
    let commutes = || (!asked.commutes).then(|| "it needs reductions that commute".to_owned());
    let ranks = u64::from(asked.ranks);
    match (operation, name) {
        (_, "two_proc") if asked.ranks != 2 => Some(format!("it needs exactly two ranks, found {ranks}")),
        ("bcast", "scatter_allgather" | "scatter_allgather_ring") => too_few(ranks),
        ("bcast", "split_binary_tree") if asked.elements < 2 || asked.segment_bytes > asked.bytes / 2 => {
            Some("it needs at least two elements, and segments of at most half the message".to_owned())
        }
        ("reduce" | "allreduce", "rabenseifner") => commutes().or_else(|| too_few(asked.power_of_two())),
        ("allreduce", "ring") => commutes().or_else(|| too_few(ranks)),
        ("allreduce", "segmented_ring") => {
            commutes().or_else(|| too_few(ranks.saturating_mul(asked.segment.unwrap_or(1))))
        }
        ("reduce", "chain" | "pipeline" | "binary" | "binomial") => commutes(),
        ("reduce_scatter", "recursive_halving" | "ring") => commutes(),
        ("reduce_scatter_block", "recursive_halving") => commutes(),
        ("allgather", "recursive_doubling") if !asked.ranks.is_power_of_two() => {
            Some(format!("it needs a number of ranks that is a power of two, found {ranks}"))
        }
        ("allgather" | "allgatherv", "neighbor") if !asked.ranks.is_multiple_of(2) => {
            Some(format!("it needs an even number of ranks, found {ranks}"))
        }
        ("alltoall" | "alltoallv", _) if asked.in_place => Some("in place it has one algorithm only".to_owned()),
        _ => None,
    }
}

//! Open MPI's coll/tuned: names as `ompi_info --param coll tuned --level 9` of 4.1.4 lists them, and those of later
//! versions. Their numbers are those that the enumeration of the library's own variable has at run time (MPI_T).
//!
//! Source of the cases that fall back: `ompi/mca/coll/base/coll_base_*.c` of Open MPI 4.1.

use super::{AlgorithmNames, CallProperties, Component, Setting, VariableValue, Ways};
use crate::collective::Shape;

/// Name that stands for no algorithm of coll/tuned but for a component of its own: coll/sm, which copies through shared
/// memory.
pub(super) const COMPONENT: &str = "sm";

/// Names that not all versions have, with the first version that has them (seen in 5.0.11, and not in 4.1.4).
const SINCE: [(&str, &str); 1] = [("sparbit", "5.0")];

/// Ways of making Open MPI use its algorithms.
pub static WAYS: Ways = Ways {
    algorithms: ALGORITHMS,
    since: &SINCE,
    left_out: "",
    setting,
    falls_back,
    // Of coll/sm below every other component: a communicator uses it only if it prefers it.
    // Between several hosts coll/han of 5.0 would carry out the most usual operations itself (in 4.1 it is 0 anyway).
    environment: &[
        ("OMPI_MCA_coll_sm_priority", "1"),
        ("OMPI_MCA_coll_han_priority", "0"),
        ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1"),
    ],
    told_at_start: false,
    number,
    cutting: CUTTING,
    needs_several_hosts: None,
    calls: |algorithm| algorithm.openmpi,
};

const ALGORITHMS: AlgorithmNames = &[
    (
        "bcast",
        &[
            "basic_linear",
            "chain",
            "pipeline",
            "split_binary_tree",
            "binary_tree",
            "binomial",
            "knomial",
            "scatter_allgather",
            "scatter_allgather_ring",
            "sm",
        ],
    ),
    ("reduce", &["linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner"]),
    ("allreduce", &["basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring", "rabenseifner"]),
    ("barrier", &["linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"]),
    ("allgather", &["linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit"]),
    ("allgatherv", &["default", "bruck", "ring", "neighbor", "two_proc", "sparbit"]),
    ("alltoall", &["linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"]),
    ("alltoallv", &["basic_linear", "pairwise"]),
    ("gather", &["basic_linear", "binomial", "linear_sync"]),
    ("scatter", &["basic_linear", "binomial", "linear_nb"]),
    ("reduce_scatter", &["non-overlapping", "recursive_halving", "ring", "butterfly"]),
    ("reduce_scatter_block", &["basic_linear", "recursive_doubling", "recursive_halving", "butterfly"]),
    ("scan", &["linear", "recursive_doubling"]),
    ("exscan", &["linear", "recursive_doubling"]),
];

/// Source: the functions `…_intra_do_this` of `ompi/mca/coll/tuned` of Open MPI 4.1, which hand a segment length on.
const CUTTING: AlgorithmNames = &[
    ("bcast", &["chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial"]),
    ("reduce", &["chain", "pipeline", "binary", "binomial", "in-order_binary"]),
    ("allreduce", &["segmented_ring"]),
];

/// Operations whose variables for segments and fanouts exist and matter.
const WITH_TREES: [&str; 3] = ["bcast", "reduce", "allreduce"];

fn setting(operation: &str, name: &'static str, shape: &Shape) -> Setting {
    if name == COMPONENT {
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
    let number = VariableValue::Enumerated(name);
    Setting { variable, number, name, further, required, at_start: None, captured: true, component: None }
}

/// Returns the setting for a component that the case's communicator prefers. It must be willing, with a priority above
/// 0 before `MPI_Init`. Source: `ompi/mca/coll/base/coll_base_comm_select.c` and `coll/sm/coll_sm_module.c` of Open MPI
/// 4.1.
fn preferred(name: &'static str) -> Setting {
    let component = Component { key: "ompi_comm_coll_preference", name, maps: "coll-sm" };
    Setting {
        variable: format!("coll_{name}_priority"),
        number: VariableValue::Known(1),
        name,
        further: Vec::new(),
        required: Vec::new(),
        at_start: None,
        captured: true,
        component: Some(component),
    }
}

/// Returns the place of a name in the enumeration of an operation's variable, whose 0 is the library's own choice. The
/// component is none of them.
fn number(operation: &str, name: &str) -> Option<i32> {
    let (_, names) = ALGORITHMS.iter().find(|(of, _)| *of == operation)?;
    let place = names.iter().filter(|known| **known != COMPONENT).position(|known| *known == name)?;
    i32::try_from(place + 1).ok()
}

fn falls_back(operation: &str, name: &str, asked: &CallProperties) -> Option<String> {
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

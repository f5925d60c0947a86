//! Intel MPI's presets, by the numbers of `I_MPI_ADJUST_…`, which it reads in `MPI_Init`.
//!
//! Source: Intel MPI Library Developer Reference for Linux, "I_MPI_ADJUST Family Environment Variables" (2021.8 to
//! 2021.12 number algorithms, later ones say that there are more presets than algorithms), and 2021.18.0, whose
//! messages between 4 and between 6 ranks of one host were counted under every number. A number has a name where these
//! are the messages of the algorithm that the documentation has there. It is offered as `adjust-N` where they differ
//! from those under number 0 (the library's own logic), and not at all where they do not: the library may have taken
//! another one in silence, as it does where a name needs a power of two.

use super::{AlgorithmNames, CallProperties, Setting, VariableValue, Ways};
use crate::collective::{Algorithm, Shape};

/// Ways of making Intel MPI use its algorithms.
pub static WAYS: Ways = Ways {
    algorithms: ALGORITHMS,
    since: &[],
    left_out: "; numbers of I_MPI_ADJUST_… under which its messages are the same as under number 0 are not offered",
    setting,
    falls_back,
    environment: &[],
    told_at_start: true,
    number: |operation, name| Some(number(operation, name)).filter(|number| *number > 0),
    cutting: &[],
    needs_several_hosts: None,
    calls,
};

const ALGORITHMS: AlgorithmNames = &[
    (
        "barrier",
        &[
            "dissemination",
            "recursive_doubling",
            "adjust-3",
            "adjust-4",
            "adjust-5",
            "adjust-6",
            "adjust-7",
            "adjust-8",
            "adjust-9",
            "adjust-10",
        ],
    ),
    (
        "bcast",
        &[
            "binomial",
            "recursive_doubling",
            "ring",
            "adjust-5",
            "adjust-6",
            "adjust-7",
            "adjust-8",
            "adjust-9",
            "adjust-10",
            "adjust-11",
        ],
    ),
    ("gather", &["binomial", "adjust-3"]),
    ("gatherv", &["adjust-1", "adjust-2", "adjust-3"]),
    ("scatter", &["binomial", "adjust-3", "adjust-4"]),
    ("scatterv", &["linear", "adjust-3"]),
    ("allgather", &["recursive_doubling", "brucks", "ring", "adjust-4", "adjust-5"]),
    ("allgatherv", &["recursive_doubling", "brucks", "ring", "adjust-4"]),
    (
        "alltoall",
        &["brucks", "isend_irecv", "pairwise", "adjust-14", "adjust-15", "adjust-16", "adjust-17", "adjust-18"],
    ),
    ("alltoallv", &["isend_irecv", "adjust-2"]),
    ("alltoallw", &["isend_irecv"]),
    (
        "reduce",
        &[
            "adjust-1",
            "binomial",
            "adjust-3",
            "adjust-4",
            "rabenseifner",
            "adjust-7",
            "adjust-8",
            "adjust-9",
            "adjust-10",
            "adjust-11",
            "adjust-12",
        ],
    ),
    (
        "allreduce",
        &[
            "recursive_doubling",
            "rabenseifner",
            "adjust-3",
            "adjust-4",
            "adjust-5",
            "adjust-6",
            "adjust-7",
            "ring",
            "adjust-10",
            "adjust-11",
            "adjust-12",
            "adjust-13",
            "adjust-14",
            "adjust-15",
            "adjust-16",
            "adjust-17",
            "adjust-18",
            "adjust-19",
            "adjust-23",
        ],
    ),
    ("reduce_scatter", &["recursive_halving", "pairwise", "adjust-3", "adjust-4", "adjust-5"]),
    ("reduce_scatter_block", &["adjust-3"]),
];

/// Numbers of names that do not contain them, and our algorithm with the same messages, where there is one.
const NUMBERS: &[(&str, &str, i32, Option<&str>)] = &[
    ("barrier", "dissemination", 1, Some("dissemination")),
    ("barrier", "recursive_doubling", 2, None),
    ("bcast", "binomial", 1, Some("binomial")),
    ("bcast", "recursive_doubling", 2, Some("scatter-allgather")),
    ("bcast", "ring", 3, Some("scatter-allgather-ring")),
    ("gather", "binomial", 1, Some("binomial")),
    ("scatter", "binomial", 1, Some("binomial")),
    ("scatterv", "linear", 1, None),
    ("allgather", "recursive_doubling", 1, Some("recursive-doubling")),
    ("allgather", "brucks", 2, Some("bruck")),
    ("allgather", "ring", 3, Some("ring")),
    ("allgatherv", "recursive_doubling", 1, None),
    ("allgatherv", "brucks", 2, None),
    ("allgatherv", "ring", 3, None),
    ("alltoall", "brucks", 1, Some("bruck")),
    ("alltoall", "isend_irecv", 2, Some("linear")),
    ("alltoall", "pairwise", 3, Some("pairwise")),
    ("alltoallv", "isend_irecv", 1, None),
    ("alltoallw", "isend_irecv", 1, None),
    ("reduce", "binomial", 2, Some("binomial")),
    ("reduce", "rabenseifner", 5, Some("rabenseifner")),
    ("allreduce", "recursive_doubling", 1, Some("recursive-doubling")),
    ("allreduce", "rabenseifner", 2, Some("rabenseifner")),
    ("allreduce", "ring", 8, Some("ring")),
    ("reduce_scatter", "recursive_halving", 1, Some("recursive-halving")),
    ("reduce_scatter", "pairwise", 2, Some("pairwise")),
];

fn calls(algorithm: &Algorithm) -> Option<&'static str> {
    let operation = algorithm.collective.to_string().replace('-', "_");
    let same = NUMBERS.iter().find(|(of, .., ours)| *of == operation && *ours == Some(algorithm.name));
    same.map(|(_, theirs, ..)| *theirs)
}

fn number(operation: &str, name: &str) -> i32 {
    let own = name.strip_prefix("adjust-").and_then(|number| number.parse().ok());
    let named = NUMBERS.iter().find(|(of, theirs, ..)| (*of, *theirs) == (operation, name));
    own.or(named.map(|(_, _, number, _)| *number)).unwrap_or(-1)
}

fn setting(operation: &str, name: &'static str, _: &Shape) -> Setting {
    let number = number(operation, name);
    let operation = operation.to_uppercase();
    Setting {
        variable: format!("MPIR_CVAR_USE_{operation}"),
        number: VariableValue::Ranged(number),
        name,
        further: Vec::new(),
        required: Vec::new(),
        at_start: Some((format!("I_MPI_ADJUST_{operation}"), number.to_string())),
        captured: true,
        component: None,
    }
}

/// Checks that the description of a variable has this number in its range: `range: 0-22`.
pub(super) fn within(number: i32, description: &str) -> Result<i32, String> {
    let range = description.split_once("range: 0-").map(|(_, rest)| rest);
    let last = range.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<i32>().ok());
    match last {
        Some(last) if (1..=last).contains(&number) => Ok(number),
        Some(last) => Err(format!("it has 0 to {last} and not {number}")),
        None => Err("it says no range".to_owned()),
    }
}

/// Returns the reason why another algorithm would be used, if so, counted between 6 ranks.
fn falls_back(operation: &str, name: &str, asked: &CallProperties) -> Option<String> {
    match (operation, name) {
        ("bcast", "recursive_doubling" | "adjust-5") | ("allgather" | "allgatherv", "recursive_doubling")
            if !asked.ranks.is_power_of_two() =>
        {
            Some(format!("it needs a number of ranks that is a power of two, found {}", asked.ranks))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Collective;

    #[test]
    fn every_name_has_one_number_in_order() {
        for (operation, names) in ALGORITHMS {
            let numbers: Vec<i32> = names.iter().map(|name| number(operation, name)).collect();
            assert!(numbers.is_sorted_by(|one, next| one < next) && numbers[0] > 0, "{operation}: {numbers:?}");
        }
        for (operation, name, ..) in NUMBERS {
            assert!(ALGORITHMS.iter().any(|(of, names)| of == operation && names.contains(name)), "{operation} {name}");
        }
        for (operation, .., ours) in NUMBERS {
            let collective = Collective::ALL.into_iter().find(|one| one.to_string().replace('-', "_") == *operation);
            if let Some(ours) = ours {
                Algorithm::find(collective.expect("an operation of ours"), ours).expect("one of ours");
            }
        }
    }

    #[test]
    fn a_number_is_held_against_the_range_of_the_library_s_description() {
        let said = "Control selection of MPI_Allgather algorithm presets.$ range: 0-6 @Alias:# I_MPI_ADJUST_ALLGATHER";
        assert_eq!(within(6, said), Ok(6));
        let refused = [within(7, said), within(0, said), within(1, "no such thing")].map(|said| said.unwrap_err());
        assert_eq!(refused, ["it has 0 to 6 and not 7", "it has 0 to 6 and not 0", "it says no range"]);
    }
}

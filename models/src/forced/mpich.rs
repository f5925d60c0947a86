//! MPICH's collectives, in the order of MPICH 4.0.2. Versions differ in their numbers (4.1 and later count allgather's
//! `nb` as 3, not 2), so the number that is written is the place of the name in the description that the library's own
//! variable has at run time (MPI_T), `auto` being 0.
//!
//! A call that falls back is an error there (`MPIR_CVAR_COLLECTIVE_FALLBACK=error`); cases that are known beforehand
//! are refused here.

use super::{AlgorithmNames, CallProperties, Setting, VariableValue, Ways};
use crate::collective::Shape;

/// Ways of making MPICH use its algorithms.
pub static WAYS: Ways = Ways {
    algorithms: ALGORITHMS,
    since: &[],
    left_out: "",
    setting,
    falls_back,
    environment: &[("MPIR_CVAR_COLLECTIVE_FALLBACK", "error"), ("MPIR_CVAR_DEVICE_COLLECTIVES", "none")],
    told_at_start: false,
    // It has names in files.
    number: |_, _| None,
    cutting: &[],
    needs_several_hosts: Some(BETWEEN_HOSTS),
    calls: |algorithm| algorithm.mpich,
};

const ALGORITHMS: AlgorithmNames = &[
    ("barrier", &["nb", "smp", "dissemination"]),
    ("bcast", &["binomial", "nb", "smp", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"]),
    ("gather", &["binomial", "nb"]),
    ("gatherv", &["linear", "nb"]),
    ("scatter", &["binomial", "nb"]),
    ("scatterv", &["linear", "nb"]),
    ("allgather", &["brucks", "nb", "recursive_doubling", "ring"]),
    ("allgatherv", &["brucks", "nb", "recursive_doubling", "ring"]),
    ("alltoall", &["brucks", "nb", "pairwise", "pairwise_sendrecv_replace", "scattered"]),
    ("alltoallv", &["nb", "pairwise_sendrecv_replace", "scattered"]),
    ("alltoallw", &["nb", "pairwise_sendrecv_replace", "scattered"]),
    ("reduce", &["binomial", "nb", "smp", "reduce_scatter_gather"]),
    ("allreduce", &["nb", "smp", "recursive_doubling", "reduce_scatter_allgather"]),
    ("reduce_scatter", &["nb", "noncommutative", "pairwise", "recursive_doubling", "recursive_halving"]),
    ("reduce_scatter_block", &["noncommutative", "recursive_doubling", "pairwise", "recursive_halving", "nb"]),
    ("scan", &["nb", "smp", "recursive_doubling"]),
    ("exscan", &["nb", "recursive_doubling"]),
];

/// Name of the algorithm that goes first within hosts and then between them. Where all ranks are on one host, 4.0.2,
/// 4.3.2 and 5.0.2 end with "User set collective algorithm is not usable for the provided arguments", whatever the
/// operation.
pub(super) const BETWEEN_HOSTS: &str = "smp";

/// Names that one version or another has, in all operations: where a description has no line breaks (4.0), they tell
/// where the text on one ends and the next name begins.
const NAMES: &[&str] = &[
    "auto",
    "binomial",
    "brucks",
    "ccl",
    "dissemination",
    "k_brucks",
    "k_dissemination",
    "k_reduce_scatter_allgather",
    "linear",
    "nb",
    "noncommutative",
    "pairwise",
    "pairwise_sendrecv_replace",
    "pipelined_tree",
    "recexch",
    "recexch_doubling",
    "recexch_halving",
    "recursive_doubling",
    "recursive_halving",
    "recursive_multiplying",
    "reduce_scatter_allgather",
    "reduce_scatter_gather",
    "ring",
    "scatter_recursive_doubling_allgather",
    "scatter_ring_allgather",
    "scattered",
    "smp",
    "tree",
];

/// Operations and names of algorithms that later versions call otherwise, with the later name.
const RENAMED: &[(&str, &str, &str)] = &[("barrier", "dissemination", "k_dissemination")];

fn setting(operation: &str, name: &'static str, _: &Shape) -> Setting {
    let variable = format!("MPIR_CVAR_{}_INTRA_ALGORITHM", operation.to_uppercase());
    let renamed = RENAMED.iter().filter(|(of, before, _)| (*of, *before) == (operation, name));
    let names = std::iter::once(name).chain(renamed.map(|(_, _, later)| *later)).collect();
    // Of error, print and silent the first.
    let required = vec![("MPIR_CVAR_COLLECTIVE_FALLBACK", 0)];
    let number = VariableValue::Described(names);
    Setting { variable, number, name, further: Vec::new(), required, at_start: None, captured: false, component: None }
}

/// Returns the choices that the description of a variable lists, in the order of their numbers: a name, ` - `, and a
/// sentence each.
///
/// # Errors
/// Fails where a choice has no name that is known, where the first one is not `auto`, and where a name is there twice.
fn choices(description: &str) -> Result<Vec<&'static str>, String> {
    let mut found: Vec<&'static str> = Vec::new();
    for line in description.lines() {
        // Without line breaks a sentence and the next name are one word.
        for (at, _) in line.match_indices("- ").filter(|(at, _)| line[..*at].ends_with(' ')) {
            let before = line[..at].trim_end();
            let named = NAMES.iter().filter(|name| before.ends_with(*name));
            match named.max_by_key(|name| name.len()) {
                Some(name) if found.contains(name) => return Err(format!("it lists {name} twice")),
                Some(name) => found.push(name),
                None => {
                    let word = before.split_whitespace().last().unwrap_or_default();
                    return Err(format!("it lists '{word}', which is no known name"));
                }
            }
        }
    }
    match found.first() {
        Some(&"auto") => Ok(found),
        Some(other) => Err(format!("it lists {other} first, and not auto")),
        None => Err("it lists no choices".to_owned()),
    }
}

/// Returns the number of the first of these names that the description of a variable lists.
///
/// # Errors
/// Fails where it lists none of them, and says which it lists, or where it is in another form.
pub(super) fn number(description: &str, names: &[&str]) -> Result<i32, String> {
    let listed = choices(description)?;
    let place = names.iter().find_map(|name| listed.iter().position(|listed| listed == name));
    match place {
        Some(place) => Ok(place as i32),
        None => Err(format!("it lists {} and not {}", listed.join(", "), names.join(" or "))),
    }
}

/// Returns the reason why the call would be an error, where that is known beforehand.
fn falls_back(operation: &str, name: &str, asked: &CallProperties) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A description in the form of 4.0, and of the same choices in that of later versions.
    fn described(choices: &[(&str, &str)]) -> [String; 2] {
        let each = |between: &str| {
            choices.iter().map(|(name, sentence)| format!("{name:<14} - {sentence}")).collect::<Vec<_>>().join(between)
        };
        [
            format!("Variable to select an algorithm{}", each("")),
            format!("Variable to select an algorithm\n{}\n", each("\n")),
        ]
    }

    #[test]
    fn numbers_are_places_in_the_description_whatever_its_version() {
        let auto =
            ("auto", "Internal algorithm selection (can be overridden with MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)");
        let old = [auto, ("brucks", "Force brucks algorithm"), ("nb", "Force nonblocking algorithm")];
        let old = [&old[..], &[("pairwise", "Force pairwise algorithm"), ("scattered", "Force scattered algorithm")]]
            .concat();
        let new = [&old[..2], &[("k_brucks", "Force Force radix k brucks algorithm")], &old[2..]].concat();
        for (choices, nb, pairwise, scattered) in [(old, 2, 3, 4), (new, 3, 4, 5)] {
            for description in described(&choices) {
                let number = |name| number(&description, &[name]);
                assert_eq!(number("auto"), Ok(0));
                assert_eq!((number("brucks"), number("nb")), (Ok(1), Ok(nb)), "{description}");
                assert_eq!((number("pairwise"), number("scattered")), (Ok(pairwise), Ok(scattered)), "{description}");
                assert!(number("ring").unwrap_err().contains("brucks"));
            }
        }
        let renamed =
            described(&[auto, ("smp", "Force smp algorithm"), ("k_dissemination", "Force high radix dissemination")]);
        for description in renamed {
            let VariableValue::Described(names) = setting("barrier", "dissemination", &Shape::new(2, 0, 0)).number
            else {
                panic!("a number")
            };
            assert_eq!(number(&description, &names), Ok(2), "{description}");
        }
    }

    #[test]
    fn descriptions_of_another_form_are_refused() {
        let said = [
            "Variable to select an algorithm",
            "Variable\nbrucks - Force brucks\nauto - Internal",
            "Variable\nauto - Internal\nunheard_of - Force it",
            "Variable\nauto - Internal\nring - Force ring\nring - Force ring",
        ]
        .map(|description| number(description, &["ring"]).unwrap_err());
        let wanted = ["no choices", "brucks first", "'unheard_of'", "ring twice"];
        assert!(said.iter().zip(wanted).all(|(said, wanted)| said.contains(wanted)), "{said:?}");
    }
}

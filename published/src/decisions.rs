//! Diagnostics of MPI libraries in a run's files: the algorithms that a library says it uses.

use std::collections::BTreeSet;

/// Names of the algorithms of barriers in Open MPI's call stacks, and those of Parallax (`coll_base_functions.h`, 4.1).
const STACKS: [(&str, &str); 5] = [
    ("ompi_coll_base_barrier_intra_tree", "tree"),
    ("ompi_coll_base_barrier_intra_recursivedoubling", "recursive-doubling"),
    ("ompi_coll_base_barrier_intra_bruck", "dissemination"),
    ("ompi_coll_base_barrier_intra_doublering", "double-ring"),
    ("ompi_coll_base_barrier_intra_basic_linear", "linear"),
];

/// Returns the barriers in which ranks were when they crashed, by their names here.
pub(crate) fn barriers_of_stacks(text: &str) -> BTreeSet<&'static str> {
    STACKS.into_iter().filter(|(function, _)| text.contains(function)).map(|(_, name)| name).collect()
}

/// Returns the choices of Fujitsu's library, `An algorithm is selected. [system-files] [bcast] [103]`: the operation,
/// and the words on the algorithm.
pub(crate) fn selected(text: &str) -> BTreeSet<(String, String)> {
    let choice = |line: &str| {
        let (_, choice) = line.split_once("An algorithm is selected. [")?;
        let mut words = choice.trim_end_matches(']').split("] [");
        let (source, operation, number) = (words.next()?, words.next()?, words.next()?);
        Some((operation.to_owned(), format!("{source} {number}")))
    };
    text.lines().filter_map(|line| choice(line.trim())).collect()
}

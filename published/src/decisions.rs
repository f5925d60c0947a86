//! Diagnostics of MPI libraries in a run's files: which algorithms a library says that it uses.

use std::collections::BTreeSet;

/// What the algorithms of barriers are called in Open MPI's call stacks, and by Parallax (`coll_base_functions.h`, 4.1).
const STACKS: [(&str, &str); 5] = [
    ("ompi_coll_base_barrier_intra_tree", "tree"),
    ("ompi_coll_base_barrier_intra_recursivedoubling", "recursive-doubling"),
    ("ompi_coll_base_barrier_intra_bruck", "dissemination"),
    ("ompi_coll_base_barrier_intra_doublering", "double-ring"),
    ("ompi_coll_base_barrier_intra_basic_linear", "linear"),
];

/// The barriers in which ranks were when they crashed, by their names here.
pub(crate) fn barriers_of_stacks(text: &str) -> BTreeSet<&'static str> {
    STACKS.into_iter().filter(|(function, _)| text.contains(function)).map(|(_, name)| name).collect()
}

/// The choices of Fujitsu's library, `An algorithm is selected. [system-files] [bcast] [103]`: of which operation, and
/// what it says of the algorithm.
pub(crate) fn selected(text: &str) -> BTreeSet<(String, String)> {
    let choice = |line: &str| {
        let (_, choice) = line.split_once("An algorithm is selected. [")?;
        let mut words = choice.trim_end_matches(']').split("] [");
        let (source, operation, number) = (words.next()?, words.next()?, words.next()?);
        Some((operation.to_owned(), format!("{source} {number}")))
    };
    text.lines().filter_map(|line| choice(line.trim())).collect()
}

//! Names of algorithms in measurements that others published by the framework PICO (S. Pasqualoni, L. Piarulli, D. De
//! Sensi, 2025), and our algorithms that send the same messages.
//!
//! A name ends with who carries it out: `_ompi` is Open MPI's coll/tuned, made to use one algorithm by a rule without
//! segments and fanout, `_mpich` is MPICH's, `_over` (or `_any_even`) is the framework's own code over point-to-point
//! calls. `default` in front is a library's own choice. Open MPI hands over to other algorithms where one does not fit;
//! a name then stands for what really runs.

use super::decision::openmpi_4_1;
use super::{Algorithm, Collective, Shape};
use crate::names::suggestion;

/// Length of an element in which published lengths are counted, in bytes: int32 or others as long.
pub const PUBLISHED_ELEMENT_BYTES: u64 = 4;

/// Published name of an algorithm of a collective, and its name in a library.
type Alias = (Collective, &'static str, &'static str);

/// Algorithms of Open MPI whose own name in coll/tuned is another.
const OPENMPI: &[Alias] = &[
    (Collective::Allgather, "k_bruck", "bruck"),
    (Collective::Allreduce, "linear", "basic_linear"),
    (Collective::Allreduce, "non_overlapping", "nonoverlapping"),
    (Collective::Allreduce, "ring_segmented", "segmented_ring"),
    (Collective::Bcast, "linear", "basic_linear"),
    (Collective::Bcast, "split_binary", "split_binary_tree"),
    (Collective::Bcast, "binary", "binary_tree"),
    (Collective::Gather, "linear", "basic_linear"),
    (Collective::Gather, "linear_synch", "linear_sync"),
    (Collective::Reduce, "in_order", "in-order_binary"),
    (Collective::ReduceScatter, "non_overlapping", "non-overlapping"),
    (Collective::Scatter, "linear", "basic_linear"),
];

/// Algorithms of MPICH whose own name is another.
const MPICH: &[Alias] = &[
    (Collective::Allreduce, "rabenseifner", "reduce_scatter_allgather"),
    (Collective::Reduce, "rabenseifner", "reduce_scatter_gather"),
    (Collective::ReduceScatter, "non_commutative", "noncommutative"),
];

/// Calls for which the framework's code sends the messages of an algorithm of ours. The numbers of ranks of that
/// algorithm limit them further.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// Calls with at least as many elements as ranks.
    Any,
    /// Calls with at least as many elements as ranks, on a power of two of ranks.
    PowersOfTwo,
    /// Calls with at least as many elements as ranks, on a power of two of at most 256 ranks: positions are in a table.
    Tabled,
    /// Calls with any number of elements.
    AnyLength,
}

/// The framework's own algorithms: published name, our name, and the calls for which both are the same. The name of one
/// that cuts messages may end with the length of a segment.
const OWN: &[(Collective, &str, &str, For)] = &[
    (Collective::Allgather, "bine_2_blocks_dtype_over", "bine-two-blocks-packed", For::Any),
    (Collective::Allgather, "bine_2_blocks_over", "bine-two-blocks", For::Any),
    (Collective::Allgather, "bine_block_by_block_over", "bine-blocks", For::PowersOfTwo),
    (Collective::Allgather, "bine_block_by_block_over_any_even", "bine-blocks", For::Any),
    (Collective::Allgather, "bine_permute_remap_over", "bine-permute", For::Tabled),
    (Collective::Allgather, "bine_permute_static_over", "bine-permute", For::Tabled),
    (Collective::Allgather, "bine_send_remap_over", "bine-send", For::Any),
    (Collective::Allgather, "bine_send_static_over", "bine-send-static", For::Tabled),
    (Collective::Allgather, "k_bruck_over", "bruck", For::Any),
    (Collective::Allgather, "recursive_doubling_over", "recursive-doubling", For::PowersOfTwo),
    (Collective::Allgather, "ring_over", "ring", For::Any),
    (Collective::Allgather, "sparbit_over", "sparbit", For::Any),
    (Collective::Allreduce, "bine_bdw_remap_over", "bine-scatter-allgather", For::PowersOfTwo),
    (Collective::Allreduce, SEGMENTED, "bine-scatter-allgather", For::Any),
    (Collective::Allreduce, "bine_bdw_static_over", "bine-scatter-allgather", For::Tabled),
    (Collective::Allreduce, "bine_block_by_block_any_even", "bine-blocks", For::Any),
    (Collective::Allreduce, "bine_lat_over", "bine", For::AnyLength),
    (Collective::Allreduce, "recursive_doubling_over", "recursive-doubling", For::AnyLength),
    (Collective::Allreduce, "ring_over", "ring", For::Any),
    (Collective::Allreduce, "rabenseifner_over", "rabenseifner-halves", For::Any),
    (Collective::Alltoall, "bine_over", "bine", For::Any),
    (Collective::Bcast, "bine_bdw_remap_over", "bine-scatter-allgather", For::Any),
    (Collective::Bcast, "bine_bdw_static_over", "bine-scatter-at-once", For::Tabled),
    (Collective::Bcast, "bine_lat_i_new_over", "bine-nonblocking", For::AnyLength),
    (Collective::Bcast, "bine_lat_new_over", "bine", For::AnyLength),
    (Collective::Bcast, "bine_lat_over", "bine-doubling", For::AnyLength),
    (Collective::Bcast, "bine_lat_reversed_over", "bine-nonblocking", For::AnyLength),
    (Collective::Bcast, "scatter_allgather_over", "scatter-allgather", For::Any),
    (Collective::Gather, "bine_over", "bine", For::Any),
    (Collective::Reduce, "bine_bdw_over", "bine-scatter-gather", For::Any),
    (Collective::Reduce, "bine_lat_over", "bine", For::AnyLength),
    (Collective::ReduceScatter, "bine_block_by_block_any_even", "bine-blocks", For::Any),
    (Collective::ReduceScatter, "bine_block_by_block_over", "bine-blocks", For::PowersOfTwo),
    (Collective::ReduceScatter, "bine_permute_remap_over", "bine-permute", For::Any),
    (Collective::ReduceScatter, "bine_send_remap_over", "bine-send", For::Any),
    (Collective::ReduceScatter, "butterfly_over", "butterfly", For::PowersOfTwo),
    (Collective::ReduceScatter, "recursive_distance_doubling_over", "butterfly", For::PowersOfTwo),
    (Collective::ReduceScatter, "recursive_halving_over", "recursive-halving", For::Any),
    (Collective::ReduceScatter, "ring_over", "ring", For::Any),
    (Collective::Scatter, "bine_over", "bine", For::Any),
];

/// Published name of the algorithm that cuts messages.
const SEGMENTED: &str = "bine_bdw_remap_segmented_over";

/// Returns our algorithm that stands for a published one, and the shape of a call on `ranks` ranks with root 0.
/// `elements` (int32) are of the whole buffer: where every rank has a block, it has elements / ranks of them, rounded
/// down.
///
/// # Errors
/// Says in a sentence why none stands for it.
pub fn published(
    name: &str,
    collective: Collective,
    ranks: u32,
    elements: u64,
) -> Result<(&'static Algorithm, Shape), String> {
    if ranks == 0 {
        return Err("expected at least one rank, found 0".to_owned());
    }
    let block = if collective.has_blocks() { elements / u64::from(ranks) } else { elements };
    let shape = Shape::new(ranks, 0, block.saturating_mul(PUBLISHED_ELEMENT_BYTES));
    let found = if let Some(of_library) = name.strip_suffix("_ompi") {
        openmpi(of_library, collective, &shape, block)?
    } else if let Some(of_library) = name.strip_suffix("_mpich") {
        mpich(of_library, collective, &shape, block)?
    } else {
        own(name, collective, shape, elements)?
    };
    found.0.accepts(&found.1)?;
    Ok(found)
}

impl Algorithm {
    /// Returns the published names of algorithms that send the same messages, on some numbers of ranks: Open MPI's, and
    /// the framework's own code.
    pub fn published_as(&self) -> Vec<String> {
        let alias =
            |called: &str| OPENMPI.iter().find(|(of, _, of_library)| (*of, *of_library) == (self.collective, called));
        let openmpi =
            self.openmpi.map(|called| format!("{}_ompi", alias(called).map_or(called, |(_, published, _)| published)));
        let same = |(of, _, ours, _): &&(Collective, &str, &str, For)| (*of, *ours) == (self.collective, self.name);
        let own = OWN.iter().filter(same).map(|(_, published, ..)| (*published).to_owned());
        openmpi.into_iter().chain(own).collect()
    }
}

/// Returns Open MPI's name of the algorithm that a published name stands for: `default` for its own choice, `None` for the
/// code of others.
pub fn published_by_openmpi(name: &str, collective: Collective) -> Option<&str> {
    Some(called(OPENMPI, collective, name.strip_suffix("_ompi")?))
}

/// Returns the library's name of an algorithm that is published under another.
fn called<'a>(aliases: &[Alias], collective: Collective, name: &'a str) -> &'a str {
    let alias = aliases.iter().find(|(of, alias, _)| *of == collective && *alias == name);
    alias.map_or(name, |(_, _, called)| called)
}

fn openmpi(
    name: &str,
    collective: Collective,
    shape: &Shape,
    elements: u64,
) -> Result<(&'static Algorithm, Shape), String> {
    if (collective, name) == (Collective::Allreduce, "allgather_reduce") {
        return Err("allgather_reduce is an algorithm of Open MPI 5; that of Open MPI 4.1 is known".to_owned());
    }
    // The framework calls MPI_Reduce_scatter, whose counts are equal.
    let with_counts = collective == Collective::ReduceScatter;
    let asked = openmpi_4_1::LibraryCall { collective, shape, elements, commutative: true, with_counts };
    let pick = match name {
        "default" => openmpi_4_1::by_itself(&asked),
        name => openmpi_4_1::forced(&asked, called(OPENMPI, collective, name)),
    }?;
    Ok((pick.algorithm, pick.shape))
}

fn mpich(
    name: &str,
    collective: Collective,
    shape: &Shape,
    elements: u64,
) -> Result<(&'static Algorithm, Shape), String> {
    if name == "default" {
        return Err("which algorithm Cray MPICH takes by itself is not known".to_owned());
    }
    let called = called(MPICH, collective, name);
    let algorithm = Algorithm::for_collective(collective)
        .find(|algorithm| algorithm.mpich == Some(called))
        .ok_or_else(|| format!("MPICH's {collective} '{called}' is not among Parallax's algorithms"))?;
    let power = 1 << shape.log2_floor();
    match called {
        "recursive_doubling" | "scatter_recursive_doubling_allgather" | "noncommutative"
            if matches!(collective, Collective::Allgather | Collective::Bcast | Collective::ReduceScatter)
                && !shape.ranks.is_power_of_two() =>
        {
            Err(format!(
                "MPICH's {called} is for a power of two of ranks, found {}; what it takes instead is not known",
                shape.ranks
            ))
        }
        "reduce_scatter_allgather" | "reduce_scatter_gather" if elements < power => Err(format!(
            "MPICH's {called} is for at least {power} elements, found {elements}; what it takes instead is not known"
        )),
        _ => Ok((algorithm, *shape)),
    }
}

fn own(name: &str, collective: Collective, shape: Shape, elements: u64) -> Result<(&'static Algorithm, Shape), String> {
    let segment = name.strip_prefix(SEGMENTED).and_then(|rest| rest.strip_prefix('_'));
    let segment_bytes = match segment.map(str::parse) {
        None => 0,
        Some(Ok(bytes)) => bytes,
        Some(Err(_)) => return Err(format!("expected bytes behind {SEGMENTED}_, found '{name}'")),
    };
    if name == SEGMENTED {
        return Err(format!(
            "{name} without the bytes of a segment is published as 3 to 24 times as long as the same code with segments \
             that hold the whole message: what it sent is not known"
        ));
    }
    let called = if segment.is_some() { SEGMENTED } else { name };
    let Some((_, _, ours, limit)) = OWN.iter().find(|(of, known, ..)| *of == collective && *known == called) else {
        return Err(unknown(name, collective));
    };
    let ranks = shape.ranks;
    if *limit == For::PowersOfTwo && !ranks.is_power_of_two() {
        return Err(format!("{name} is known for a power of two of ranks only, found {ranks}"));
    }
    if *limit == For::Tabled && (ranks > 256 || !ranks.is_power_of_two()) {
        return Err(format!("{name} is for a power of two of at most 256 ranks, found {ranks}"));
    }
    if *limit != For::AnyLength && elements < u64::from(ranks) {
        return Err(format!("{name} is for at least as many elements as ranks, found {elements} for {ranks} ranks"));
    }
    Ok((Algorithm::find(collective, ours)?, Shape { segment_bytes, ..shape }))
}

fn unknown(name: &str, collective: Collective) -> String {
    if name.starts_with("default-") || name.chars().any(char::is_uppercase) {
        return format!("'{name}' is of a program that is not published");
    }
    let known: Vec<&str> = OWN.iter().filter(|(of, ..)| *of == collective).map(|(_, name, ..)| *name).collect();
    let suggestion = suggestion(name, &known);
    format!("'{name}' is no {collective} of Parallax's; known: NAME_ompi, NAME_mpich, {}{suggestion}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, collective: Collective, ranks: u32, elements: u64) -> (&'static str, u64, u32) {
        let (algorithm, shape) = published(name, collective, ranks, elements).unwrap();
        assert_eq!((shape.ranks, shape.root, shape.segment_bytes), (ranks, 0, 0));
        (algorithm.name, shape.bytes, shape.fanout)
    }

    #[test]
    fn names_of_open_mpi_are_forced_without_segments_and_hand_over_as_its_algorithms_do() {
        use Collective::*;
        let expected = [
            ("binomial_ompi", Bcast, 32, 8, ("binomial-doubling", 32, 0)),
            ("knomial_ompi", Bcast, 32, 8, ("k-nomial", 32, 4)),
            ("chain_ompi", Bcast, 32, 8, ("chain", 32, 1)),
            ("split_binary_ompi", Bcast, 32, 2, ("split-binary", 8, 0)),
            ("split_binary_ompi", Bcast, 32, 1, ("pipeline", 4, 0)),
            ("scatter_allgather_ompi", Bcast, 32, 32, ("scatter-allgather", 128, 0)),
            ("scatter_allgather_ompi", Bcast, 32, 31, ("linear", 124, 0)),
            ("scatter_allgather_ring_ompi", Bcast, 32, 8, ("linear", 32, 0)),
            ("in_order_ompi", Reduce, 32, 8, ("in-order-binary", 32, 0)),
            ("rabenseifner_ompi", Reduce, 60, 32, ("rabenseifner-halves", 128, 0)),
            ("rabenseifner_ompi", Allreduce, 60, 32, ("rabenseifner-halves", 128, 0)),
            ("rabenseifner_ompi", Reduce, 60, 31, ("linear", 124, 0)),
            ("rabenseifner_ompi", Allreduce, 60, 31, ("linear", 124, 0)),
            ("ring_ompi", Allreduce, 60, 60, ("ring", 240, 0)),
            ("ring_ompi", Allreduce, 60, 59, ("recursive-doubling", 236, 0)),
            ("ring_segmented_ompi", Allreduce, 60, 60, ("ring", 240, 0)),
            ("recursive_doubling_ompi", Allgather, 64, 640, ("recursive-doubling", 40, 0)),
            ("recursive_doubling_ompi", Allgather, 60, 640, ("bruck", 40, 0)),
            ("neighbor_ompi", Allgather, 60, 640, ("neighbour", 40, 0)),
            ("neighbor_ompi", Allgather, 61, 640, ("ring", 40, 0)),
            ("linear_synch_ompi", Gather, 60, 640, ("linear-sync", 40, 0)),
            ("linear_nb_ompi", Scatter, 60, 640, ("linear-nonblocking", 40, 0)),
            ("linear_sync_ompi", Alltoall, 60, 640, ("linear-sync", 40, 59)),
            ("modified_bruck_ompi", Alltoall, 60, 640, ("bruck", 40, 0)),
            ("recursive_halving_ompi", ReduceScatter, 60, 640, ("recursive-halving", 40, 0)),
        ];
        for (name, collective, ranks, elements, ours) in expected {
            assert_eq!(found(name, collective, ranks, elements), ours, "{name} {ranks} {elements}");
        }
    }

    #[test]
    fn the_choice_of_open_mpi_is_by_bytes_and_hands_over_by_elements() {
        // 16 ≤ P < 32 and m < 64 B: segmented_ring; 15 elements for 16 ranks are too few, 16 are not.
        assert_eq!(found("default_ompi", Collective::Allreduce, 16, 15).0, "recursive-doubling");
        assert_eq!(found("default_ompi", Collective::Bcast, 512, 4_096), ("split-binary", 16_384, 0));
        // MPI_Reduce_scatter's table looks at all blocks together: 8 ≤ P < 32 and less than 256 KiB: recursive halving.
        assert_eq!(found("default_ompi", Collective::ReduceScatter, 8, 1_024), ("recursive-halving", 512, 0));
        assert_eq!(found("default_ompi", Collective::ReduceScatter, 8, 65_536).0, "ring");
    }

    #[test]
    fn what_the_framework_sends_itself_is_ours_of_the_same_messages() {
        assert_eq!(found("ring_over", Collective::Allgather, 200, 1_000), ("ring", 20, 0));
        assert_eq!(found("recursive_distance_doubling_over", Collective::ReduceScatter, 8, 8), ("butterfly", 4, 0));
        assert_eq!(found("recursive_doubling_over", Collective::Allreduce, 200, 1).0, "recursive-doubling");
        assert_eq!(found("rabenseifner_mpich", Collective::Allreduce, 8, 8).0, "rabenseifner");
        assert_eq!(found("rabenseifner_over", Collective::Allreduce, 6, 8).0, "rabenseifner-halves");
        assert_eq!(found("bine_lat_new_over", Collective::Bcast, 8, 1), ("bine", 4, 0));
        assert_eq!(
            found("bine_block_by_block_any_even", Collective::ReduceScatter, 200, 1_000),
            ("bine-blocks", 20, 0)
        );
        let segmented = published("bine_bdw_remap_segmented_over_16384", Collective::Allreduce, 200, 8_192).unwrap();
        assert_eq!((segmented.0.name, segmented.1.segment_bytes), ("bine-scatter-allgather", 16_384));
    }

    #[test]
    fn every_name_of_the_framework_s_own_stands_for_an_algorithm_of_its_collective() {
        for (collective, name, ours, _) in OWN {
            let whole = if *name == SEGMENTED { format!("{name}_0") } else { (*name).to_owned() };
            assert_eq!(found(&whole, *collective, 8, 64).0, *ours);
        }
    }

    #[test]
    fn where_nothing_of_ours_stands_for_a_name_a_sentence_says_why() {
        let refused = [
            published("default_mpich", Collective::Bcast, 8, 8),
            published("non_blocking_mpich", Collective::Allreduce, 8, 8),
            published("recursive_doubling_mpich", Collective::Allgather, 6, 8),
            published("rabenseifner_mpich", Collective::Reduce, 8, 7),
            published("allgather_reduce_ompi", Collective::Allreduce, 8, 8),
            published("bionmial_ompi", Collective::Bcast, 8, 8),
            published("two_proc_ompi", Collective::Allgather, 3, 8),
            published("default-default", Collective::Bcast, 8, 8),
            published("BINE-LOG-MPI-0-1", Collective::Alltoall, 8, 8),
            published("recursive_doubling_over", Collective::Allgather, 6, 8),
            published("ring_over", Collective::Allreduce, 6, 5),
            published("rign_over", Collective::Allreduce, 6, 6),
            published("ring_over", Collective::Allreduce, 0, 6),
            published("bine_lat_over", Collective::Bcast, 60, 8),
            published("bine_block_by_block_any_even", Collective::ReduceScatter, 61, 610),
            published("bine_send_static_over", Collective::Allgather, 512, 512),
            published("bine_bdw_remap_segmented_over_16KiB", Collective::Allreduce, 8, 64),
            published("bine_bdw_remap_segmented_over", Collective::Allreduce, 8, 64),
        ];
        insta::assert_snapshot!(refused.map(|refused| refused.unwrap_err()).join("\n"));
    }
}

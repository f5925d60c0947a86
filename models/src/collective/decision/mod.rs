//! Algorithms that an MPI library takes by itself, given the collective, the number of ranks and the bytes.
//!
//! A benchmark that calls a library measures whatever these rules pick, and with another P or m another algorithm. They
//! are restated from the libraries' sources; what a library then runs is one of our algorithms, or an error names it.

mod called;
mod mpich_4_0;
mod mpich_cells;
pub(super) mod openmpi_4_1;
mod openmpi_4_1_tables;
mod versions;

pub use called::Called;
pub use mpich_cells::{Steps, ThroughCells};

use super::{Algorithm, Collective, Shape};

crate::named! {
    /// An MPI library whose rules are known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Library {
        /// Open MPI 4.1 and 5.0, component coll/tuned with its fixed rules (the default).
        OpenMpi41 => "openmpi-4.1",
        /// MPICH 4.0 to 5.0, its table for ranks of which each has a node of its own ([`ThroughCells`]: on one node).
        Mpich40 => "mpich-4.0",
    }
    /// The name used in flags and files.
    fn name;
    find("library");
}

impl Library {
    /// Returns the algorithm that the library takes for a call whose elements are one byte long and whose operation, if
    /// any, is built in.
    ///
    /// # Errors
    /// Names the library's algorithm where it is not one of ours.
    pub fn picks(self, collective: Collective, shape: &Shape, commutative: bool) -> Result<Pick, String> {
        match self {
            Library::OpenMpi41 => openmpi_4_1::picks(collective, shape, commutative),
            Library::Mpich40 => mpich_4_0::picks(collective, shape, commutative),
        }
    }
}

/// Algorithm that a library takes, and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// Our algorithm that sends the same messages.
    pub algorithm: &'static Algorithm,
    /// Name of the algorithm in the library.
    pub called: &'static str,
    /// Shape of the call, with the segment size and fanout that the library sets.
    pub shape: Shape,
    /// Rule that led to the algorithm, in words.
    pub rule: String,
}

/// Returns the length of a typical block: the `bytes` that all of them have, or the mean of their counts.
fn mean_block(shape: &Shape) -> u64 {
    match shape.counts {
        None => shape.bytes,
        Some(_) => shape.total() / u64::from(shape.ranks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(library: Library, collective: Collective, ranks: u32, bytes: u64) -> &'static str {
        library.picks(collective, &Shape::new(ranks, 0, bytes), true).unwrap().algorithm.name
    }

    #[test]
    fn the_barrier_of_open_mpi_changes_kind_with_the_number_of_ranks() {
        let expected = [
            (2, "recursive-doubling"),
            (3, "recursive-doubling"),
            (4, "linear"),
            (7, "linear"),
            (8, "recursive-doubling"),
            (63, "recursive-doubling"),
            (64, "dissemination"),
            (255, "dissemination"),
            (256, "tree"),
            (511, "tree"),
            (512, "dissemination"),
            (1023, "dissemination"),
            (1024, "tree"),
            (4095, "tree"),
            (4096, "dissemination"),
            (1 << 30, "dissemination"),
        ];
        for (ranks, name) in expected {
            assert_eq!(picked(Library::OpenMpi41, Collective::Barrier, ranks, 0), name, "{ranks}");
            assert_eq!(picked(Library::Mpich40, Collective::Barrier, ranks, 0), "dissemination");
        }
    }

    #[test]
    fn known_picks_of_open_mpi() {
        let picked = |collective, ranks, bytes| picked(Library::OpenMpi41, collective, ranks, bytes);
        assert_eq!(picked(Collective::Bcast, 4, 8), "binary");
        assert_eq!(picked(Collective::Bcast, 8, 4_095), "k-nomial");
        assert_eq!(picked(Collective::Bcast, 8, 4_096), "binary");
        assert_eq!(picked(Collective::Bcast, 512, 16 << 10), "split-binary");
        assert_eq!(picked(Collective::Bcast, 16, 1 << 20), "scatter-allgather");
        assert_eq!(picked(Collective::Reduce, 2, 1_000), "linear");
        assert_eq!(picked(Collective::Reduce, 4096, 24), "in-order-binary");
        assert_eq!(picked(Collective::Allreduce, 64, 8), "recursive-doubling");
        assert_eq!(picked(Collective::Allreduce, 128, 8), "reduce-bcast");
        assert_eq!(picked(Collective::Gather, 2, 1), "linear-sync");
        assert_eq!(picked(Collective::Scatter, 64, 512), "linear-nonblocking");
        assert_eq!(picked(Collective::Alltoall, 2, 2), "pairwise");
        assert_eq!(picked(Collective::Alltoall, 16, 100), "bruck");
        assert_eq!(picked(Collective::Scan, 100, 8), "linear");
        // Algorithms that hand over to others where they do not fit.
        assert_eq!(picked(Collective::Allgather, 8, 8), "recursive-doubling");
        assert_eq!(picked(Collective::Allgather, 9, 8), "bruck");
        assert_eq!(picked(Collective::Allgather, 40, 2_048), "neighbour");
        assert_eq!(picked(Collective::Allgather, 41, 2_048), "ring");
        assert_eq!(picked(Collective::Allreduce, 3, 2), "recursive-doubling");
        assert_eq!(picked(Collective::Allreduce, 16, 63), "ring");
    }

    #[test]
    fn known_picks_of_mpich() {
        let picked = |collective, ranks, bytes| picked(Library::Mpich40, collective, ranks, bytes);
        assert_eq!(picked(Collective::Bcast, 7, 1 << 20), "binomial");
        assert_eq!(picked(Collective::Bcast, 8, 12_288), "binomial");
        assert_eq!(picked(Collective::Bcast, 8, 12_289), "scatter-allgather");
        assert_eq!(picked(Collective::Bcast, 9, 12_289), "scatter-allgather-ring");
        assert_eq!(picked(Collective::Bcast, 8, 524_289), "scatter-allgather-ring");
        assert_eq!(picked(Collective::Reduce, 8, 2_048), "binomial");
        assert_eq!(picked(Collective::Reduce, 8, 2_049), "rabenseifner");
        assert_eq!(picked(Collective::Reduce, 4096, 4_095), "binomial");
        assert_eq!(picked(Collective::Allreduce, 8, 8), "recursive-doubling");
        assert_eq!(picked(Collective::Allreduce, 8, 9), "rabenseifner");
        assert_eq!(picked(Collective::Allgather, 8, 65_535), "recursive-doubling");
        assert_eq!(picked(Collective::Allgather, 8, 65_536), "ring");
        assert_eq!(picked(Collective::Allgather, 5, 16_383), "bruck");
        assert_eq!(picked(Collective::Alltoall, 8, 256), "bruck");
        assert_eq!(picked(Collective::Alltoall, 8, 32_769), "pairwise");
        assert_eq!(picked(Collective::ReduceScatter, 4, 131_071), "recursive-halving");
        assert_eq!(picked(Collective::ReduceScatter, 4, 131_072), "pairwise");
        assert_eq!(picked(Collective::Gather, 4, 1), "binomial");
        assert_eq!(picked(Collective::Exscan, 4, 1), "recursive-doubling");
    }

    #[test]
    fn every_library_has_an_answer_for_every_call_and_says_why() {
        for library in Library::ALL {
            for collective in Collective::ALL {
                for ranks in (1..=70).chain([128, 300, 512, 1_024, 2_048, 5_000, u32::MAX]) {
                    for bytes in (0..30).map(|power| 1u64 << power >> 1).chain([u64::MAX >> 33]) {
                        for commutative in [true, false] {
                            match library.picks(collective, &Shape::new(ranks, 0, bytes), commutative) {
                                Ok(pick) => {
                                    assert_eq!(pick.algorithm.collective, collective);
                                    assert!(!pick.rule.is_empty());
                                }
                                Err(error) => assert!(error.contains(library.name()), "{error}"),
                            }
                        }
                    }
                }
            }
        }
    }
}

//! Collectives, their algorithms, and the table that lists them.
//!
//! An algorithm is a function of the [`Shape`] (ranks, root, bytes) to a sequence of [`Round`]s.
//! That one description yields the program each rank runs ([`Algorithm::steps`]), the schedule
//! as a graph ([`crate::schedule`]) and the counts of messages and bytes.
//!
//! To add one: write `collective/<collective>_<algorithm>.rs`, add its line to [`ALGORITHMS`].

mod allgather_bine_blocks;
mod allgather_bine_permute;
mod allgather_bine_send;
mod allgather_bine_send_static;
mod allgather_bine_two_blocks;
mod allgather_bine_two_blocks_packed;
mod allgather_bruck;
mod allgather_linear;
mod allgather_neighbour;
mod allgather_recursive_doubling;
mod allgather_ring;
mod allgather_sparbit;
mod allgather_two_proc;
mod allreduce_bine;
mod allreduce_bine_blocks;
mod allreduce_bine_scatter_allgather;
mod allreduce_linear;
mod allreduce_rabenseifner;
mod allreduce_rabenseifner_halves;
mod allreduce_recursive_doubling;
mod allreduce_reduce_bcast;
mod allreduce_ring;
mod allreduce_segmented_ring;
mod alltoall_bine;
mod alltoall_bruck;
mod alltoall_linear;
mod alltoall_linear_sync;
mod alltoall_pairwise;
mod barrier_dissemination;
mod barrier_double_ring;
mod barrier_linear;
mod barrier_n_way_dissemination;
mod barrier_recursive_doubling;
mod barrier_tree;
mod bcast_binary;
mod bcast_bine;
mod bcast_bine_doubling;
mod bcast_bine_nonblocking;
mod bcast_bine_scatter_allgather;
mod bcast_bine_scatter_at_once;
mod bcast_binomial;
mod bcast_binomial_doubling;
mod bcast_chain;
mod bcast_k_nomial;
mod bcast_linear;
mod bcast_pipeline;
mod bcast_scatter_allgather;
mod bcast_scatter_allgather_ring;
mod bcast_split_binary;
mod bine;
mod by_name;
mod cost;
pub mod decision;
mod exscan_linear;
mod exscan_recursive_doubling;
mod fold;
mod gather_bine;
mod gather_binomial;
mod gather_linear;
mod gather_linear_sync;
mod kind;
mod part;
mod pattern;
mod published;
mod ranks;
mod reduce_binary;
mod reduce_bine;
mod reduce_bine_scatter_gather;
mod reduce_binomial;
mod reduce_chain;
mod reduce_in_order_binary;
mod reduce_linear;
mod reduce_pipeline;
mod reduce_rabenseifner;
mod reduce_rabenseifner_halves;
mod reduce_scatter_bine_blocks;
mod reduce_scatter_bine_permute;
mod reduce_scatter_bine_send;
mod reduce_scatter_butterfly;
mod reduce_scatter_non_overlapping;
mod reduce_scatter_pairwise;
mod reduce_scatter_recursive_halving;
mod reduce_scatter_ring;
mod scan_linear;
mod scan_recursive_doubling;
mod scatter_bine;
mod scatter_binomial;
mod scatter_linear;
mod scatter_linear_nonblocking;
mod shape;
mod step;
mod tree;

pub use cost::Cost;
pub use kind::Collective;
pub use part::{Part, Scattered};
pub use pattern::{Meeting, Move, Pattern, Places, Round, Toward};
pub use published::{PUBLISHED_ELEMENT_BYTES, published, published_by_openmpi};
pub use ranks::Ranks;
pub use shape::{Counts, Shape};
pub use step::{Step, Then};
pub use tree::Tree;

use crate::world::World;
use std::fmt;

/// A collective algorithm: a function of the shape to rounds. Nothing per rank is stored.
pub struct Algorithm {
    /// Operation that it implements.
    pub collective: Collective,
    /// Name of the algorithm, as Open MPI and MPICH call it, or as close as both allow.
    pub name: &'static str,
    /// Name in Open MPI's coll/tuned, where Open MPI has it.
    pub openmpi: Option<&'static str>,
    /// Name in MPICH, where MPICH has it.
    pub mpich: Option<&'static str>,
    /// Cases in which it is the fastest, in one sentence.
    pub wins: &'static str,
    /// Time in closed form under Hockney with eager sends, all ranks entering together: α, β, m bytes, P ranks.
    pub time: &'static str,
    /// Whether it moves blocks of uneven counts too (the v-variant).
    pub uneven: bool,
    /// Numbers of ranks that it is for.
    pub ranks: Ranks,
    /// Numbering of positions that it uses.
    pub places: Places,
    /// Returns the number of rounds for a shape.
    pub rounds: fn(&Shape) -> u64,
    /// Returns the round with the given index.
    pub round: fn(&Shape, u64) -> Round,
    /// Returns the messages, the bytes and the longest chain of messages, worked out without walking through the rounds
    /// of every rank.
    pub cost: fn(&Shape) -> Cost,
}

/// Every algorithm of every collective.
pub static ALGORITHMS: &[Algorithm] = &[
    bcast_linear::ALGORITHM,
    bcast_chain::ALGORITHM,
    bcast_pipeline::ALGORITHM,
    bcast_binary::ALGORITHM,
    bcast_split_binary::ALGORITHM,
    bcast_binomial::ALGORITHM,
    bcast_binomial_doubling::ALGORITHM,
    bcast_k_nomial::ALGORITHM,
    bcast_scatter_allgather::ALGORITHM,
    bcast_scatter_allgather_ring::ALGORITHM,
    bcast_bine::ALGORITHM,
    bcast_bine_nonblocking::ALGORITHM,
    bcast_bine_doubling::ALGORITHM,
    bcast_bine_scatter_allgather::ALGORITHM,
    bcast_bine_scatter_at_once::ALGORITHM,
    reduce_linear::ALGORITHM,
    reduce_chain::ALGORITHM,
    reduce_pipeline::ALGORITHM,
    reduce_binary::ALGORITHM,
    reduce_in_order_binary::ALGORITHM,
    reduce_binomial::ALGORITHM,
    reduce_rabenseifner::ALGORITHM,
    reduce_rabenseifner_halves::ALGORITHM,
    reduce_bine::ALGORITHM,
    reduce_bine_scatter_gather::ALGORITHM,
    barrier_linear::ALGORITHM,
    barrier_double_ring::ALGORITHM,
    barrier_recursive_doubling::ALGORITHM,
    barrier_dissemination::ALGORITHM,
    barrier_n_way_dissemination::ALGORITHM,
    barrier_tree::ALGORITHM,
    gather_linear::ALGORITHM,
    gather_binomial::ALGORITHM,
    gather_linear_sync::ALGORITHM,
    gather_bine::ALGORITHM,
    scatter_linear::ALGORITHM,
    scatter_binomial::ALGORITHM,
    scatter_linear_nonblocking::ALGORITHM,
    scatter_bine::ALGORITHM,
    allreduce_linear::ALGORITHM,
    allreduce_reduce_bcast::ALGORITHM,
    allreduce_recursive_doubling::ALGORITHM,
    allreduce_ring::ALGORITHM,
    allreduce_segmented_ring::ALGORITHM,
    allreduce_rabenseifner::ALGORITHM,
    allreduce_rabenseifner_halves::ALGORITHM,
    allreduce_bine::ALGORITHM,
    allreduce_bine_scatter_allgather::ALGORITHM,
    allreduce_bine_blocks::ALGORITHM,
    allgather_linear::ALGORITHM,
    allgather_bruck::ALGORITHM,
    allgather_recursive_doubling::ALGORITHM,
    allgather_ring::ALGORITHM,
    allgather_neighbour::ALGORITHM,
    allgather_two_proc::ALGORITHM,
    allgather_sparbit::ALGORITHM,
    allgather_bine_permute::ALGORITHM,
    allgather_bine_send::ALGORITHM,
    allgather_bine_send_static::ALGORITHM,
    allgather_bine_two_blocks::ALGORITHM,
    allgather_bine_two_blocks_packed::ALGORITHM,
    allgather_bine_blocks::ALGORITHM,
    alltoall_linear::ALGORITHM,
    alltoall_pairwise::ALGORITHM,
    alltoall_bruck::ALGORITHM,
    alltoall_linear_sync::ALGORITHM,
    alltoall_bine::ALGORITHM,
    reduce_scatter_non_overlapping::ALGORITHM,
    reduce_scatter_recursive_halving::ALGORITHM,
    reduce_scatter_ring::ALGORITHM,
    reduce_scatter_pairwise::ALGORITHM,
    reduce_scatter_butterfly::ALGORITHM,
    reduce_scatter_bine_permute::ALGORITHM,
    reduce_scatter_bine_send::ALGORITHM,
    reduce_scatter_bine_blocks::ALGORITHM,
    scan_linear::ALGORITHM,
    scan_recursive_doubling::ALGORITHM,
    exscan_linear::ALGORITHM,
    exscan_recursive_doubling::ALGORITHM,
];

impl Algorithm {
    /// Returns the name in the library of a world, where the library has it.
    pub fn called_by(&self, world: World) -> Option<&'static str> {
        world.library().and_then(|library| library.forced).and_then(|ways| (ways.calls)(self))
    }

    /// Lists the algorithms of one collective.
    pub fn for_collective(collective: Collective) -> impl Iterator<Item = &'static Algorithm> {
        ALGORITHMS.iter().filter(move |a| a.collective == collective)
    }

    /// Checks that a shape can be asked of this algorithm: to be called wherever a shape comes from a person.
    ///
    /// # Errors
    /// Says what is wrong with the shape, and what to do. Shapes that are not accepted may be carried out wrongly, or
    /// never end.
    pub fn accepts(&self, shape: &Shape) -> Result<(), String> {
        if shape.ranks == 0 || shape.root >= shape.ranks {
            return Err(format!("expected a root below the number of ranks; found {} of {}", shape.root, shape.ranks));
        }
        self.for_ranks(shape.ranks)?;
        let Some(counts) = shape.counts else { return Ok(()) };
        if !self.uneven {
            let able: Vec<_> =
                Algorithm::for_collective(self.collective).filter(|a| a.uneven).map(|a| a.name).collect();
            let cure = if able.is_empty() { "none does".to_owned() } else { format!("expected {}", able.join(", ")) };
            return Err(format!("{} {} takes no counts per rank; {cure}", self.collective, self.name));
        }
        if counts.len() != shape.ranks {
            return Err(format!("expected one count for each of {} ranks; found {}", shape.ranks, counts.len()));
        }
        Ok(())
    }

    /// Checks that the algorithm is for this number of ranks, at least 1.
    ///
    /// # Errors
    /// Says which numbers of ranks it is for.
    pub fn for_ranks(&self, ranks: u32) -> Result<(), String> {
        self.ranks.check(ranks).map_err(|why| format!("{} {}: {why}", self.collective, self.name))
    }

    /// Returns the steps of `rank` in program order.
    pub fn steps<'a>(&'a self, shape: &'a Shape, rank: u32) -> impl Iterator<Item = Step> + 'a {
        let position = self.places.position(shape, rank);
        (0..(self.rounds)(shape)).flat_map(move |i| (self.round)(shape, i).steps(shape, self.places, position))
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.collective, self.name)
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Algorithm) -> bool {
        (self.collective, self.name) == (other.collective, other.name)
    }
}

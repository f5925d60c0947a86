//! Collective operations, their names, and the places of their data in a rank's buffer.

use super::Shape;
use serde::{Deserialize, Serialize};

crate::named! {
    /// An MPI collective operation, and the places of its data.
    ///
    /// A rank's buffer is divided into [areas](Collective::areas) of equal length. *Whole*: `bytes` long. *Blocks*: P
    /// blocks of `bytes` each, or of [`Counts`](super::Counts). Input is in area 0, and the result too where nothing
    /// else is said.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Collective {
        /// The root's whole reaches every rank.
        Bcast => "bcast", "broadcast",
        /// The element-wise combination of every rank's whole reaches the root.
        Reduce => "reduce", "reduction",
        /// No rank leaves before every rank has entered.
        Barrier => "barrier", "barrier",
        /// The element-wise combination of every rank's whole reaches every rank.
        Allreduce => "allreduce", "allreduction",
        /// The block of every rank reaches the root. Blocks lie in the order of positions, counted from the root.
        Gather => "gather", "gather",
        /// Every rank gets its block from the root. Blocks lie in the order of positions, counted from the root.
        Scatter => "scatter", "scatter",
        /// The block of every rank reaches every rank.
        Allgather => "allgather", "allgather",
        /// Every rank has a block for every rank; the block of rank i for rank j becomes block i of area 1 on rank j.
        /// With uneven counts, ranks i and j exchange the length of block (i + j) mod P: rank i's areas are rotated by
        /// i.
        Alltoall => "alltoall", "alltoall",
        /// Block i of the element-wise combination of every rank's blocks reaches rank i.
        ReduceScatter => "reduce-scatter", "reduce-scatter",
        /// Area 1 of rank i gets the combination of the wholes of ranks 0 … i.
        Scan => "scan", "scan",
        /// Area 1 of rank i ≥ 1 gets the combination of the wholes of ranks 0 … i−1.
        Exscan => "exscan", "exclusive scan",
    }
    /// The name used in files and flags.
    fn name;
    /// Words for one call of it within a sentence.
    fn noun;
    find("collective"); Display(name);
}

impl Collective {
    /// Returns true if one rank plays a special part.
    pub fn is_rooted(self) -> bool {
        matches!(self, Collective::Bcast | Collective::Reduce | Collective::Gather | Collective::Scatter)
    }

    /// Returns true if every rank has a block for, or of, every rank: then counts may be uneven.
    pub fn has_blocks(self) -> bool {
        match self {
            Collective::Gather
            | Collective::Scatter
            | Collective::Allgather
            | Collective::Alltoall
            | Collective::ReduceScatter => true,
            Collective::Bcast
            | Collective::Reduce
            | Collective::Barrier
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan => false,
        }
    }

    /// Returns true if elements of several ranks are combined.
    pub fn combines(self) -> bool {
        match self {
            Collective::Reduce
            | Collective::Allreduce
            | Collective::ReduceScatter
            | Collective::Scan
            | Collective::Exscan => true,
            Collective::Bcast
            | Collective::Barrier
            | Collective::Gather
            | Collective::Scatter
            | Collective::Allgather
            | Collective::Alltoall => false,
        }
    }

    /// Returns the length of one area of a rank's buffer, in bytes.
    pub fn area_bytes(self, shape: &Shape) -> u64 {
        match self {
            Collective::Barrier => 0,
            _ if self.has_blocks() => shape.total(),
            _ => shape.bytes,
        }
    }

    /// Returns the number of areas that algorithms use: input, result, and scratch.
    pub fn areas(self) -> u64 {
        match self {
            Collective::Bcast
            | Collective::Reduce
            | Collective::Barrier
            | Collective::Allreduce
            | Collective::Gather
            | Collective::Scatter
            | Collective::ReduceScatter => 1,
            Collective::Allgather => 2,
            Collective::Alltoall | Collective::Scan | Collective::Exscan => 3,
        }
    }

    /// Returns the length of a rank's buffer, in bytes.
    pub fn buffer_bytes(self, shape: &Shape) -> u64 {
        self.areas().saturating_mul(self.area_bytes(shape))
    }
}

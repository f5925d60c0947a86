//! Open MPI 4.1: the fixed rules of coll/tuned (`coll_tuned_decision_fixed.c`, the same in 4.1.0 … 4.1.8) as tables.
//!
//! A row holds for fewer ranks than its first number and, within it, a cell for fewer bytes than its first number; the
//! second is the algorithm's number in `coll_tuned_<collective>_algorithm`. The first that holds decides.

use super::openmpi_4_1::Rows;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
/// Limit of the last row, which holds for any number of ranks.
const ANY_RANKS: u32 = u32::MAX;
const ANY_BYTES: u64 = u64::MAX;

/// Rules for calls of `MPI_Barrier`, which have no bytes.
pub(super) const BARRIER: Rows = &[
    (4, &[(ANY_BYTES, 3)]),
    (8, &[(ANY_BYTES, 1)]),
    (64, &[(ANY_BYTES, 3)]),
    (256, &[(ANY_BYTES, 4)]),
    (512, &[(ANY_BYTES, 6)]),
    (1024, &[(ANY_BYTES, 4)]),
    (4096, &[(ANY_BYTES, 6)]),
    (ANY_RANKS, &[(ANY_BYTES, 4)]),
];

/// Rules for calls of `MPI_Bcast`.
pub(super) const BCAST: Rows = &[
    (
        4,
        &[
            (32, 3),
            (256, 5),
            (512, 3),
            (KIB, 7),
            (32 * KIB, 1),
            (128 * KIB, 5),
            (256 * KIB, 2),
            (512 * KIB, 1),
            (MIB, 6),
            (ANY_BYTES, 5),
        ],
    ),
    (8, &[(64, 5), (128, 6), (2 * KIB, 5), (8 * KIB, 6), (MIB, 1), (ANY_BYTES, 2)]),
    (16, &[(8, 7), (64, 5), (4 * KIB, 7), (16 * KIB, 5), (32 * KIB, 6), (ANY_BYTES, 1)]),
    (32, &[(4 * KIB, 7), (MIB, 6), (ANY_BYTES, 8)]),
    (64, &[(2 * KIB, 6), (ANY_BYTES, 7)]),
    (128, &[(ANY_BYTES, 7)]),
    (256, &[(2, 6), (16 * KIB, 5), (32 * KIB, 1), (64 * KIB, 5), (ANY_BYTES, 7)]),
    (1024, &[(16 * KIB, 7), (32 * KIB, 4), (ANY_BYTES, 7)]),
    (2048, &[(512 * KIB, 7), (ANY_BYTES, 8)]),
    (4096, &[(256 * KIB, 7), (ANY_BYTES, 8)]),
    (ANY_RANKS, &[(8 * KIB, 7), (16 * KIB, 5), (256 * KIB, 7), (ANY_BYTES, 8)]),
];

/// Rules for calls of `MPI_Reduce` with an operation that commutes.
pub(super) const REDUCE: Rows = &[
    (4, &[(8, 7), (16, 4), (32, 3), (256 * KIB, 1), (512 * KIB, 3), (MIB, 2), (ANY_BYTES, 3)]),
    (8, &[(4 * KIB, 4), (64 * KIB, 2), (256 * KIB, 5), (512 * KIB, 1), (MIB, 5), (ANY_BYTES, 1)]),
    (16, &[(8 * KIB, 4), (ANY_BYTES, 5)]),
    (32, &[(4 * KIB, 4), (ANY_BYTES, 5)]),
    (256, &[(ANY_BYTES, 5)]),
    (512, &[(8 * KIB, 5), (16 * KIB, 6), (ANY_BYTES, 5)]),
    (2048, &[(ANY_BYTES, 5)]),
    (4096, &[(512, 5), (KIB, 6), (8 * KIB, 5), (16 * KIB, 6), (ANY_BYTES, 5)]),
    (ANY_RANKS, &[(16, 5), (32, 6), (KIB, 5), (2 * KIB, 6), (8 * KIB, 5), (16 * KIB, 6), (ANY_BYTES, 5)]),
];

/// Rules for `MPI_Reduce` with an operation that does not commute.
pub(super) const REDUCE_IN_ORDER: Rows = &[
    (4, &[(8, 6), (ANY_BYTES, 1)]),
    (8, &[(ANY_BYTES, 1)]),
    (16, &[(KIB, 6), (8 * KIB, 1), (16 * KIB, 6), (256 * KIB, 1), (ANY_BYTES, 6)]),
    (128, &[(ANY_BYTES, 6)]),
    (256, &[(512, 6), (KIB, 1), (ANY_BYTES, 6)]),
    (ANY_RANKS, &[(ANY_BYTES, 6)]),
];

/// Rules for calls of `MPI_Allreduce` with an operation that commutes.
pub(super) const ALLREDUCE: Rows = &[
    (4, &[(8, 4), (4 * KIB, 3), (8 * KIB, 4), (16 * KIB, 3), (64 * KIB, 4), (256 * KIB, 5), (ANY_BYTES, 6)]),
    (8, &[(16, 4), (8 * KIB, 3), (ANY_BYTES, 6)]),
    (16, &[(8 * KIB, 3), (ANY_BYTES, 6)]),
    (32, &[(64, 5), (4 * KIB, 3), (ANY_BYTES, 6)]),
    (64, &[(128, 5), (ANY_BYTES, 6)]),
    (128, &[(256 * KIB, 3), (ANY_BYTES, 6)]),
    (256, &[(128 * KIB, 2), (256 * KIB, 3), (ANY_BYTES, 6)]),
    (512, &[(4 * KIB, 2), (ANY_BYTES, 6)]),
    (2048, &[(2 * KIB, 2), (16 * KIB, 3), (ANY_BYTES, 6)]),
    (4096, &[(2 * KIB, 2), (4 * KIB, 5), (16 * KIB, 3), (ANY_BYTES, 6)]),
    (ANY_RANKS, &[(2 * KIB, 2), (16 * KIB, 5), (32 * KIB, 3), (ANY_BYTES, 6)]),
];

/// Rules for `MPI_Allreduce` with an operation that does not commute.
pub(super) const ALLREDUCE_IN_ORDER: Rows = &[
    (4, &[(128 * KIB, 3), (ANY_BYTES, 1)]),
    (8, &[(ANY_BYTES, 3)]),
    (16, &[(MIB, 3), (ANY_BYTES, 2)]),
    (128, &[(ANY_BYTES, 3)]),
    (256, &[(128 * KIB, 2), (512 * KIB, 3), (ANY_BYTES, 2)]),
    (512, &[(4 * KIB, 2), (512 * KIB, 3), (ANY_BYTES, 2)]),
    (ANY_RANKS, &[(2 * KIB, 2), (ANY_BYTES, 3)]),
];

/// Rules for `MPI_Gather`. Bytes are those of a block.
pub(super) const GATHER: Rows = &[
    (4, &[(2, 3), (4, 1), (32 * KIB, 2), (64 * KIB, 1), (128 * KIB, 2), (ANY_BYTES, 3)]),
    (8, &[(KIB, 2), (8 * KIB, 1), (32 * KIB, 2), (256 * KIB, 1), (ANY_BYTES, 3)]),
    (256, &[(ANY_BYTES, 2)]),
    (512, &[(2 * KIB, 2), (8 * KIB, 1), (ANY_BYTES, 2)]),
    (ANY_RANKS, &[(ANY_BYTES, 2)]),
];

/// Rules for `MPI_Scatter`. Bytes are those of a block.
pub(super) const SCATTER: Rows = &[
    (4, &[(2, 3), (128 * KIB, 1), (256 * KIB, 3), (ANY_BYTES, 1)]),
    (8, &[(2 * KIB, 2), (4 * KIB, 1), (8 * KIB, 2), (32 * KIB, 1), (MIB, 3), (ANY_BYTES, 1)]),
    (16, &[(16 * KIB, 2), (MIB, 3), (ANY_BYTES, 1)]),
    (32, &[(16 * KIB, 2), (32 * KIB, 1), (ANY_BYTES, 3)]),
    (64, &[(512, 2), (8 * KIB, 3), (16 * KIB, 2), (ANY_BYTES, 3)]),
    (ANY_RANKS, &[(512, 2), (ANY_BYTES, 3)]),
];

/// Rules for `MPI_Allgather`. Bytes are those of a block.
pub(super) const ALLGATHER: Rows = &[
    (2, &[(ANY_BYTES, 3)]),
    (3, &[(ANY_BYTES, 6)]),
    (32, &[(ANY_BYTES, 3)]),
    (64, &[(KIB, 3), (64 * KIB, 5), (ANY_BYTES, 4)]),
    (128, &[(512, 3), (64 * KIB, 5), (ANY_BYTES, 4)]),
    (256, &[(512, 3), (128 * KIB, 5), (512 * KIB, 4), (MIB, 5), (ANY_BYTES, 4)]),
    (512, &[(32, 3), (128, 2), (KIB, 3), (128 * KIB, 5), (512 * KIB, 4), (MIB, 5), (ANY_BYTES, 4)]),
    (1024, &[(64, 3), (256, 2), (2 * KIB, 3), (ANY_BYTES, 5)]),
    (2048, &[(4, 3), (8, 2), (16, 3), (32, 2), (256, 3), (512, 2), (4 * KIB, 3), (ANY_BYTES, 5)]),
    (4096, &[(32, 2), (128, 3), (512, 2), (4 * KIB, 3), (ANY_BYTES, 5)]),
    (ANY_RANKS, &[(2, 3), (8, 2), (16, 3), (512, 2), (4 * KIB, 3), (ANY_BYTES, 5)]),
];

/// Rules for `MPI_Allgatherv`. Bytes are the mean of the blocks.
pub(super) const ALLGATHERV: Rows = &[
    (2, &[(256, 1), (4 * KIB, 4), (8 * KIB, 3), (16 * KIB, 4), (256 * KIB, 2), (ANY_BYTES, 4)]),
    (3, &[(2 * KIB, 3), (4 * KIB, 5), (8 * KIB, 3), (ANY_BYTES, 5)]),
    (8, &[(256, 1), (4 * KIB, 4), (8 * KIB, 3), (16 * KIB, 4), (256 * KIB, 2), (ANY_BYTES, 4)]),
    (16, &[(KIB, 1), (ANY_BYTES, 2)]),
    (32, &[(128, 1), (256 * KIB, 2), (ANY_BYTES, 3)]),
    (64, &[(256, 1), (8 * KIB, 2), (ANY_BYTES, 3)]),
    (128, &[(256, 1), (4 * KIB, 2), (ANY_BYTES, 3)]),
    (256, &[(KIB, 2), (64 * KIB, 4), (ANY_BYTES, 3)]),
    (512, &[(KIB, 2), (ANY_BYTES, 3)]),
    (1024, &[(512, 2), (KIB, 1), (4 * KIB, 2), (MIB, 4), (ANY_BYTES, 3)]),
    (ANY_RANKS, &[(4 * KIB, 2), (ANY_BYTES, 4)]),
];

/// Rules for `MPI_Alltoall`. Bytes are those of a block.
pub(super) const ALLTOALL: Rows = &[
    (2, &[(8 * KIB, 4), (16 * KIB, 1), (64 * KIB, 4), (512 * KIB, 1), (MIB, 2), (ANY_BYTES, 1)]),
    (
        3,
        &[
            (2, 2),
            (4, 5),
            (16, 2),
            (64, 5),
            (256, 2),
            (4 * KIB, 5),
            (32 * KIB, 2),
            (256 * KIB, 4),
            (MIB, 5),
            (ANY_BYTES, 2),
        ],
    ),
    (8, &[(8 * KIB, 4), (16 * KIB, 1), (64 * KIB, 4), (512 * KIB, 1), (MIB, 2), (ANY_BYTES, 1)]),
    (16, &[(256 * KIB, 4), (ANY_BYTES, 1)]),
    (32, &[(4, 4), (512, 3), (8 * KIB, 4), (32 * KIB, 1), (256 * KIB, 4), (512 * KIB, 1), (ANY_BYTES, 4)]),
    (64, &[(512, 3), (512 * KIB, 1), (ANY_BYTES, 4)]),
    (128, &[(KIB, 3), (2 * KIB, 1), (4 * KIB, 4), (256 * KIB, 1), (ANY_BYTES, 2)]),
    (256, &[(KIB, 3), (2 * KIB, 4), (256 * KIB, 1), (ANY_BYTES, 2)]),
    (512, &[(KIB, 3), (8 * KIB, 4), (32 * KIB, 1), (ANY_BYTES, 2)]),
    (1024, &[(512, 3), (8 * KIB, 4), (16 * KIB, 1), (128 * KIB, 4), (256 * KIB, 1), (ANY_BYTES, 2)]),
    (2048, &[(512, 3), (KIB, 4), (2 * KIB, 1), (16 * KIB, 4), (256 * KIB, 1), (ANY_BYTES, 4)]),
    (4096, &[(KIB, 3), (4 * KIB, 4), (8 * KIB, 1), (128 * KIB, 4), (ANY_BYTES, 1)]),
    (ANY_RANKS, &[(2 * KIB, 3), (8 * KIB, 4), (16 * KIB, 1), (32 * KIB, 4), (64 * KIB, 1), (ANY_BYTES, 4)]),
];

/// Rules for `MPI_Alltoallv`, which look at no bytes.
pub(super) const ALLTOALLV: Rows = &[
    (4, &[(ANY_BYTES, 2)]),
    (64, &[(ANY_BYTES, 1)]),
    (128, &[(ANY_BYTES, 2)]),
    (256, &[(ANY_BYTES, 1)]),
    (1024, &[(ANY_BYTES, 2)]),
    (ANY_RANKS, &[(ANY_BYTES, 1)]),
];

/// Rules for `MPI_Reduce_scatter`. Bytes are those of all blocks together.
pub(super) const REDUCE_SCATTER: Rows = &[
    (4, &[(64 * KIB, 3), (128 * KIB, 4), (ANY_BYTES, 3)]),
    (8, &[(8, 1), (256 * KIB, 2), (ANY_BYTES, 3)]),
    (32, &[(256 * KIB, 2), (ANY_BYTES, 3)]),
    (64, &[(64, 1), (2 * KIB, 2), (512 * KIB, 4), (ANY_BYTES, 3)]),
    (128, &[(256, 1), (512, 2), (2 * KIB, 4), (4 * KIB, 2), (ANY_BYTES, 4)]),
    (256, &[(256, 1), (512, 2), (ANY_BYTES, 4)]),
    (512, &[(256, 1), (KIB, 2), (ANY_BYTES, 4)]),
    (1024, &[(512, 1), (2 * KIB, 2), (8 * KIB, 4), (16 * KIB, 2), (ANY_BYTES, 4)]),
    (2048, &[(512, 1), (4 * KIB, 2), (16 * KIB, 4), (32 * KIB, 2), (ANY_BYTES, 4)]),
    (4096, &[(512, 1), (4 * KIB, 2), (ANY_BYTES, 4)]),
    (ANY_RANKS, &[(KIB, 1), (8 * KIB, 2), (ANY_BYTES, 4)]),
];

/// Rules for `MPI_Reduce_scatter_block`. Bytes are those of a block.
pub(super) const REDUCE_SCATTER_BLOCK: Rows = &[
    (4, &[(4, 2), (8, 4), (16, 3), (128, 4), (256, 3), (4 * KIB, 4), (8 * KIB, 3), (128 * KIB, 4), (ANY_BYTES, 1)]),
    (8, &[(8, 3), (32, 2), (256, 4), (8 * KIB, 3), (16 * KIB, 4), (MIB, 3), (ANY_BYTES, 1)]),
    (16, &[(4, 1), (32, 3), (128, 4), (512 * KIB, 3), (4 * MIB, 1), (ANY_BYTES, 4)]),
    (32, &[(32, 1), (512 * KIB, 3), (2 * MIB, 1), (4 * MIB, 3), (ANY_BYTES, 4)]),
    (ANY_RANKS, &[(4, 3), (16, 1), (64 * KIB, 4), (256 * KIB, 1), (ANY_BYTES, 4)]),
];

//! NUMA nodes of memory that a rank has touched first.

use serde::{Deserialize, Serialize};

/// Place of a rank's queue in shared memory, on a host of several NUMA nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// NUMA node that the rank ran on when it touched the queue.
    pub node: u32,
    /// Number of pages of the queue.
    pub pages: u64,
    /// Number of pages that lie on another node.
    pub elsewhere: u64,
}

//! On which NUMA node memory lies that a rank has touched first.

use serde::{Deserialize, Serialize};

/// Where a rank's queue in shared memory lies, on a host of several NUMA nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The NUMA node that the rank ran on when it touched the queue.
    pub node: u32,
    /// Pages of the queue.
    pub pages: u64,
    /// Those of them that lie on another node.
    pub elsewhere: u64,
}

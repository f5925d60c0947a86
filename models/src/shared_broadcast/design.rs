//! Designs of broadcasts through shared memory: this publication's, and those that it is compared with.

use super::{Notified, Queue};

crate::named! {
    /// Design of a broadcast, which says what ranks do with the memory that they share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Design {
        /// Kurnosov and Tokmasheva 2020: all readers copy out of the root's queue, which is near the root.
        Numa => "numa",
        /// Open MPI's `coll/sm` (`ompi/mca/coll/sm/coll_sm_bcast.c`, 4.1): readers with children copy into their own
        /// queue first.
        CollSm => "coll-sm",
        /// MVAPICH2 (`mv2_shm_bcast`): all readers look at one word for each buffer, and a full queue means a barrier.
        Mvapich => "mvapich",
        /// MPICH's `release_gather`: one queue for all, whose buffers are freed one by one by flags that go up a tree.
        ReleaseGather => "release-gather",
    }
    /// Name of the design in files.
    fn name;
    find("design"); Display(name);
}

/// A design with its queue and its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scheme {
    /// Design by which ranks use the memory.
    pub design: Design,
    /// Queue of each rank; with release and gather rank 0's is everybody's.
    pub queue: Queue,
    /// Tree of notifications. MVAPICH's has none: all readers look at the root's word, as in a flat tree.
    pub tree: Notified,
}

impl Design {
    /// Returns bytes of a fragment, buffers and sets that the design has where nothing else is asked for. Of
    /// [`Design::Numa`] these are those of the publication's figures, of the others their libraries' defaults.
    pub fn usual(self) -> (u64, u64, u64) {
        match self {
            Design::Numa => (8192, 32, 1),
            Design::CollSm => (8192, 8, 2),
            Design::Mvapich => (8192, 128, 1),
            Design::ReleaseGather => (8192, 4, 1),
        }
    }

    /// Returns the tree that the design has where no other is asked for; `None` for [`Design::Numa`], which is for any.
    pub fn usual_tree(self) -> Option<Notified> {
        match self {
            Design::Numa => None,
            Design::CollSm => Some(Notified::complete(4)),
            Design::Mvapich => Some(Notified::FLAT),
            Design::ReleaseGather => Some(Notified::complete(64)),
        }
    }

    /// Returns the design with its usual queue and its usual tree, for [`Design::Numa`] the flat one.
    pub fn usual_scheme(self) -> Scheme {
        let (fragment, buffers, sets) = self.usual();
        let queue = Queue::new(fragment, buffers, sets).expect("the usual queue of each design can be made");
        Scheme { design: self, queue, tree: self.usual_tree().unwrap_or(Notified::FLAT) }
    }

    /// Whether its buffers are split into sets.
    pub fn has_sets(self) -> bool {
        matches!(self, Design::Numa | Design::CollSm)
    }

    /// Whether the tree of notifications can be chosen.
    pub fn has_tree(self) -> bool {
        self != Design::Mvapich
    }
}

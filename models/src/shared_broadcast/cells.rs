//! MPICH's broadcast by release and gather: one queue for all ranks, rank 0's, whose buffers are called cells.
//!
//! Flags go down a tree (release: the fragment is in its cell) and up again (gather: it has been copied by all below). The tree is
//! rank 0's whoever is the root: another root hands its fragments to rank 0. Fragments are counted over all calls,
//! and number n goes through cell n mod s. Each rank stores its own flags, and others look at them:
//!
//! ```text
//! rank 0   each fragment: copy it into the cell; released[0] ← number; copy it out, unless it is the root
//! others   each fragment: wait released[parent] ≥ number; released[rank] ← number; copy out of the cell
//! all      then, unless gathered[rank] ≥ number − (s − 1): wait gathered[child] ≥ number − (s − 1) of each child;
//!          gathered[rank] ← the least of what they show, and number
//! ```
//!
//! After `MPIDI_POSIX_mpi_bcast_release_gather` (`src/mpid/ch4/shm/posix/release_gather/release_gather.h` of MPICH 4), with these
//! differences: MPICH's root sends to rank 0 by a message, of which there is here one copy into a buffer of the root's own queue
//! and one out of it; MPICH puts a message's short fragment first; and its cells may have 128 B of their own for checks.
//!
//! Why nothing is overwritten too early: rank 0 begins fragment n only when all have copied fragment n − s, which is what its gather
//! of fragment n − 1 waits for. Another root fills its own buffer only after it has seen the flag of fragment n − 1, which rank 0
//! has copied then. Unlike a set, the queue is never empty in between: cells are freed one by one.

use super::{Broadcast, SharedMemory, Word};

/// Whose tree it is, and whose queue.
const TOP: u32 = 0;

impl Broadcast {
    /// This rank's part in a call.
    pub(super) async fn in_cells<M: SharedMemory>(&mut self, memory: &M, root: u32, bytes: u64) {
        for number in 0..self.scheme.queue.fragments(bytes) {
            self.fragments += 1;
            self.release(memory, root, self.scheme.queue.part(bytes, number)).await;
            self.gather(memory).await;
        }
    }

    /// A fragment goes into its cell and out of it, and its flags go down the tree.
    async fn release<M: SharedMemory>(&self, memory: &M, root: u32, (offset, bytes): (u64, u64)) {
        let (rank, number) = (memory.rank(), self.fragments);
        let buffer = number % self.scheme.queue.buffers();
        let handed = Word::Filled { rank: root, buffer };
        if rank == root {
            memory.copy_in(buffer, offset, bytes).await;
        }
        match self.scheme.tree.parent(rank, TOP, memory.ranks()) {
            None if rank != root => {
                memory.wait_for(handed, number).await;
                memory.copy_between(root, buffer, bytes).await;
            }
            None => {}
            Some(parent) => {
                if rank == root {
                    memory.store(handed, number).await;
                }
                memory.wait_above(Word::Released { rank: parent }, number - 1).await;
            }
        }
        if self.below(memory).next().is_some() {
            memory.store(Word::Released { rank }, number).await;
        }
        if rank != root {
            memory.copy_out(TOP, buffer, offset, bytes).await;
        }
    }

    /// Flags go up the tree, as far as the next fragments need them.
    async fn gather<M: SharedMemory>(&mut self, memory: &M) {
        let due = self.fragments.saturating_sub(self.scheme.queue.buffers() - 1);
        let has_children = self.below(memory).next().is_some();
        if has_children && self.gathered >= due {
            return;
        }
        self.gathered = self.fragments;
        for child in self.below(memory) {
            let copied = memory.wait_above(Word::Gathered { rank: child }, due - 1).await;
            self.gathered = self.gathered.min(copied);
        }
        if memory.rank() != TOP {
            memory.store(Word::Gathered { rank: memory.rank() }, self.gathered).await;
        }
    }

    /// This rank's children in rank 0's tree.
    fn below<M: SharedMemory>(&self, memory: &M) -> impl Iterator<Item = u32> + use<M> {
        self.scheme.tree.children(memory.rank(), TOP, memory.ranks())
    }
}

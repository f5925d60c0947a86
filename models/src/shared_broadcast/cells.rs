//! MPICH's broadcast by release and gather: one queue for all ranks, rank 0's, whose buffers are called cells; and its
//! barrier, reduction and allreduce, which are made of the same two steps.
//!
//! Flags go down a tree (release: the fragment is in its cell) and up again (gather: it has been copied by all below).
//! The tree is rank 0's whoever is the root: another root hands its fragments to rank 0. Fragments are counted over all
//! calls, and number n goes through cell n mod s. Each rank stores its own flags, and others look at them:
//!
//! ```text
//! rank 0   each fragment: copy it into the cell; released[0] ← number; copy it out, unless it is the root
//! others   each fragment: wait released[parent] ≥ number; released[rank] ← number; copy out of the cell
//! all      then, unless gathered[rank] ≥ number − (s − 1): wait gathered[child] ≥ number − (s − 1) of each child;
//!          gathered[rank] ← the least of what they show, and number
//! ```
//!
//! | call | what it is made of |
//! |---|---|
//! | broadcast | each fragment: release, gather as above |
//! | barrier | gather, in which each rank waits for all below it; release; a broadcast of one byte, once all nodes are there |
//! | reduction | each fragment: release; gather, in which ranks combine their children's cells into their own, rank 0 into its result |
//! | allreduce | each fragment: gather as in a reduction, rank 0 into its own cell; release; all copy rank 0's cell out |
//!
//! After `MPIDI_POSIX_mpi_bcast_release_gather` and its kin (`src/mpid/ch4/shm/posix/release_gather/release_gather.h`
//! and `posix_coll_release_gather.h` of MPICH 4 and 5), with these differences: MPICH's root sends to rank 0 by a
//! message, of which there is here one copy into a buffer of the root's own queue and one out of it; MPICH puts a
//! message's short fragment first; and its cells may have 128 B of their own for checks. Its cells of reductions lie
//! apart from those of broadcasts, here behind them.
//!
//! Why nothing is overwritten too early: rank 0 begins fragment n only when all have copied fragment n − s, which is
//! what its gather of fragment n − 1 waits for. Another root fills its own buffer only after it has seen the flag of
//! fragment n − 1, which rank 0 has copied then. Unlike a set, the queue is never empty in between: cells are freed one
//! by one. A cell of a reduction is filled again s ≥ 2 fragments later, and if any of those in between was no
//! broadcast, all ranks have come to that one. Where all of them were broadcasts, which ask only for what is known
//! already, a rank may still copy the result of an allreduce out when rank 0 fills that cell for the next one. MPICH's
//! allreduces have flags and cells of their own, those of the communicator itself, while its other calls have those of
//! the communicator's node.

use super::{Broadcast, Combining, Notified, SharedMemory, Word};

/// Rank at the top of the tree, whose queue all ranks use.
const TOP: u32 = 0;

impl Broadcast {
    /// Carries out this rank's part in a broadcast.
    pub(super) async fn in_cells<M: SharedMemory>(&mut self, memory: &M, root: u32, bytes: u64) {
        for number in 0..self.scheme.queue.fragments(bytes) {
            self.fragments += 1;
            self.release(memory, root, self.scheme.queue.part(bytes, number)).await;
            let freed = self.fragments.saturating_sub(self.scheme.queue.buffers() - 1);
            self.gather(memory, freed).await;
        }
    }

    /// Carries out a barrier: no rank returns before all have come. One rank alone touches nothing.
    pub async fn barrier<M: SharedMemory>(&mut self, memory: &M) {
        if memory.ranks() == 1 {
            return;
        }
        self.fragments += 1;
        self.gather(memory, self.fragments).await;
        self.tell_below(memory, self.scheme.tree).await;
        self.in_cells(memory, TOP, 1).await;
    }

    /// Carries out a reduction to rank 0, up a tree of its own. One rank alone keeps what it has.
    pub async fn reduce<M: Combining>(&mut self, memory: &M, up: Notified, bytes: u64) {
        for number in 0..self.scheme.queue.fragments(bytes) {
            self.fragments += 1;
            self.tell_below(memory, up).await;
            let (offset, bytes) = self.scheme.queue.part(bytes, number);
            if memory.rank() == TOP {
                memory.keep(offset, bytes).await;
            }
            self.combine(memory, up, (offset, bytes), memory.rank() == TOP).await;
        }
    }

    /// Carries out a reduction to all ranks: up a tree of its own, and down the tree of the broadcast.
    pub async fn allreduce<M: Combining>(&mut self, memory: &M, up: Notified, bytes: u64) {
        for number in 0..self.scheme.queue.fragments(bytes) {
            self.fragments += 1;
            let (offset, bytes) = self.scheme.queue.part(bytes, number);
            self.combine(memory, up, (offset, bytes), false).await;
            self.tell_below(memory, self.scheme.tree).await;
            memory.copy_out(TOP, self.cell_to_combine(), offset, bytes).await;
        }
    }

    /// Combines a fragment up a tree: into this rank's cell, which it fills first, or into its result.
    async fn combine<M: Combining>(&mut self, memory: &M, up: Notified, (offset, bytes): (u64, u64), is_result: bool) {
        let cell = self.cell_to_combine();
        if !is_result {
            memory.copy_in(cell, offset, bytes).await;
        }
        for child in up.children(memory.rank(), TOP, memory.ranks()) {
            memory.wait_above(Word::Gathered { rank: child }, self.fragments - 1).await;
            match is_result {
                true => memory.combine_out(child, cell, offset, bytes).await,
                false => memory.combine_between(child, cell, bytes).await,
            }
        }
        self.gathered = self.fragments;
        if memory.rank() != TOP {
            memory.store(Word::Gathered { rank: memory.rank() }, self.gathered).await;
        }
    }

    /// Returns the rank's own cell through which the current fragment of a reduction goes.
    fn cell_to_combine(&self) -> u64 {
        let cells = self.scheme.queue.buffers();
        cells + self.fragments % cells
    }

    /// Hands the flag of the current fragment down a tree.
    async fn tell_below<M: SharedMemory>(&self, memory: &M, tree: Notified) {
        let (rank, ranks) = (memory.rank(), memory.ranks());
        if let Some(parent) = tree.parent(rank, TOP, ranks) {
            memory.wait_above(Word::Released { rank: parent }, self.fragments - 1).await;
        }
        if tree.children(rank, TOP, ranks).next().is_some() {
            memory.store(Word::Released { rank }, self.fragments).await;
        }
    }

    /// Moves a fragment into its cell and out of it, and hands its flags down the tree.
    async fn release<M: SharedMemory>(&self, memory: &M, root: u32, (offset, bytes): (u64, u64)) {
        let (rank, number) = (memory.rank(), self.fragments);
        let buffer = number % self.scheme.queue.buffers();
        let handed = Word::Filled { rank: root, buffer };
        if rank == root {
            memory.copy_in(buffer, offset, bytes).await;
        }
        if rank == TOP && rank != root {
            memory.wait_for(handed, number).await;
            memory.copy_between(root, buffer, bytes).await;
        } else if rank == root && rank != TOP {
            memory.store(handed, number).await;
        }
        self.tell_below(memory, self.scheme.tree).await;
        if rank != root {
            memory.copy_out(TOP, buffer, offset, bytes).await;
        }
    }

    /// Hands flags up the tree, unless this rank knows already that all below it have come to a fragment.
    async fn gather<M: SharedMemory>(&mut self, memory: &M, due: u64) {
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

    /// Returns this rank's children in rank 0's tree.
    fn below<M: SharedMemory>(&self, memory: &M) -> impl Iterator<Item = u32> + use<M> {
        self.scheme.tree.children(memory.rank(), TOP, memory.ranks())
    }
}

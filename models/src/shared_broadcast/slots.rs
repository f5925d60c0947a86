//! MVAPICH's broadcast through slots: a queue for each rank, and a barrier when it is full.
//!
//! Each buffer has the number of the fragment that it holds: the root stores it, and all readers look at the same word.
//! Fragments are counted over all calls, whoever is their root, and number n goes through buffer n mod s of the root's
//! queue.
//!
//! ```text
//! root     each fragment: copy into own queue; filled[root][buffer] ← number
//! reader   each fragment: wait filled[root][buffer] = number; copy out of the root's queue
//! all      after every s − 1 fragments: a barrier, which rank 0 gathers and opens
//! ```
//!
//! After `mv2_shm_bcast` and `mv2_shm_barrier` (`ch3_shmem_coll.c` of MVAPICH2), where a barrier takes one slot of the
//! s. There only the first barrier comes earlier, since the queue is made with one.
//!
//! Why nothing is overwritten too early: a buffer is filled again s fragments later, and a barrier lies in between.

use super::{Broadcast, SharedMemory, Word};

impl Broadcast {
    /// Carries out this rank's part in a broadcast.
    pub(super) async fn in_slots<M: SharedMemory>(&mut self, memory: &M, root: u32, bytes: u64) {
        let queue = self.scheme.queue;
        let full = (queue.buffers() - 1).max(1);
        for number in 0..queue.fragments(bytes) {
            let (offset, length) = queue.part(bytes, number);
            self.fragments += 1;
            let buffer = self.fragments % queue.buffers();
            let filled = Word::Filled { rank: root, buffer };
            if memory.rank() == root {
                memory.copy_in(buffer, offset, length).await;
                memory.store(filled, self.fragments).await;
            } else {
                memory.wait_for(filled, self.fragments).await;
                memory.copy_out(root, buffer, offset, length).await;
            }
            if self.fragments.is_multiple_of(full) {
                barrier(memory, self.fragments / full).await;
            }
        }
    }
}

/// Lets all ranks wait for each other, for the `number`-th time.
async fn barrier<M: SharedMemory>(memory: &M, number: u64) {
    let opened = Word::Released { rank: 0 };
    if memory.rank() == 0 {
        for rank in 1..memory.ranks() {
            memory.wait_for(Word::Gathered { rank }, number).await;
        }
        memory.store(opened, number).await;
    } else {
        memory.store(Word::Gathered { rank: memory.rank() }, number).await;
        memory.wait_for(opened, number).await;
    }
}

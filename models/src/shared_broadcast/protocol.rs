//! The broadcast itself: what each rank does in a call, over memory that all ranks share.
//!
//! This is Kurnosov and Tokmasheva's, and that of Open MPI's `coll/sm`; of the other designs ([`Design`]) `slots.rs`
//! and `cells.rs` have what ranks do. Of each set of buffers there are two words that all ranks share: how many readers
//! have yet to leave it, and for which use it is open. Uses are counted from 0 over all calls, and use number i is of
//! set i mod q. Each rank has a queue of its own, and a control word for each of its buffers: a rank's parent in the
//! tree of notifications puts the length of a fragment there.
//!
//! ```text
//! root     wait readers[set] = 0; readers[set] ← p−1; open[set] ← use; each fragment: copy into own queue, notify children
//! reader   wait open[set] = use; each fragment: wait control > 0; control ← 0; notify children; copy out of the root's queue
//!          then readers[set] − 1
//! ```
//!
//! After Kurnosov and Tokmasheva 2020, with two corrections: all readers copy out of the *root's* queue (the text has
//! leaves copy out of their parent's, which nobody fills), and a set is open for no use at first (−1 in place of 1,
//! which lets readers of use 1 pass early where there are several sets).
//!
//! In `coll/sm` a reader that has children copies each fragment into its own queue first, notifies its children then,
//! and copies it out of its own queue; they copy out of their parent's. It copies each fragment twice, and those below
//! it wait for the first copy.
//!
//! Why nothing is overwritten too early: a control word is used again, and a buffer filled again, only q uses later,
//! after the root of that use has seen that all readers have left the set. Each of them has cleared its control words
//! and copied before. Why no reader misses its use: `open[set]` is changed only after all readers have left the set.

use super::{Design, Scheme};

/// First value of [`Word::Open`]: a set is open for no use yet. All other words are 0 at first.
pub const NEVER_OPEN: u64 = u64::MAX;

/// A word of the memory that ranks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Number of readers that have yet to leave a set (`shm_nreaders`).
    Readers {
        /// Number of the set, from 0.
        set: u64,
    },
    /// Number of the use that a set is open for (`shm_op`).
    Open {
        /// Number of the set, from 0.
        set: u64,
    },
    /// Bytes of the fragment that a rank is notified of and has not taken note of (`control`).
    Control {
        /// Rank that is notified.
        rank: u32,
        /// Buffer of the root's queue that the fragment is in.
        buffer: u64,
    },
    /// Number of the fragment that a buffer of a rank's queue holds, which any other rank may look at (MVAPICH's
    /// `psn`). Fragments are counted from 1, over all calls.
    Filled {
        /// Rank whose queue it is.
        rank: u32,
        /// Number of the buffer in the queue.
        buffer: u64,
    },
    /// Number of the last fragment that a rank knows of (MPICH's release flag), or of the last barrier that it has
    /// opened.
    Released {
        /// Rank whose flag it is.
        rank: u32,
    },
    /// Number of the last fragment that a rank and all below it in the tree have copied (MPICH's gather flag), or of
    /// the last barrier that it has come to.
    Gathered {
        /// Rank whose flag it is.
        rank: u32,
    },
}

/// Memory that the ranks of one node share, as one of them sees it, beside its own message.
///
/// On real memory no call suspends: waits spin. Simulated ranks suspend until the time at which the operation is done.
#[allow(async_fn_in_trait)] // ranks are single-threaded: no Send bound is wanted
pub trait SharedMemory {
    /// Returns this rank's number, 0 ≤ rank < ranks.
    fn rank(&self) -> u32;

    /// Returns the number of ranks that share the memory.
    fn ranks(&self) -> u32;

    /// Puts a value into a word. A rank that sees it sees all that this rank did before (release).
    async fn store(&self, word: Word, value: u64);

    /// Waits until a word has a value, and sees all that the ranks that brought it about did before (acquire).
    async fn wait_for(&self, word: Word, value: u64);

    /// Waits until a word is larger than a value, and returns the word, with the guarantee of
    /// [`SharedMemory::wait_for`].
    async fn wait_above(&self, word: Word, value: u64) -> u64;

    /// Takes one off a word, at once for all ranks. A rank that sees it sees all that this rank did before.
    async fn decrement(&self, word: Word);

    /// Copies bytes of this rank's message, from `offset` on, into a buffer of its own queue.
    async fn copy_in(&self, buffer: u64, offset: u64, bytes: u64);

    /// Copies the bytes in a buffer of a rank's queue into this rank's message, to where `offset` says.
    async fn copy_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64);

    /// Copies the bytes in a buffer of another rank's queue into the same buffer of this rank's own queue.
    async fn copy_between(&self, owner: u32, buffer: u64, bytes: u64);
}

/// Memory through which ranks also reduce. A rank's contribution lies in its message, and so does its result: where a
/// memory tells the two apart, copies into a queue are of the contribution, and copies out of one go to the result.
#[allow(async_fn_in_trait)] // as above
pub trait Combining: SharedMemory {
    /// Copies bytes of this rank's contribution, from `offset` on, to the place of its result.
    async fn keep(&self, offset: u64, bytes: u64);

    /// Combines the bytes in a buffer of another rank's queue into the same buffer of this rank's own queue.
    async fn combine_between(&self, owner: u32, buffer: u64, bytes: u64);

    /// Combines the bytes in a buffer of another rank's queue into this rank's result, from `offset` on.
    async fn combine_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64);
}

/// State that one rank keeps between calls. All ranks of a memory begin with the same one, and make the same calls.
#[derive(Clone, Debug)]
pub struct Broadcast {
    pub(super) scheme: Scheme,
    /// Number of uses of sets by all calls so far.
    uses: u64,
    /// Number of fragments of all calls so far.
    pub(super) fragments: u64,
    /// Number of the last fragment that this rank and all below it in the tree are known to have copied.
    pub(super) gathered: u64,
}

/// One use of a set, within a call.
struct Use {
    number: u64,
    set: u64,
    root: u32,
    /// Length of the whole message, in bytes.
    bytes: u64,
    /// Fragments of the use, by their numbers in the message.
    fragments: std::ops::Range<u64>,
}

impl Broadcast {
    /// Returns a broadcast of any design, before the first call.
    pub fn new(scheme: Scheme) -> Broadcast {
        Broadcast { scheme, uses: 0, fragments: 0, gathered: 0 }
    }

    /// Continues by another queue and tree; fragments are counted on.
    pub fn by(self, scheme: Scheme) -> Broadcast {
        Broadcast { scheme, ..self }
    }

    /// Carries out one broadcast: afterwards this rank's message has the `bytes` of the root's. The root returns when
    /// the last fragment lies in a queue. One rank alone, and a message of no bytes, touch nothing.
    ///
    /// # Panics
    /// Panics if there is no such root.
    pub async fn call<M: SharedMemory>(&mut self, memory: &M, root: u32, bytes: u64) {
        assert!(root < memory.ranks(), "root {root} of {} ranks", memory.ranks());
        if memory.ranks() == 1 {
            return;
        }
        match self.scheme.design {
            Design::Numa | Design::CollSm => self.in_sets(memory, root, bytes).await,
            Design::Mvapich => self.in_slots(memory, root, bytes).await,
            Design::ReleaseGather => self.in_cells(memory, root, bytes).await,
        }
    }

    /// Carries out a broadcast by uses of sets, as this publication and `coll/sm` do it.
    async fn in_sets<M: SharedMemory>(&mut self, memory: &M, root: u32, bytes: u64) {
        let queue = self.scheme.queue;
        let (fragments, of_a_set) = (queue.fragments(bytes), queue.buffers_of_a_set());
        let mut first = 0;
        while first < fragments {
            let last = fragments.min(first + of_a_set);
            let turn = Use { number: self.uses, set: self.uses % queue.sets(), root, bytes, fragments: first..last };
            self.uses += 1;
            if memory.rank() == root {
                self.fill(memory, &turn).await
            } else {
                self.empty(memory, &turn).await
            }
            first = last;
        }
    }

    /// Carries out the root's part in one use.
    async fn fill<M: SharedMemory>(&self, memory: &M, turn: &Use) {
        let &Use { number, set, .. } = turn;
        memory.wait_for(Word::Readers { set }, 0).await;
        memory.store(Word::Readers { set }, u64::from(memory.ranks() - 1)).await;
        memory.store(Word::Open { set }, number).await;
        for (buffer, offset, bytes) in self.places(turn) {
            memory.copy_in(buffer, offset, bytes).await;
            self.notify(memory, turn, buffer, bytes).await;
        }
    }

    /// Carries out a reader's part in one use.
    async fn empty<M: SharedMemory>(&self, memory: &M, turn: &Use) {
        let &Use { number, set, .. } = turn;
        memory.wait_for(Word::Open { set }, number).await;
        for (buffer, offset, _) in self.places(turn) {
            let control = Word::Control { rank: memory.rank(), buffer };
            let bytes = memory.wait_above(control, 0).await;
            memory.store(control, 0).await;
            let source = self.pass_on(memory, turn, buffer, bytes).await;
            memory.copy_out(source, buffer, offset, bytes).await;
        }
        memory.decrement(Word::Readers { set }).await;
    }

    /// Lets the ranks below this reader know of a fragment, and returns the rank out of whose queue the reader copies
    /// it then.
    async fn pass_on<M: SharedMemory>(&self, memory: &M, turn: &Use, buffer: u64, bytes: u64) -> u32 {
        let &Scheme { design, tree, .. } = &self.scheme;
        let (rank, ranks, root) = (memory.rank(), memory.ranks(), turn.root);
        let parent = tree.parent(rank, root, ranks).unwrap_or(root);
        match design {
            Design::CollSm if tree.children(rank, root, ranks).next().is_none() => parent,
            Design::CollSm => {
                memory.copy_between(parent, buffer, bytes).await;
                self.notify(memory, turn, buffer, bytes).await;
                rank
            }
            Design::Numa | Design::Mvapich | Design::ReleaseGather => {
                self.notify(memory, turn, buffer, bytes).await;
                root
            }
        }
    }

    /// Notifies this rank's children of a fragment, one after the other.
    async fn notify<M: SharedMemory>(&self, memory: &M, turn: &Use, buffer: u64, bytes: u64) {
        for child in self.scheme.tree.children(memory.rank(), turn.root, memory.ranks()) {
            memory.store(Word::Control { rank: child, buffer }, bytes).await;
        }
    }

    /// Returns for each fragment of a use its buffer, its offset in the message, and its bytes.
    fn places(&self, turn: &Use) -> impl Iterator<Item = (u64, u64, u64)> {
        let (queue, bytes) = (self.scheme.queue, turn.bytes);
        let first = turn.set * queue.buffers_of_a_set();
        (first..).zip(turn.fragments.clone()).map(move |(buffer, number)| {
            let (offset, length) = queue.part(bytes, number);
            (buffer, offset, length)
        })
    }
}

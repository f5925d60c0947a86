//! The memory that ranks share: counters of sets, and each rank's control words and buffers.
//!
//! ```text
//! each set: a page with readers and open, a cache line each | each rank: s pages with a control word | s buffers of whole pages
//! ```
//!
//! As in Kurnosov and Tokmasheva 2020, section 4.1, without the leaders' numbers, which nobody needs where no rank is chosen for a
//! NUMA node. Other designs' words lie on the pages of control words, a cache line each: the number of the fragment in a buffer, and
//! on a rank's first page its two flags.

use memmap2::{MmapMut, MmapOptions};
use models::shared_broadcast::{NEVER_OPEN, Queue, Word};
use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Relaxed, Release};

/// From one counter of a set to the other: two cache lines, since adjacent ones may be fetched in pairs.
const LINE_BYTES: usize = 128;

/// Queues of all ranks, in memory of this process.
pub(super) struct Segment {
    map: MmapMut,
    queue: Queue,
    ranks: u32,
    page_bytes: usize,
    /// From a buffer to the next one.
    stride: usize,
}

// SAFETY: words are atomics; buffers are reached by raw pointers alone, and whoever copies has made sure that nobody else does so.
unsafe impl Sync for Segment {}

impl Segment {
    /// Memory for so many ranks, of which no queue has a page yet: each rank's first touch brings them.
    ///
    /// # Errors
    /// More memory than the system gives.
    pub(super) fn new(ranks: u32, queue: Queue) -> io::Result<Segment> {
        // SAFETY: sysconf takes a number and touches nothing of ours.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_bytes = usize::try_from(page).unwrap_or(4 * LINE_BYTES);
        let too_much = || io::Error::new(io::ErrorKind::OutOfMemory, "queues longer than memory");
        let fragment = usize::try_from(queue.fragment_bytes()).map_err(|_| too_much())?;
        let stride = fragment.checked_next_multiple_of(page_bytes).ok_or_else(too_much)?;
        let bytes = queue.segment_bytes(ranks, page_bytes as u64);
        let map = MmapOptions::new().len(usize::try_from(bytes).map_err(|_| too_much())?).map_anon()?;
        let segment = Segment { map, queue, ranks, page_bytes, stride };
        for set in 0..queue.sets() {
            segment.word(Word::Open { set }).store(NEVER_OPEN, Release);
        }
        Ok(segment)
    }

    pub(super) fn queue(&self) -> Queue {
        self.queue
    }

    pub(super) fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Brings the pages of a rank's queue, by whichever thread calls, which is that rank's.
    pub(super) fn touch(&self, rank: u32) {
        for buffer in 0..self.queue.buffers() {
            // A write that changes nothing: who joins late must not lose a notification.
            self.word(Word::Control { rank, buffer }).fetch_add(0, Relaxed);
            let start = self.buffer(rank, buffer);
            for page in (0..self.stride).step_by(self.page_bytes) {
                // SAFETY: inside the buffer, which nobody reads before this rank is the root of a broadcast.
                unsafe { start.add(page).write_volatile(0) };
            }
        }
    }

    pub(super) fn word(&self, word: Word) -> &AtomicU64 {
        let at = match word {
            Word::Readers { set } => self.set_at(set),
            Word::Open { set } => self.set_at(set) + LINE_BYTES,
            Word::Control { rank, buffer } => self.control_at(rank, buffer),
            Word::Filled { rank, buffer } => self.control_at(rank, buffer) + LINE_BYTES,
            Word::Released { rank } => self.control_at(rank, 0) + 2 * LINE_BYTES,
            Word::Gathered { rank } => self.control_at(rank, 0) + 3 * LINE_BYTES,
        };
        // SAFETY: the place is inside the map (`segment_bytes` has room for all of them), at the begin of a page or a line, and
        // an atomic may be written through a shared reference. No buffer overlaps it.
        unsafe { &*self.map.as_ptr().add(at).cast::<AtomicU64>() }
    }

    /// Where a buffer begins. Its bytes may be touched by whom the protocol lets.
    pub(super) fn buffer(&self, rank: u32, buffer: u64) -> *mut u8 {
        let controls = self.of_buffer(self.queue.buffers() - 1) + 1;
        let at = self.queue_at(rank) + controls * self.page_bytes + self.of_buffer(buffer) * self.stride;
        // SAFETY: inside the map, as above.
        unsafe { self.map.as_ptr().add(at).cast_mut() }
    }

    /// Where the page with a buffer's words begins.
    fn control_at(&self, rank: u32, buffer: u64) -> usize {
        self.queue_at(rank) + self.of_buffer(buffer) * self.page_bytes
    }

    fn set_at(&self, set: u64) -> usize {
        assert!(set < self.queue.sets(), "set {set} of {}", self.queue.sets());
        set as usize * self.page_bytes
    }

    fn of_buffer(&self, buffer: u64) -> usize {
        assert!(buffer < self.queue.buffers(), "buffer {buffer} of {}", self.queue.buffers());
        buffer as usize
    }

    fn queue_at(&self, rank: u32) -> usize {
        assert!(rank < self.ranks, "rank {rank} of {}", self.ranks);
        let of_a_rank = self.queue.buffers() as usize * (self.page_bytes + self.stride);
        self.queue.sets() as usize * self.page_bytes + rank as usize * of_a_rank
    }
}

//! The memory that ranks share: counters of sets, and each rank's control words and buffers.
//!
//! ```text
//! each set: a page with readers and open, a cache line each | each rank: s pages with a control word | s buffers of whole pages
//! ```
//!
//! The layout is that of Kurnosov and Tokmasheva 2020, section 4.1, without the leaders' numbers, which nobody needs
//! where no rank is chosen for a NUMA node. The counters lie before rank 0's queue. Each rank's queue may be memory of
//! its own. Other designs' words lie on the pages of control words, a cache line each: the number of the fragment in a
//! buffer, and on a rank's first page its two flags.

use memmap2::{MmapMut, MmapOptions};
use models::shared_broadcast::{NEVER_OPEN, Queue, Word};
use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Relaxed, Release};

/// Distance of the counters of a set: two cache lines, since adjacent ones may be fetched in pairs.
const LINE_BYTES: usize = 128;

/// Queues of all ranks, as this process sees them.
pub struct Segment {
    layout: Layout,
    /// Address of the counters of sets.
    counters: *mut u8,
    /// Address of each rank's queue.
    queues: Vec<*mut u8>,
    _memory: Option<MmapMut>,
}

// SAFETY: words are atomics; buffers are reached by raw pointers alone, and whoever copies has made sure that nobody
// else does so.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

/// Layout of a rank's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    queue: Queue,
    page_bytes: usize,
    /// Distance from a buffer to the next one.
    stride: usize,
}

impl Layout {
    /// Makes the layout of a queue, on pages of this machine.
    ///
    /// # Errors
    ///
    /// Fails for more memory than any machine has.
    pub fn for_queue(queue: Queue) -> io::Result<Layout> {
        // SAFETY: sysconf takes a number and touches nothing of ours.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_bytes = usize::try_from(page).unwrap_or(4 * LINE_BYTES);
        let too_much = || io::Error::new(io::ErrorKind::OutOfMemory, "queues longer than memory");
        let fragment = usize::try_from(queue.fragment_bytes()).map_err(|_| too_much())?;
        let stride = fragment.checked_next_multiple_of(page_bytes).ok_or_else(too_much)?;
        usize::try_from(queue.segment_bytes(1, page_bytes as u64)).map_err(|_| too_much())?;
        Ok(Layout { queue, page_bytes, stride })
    }

    /// Returns the bytes of a rank's queue, and of the counters, which rank 0 has before its own.
    pub fn bytes(&self, rank: u32) -> usize {
        if rank == 0 { self.counters() + self.queue_bytes() } else { self.queue_bytes() }
    }

    /// Returns the bytes of one rank's queue alone: a page with control words and the room of a buffer, for each
    /// buffer.
    fn queue_bytes(&self) -> usize {
        self.queue.buffers() as usize * (self.page_bytes + self.stride)
    }

    fn counters(&self) -> usize {
        self.queue.sets() as usize * self.page_bytes
    }
}

impl Segment {
    /// Makes memory of this process for `ranks` ranks, ready for their first broadcast. No queue has a page yet: each
    /// rank's first touch brings them.
    ///
    /// # Errors
    ///
    /// Fails for more memory than the system gives.
    pub(super) fn new(ranks: u32, queue: Queue) -> io::Result<Segment> {
        let layout = Layout::for_queue(queue)?;
        let bytes = (0..ranks).map(|rank| layout.bytes(rank)).fold(0, usize::saturating_add);
        let mut map = MmapOptions::new().len(bytes).map_anon()?;
        let mut at = 0;
        let begins = (0..ranks).map(|rank| {
            let begin = at;
            at += layout.bytes(rank);
            // SAFETY: inside the map, which is as long as all ranks' parts together.
            unsafe { map.as_mut_ptr().add(begin) }
        });
        let begins = begins.collect();
        // SAFETY: the map is as long as the layout demands, and lives as long as the segment.
        let segment = unsafe { Segment::over(layout, begins, Some(map)) };
        segment.close_sets();
        Ok(segment)
    }

    /// Makes a segment of memory that ranks have made: the addresses of their parts in this process.
    ///
    /// # Safety
    ///
    /// Each rank's part is as long as [`Layout::bytes`] says, begins at a page, and stays until the segment goes.
    pub unsafe fn of_ranks(layout: Layout, begins: Vec<*mut u8>) -> Segment {
        // SAFETY: as this function demands.
        unsafe { Segment::over(layout, begins, None) }
    }

    /// # Safety
    /// As [`Segment::of_ranks`].
    unsafe fn over(layout: Layout, mut begins: Vec<*mut u8>, memory: Option<MmapMut>) -> Segment {
        let counters = begins.first().copied().unwrap_or(std::ptr::null_mut());
        if let Some(first) = begins.first_mut() {
            // SAFETY: rank 0's memory begins with them.
            *first = unsafe { counters.add(layout.counters()) };
        }
        Segment { layout, counters, queues: begins, _memory: memory }
    }

    pub(super) fn queue(&self) -> Queue {
        self.layout.queue
    }

    pub(super) fn ranks(&self) -> u32 {
        self.queues.len() as u32
    }

    /// Closes all sets: none is open for any use.
    fn close_sets(&self) {
        for set in 0..self.queue().sets() {
            self.word(Word::Readers { set }).store(0, Release);
            self.word(Word::Open { set }).store(NEVER_OPEN, Release);
        }
    }

    /// Writes the content that a rank's part must have before the first broadcast of any rank, whatever the memory held
    /// before.
    pub fn begin(&self, rank: u32) {
        if rank == 0 {
            self.close_sets();
        }
        for buffer in 0..self.queue().buffers() {
            self.word(Word::Control { rank, buffer }).store(0, Release);
            self.word(Word::Filled { rank, buffer }).store(0, Release);
        }
        self.word(Word::Released { rank }).store(0, Release);
        self.word(Word::Gathered { rank }).store(0, Release);
    }

    /// Brings the pages of a rank's queue. Called by that rank's thread.
    pub(super) fn touch(&self, rank: u32) {
        for buffer in 0..self.queue().buffers() {
            // A write that changes nothing: who joins late must not lose a notification. Adding nothing is none:
            // compilers make it a load, which brings no page.
            let _ = self.word(Word::Control { rank, buffer }).compare_exchange(0, 0, Relaxed, Relaxed);
            let start = self.buffer(rank, buffer);
            for page in (0..self.layout.stride).step_by(self.layout.page_bytes) {
                // SAFETY: inside the buffer, which nobody reads before this rank is the root of a broadcast.
                unsafe { start.add(page).write_volatile(0) };
            }
        }
    }

    /// Returns the addresses of all pages of a rank's queue, with those of control words.
    pub(super) fn pages(&self, rank: u32) -> impl Iterator<Item = *mut u8> {
        let places = (0..self.layout.queue_bytes()).step_by(self.layout.page_bytes);
        // SAFETY: inside the rank's part.
        places.map(move |at| unsafe { self.queue_of(rank).add(at) })
    }

    pub(super) fn word(&self, word: Word) -> &AtomicU64 {
        let page_bytes = self.layout.page_bytes;
        let (part, at) = match word {
            Word::Readers { set } => (self.counters, self.of_set(set) * page_bytes),
            Word::Open { set } => (self.counters, self.of_set(set) * page_bytes + LINE_BYTES),
            Word::Control { rank, buffer } => (self.queue_of(rank), self.of_buffer(buffer) * page_bytes),
            Word::Filled { rank, buffer } => (self.queue_of(rank), self.of_buffer(buffer) * page_bytes + LINE_BYTES),
            Word::Released { rank } => (self.queue_of(rank), 2 * LINE_BYTES),
            Word::Gathered { rank } => (self.queue_of(rank), 3 * LINE_BYTES),
        };
        // SAFETY: the place is inside the rank's part (`Layout::bytes` has room for all of them), at the begin of a
        // page or a line, and an atomic may be written through a shared reference. No buffer overlaps it.
        unsafe { &*part.add(at).cast::<AtomicU64>() }
    }

    /// Returns the address of a buffer. Its bytes may be touched only as the protocol allows.
    pub(super) fn buffer(&self, rank: u32, buffer: u64) -> *mut u8 {
        let controls = self.queue().buffers() as usize;
        let at = controls * self.layout.page_bytes + self.of_buffer(buffer) * self.layout.stride;
        // SAFETY: inside the rank's part, as above.
        unsafe { self.queue_of(rank).add(at) }
    }

    fn of_set(&self, set: u64) -> usize {
        assert!(set < self.queue().sets(), "set {set} of {}", self.queue().sets());
        set as usize
    }

    fn of_buffer(&self, buffer: u64) -> usize {
        assert!(buffer < self.queue().buffers(), "buffer {buffer} of {}", self.queue().buffers());
        buffer as usize
    }

    fn queue_of(&self, rank: u32) -> *mut u8 {
        self.queues[rank as usize]
    }
}

//! The broadcast through shared memory on real ranks: real words, real copies.

mod calls;
mod handshake;
mod lobby;
mod nodes;
mod segment;
#[cfg(test)]
mod tests;

pub use calls::SharedCalls;
pub use lobby::Lobby;
pub use segment::{Layout, Segment};

use crate::immediate::immediately;
use crate::waiting::Patience;
use models::call::Unit;
use models::shared_broadcast::{Broadcast, Queued, SharedMemory, Word};
use programs::observation::Placement;
use std::cell::Cell;
use std::io;
use std::sync::Arc;

/// Place of a rank in a segment that the rank has not taken yet.
pub struct Seat {
    segment: Arc<Segment>,
    rank: u32,
    queued: Queued,
}

/// One rank of a segment, in its own thread or process.
pub struct Member {
    memory: Mapped,
    broadcast: Broadcast,
    /// NUMA nodes of its queue, on a host of several.
    placement: Option<Placement>,
}

/// Makes memory of this process for the broadcasts of `ranks` ranks, with a seat for each.
///
/// # Errors
///
/// Fails for more memory than the system gives.
pub fn seats(ranks: u32, queued: &Queued) -> io::Result<Vec<Seat>> {
    let segment = Arc::new(Segment::new(ranks, queued.queue())?);
    Ok((0..ranks).map(|rank| Seat::in_segment(segment.clone(), rank, queued)).collect())
}

/// Segment as a rank sees it, with its message of the current call.
struct Mapped {
    segment: Arc<Segment>,
    rank: u32,
    patience: Patience,
    message: Cell<QueueMessage>,
}

/// Message of a rank: its place and layout.
#[derive(Clone, Copy)]
struct QueueMessage {
    start: *mut u8,
    /// Length of the memory over which it extends, in bytes.
    length: u64,
    /// Unit that says how its bytes lie among others that do not travel. Null if they lie one after the other.
    unit: *const Unit,
}

impl QueueMessage {
    const NONE: QueueMessage = QueueMessage { start: std::ptr::null_mut(), length: 0, unit: std::ptr::null() };
}

impl Seat {
    /// Makes a rank's seat in a segment.
    pub fn in_segment(segment: Arc<Segment>, rank: u32, queued: &Queued) -> Seat {
        Seat { segment, rank, queued: queued.clone() }
    }

    /// Takes the seat, in the rank's own thread: its queue's pages lie where that thread runs. `patience`: whether
    /// waiting ranks spin or yield.
    pub fn join(self, patience: Patience) -> Member {
        let Seat { segment, rank, queued } = self;
        segment.touch(rank);
        let placement = nodes::placement(segment.pages(rank));
        let message = Cell::new(QueueMessage::NONE);
        Member { memory: Mapped { segment, rank, patience, message }, broadcast: queued.broadcast(), placement }
    }
}

impl Member {
    /// Returns this rank's number in the segment.
    pub fn rank(&self) -> u32 {
        self.memory.rank
    }

    /// Makes one broadcast of `bytes` bytes, which lie in whole units of the message: afterwards all ranks have the
    /// root's. The holes of units stay as they are.
    ///
    /// # Safety
    ///
    /// The message may be written, and nobody else uses it meanwhile. All ranks of the segment make the same broadcasts
    /// in the same order: with the same root, and as many bytes. Otherwise ranks may write what others read.
    pub unsafe fn broadcast(&mut self, root: u32, message: *mut [u8], bytes: u64, unit: &Unit) {
        let unit = if unit.is_whole() { std::ptr::null() } else { std::ptr::from_ref(unit) };
        self.memory.message.set(QueueMessage { start: message.cast(), length: message.len() as u64, unit });
        immediately(self.broadcast.call(&self.memory, root, bytes));
        self.memory.message.set(QueueMessage::NONE);
    }
}

impl Mapped {
    /// Calls `act` for every run of bytes of a part of the message, with its length and the number of bytes before it.
    #[inline(always)]
    fn for_each_run(&self, offset: u64, bytes: u64, mut act: impl FnMut(*mut u8, usize, usize)) {
        let QueueMessage { start, length, unit } = self.message.get();
        let at = |offset: u64, bytes: u64| {
            let end = offset.checked_add(bytes);
            assert!(end.is_some_and(|end| end <= length), "{bytes} B at {offset} of {length} B");
            // SAFETY: inside the message, as was just seen.
            unsafe { start.add(offset as usize) }
        };
        // SAFETY: a unit is set while `broadcast` borrows it, and at no other time.
        let Some(unit) = (unsafe { unit.as_ref() }) else { return act(at(offset, bytes), 0, bytes as usize) };
        let mut before = 0;
        for (place, bytes) in unit.pieces(offset, bytes) {
            act(at(place, bytes), before, bytes as usize);
            before += bytes as usize;
        }
    }

    fn buffer(&self, owner: u32, buffer: u64, bytes: u64) -> *mut u8 {
        let room = self.segment.queue().fragment_bytes();
        assert!(bytes <= room, "{bytes} B in a buffer of {room} B");
        self.segment.buffer(owner, buffer)
    }
}

impl SharedMemory for Mapped {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn ranks(&self) -> u32 {
        self.segment.ranks()
    }

    async fn store(&self, word: Word, value: u64) {
        handshake::publish(self.segment.word(word), value);
    }

    async fn wait_for(&self, word: Word, value: u64) {
        let is = |found| found == value;
        handshake::await_value(self.segment.word(word), is, || self.patience.breathe());
    }

    async fn wait_above(&self, word: Word, value: u64) -> u64 {
        let is_above = |found| found > value;
        handshake::await_value(self.segment.word(word), is_above, || self.patience.breathe())
    }

    async fn decrement(&self, word: Word) {
        handshake::leave(self.segment.word(word));
    }

    async fn copy_in(&self, buffer: u64, offset: u64, bytes: u64) {
        let to = self.buffer(self.rank, buffer, bytes);
        // SAFETY: both have room; the message is this rank's alone, and readers have left the buffer, or `broadcast`
        // was called against its contract.
        self.for_each_run(offset, bytes, |run, before, bytes| unsafe {
            std::ptr::copy_nonoverlapping(run, to.add(before), bytes);
        });
    }

    async fn copy_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64) {
        let from = self.buffer(owner, buffer, bytes);
        // SAFETY: both have room; the message is this rank's alone, and the owner leaves the buffer as it is until this
        // rank has left the set, or `broadcast` was called against its contract.
        self.for_each_run(offset, bytes, |run, before, bytes| unsafe {
            std::ptr::copy_nonoverlapping(from.add(before), run, bytes);
        });
    }

    async fn copy_between(&self, owner: u32, buffer: u64, bytes: u64) {
        assert_ne!(owner, self.rank, "a buffer is copied from another rank's queue");
        let (from, to) = (self.buffer(owner, buffer, bytes), self.buffer(self.rank, buffer, bytes));
        // SAFETY: both have room and are apart; the owner leaves its buffer as it is until this rank has left it, and
        // whoever reads this rank's own has left that, or `broadcast` was called against its contract.
        unsafe { std::ptr::copy_nonoverlapping(from, to, bytes as usize) };
    }
}

//! Broadcasts that a rank has prepared, by number.

use super::Member;
use crate::buffer::Buffer;
use models::call::{Call, Unit};
use models::collective::Shape;
use models::shared_broadcast::Queued;
use programs::observation::Placement;
use std::cell::RefCell;

/// Prepared broadcasts of a rank. Broadcasts through the same queues share a segment. What a segment needs is kept in
/// `K` as long as the segment.
pub struct SharedCalls<K> {
    segments: RefCell<Vec<Joined<K>>>,
    prepared: RefCell<Vec<Prepared>>,
}

/// Segment that the rank has joined.
struct Joined<K> {
    queued: Queued,
    // Goes before the memory that it uses.
    member: Member,
    _kept: K,
}

struct Prepared {
    segment: usize,
    root: u32,
    bytes: u64,
    /// Unit that says how the bytes lie in the buffer.
    unit: Unit,
    /// Length of the memory over which the bytes extend.
    length: u64,
}

impl<K> Default for SharedCalls<K> {
    fn default() -> SharedCalls<K> {
        SharedCalls { segments: RefCell::default(), prepared: RefCell::default() }
    }
}

impl<K> SharedCalls<K> {
    /// Prepares a broadcast of this shape, whose bytes lie as the call says, through a segment that `join` joins if
    /// none with these queues is here. Returns the broadcast's number. Called by all ranks together.
    ///
    /// # Errors
    ///
    /// Fails where `join` fails.
    pub fn add(
        &self,
        queued: &Queued,
        call: &Call,
        shape: &Shape,
        join: impl FnOnce() -> Result<(Member, K), String>,
    ) -> Result<usize, String> {
        let mut segments = self.segments.borrow_mut();
        let segment = match segments.iter().position(|joined| joined.queued == *queued) {
            Some(segment) => segment,
            None => {
                let (member, kept) = join()?;
                segments.push(Joined { queued: queued.clone(), member, _kept: kept });
                segments.len() - 1
            }
        };
        let mut prepared = self.prepared.borrow_mut();
        let (unit, &Shape { root, bytes, .. }) = (call.unit(), shape);
        prepared.push(Prepared { segment, root, bytes, length: unit.memory_bytes(bytes), unit });
        Ok(prepared.len() - 1)
    }

    /// Makes a prepared broadcast, on the rank's buffer. Called by all ranks together.
    #[inline(always)]
    pub fn call(&self, number: usize, buffer: &Buffer) {
        let prepared = self.prepared.borrow();
        let &Prepared { segment, root, bytes, ref unit, length } = &prepared[number];
        let member = &mut self.segments.borrow_mut()[segment].member;
        // SAFETY: all ranks make the same prepared calls in the same order; nobody else uses the buffer meanwhile.
        unsafe { member.broadcast(root, buffer.run(0, length), bytes, unit) };
    }

    /// Returns the NUMA nodes of the queue that a prepared broadcast takes, on a host of several nodes.
    pub fn placement(&self, number: usize) -> Option<Placement> {
        let segment = self.prepared.borrow().get(number)?.segment;
        self.segments.borrow()[segment].member.placement
    }

    /// Gives all segments back. Called by all ranks together.
    pub fn forget(&self) {
        self.prepared.borrow_mut().clear();
        self.segments.borrow_mut().clear();
    }
}

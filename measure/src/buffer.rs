//! The benchmark buffer of a real rank.

use models::collective::{Part, Then};
use std::cell::{Cell, UnsafeCell};
use std::ptr::slice_from_raw_parts_mut;

/// Bytes that one rank's messages are read from and written to. One rank owns it, and does one
/// thing at a time: parts are lent for one call only. What arrives in a part of one run is stored
/// where it belongs at once; scattered parts and sums go through scratch memory, which grows in a first call.
pub struct Buffer {
    /// All buffers of a pool, one after the other; mostly just one.
    bytes: Box<[UnsafeCell<u8>]>,
    /// Length of one of them.
    length: usize,
    /// From where to where the next one lies, and where the present one begins.
    stride: usize,
    base: Cell<usize>,
    /// Where the first one begins when it begins at a cache line, and where it begins now.
    aligned: usize,
    first: Cell<usize>,
    incoming: UnsafeCell<Vec<u8>>,
    outgoing: UnsafeCell<Vec<u8>>,
}

/// Long enough for the cache lines of all machines that matter: 64, and 128 bytes.
const CACHE_LINE: usize = 128;

// SAFETY, for all: `Buffer` is not Sync, and what is handed a part is code of this crate that never comes
// back to the same buffer, so no other reference to these bytes or to the scratch memory lives meanwhile.
// A message library may hold pointers to further parts (posted receives, started sends): its program
// never touches those before it has waited for them, as MPI demands.
impl Buffer {
    /// A buffer of `bytes` bytes, each `fill`.
    pub fn new(bytes: u64, fill: u8) -> Buffer {
        Buffer::pool(bytes, fill, 0)
    }

    /// So many buffers of `bytes` bytes, each `fill`, that they are at least `pool_bytes` long together; the first is
    /// in use.
    pub fn pool(bytes: u64, fill: u8, pool_bytes: u64) -> Buffer {
        let length = bytes as usize;
        // On pages of their own, so that no prefetcher runs from one into the next.
        let stride = length.next_multiple_of(4096).max(4096);
        let further = (pool_bytes as usize).div_ceil(stride).saturating_sub(1);
        let bytes = Box::into_raw(vec![fill; further * stride + length + CACHE_LINE].into_boxed_slice());
        let aligned = bytes.cast::<u8>().addr().wrapping_neg() % CACHE_LINE;
        // SAFETY: `UnsafeCell<u8>` is laid out as `u8`.
        let bytes = unsafe { Box::from_raw(bytes as *mut [UnsafeCell<u8>]) };
        let (incoming, outgoing) = (UnsafeCell::default(), UnsafeCell::default());
        let (base, first) = (Cell::new(aligned), Cell::new(aligned));
        Buffer { bytes, length, stride, base, aligned, first, incoming, outgoing }
    }

    /// Goes on to the next buffer of a pool, around; false where there is just one.
    #[inline(always)]
    pub fn next(&self) -> bool {
        let next = self.base.get() + self.stride;
        let first = self.first.get();
        self.base.set(if next + self.length <= self.bytes.len() { next } else { first });
        first + self.stride + self.length <= self.bytes.len()
    }

    /// Puts the first buffer of the pool in use, a byte behind the beginning of a cache line, or at it.
    pub fn misalign(&self, misaligned: bool) {
        self.first.set(self.aligned + usize::from(misaligned));
        self.base.set(self.first.get());
    }

    /// Where the bytes from `offset` on lie.
    ///
    /// # Panics
    /// If the buffer ends before they do.
    #[inline(always)]
    pub fn run(&self, offset: u64, bytes: u64) -> *mut [u8] {
        let own = &self.bytes[self.base.get()..self.base.get() + self.length];
        let cells = &own[offset as usize..(offset + bytes) as usize];
        slice_from_raw_parts_mut(cells.as_ptr().cast::<u8>().cast_mut(), cells.len())
    }

    /// Scratch memory of so many bytes, for calls that read the buffer and write beside it: valid until the next call.
    #[inline(always)]
    pub fn beside(&self, bytes: u64) -> *mut [u8] {
        unsafe { room(&self.incoming, bytes) }
    }

    /// Lends that memory to `use_it`.
    pub fn with_beside<T>(&self, bytes: u64, use_it: impl FnOnce(&mut [u8]) -> T) -> T {
        use_it(unsafe { &mut *self.beside(bytes) })
    }

    /// Lends a part for reading to `use_it`.
    #[inline(always)]
    pub fn read<T>(&self, part: Part, use_it: impl FnOnce(&[u8]) -> T) -> T {
        if part.scattered.is_none() {
            return use_it(unsafe { &*self.run(part.offset, part.bytes) });
        }
        let packed = unsafe { room(&self.outgoing, part.bytes) };
        self.pack(part, packed);
        use_it(packed)
    }

    /// Lends room for a part to `fill_it`, then stores or combines what it put there.
    #[inline(always)]
    pub fn write<T>(&self, part: Part, then: Then, fill_it: impl FnOnce(&mut [u8]) -> T) -> T {
        if is_direct(part, then) {
            return fill_it(unsafe { &mut *self.run(part.offset, part.bytes) });
        }
        let arrived = unsafe { room(&self.incoming, part.bytes) };
        let result = fill_it(arrived);
        self.deliver(part, then, arrived);
        result
    }

    /// Reads one part while another is filled (`MPI_Sendrecv`); what arrives is stored or combined afterwards.
    #[inline(always)]
    pub fn exchange<T>(&self, sent: Part, received: Part, then: Then, act: impl FnOnce(&[u8], &mut [u8]) -> T) -> T {
        if is_direct(received, then) && sent.scattered.is_none() && apart(sent, received) {
            let (from, to) = (self.run(sent.offset, sent.bytes), self.run(received.offset, received.bytes));
            return act(unsafe { &*from }, unsafe { &mut *to });
        }
        let arrived = unsafe { room(&self.incoming, received.bytes) };
        let result = self.read(sent, |data| act(data, arrived));
        self.deliver(received, then, arrived);
        result
    }

    /// Copies or combines one part into another, which may overlap.
    pub fn local(&self, from: Part, to: Part, then: Then) {
        if from.scattered.is_none() && is_direct(to, then) {
            let (from, to) = (self.run(from.offset, from.bytes), self.run(to.offset, to.bytes));
            assert_eq!(from.len(), to.len(), "what is copied is as long as what it replaces");
            unsafe { from.cast::<u8>().copy_to(to.cast::<u8>(), from.len()) };
        } else if from.scattered.is_none() && to.scattered.is_none() && apart(from, to) {
            self.deliver(to, then, unsafe { &*self.run(from.offset, from.bytes) });
        } else {
            let packed = unsafe { room(&self.outgoing, from.bytes) };
            self.pack(from, packed);
            self.deliver(to, then, packed);
        }
    }

    /// Puts what arrived elsewhere into a part.
    pub fn deliver(&self, part: Part, then: Then, arrived: &[u8]) {
        assert_eq!(arrived.len() as u64, part.bytes, "what arrived is as long as the part it is for");
        let mut rest = arrived;
        for (offset, bytes) in part.runs() {
            let (new, behind) = rest.split_at(bytes as usize);
            let old = unsafe { &mut *self.run(offset, bytes) };
            match then {
                Then::Store => old.copy_from_slice(new),
                Then::Combine => old.iter_mut().zip(new).for_each(|(old, new)| *old = old.wrapping_add(*new)),
            }
            rest = behind;
        }
    }

    /// Writes the runs of a part one after another.
    pub fn pack(&self, part: Part, packed: &mut [u8]) {
        let mut rest = packed;
        for (offset, bytes) in part.runs() {
            let (here, behind) = rest.split_at_mut(bytes as usize);
            here.copy_from_slice(unsafe { &*self.run(offset, bytes) });
            rest = behind;
        }
    }
}

/// True if what arrives can be put where it belongs at once.
#[inline(always)]
pub fn is_direct(part: Part, then: Then) -> bool {
    part.scattered.is_none() && then == Then::Store
}

/// True if two runs share no byte.
#[inline(always)]
fn apart(a: Part, b: Part) -> bool {
    a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset
}

/// The first bytes of scratch memory, which grows where it is too short.
///
/// # Safety
/// No other reference to this memory lives.
#[allow(clippy::mut_from_ref)] // one rank does one thing at a time: see `Buffer`
unsafe fn room(scratch: &UnsafeCell<Vec<u8>>, bytes: u64) -> &mut [u8] {
    let scratch = unsafe { &mut *scratch.get() };
    if scratch.len() < bytes as usize {
        scratch.resize(bytes as usize, 0);
    }
    &mut scratch[..bytes as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(bytes: u8) -> Buffer {
        let buffer = Buffer::new(u64::from(bytes), 0);
        buffer.write(Part::range(0, u64::from(bytes)), Then::Store, |room| {
            room.iter_mut().zip(0..).for_each(|(byte, value)| *byte = value);
        });
        buffer
    }

    fn all(buffer: &Buffer) -> Vec<u8> {
        buffer.read(Part::range(0, buffer.length as u64), <[u8]>::to_vec)
    }

    #[test]
    fn a_pool_goes_around_and_its_buffers_are_apart() {
        let pool = Buffer::pool(6, 7, 3 * 4096);
        let first = |value| pool.write(Part::range(0, 1), Then::Store, |room| room[0] = value);
        let read = || pool.read(Part::range(0, 1), |data| data[0]);
        first(1);
        assert!(pool.next());
        assert_eq!(read(), 7, "another buffer");
        first(2);
        assert!(pool.next() && pool.next());
        assert_eq!(read(), 1, "the third is followed by the first");
        assert!(!Buffer::new(6, 7).next() && !Buffer::new(10_000, 7).next(), "one buffer is no pool");
    }

    #[test]
    fn a_buffer_begins_at_a_cache_line_or_a_byte_behind_it() {
        for buffer in [Buffer::new(6, 7), Buffer::pool(6, 7, 3 * 4096)] {
            let place = || buffer.run(0, 6).cast::<u8>().addr() % CACHE_LINE;
            assert_eq!(place(), 0);
            buffer.misalign(true);
            assert_eq!(place(), 1);
            buffer.next();
            assert_eq!(place(), 1, "every buffer of a pool");
            buffer.misalign(false);
            assert_eq!(place(), 0);
        }
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn nothing_is_lent_from_the_next_buffer_of_a_pool() {
        Buffer::pool(6, 7, 3 * 4096).run(5, 2);
    }

    #[test]
    fn parts_are_stored_combined_and_exchanged() {
        let buffer = Buffer::new(6, 200);
        let part = Part::range;
        buffer.write(part(0, 2), Then::Store, |room| room.copy_from_slice(&[1, 2]));
        buffer.write(part(1, 2), Then::Combine, |room| room.copy_from_slice(&[10, 100]));
        buffer.exchange(part(0, 2), part(4, 2), Then::Store, |sent, room| room.copy_from_slice(sent));
        assert_eq!(all(&buffer), [1, 12, 44, 200, 1, 12]);
        buffer.exchange(part(0, 2), part(1, 2), Then::Store, |sent, room| room.copy_from_slice(sent));
        assert_eq!(all(&buffer), [1, 1, 12, 200, 1, 12], "overlapping parts: what is sent is what was there");
        buffer.exchange(part(0, 2), part(0, 2), Then::Combine, |sent, room| room.copy_from_slice(sent));
        assert_eq!(all(&buffer), [2, 2, 12, 200, 1, 12]);
    }

    #[test]
    fn scattered_parts_travel_packed() {
        // Of the blocks of two bytes from byte 1 on: those with bit 0 set, numbers 1 and 3.
        let odd = Part::with_bit(1, 2, 4, 0);
        let buffer = counting(10);
        assert_eq!(buffer.read(odd, <[u8]>::to_vec), [3, 4, 7, 8]);
        buffer.write(odd, Then::Store, |room| room.copy_from_slice(&[40, 41, 42, 43]));
        assert_eq!(all(&buffer), [0, 1, 2, 40, 41, 5, 6, 42, 43, 9]);
        buffer.write(odd, Then::Combine, |room| room.copy_from_slice(&[1, 1, 1, 1]));
        assert_eq!(all(&buffer), [0, 1, 2, 41, 42, 5, 6, 43, 44, 9]);
        let second = Part::with_bit(1, 2, 4, 1);
        buffer.exchange(odd, second, Then::Store, |sent, room| room.copy_from_slice(sent));
        assert_eq!(all(&buffer), [0, 1, 2, 41, 42, 41, 42, 43, 44, 9]);
    }

    #[test]
    fn moves_within_the_buffer_may_overlap_and_be_scattered() {
        let buffer = counting(8);
        buffer.local(Part::range(0, 6), Part::range(2, 6), Then::Store);
        assert_eq!(all(&buffer), [0, 1, 0, 1, 2, 3, 4, 5]);
        buffer.local(Part::range(0, 3), Part::range(1, 3), Then::Combine);
        assert_eq!(all(&buffer), [0, 1, 1, 1, 2, 3, 4, 5], "read whole before anything is written");
        buffer.local(Part::range(4, 2), Part::range(6, 2), Then::Combine);
        assert_eq!(all(&buffer), [0, 1, 1, 1, 2, 3, 6, 8]);
        buffer.local(Part::range(6, 2), Part::with_bit(0, 1, 4, 0), Then::Store);
        assert_eq!(all(&buffer), [0, 6, 1, 8, 2, 3, 6, 8]);
        buffer.local(Part::with_bit(0, 1, 4, 0), Part::range(0, 2), Then::Combine);
        assert_eq!(all(&buffer), [6, 14, 1, 8, 2, 3, 6, 8]);
    }
}

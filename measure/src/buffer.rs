//! The benchmark buffer of a real rank.

use models::collective::{Part, Then};
use std::cell::UnsafeCell;

/// Bytes that one rank's messages are read from and written to. One rank owns it, and does one
/// thing at a time: parts are lent for one call only.
pub struct Buffer {
    bytes: UnsafeCell<Vec<u8>>,
    incoming: UnsafeCell<Vec<u8>>,
}

impl Buffer {
    /// A buffer of `bytes` bytes, each `fill`.
    pub fn new(bytes: u64, fill: u8) -> Buffer {
        let bytes = bytes as usize;
        Buffer { bytes: UnsafeCell::new(vec![fill; bytes]), incoming: UnsafeCell::new(vec![0; bytes]) }
    }

    /// Lends a part for reading to `use_it`.
    #[inline(always)]
    pub fn read<T>(&self, part: Part, use_it: impl FnOnce(&[u8]) -> T) -> T {
        // SAFETY: `Buffer` is not Sync and `use_it` is code of this module's callers that never
        // comes back to the same buffer, so nobody else holds a reference meanwhile.
        let bytes = unsafe { &*self.bytes.get() };
        use_it(&bytes[part.offset as usize..(part.offset + part.bytes) as usize])
    }

    /// Lends room for a part to `fill_it`, then stores or combines what it put there.
    #[inline(always)]
    pub fn write<T>(&self, part: Part, then: Then, fill_it: impl FnOnce(&mut [u8]) -> T) -> T {
        // SAFETY: as in `read`.
        let (bytes, incoming) = unsafe { (&mut *self.bytes.get(), &mut *self.incoming.get()) };
        let range = part.offset as usize..(part.offset + part.bytes) as usize;
        match then {
            Then::Store => fill_it(&mut bytes[range]),
            Then::Combine => {
                let result = fill_it(&mut incoming[range.clone()]);
                for (old, new) in bytes[range.clone()].iter_mut().zip(&incoming[range]) {
                    *old = old.wrapping_add(*new);
                }
                result
            }
        }
    }

    /// Lends a part and equally long room beside it: for calls that read one and fill the other.
    #[inline(always)]
    pub fn beside<T>(&self, part: Part, act: impl FnOnce(&mut [u8], &mut [u8]) -> T) -> T {
        // SAFETY: as in `read`; the two are different allocations.
        let (bytes, incoming) = unsafe { (&mut *self.bytes.get(), &mut *self.incoming.get()) };
        let range = part.offset as usize..(part.offset + part.bytes) as usize;
        act(&mut bytes[range.clone()], &mut incoming[range])
    }

    /// Reads one part while another is filled (`MPI_Sendrecv`); what arrives is stored or combined afterwards.
    #[inline(always)]
    pub fn exchange<T>(&self, sent: Part, received: Part, then: Then, act: impl FnOnce(&[u8], &mut [u8]) -> T) -> T {
        // SAFETY: as in `read`; what arrives goes to `incoming` first, so the two borrows are disjoint.
        let (bytes, incoming) = unsafe { (&mut *self.bytes.get(), &mut *self.incoming.get()) };
        let to = received.offset as usize..(received.offset + received.bytes) as usize;
        let from = sent.offset as usize..(sent.offset + sent.bytes) as usize;
        let result = act(&bytes[from], &mut incoming[to.clone()]);
        for (old, new) in bytes[to.clone()].iter_mut().zip(&incoming[to]) {
            *old = match then {
                Then::Store => *new,
                Then::Combine => old.wrapping_add(*new),
            };
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_stored_combined_and_exchanged() {
        let buffer = Buffer::new(6, 200);
        let part = Part::range;
        buffer.write(part(0, 2), Then::Store, |room| room.copy_from_slice(&[1, 2]));
        buffer.write(part(1, 2), Then::Combine, |room| room.copy_from_slice(&[10, 100]));
        buffer.exchange(part(0, 2), part(4, 2), Then::Store, |sent, room| room.copy_from_slice(sent));
        assert_eq!(buffer.read(part(0, 6), <[u8]>::to_vec), [1, 12, 44, 200, 1, 12]);
    }
}

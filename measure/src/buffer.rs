//! The benchmark buffer of a real rank, with the states in which calls find it.

#[cfg(test)]
mod tests;

use crate::flush::flush;
use models::collective::{Part, Then};
use models::footprint::{ByteRun, Footprint, MemoryRegion};
use models::platform::Buffer as State;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::hint::black_box;
use std::ptr::slice_from_raw_parts_mut;

/// Bytes that one rank's messages are read from and written to, and beside them as many for results that have no area
/// of their own. One rank owns it, and does one thing at a time. A sender or receiver is lent pointers, for one call
/// only: no reference to these bytes lives outside of this file. Data that arrive in a part of one run are stored where
/// they belong at once. Scattered parts and sums go through scratch memory, which grows in a first call.
pub struct Buffer {
    /// Memory of all buffers of a pool, one after the other, mostly of just one. Each is followed by the memory beside
    /// it.
    bytes: Box<[UnsafeCell<u8>]>,
    /// Length of one buffer, and of the memory beside it, in bytes.
    length: usize,
    /// Distance from the beginning of a buffer to the memory beside it: the next buffer is twice as far.
    half: usize,
    /// Number of buffers, and the one that is in use.
    count: usize,
    turn: Cell<usize>,
    /// Offset of the first buffer, which begins at a page, and the shift that all have at present.
    aligned: usize,
    shift: Cell<usize>,
    /// State in which calls find the buffer, and the memory that they send and receive.
    state: Cell<State>,
    footprint: RefCell<Footprint>,
    /// Memory of a program that is sent and received instead.
    foreign: Option<Foreign>,
    /// Value of the last rewriting: each uses another one.
    rewritten: Cell<u8>,
    incoming: UnsafeCell<Vec<u8>>,
    outgoing: UnsafeCell<Vec<u8>>,
}

/// Memory that a call outside of this program's reach sends and receives.
#[derive(Clone, Copy)]
struct Foreign {
    sent: *mut [u8],
    received: *mut [u8],
}

/// Alignment of buffers: they begin at pages, as those of benchmarks do. No prefetcher runs from one page into the
/// next.
const PAGE: usize = 4096;

impl Buffer {
    /// Makes a buffer of `bytes` bytes, each `fill`.
    pub fn new(bytes: u64, fill: u8) -> Buffer {
        Buffer::pool(bytes, fill, 0)
    }

    /// Makes a pool of buffers of `bytes` bytes, each `fill`. With the memory beside them they are at least
    /// `pool_bytes` long together. The first is in use.
    pub fn pool(bytes: u64, fill: u8, pool_bytes: u64) -> Buffer {
        let length = bytes as usize;
        // One byte more, by which buffers may be misaligned.
        let half = (length + 1).next_multiple_of(PAGE);
        let count = (pool_bytes as usize).div_ceil(2 * half).max(1);
        let mut bytes = vec![fill; count * 2 * half + PAGE];
        // Zeros that nobody has written are one page of the system's, which is always in a cache.
        for page in bytes.chunks_mut(PAGE) {
            page[0] = black_box(fill);
        }
        let bytes = Box::into_raw(bytes.into_boxed_slice());
        let aligned = bytes.cast::<u8>().addr().wrapping_neg() % PAGE;
        // SAFETY: `UnsafeCell<u8>` is laid out as `u8`.
        let bytes = unsafe { Box::from_raw(bytes as *mut [UnsafeCell<u8>]) };
        Buffer {
            bytes,
            length,
            half,
            count,
            turn: Cell::new(0),
            aligned,
            shift: Cell::new(0),
            state: Cell::new(State::Same),
            footprint: RefCell::default(),
            foreign: None,
            rewritten: Cell::new(fill),
            incoming: UnsafeCell::default(),
            outgoing: UnsafeCell::default(),
        }
    }

    /// Makes a buffer that is brought into its state where a program of its own has its memory. Nothing else can be
    /// done with it.
    ///
    /// # Safety
    ///
    /// Both runs may be read and written as long as the buffer lives, and nobody else uses them while it is readied.
    pub unsafe fn foreign(sent: *mut [u8], received: *mut [u8]) -> Buffer {
        Buffer { foreign: Some(Foreign { sent, received }), ..Buffer::new(0, 0) }
    }

    /// Makes later calls find the buffer in this state. The first one of a pool is in use. Returns false, with nothing
    /// done, where this processor cannot flush caches, or foreign memory would have to be moved.
    pub fn keep(&self, state: State) -> bool {
        if state == State::Cold && !flush(&[]) {
            return false;
        }
        if self.foreign.is_some() && matches!(state, State::Pool | State::Misaligned) {
            return false;
        }
        self.state.set(state);
        self.turn.set(0);
        self.shift.set(usize::from(state == State::Misaligned));
        true
    }

    /// Sets the bytes that later calls send and receive.
    pub fn work_on(&self, footprint: &Footprint) {
        self.footprint.borrow_mut().clone_from(footprint);
    }

    /// Brings the buffer into its state before a call.
    #[inline(always)]
    pub fn ready(&self) {
        match self.state.get() {
            State::Same | State::Misaligned => {}
            State::Pool => self.next(),
            State::Touched => self.touch(),
            State::Cold => self.chill(),
        }
    }

    /// Goes on to the next buffer of a pool, around.
    fn next(&self) {
        let next = self.turn.get() + 1;
        self.turn.set(if next < self.count { next } else { 0 });
    }

    /// Reads the received bytes, and rewrites those that are sent.
    #[inline(never)]
    fn touch(&self) {
        self.each(
            |footprint| &footprint.received,
            |foreign| foreign.received,
            |bytes| {
                // SAFETY: `Buffer::each` yields live memory, and nobody else uses it before this returns.
                let bytes = unsafe { &*bytes };
                black_box(bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)));
            },
        );
        // Of any element type a normal number, which costs arithmetic no more than another.
        self.rewritten.set(if self.rewritten.get() == 1 { 2 } else { 1 });
        self.each(
            |footprint| &footprint.sent,
            |foreign| foreign.sent,
            |bytes| {
                // SAFETY: as above.
                let bytes = unsafe { &mut *bytes };
                black_box(bytes).fill(self.rewritten.get());
            },
        );
    }

    /// Flushes the bytes that are sent and received from all caches.
    #[inline(never)]
    fn chill(&self) {
        // SAFETY: `Buffer::each` yields live memory, and nobody else uses it before this returns.
        let chill = |bytes: *mut [u8]| _ = flush(unsafe { &*bytes });
        self.each(|footprint| &footprint.sent, |foreign| foreign.sent, chill);
        self.each(|footprint| &footprint.received, |foreign| foreign.received, chill);
    }

    /// Acts on all runs that are sent, or on all that are received. The memory is live, as [`Buffer::foreign`] promises
    /// of a program's.
    fn each(
        &self,
        runs: impl Fn(&Footprint) -> &Vec<ByteRun>,
        foreign: impl Fn(Foreign) -> *mut [u8],
        act: impl Fn(*mut [u8]),
    ) {
        match self.foreign {
            Some(known) => act(foreign(known)),
            None => runs(&self.footprint.borrow()).iter().for_each(|run| act(self.at(run))),
        }
    }

    fn at(&self, run: &ByteRun) -> *mut [u8] {
        let half = match run.place {
            MemoryRegion::Buffer => 0,
            MemoryRegion::Beside => self.half,
        };
        self.half_run(half, run.offset, run.bytes)
    }

    /// Returns the memory of `bytes` bytes from `offset` on.
    ///
    /// # Panics
    ///
    /// Panics if the buffer ends before they do.
    #[inline(always)]
    pub fn run(&self, offset: u64, bytes: u64) -> *mut [u8] {
        self.half_run(0, offset, bytes)
    }

    #[inline(always)]
    fn half_run(&self, half: usize, offset: u64, bytes: u64) -> *mut [u8] {
        let begin = self.aligned + self.turn.get() * 2 * self.half + half + self.shift.get();
        let own = &self.bytes[begin..begin + self.length];
        let cells = &own[offset as usize..(offset + bytes) as usize];
        slice_from_raw_parts_mut(cells.as_ptr().cast::<u8>().cast_mut(), cells.len())
    }

    /// Returns the memory beside the buffer, for results that have no area of their own.
    ///
    /// # Panics
    ///
    /// Panics if it is shorter than `bytes`.
    #[inline(always)]
    pub fn beside(&self, bytes: u64) -> *mut [u8] {
        self.half_run(self.half, 0, bytes)
    }

    /// Puts these bytes at the beginning of the memory beside the buffer.
    ///
    /// # Panics
    ///
    /// Panics if that memory is shorter than they are.
    pub fn store_beside(&self, bytes: &[u8]) {
        // SAFETY: it is that long, and no reference to it lives meanwhile.
        unsafe { &mut *self.beside(bytes.len() as u64) }.copy_from_slice(bytes);
    }

    /// Returns the content of the beginning of the memory beside the buffer.
    ///
    /// # Panics
    ///
    /// Panics if that memory is shorter than `bytes`.
    pub fn content_beside(&self, bytes: u64) -> Vec<u8> {
        // SAFETY: it is that long, and no reference to it lives meanwhile.
        unsafe { &*self.beside(bytes) }.to_vec()
    }

    /// Puts these bytes into the buffer, from its beginning.
    ///
    /// # Panics
    ///
    /// Panics if it is shorter than they are.
    pub fn store(&self, bytes: &[u8]) {
        self.deliver(Part::range(0, bytes.len() as u64), Then::Store, bytes);
    }

    /// Returns the content of the first `bytes` bytes.
    ///
    /// # Panics
    ///
    /// Panics if the buffer is shorter than that.
    pub fn content(&self, bytes: u64) -> Vec<u8> {
        // SAFETY: it is that long, and no reference to it lives meanwhile.
        unsafe { &*self.run(0, bytes) }.to_vec()
    }

    /// Lends a part for reading to `use_it`.
    #[inline(always)]
    pub fn read<T>(&self, part: Part, use_it: impl FnOnce(*const [u8]) -> T) -> T {
        if part.scattered.is_none() {
            return use_it(self.run(part.offset, part.bytes));
        }
        // SAFETY: no reference to scratch memory lives.
        let packed = unsafe { room(&self.outgoing, part.bytes) };
        self.pack(part, packed);
        use_it(packed)
    }

    /// Lends room for a part to `fill_it`, then stores or combines the bytes that it put there.
    #[inline(always)]
    pub fn write<T>(&self, part: Part, then: Then, fill_it: impl FnOnce(*mut [u8]) -> T) -> T {
        if is_direct(part, then) {
            return fill_it(self.run(part.offset, part.bytes));
        }
        self.through_scratch(part, then, fill_it)
    }

    /// Reads one part while another is filled (`MPI_Sendrecv`). Bytes that arrive are stored or combined afterwards.
    #[inline(always)]
    pub fn exchange<T>(
        &self,
        sent: Part,
        received: Part,
        then: Then,
        act: impl FnOnce(*const [u8], *mut [u8]) -> T,
    ) -> T {
        if is_direct(received, then) && sent.scattered.is_none() && apart(sent, received) {
            return act(self.run(sent.offset, sent.bytes), self.run(received.offset, received.bytes));
        }
        self.through_scratch(received, then, |arrived| self.read(sent, |data| act(data, arrived)))
    }

    /// Lends scratch memory to `fill_it`, then stores or combines the bytes that it put there.
    #[inline(always)]
    fn through_scratch<T>(&self, part: Part, then: Then, fill_it: impl FnOnce(*mut [u8]) -> T) -> T {
        // SAFETY: no reference to scratch memory lives.
        let result = fill_it(unsafe { room(&self.incoming, part.bytes) });
        // SAFETY: the same.
        self.deliver(part, then, unsafe { room(&self.incoming, part.bytes) });
        result
    }

    /// Copies or combines one part into another, which may overlap.
    pub fn local(&self, from: Part, to: Part, then: Then) {
        if from.scattered.is_none() && is_direct(to, then) {
            let (from, to) = (self.run(from.offset, from.bytes), self.run(to.offset, to.bytes));
            assert_eq!(from.len(), to.len(), "what is copied is as long as what it replaces");
            // SAFETY: both are live and as long; the copy takes care where they overlap.
            unsafe { from.cast::<u8>().copy_to(to.cast::<u8>(), from.len()) };
        } else if from.scattered.is_none() && to.scattered.is_none() && apart(from, to) {
            // SAFETY: it is live, and what is written lies apart from it.
            self.deliver(to, then, unsafe { &*self.run(from.offset, from.bytes) });
        } else {
            // SAFETY: no reference to scratch memory lives.
            let packed = unsafe { room(&self.outgoing, from.bytes) };
            self.pack(from, packed);
            self.deliver(to, then, packed);
        }
    }

    /// Puts bytes that arrived elsewhere into a part.
    pub fn deliver(&self, part: Part, then: Then, arrived: &[u8]) {
        assert_eq!(arrived.len() as u64, part.bytes, "what arrived is as long as the part it is for");
        let mut rest = arrived;
        for (offset, bytes) in part.runs() {
            let (new, behind) = rest.split_at(bytes as usize);
            // SAFETY: no other reference to these bytes lives: callers hand over other memory.
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
            // SAFETY: no other reference to these bytes lives: callers hand over other memory.
            here.copy_from_slice(unsafe { &*self.run(offset, bytes) });
            rest = behind;
        }
    }
}

/// Returns true if arriving bytes can be put where they belong at once.
#[inline(always)]
pub fn is_direct(part: Part, then: Then) -> bool {
    part.scattered.is_none() && then == Then::Store
}

/// Returns true if two runs share no byte.
#[inline(always)]
fn apart(a: Part, b: Part) -> bool {
    a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset
}

/// Returns the first bytes of scratch memory, which grows where it is too short.
///
/// # Safety
///
/// No other reference to this memory lives.
#[allow(clippy::mut_from_ref)] // one rank does one thing at a time: see `Buffer`
unsafe fn room(scratch: &UnsafeCell<Vec<u8>>, bytes: u64) -> &mut [u8] {
    // SAFETY: as the caller promises.
    let scratch = unsafe { &mut *scratch.get() };
    if scratch.len() < bytes as usize {
        scratch.resize(bytes as usize, 0);
    }
    &mut scratch[..bytes as usize]
}

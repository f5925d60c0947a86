//! The memory of a program's call: its place, and its content before references were taken with it.

use crate::call::{Call, Function, Side};
use crate::freed;
use crate::mapped::Mapped;
use mpi::ffi;
use std::ptr::slice_from_raw_parts_mut;

/// Memory that one rank's call sends and receives.
pub struct Memory {
    /// Memory that the call sends. In place it is that of the result.
    pub sent: *mut [u8],
    /// Memory that the call receives into.
    pub received: *mut [u8],
    kept: Vec<(*mut [u8], Vec<u8>)>,
}

impl Memory {
    /// Finds the memory of a call, and keeps its content. `frame`: an address in the caller's stack frame.
    ///
    /// # Errors
    ///
    /// Says why references cannot be taken with this memory.
    pub fn capture(call: &Call, ranks: u32, longest_bytes: u64, frame: usize) -> Result<Memory, String> {
        if freed::gone() {
            return Err("the program has given back a buffer, datatype or reduction of this row".to_owned());
        }
        let (sent, received) = spans(call, u64::from(ranks));
        if (sent.len() + received.len()) as u64 > longest_bytes {
            return Err(format!("its buffers are longer than {longest_bytes} B"));
        }
        let mapped = Mapped::now().ok_or("this system does not report which memory a process has")?;
        for span in [sent, received] {
            let from = span.cast::<u8>().addr();
            if !mapped.holds(&(from..from + span.len()), frame) {
                return Err("a buffer of this row is gone, or cannot be written".to_owned());
            }
        }
        // SAFETY: both may be read, as has just been found, and the program's thread that uses them is this one.
        let kept = [sent, received].map(|span| (span, unsafe { &*span }.to_vec())).into();
        Ok(Memory { sent, received, kept })
    }

    /// Restores the content that was kept.
    pub fn put_back(&self) {
        for (span, content) in &self.kept {
            // SAFETY: it may be written, and is as long as what was copied from it.
            unsafe { content.as_ptr().copy_to_nonoverlapping(span.cast(), content.len()) };
        }
    }
}

/// Returns the memory from which a call sends, and that into which it receives.
fn spans(call: &Call, ranks: u64) -> (*mut [u8], *mut [u8]) {
    let rank = rank_in(call.key.communicator);
    let is_root = i64::from(call.root) == rank as i64;
    let (sent, received) = (call.sent, call.received);
    let whole = |side: Side| Elements::new(side, 1);
    let blocks = |side: Side| Elements::new(side, ranks);
    let nothing = Elements::default();
    // In place, the sent bytes lie where the result comes.
    let input = |elements: Elements, result: Elements| if call.in_place { result } else { elements };
    let total = Elements { count: call.key.count.max(0) as u64, ..whole(received) };
    let (sent, received) = match call.key.function {
        Function::Barrier => (nothing, nothing),
        Function::Bcast if is_root => (whole(sent), nothing),
        Function::Bcast => (nothing, whole(sent)),
        Function::Reduce if is_root => (input(whole(sent), whole(received)), whole(received)),
        Function::Reduce => (whole(sent), nothing),
        Function::Allreduce | Function::Scan | Function::Exscan => {
            (input(whole(sent), whole(received)), whole(received))
        }
        Function::Gather if is_root => (input(whole(sent), whole(received).block(rank)), blocks(received)),
        Function::Gather => (whole(sent), nothing),
        Function::Scatter if is_root && call.in_place => (blocks(sent), nothing),
        Function::Scatter if is_root => (blocks(sent), whole(received)),
        Function::Scatter => (nothing, whole(received)),
        Function::Allgather => (input(whole(sent), whole(received).block(rank)), blocks(received)),
        Function::Alltoall => (input(blocks(sent), blocks(received)), blocks(received)),
        Function::ReduceScatterBlock | Function::ReduceScatter => {
            (input(Elements { at: sent.at, ..total }, total), whole(received))
        }
    };
    (sent.span(), received.span())
}

/// Returns this rank's number in a communicator.
fn rank_in(communicator: usize) -> u64 {
    let mut rank = 0;
    // SAFETY: the communicator is one that the program has just used.
    unsafe { ffi::PMPI_Comm_rank(ffi::MPI_Comm(communicator as _), &raw mut rank) };
    rank.max(0) as u64
}

/// Elements that lie one behind the other.
#[derive(Clone, Copy, Default)]
struct Elements {
    at: usize,
    count: u64,
    /// Distance from one element to the next.
    extent: i64,
    /// Offset of the first byte of an element, and number of bytes from there to its last.
    from: i64,
    length: i64,
}

impl Elements {
    /// Returns `blocks` blocks of a side's elements.
    #[allow(clippy::unnecessary_cast)] // MPI_Aint is another type in each library
    fn new(side: Side, blocks: u64) -> Elements {
        let (mut bound, mut extent, mut from, mut length) = (0, 0, 0, 0);
        let datatype = ffi::MPI_Datatype(side.datatype as _);
        if side.count <= 0 {
            return Elements::default();
        }
        // SAFETY: the datatype is one that the program has just used.
        unsafe {
            ffi::PMPI_Type_get_extent(datatype, &raw mut bound, &raw mut extent);
            ffi::PMPI_Type_get_true_extent(datatype, &raw mut from, &raw mut length);
        }
        let count = side.count as u64 * blocks;
        Elements { at: side.at, count, extent: extent as i64, from: from as i64, length: length as i64 }
    }

    /// Returns the block of this number, of many that are as long as these.
    fn block(self, number: u64) -> Elements {
        let skipped = (number * self.count) as i64 * self.extent;
        Elements { at: self.at.wrapping_add_signed(skipped as isize), ..self }
    }

    /// Returns their memory, from the first byte of the first to the last byte of the last.
    fn span(self) -> *mut [u8] {
        if self.count == 0 || self.extent < 0 || self.length <= 0 {
            return slice_from_raw_parts_mut(std::ptr::dangling_mut(), 0);
        }
        let length = (self.count - 1) * self.extent as u64 + self.length as u64;
        let from = self.at.wrapping_add_signed(self.from as isize);
        slice_from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(from), length as usize)
    }
}

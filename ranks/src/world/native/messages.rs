//! Steps as the library's own point-to-point calls.

use super::Handles;
use crate::world::STEP_TAG;
use measure::buffer::{Buffer, is_direct};
use models::collective::{Part, Step, Then};
use mpi::ffi;
use std::cell::UnsafeCell;

/// Calls that carry steps, with the operations that have been begun and not yet waited for.
///
/// Pointers are to live memory of the length that is passed with them, which fits MPI's counts (buffers beyond are
/// refused: see `World::serve_on`). Memory that a request uses stays where it is, untouched, until `MPI_Waitall` has
/// completed it. Ranks come from algorithms on this communicator, whose errors are fatal (MPI's default), so no code is
/// returned.
pub(super) struct Messages {
    on: Handles,
    ignored: *mut ffi::MPI_Status,
    all_ignored: *mut ffi::MPI_Status,
    under_way: UnsafeCell<UnderWay>,
}

/// Requests of posted receives and started sends. Nothing is allocated here except in a first call.
#[derive(Default)]
struct UnderWay {
    requests: Vec<ffi::MPI_Request>,
    /// Memory for what is not received into the buffer, or sent from it, at once. While MPI may use one of the first
    /// `used`, neither it nor its length is touched.
    rooms: Vec<Vec<u8>>,
    used: usize,
    /// Destinations of the rooms' contents, in the order of posting.
    deliveries: Vec<(usize, Part, Then)>,
}

impl UnderWay {
    /// Takes a room of `bytes` bytes that nobody uses. Returns its number and its memory.
    fn room(&mut self, bytes: u64) -> (usize, *mut [u8]) {
        let number = self.used;
        self.used += 1;
        if number == self.rooms.len() {
            self.rooms.push(Vec::new());
        }
        let room = &mut self.rooms[number];
        if room.len() < bytes as usize {
            room.resize(bytes as usize, 0);
        }
        (number, &raw mut room[..bytes as usize])
    }
}

impl Messages {
    pub(super) fn new(on: Handles) -> Messages {
        // SAFETY: these are constants of the library, which has been initialised.
        let (ignored, all_ignored) = unsafe { (ffi::RSMPI_STATUS_IGNORE, ffi::RSMPI_STATUSES_IGNORE) };
        Messages { on, ignored, all_ignored, under_way: UnsafeCell::default() }
    }

    #[inline(always)]
    pub(super) fn step(&self, step: &Step, buffer: &Buffer) {
        match *step {
            Step::Send { to, part } => buffer.read(part, |data| self.send(data, to)),
            Step::Receive { from, part, then } => buffer.write(part, then, |room| self.receive(room, from)),
            Step::Exchange { to, sent, from, received, then } => {
                buffer.exchange(sent, received, then, |data, room| self.send_receive(data, to, room, from));
            }
            Step::Post { from, part, then } => self.post(from, part, then, buffer),
            Step::Start { to, part } => self.start(to, part, buffer),
            Step::WaitAll => self.wait_for_all(buffer),
            Step::Local { from, to, then } => buffer.local(from, to, then),
        }
    }

    #[inline(always)]
    fn send(&self, data: *const [u8], to: u32) {
        let (start, count) = (data.cast(), data.len() as i32);
        // SAFETY: see `Messages`.
        unsafe { ffi::MPI_Send(start, count, self.on.bytes, to as i32, STEP_TAG, self.on.communicator) };
    }

    #[inline(always)]
    fn receive(&self, room: *mut [u8], from: u32) {
        let (start, count) = (room.cast(), room.len() as i32);
        let on = &self.on;
        // SAFETY: see `Messages`.
        unsafe { ffi::MPI_Recv(start, count, on.bytes, from as i32, STEP_TAG, on.communicator, self.ignored) };
    }

    #[inline(always)]
    fn send_receive(&self, data: *const [u8], to: u32, room: *mut [u8], from: u32) {
        // SAFETY: see `Messages`.
        unsafe {
            ffi::MPI_Sendrecv(
                data.cast(),
                data.len() as i32,
                self.on.bytes,
                to as i32,
                STEP_TAG,
                room.cast(),
                room.len() as i32,
                self.on.bytes,
                from as i32,
                STEP_TAG,
                self.on.communicator,
                self.ignored,
            )
        };
    }

    #[inline(always)]
    fn post(&self, from: u32, part: Part, then: Then, buffer: &Buffer) {
        // SAFETY: one rank is one thread, and no call comes back here, so that it is borrowed once at a time.
        let under_way = unsafe { &mut *self.under_way.get() };
        let room = if is_direct(part, then) {
            buffer.run(part.offset, part.bytes)
        } else {
            let (number, room) = under_way.room(part.bytes);
            under_way.deliveries.push((number, part, then));
            room
        };
        let (start, count, on) = (room.cast(), room.len() as i32, &self.on);
        // SAFETY: a constant that the call overwrites.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        // SAFETY: see `Messages`.
        unsafe {
            ffi::MPI_Irecv(start, count, on.bytes, from as i32, STEP_TAG, on.communicator, &raw mut request);
        }
        under_way.requests.push(request);
    }

    #[inline(always)]
    fn start(&self, to: u32, part: Part, buffer: &Buffer) {
        // SAFETY: one rank is one thread, and no call comes back here, so that it is borrowed once at a time.
        let under_way = unsafe { &mut *self.under_way.get() };
        let data = if part.scattered.is_none() {
            buffer.run(part.offset, part.bytes)
        } else {
            let (_, room) = under_way.room(part.bytes);
            // SAFETY: nobody uses the room yet.
            buffer.pack(part, unsafe { &mut *room });
            room
        };
        let (start, count, on) = (data.cast(), data.len() as i32, &self.on);
        // SAFETY: a constant that the call overwrites.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        // SAFETY: see `Messages`.
        unsafe {
            ffi::MPI_Isend(start, count, on.bytes, to as i32, STEP_TAG, on.communicator, &raw mut request);
        }
        under_way.requests.push(request);
    }

    #[inline(always)]
    fn wait_for_all(&self, buffer: &Buffer) {
        // SAFETY: one rank is one thread, and no call comes back here, so that it is borrowed once at a time.
        let under_way = unsafe { &mut *self.under_way.get() };
        let (count, first) = (under_way.requests.len() as i32, under_way.requests.as_mut_ptr());
        // SAFETY: see `Messages`.
        unsafe { ffi::MPI_Waitall(count, first, self.all_ignored) };
        under_way.requests.clear();
        for (number, part, then) in under_way.deliveries.drain(..) {
            buffer.deliver(part, then, &under_way.rooms[number][..part.bytes as usize]);
        }
        under_way.used = 0;
    }
}

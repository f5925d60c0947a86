//! The carrier of the bytes of an emulated network between MPI processes.

use super::{Control, look_for};
use measure::emulated::{Lane, Transport};
use models::clock::Ticks;
use models::time::Span;
use mpi::Tag;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::cell::RefCell;

/// Stamped messages over MPI, sent without waiting for the receiver.
pub(super) struct Post<'a> {
    communicator: &'a SimpleCommunicator,
    control: Control<'a>,
    outgoing: RefCell<Vec<Outgoing>>,
}

impl<'a> Post<'a> {
    /// Makes a post with nothing under way.
    pub(super) fn new(control: Control<'a>) -> Post<'a> {
        Post { communicator: control.communicator, control, outgoing: RefCell::new(Vec::new()) }
    }
}

/// Message that MPI may still be reading.
struct Outgoing {
    request: ffi::MPI_Request,
    _data: Box<[u8]>,
}

fn lane_tag(lane: Lane) -> Tag {
    10 + lane as Tag
}

impl Transport for Post<'_> {
    fn put(&self, to: u32, lane: Lane, stamp: Ticks, data: &[u8]) {
        let message: Box<[u8]> = [&stamp.0.to_le_bytes(), data].concat().into();
        // SAFETY: the message lives in `outgoing` until its request is complete; its length fits an i32,
        // since buffers beyond that are refused with the scenario.
        let request = unsafe {
            let mut request = ffi::RSMPI_REQUEST_NULL;
            ffi::MPI_Isend(
                message.as_ptr().cast(),
                message.len() as i32,
                ffi::RSMPI_UINT8_T,
                to as i32,
                lane_tag(lane),
                self.communicator.as_raw(),
                &raw mut request,
            );
            request
        };
        self.outgoing.borrow_mut().push(Outgoing { request, _data: message });
        self.progress();
    }

    fn take(&self, from: u32, lane: Lane, data: &mut [u8], nap: Span) -> Ticks {
        let source = self.communicator.process_at_rank(from as i32);
        look_for(
            || {
                self.progress();
                source.immediate_probe_with_tag(lane_tag(lane)).is_some()
            },
            nap,
        );
        let mut message = vec![0; data.len() + 8];
        source.receive_into_with_tag(&mut message[..], lane_tag(lane));
        let (stamp, content) = message.split_at(8);
        data.copy_from_slice(content);
        Ticks(u64::from_le_bytes(stamp.try_into().expect("eight bytes")))
    }

    fn send(&self, to: u32, message: &[u8]) {
        self.control.send(to, message);
    }

    fn receive(&self, from: u32, message: &mut [u8]) {
        self.control.receive(from, message);
    }

    /// Lets MPI work, and drops messages that have gone out.
    fn progress(&self) {
        self.outgoing.borrow_mut().retain_mut(|message| {
            let mut done = 0;
            // SAFETY: the request is live; MPI sets it to null when it is complete.
            unsafe { ffi::MPI_Test(&raw mut message.request, &raw mut done, ffi::RSMPI_STATUS_IGNORE) };
            done == 0
        });
    }
}

impl Drop for Post<'_> {
    /// Completes the bookkeeping: every message has been received by then.
    fn drop(&mut self) {
        while !self.outgoing.borrow().is_empty() {
            self.progress();
        }
    }
}

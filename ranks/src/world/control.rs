//! The methods' own messages, which are no part of what is timed.

use measure::waiting::{Patience, sleep};
use models::time::Span;
use mpi::Tag;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::time::{Duration, Instant};

const CONTROL_TAG: Tag = 2;

/// Carrier of the methods' own messages.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    pub(super) communicator: &'a SimpleCommunicator,
    pub(super) patience: Patience,
}

impl Control<'_> {
    /// Sends a control message to a rank.
    pub fn send(&self, to: u32, message: &[u8]) {
        self.communicator.process_at_rank(to as i32).send_with_tag(message, CONTROL_TAG);
    }

    /// Waits for all ranks.
    pub fn barrier(&self) {
        self.communicator.barrier();
    }

    /// Receives a message of exactly this length.
    pub fn receive(&self, from: u32, message: &mut [u8]) {
        let source = self.communicator.process_at_rank(from as i32);
        if self.patience == Patience::SleepThenYield {
            look_for(|| source.immediate_probe_with_tag(CONTROL_TAG).is_some(), Span::from_us(500));
        }
        source.receive_into_with_tag(message, CONTROL_TAG);
    }
}

/// Time within which an answer of a running rank comes: two that talk to each other need not sleep.
const LOOK_FIRST: Duration = Duration::from_micros(200);
/// Length of naps while an answer may come any moment: shorter than `LOOK_FIRST`, so that of two ranks that have fallen
/// asleep over each other one finds the other awake, and both are fast again.
const SHORT_NAP: Span = Span::from_us(60);
/// Number of short naps before naps grow.
const SHORT_NAPS: u32 = 50;

/// Looks until something is there: often at first, then with naps that grow up to `longest`.
pub(super) fn look_for(is_there: impl Fn() -> bool, longest: Span) {
    let since = Instant::now();
    while since.elapsed() < LOOK_FIRST {
        if is_there() {
            return;
        }
        Patience::SleepThenYield.breathe();
    }
    let mut naps = 0;
    while !is_there() {
        naps += 1;
        let growth = 1 << (naps / SHORT_NAPS).min(10);
        sleep((SHORT_NAP * growth).min(longest));
    }
}

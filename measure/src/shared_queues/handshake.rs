//! Operations of ranks on the words that they share: the orders of memory on which the broadcast rests.

use crate::shared::Word;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Stores a value, for others to see with all that was done before.
pub(super) fn publish(word: &impl Word<u64>, value: u64) {
    word.store(value, Release);
}

/// Waits until a value is as wanted, and sees all that was done before it was stored. Returns the value.
pub(super) fn await_value(word: &impl Word<u64>, wanted: impl Fn(u64) -> bool, mut breathe: impl FnMut()) -> u64 {
    loop {
        let value = word.load(Acquire);
        if wanted(value) {
            return value;
        }
        breathe();
    }
}

/// Takes one off. A rank that sees what the last one left there sees what all of them did before.
pub(super) fn leave(word: &impl Word<u64>) {
    word.subtract(1, AcqRel);
}

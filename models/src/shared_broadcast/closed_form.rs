//! The time of a broadcast to one reader as a formula: exactly, and as the publication prints it.
//!
//! A fragment's copy takes a whole number of picoseconds, rounded once: C(l). A message's copy is that of all of its
//! fragments, (F − 1) C(f) + C(last), so that formulas and recurrence agree to the picosecond.

use super::{Costs, Queue};
use crate::time::Span;

/// Parts that a broadcast's time consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Time of waiting for sets of buffers, and leaving them: t_WO + t_A for each use of a set.
    pub sets: Span,
    /// Time of the copies into the queue for which a reader has to wait: that of the first fragment, and again where
    /// the whole queue was full.
    pub first: Span,
    /// Time of waiting for notifications: t_W for each fragment.
    pub notifications: Span,
    /// Time of copying the message out of the queue.
    pub copying: Span,
}

crate::named! {
    /// Case of the publication's formulas that a message and a queue belong to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Regime {
        /// m ≤ f: the message is one fragment, and nothing overlaps.
        OneFragment => "one-fragment",
        /// s = 1, m > f: each fragment waits for the one before to be read.
        OneBuffer => "one-buffer",
        /// q = 1, f < m ≤ b: the message fits into the queue.
        Fits => "fits",
        /// q = 1, m > b: the queue is used several times, and is empty in between.
        Reused => "reused",
        /// q ≥ 2, m > f: a set is filled while another one is read.
        Sets => "sets",
    }
    /// Name of the case in tables and files.
    fn name;
    Display(name);
}

impl Parts {
    /// Returns the time of the broadcast.
    pub fn total(&self) -> Span {
        self.beyond_copying() + self.copying
    }

    /// Returns the time of the broadcast beyond one copy of the message.
    pub fn beyond_copying(&self) -> Span {
        self.sets + self.first + self.notifications
    }
}

impl Regime {
    /// Returns the case of a message of `bytes` bytes in a queue.
    pub fn for_message(queue: &Queue, bytes: u64) -> Regime {
        match (queue.buffers(), queue.sets()) {
            _ if bytes <= queue.fragment_bytes() => Regime::OneFragment,
            (1, _) => Regime::OneBuffer,
            (_, 2..) => Regime::Sets,
            _ if bytes <= queue.bytes() => Regime::Fits,
            _ => Regime::Reused,
        }
    }
}

/// Returns the time until the last reader has left the queue, exactly; the root's wait for the queue is part of it.
///
/// - q = 1: u (t_WO + t_A) + Σ_{j<u} C(min(f, m − j b)) + F t_W + C(m);
/// - q ≥ 2: u (t_WO + t_A) + C(min(f, m)) + F t_W + C(m).
///
/// A reader's copies follow each other: by the time it has copied one fragment, the root has copied the next one into
/// the queue, which takes no longer. It waits for a copy only where the root had to wait for it: at the first fragment,
/// and, where the queue is one set, at the first of each use. With two sets or more the root has begun the next set a
/// whole fragment earlier. A message of no bytes takes no time. [`one_reader`](super::one_reader) plays the same step
/// by step.
pub fn exact(costs: &Costs, queue: &Queue, bytes: u64) -> Parts {
    let (uses, fragments) = (queue.uses(bytes), queue.fragments(bytes));
    let first = match uses.checked_sub(1) {
        Some(last) if queue.sets() == 1 => {
            let of_the_last = queue.fragment(bytes, last * queue.buffers());
            costs.copy.for_bytes(queue.fragment_bytes()) * last + costs.copy.for_bytes(of_the_last)
        }
        _ => costs.copy.for_bytes(queue.fragment(bytes, 0)),
    };
    Parts {
        sets: costs.each_use() * uses,
        first,
        notifications: costs.notification * fragments,
        copying: copying(costs, queue, bytes),
    }
}

/// Returns the time as Kurnosov and Tokmasheva 2020 (section 5.2) print it: never less than [`exact`]. For q = 1 both
/// are the same where the last use of the queue begins with a whole fragment, and for q ≥ 2 where the message uses all
/// sets of the last queue.
///
/// - m ≤ f: t_WO + t_A + t_W + 2 m t;
/// - s = 1: ⌈m/f⌉ (t_WO + t_A + t_W) + 2 m t;
/// - f < m ≤ b: t_WO + t_A + f t + ⌈m/f⌉ t_W + m t;
/// - m > b: ⌈m/b⌉ (t_WO + t_A + f t) + ⌈m/f⌉ t_W + m t;
/// - q ≥ 2: q ⌈m/b⌉ (t_WO + t_A) + f t + ⌈m/f⌉ t_W + m t.
pub fn printed(costs: &Costs, queue: &Queue, bytes: u64) -> (Regime, Parts) {
    let regime = Regime::for_message(queue, bytes);
    let (full, copying) = (costs.copy.for_bytes(queue.fragment_bytes()), copying(costs, queue, bytes));
    let queues = bytes.div_ceil(queue.bytes());
    let (uses, first) = match regime {
        Regime::OneFragment => (1, copying),
        Regime::OneBuffer => (queues, copying),
        Regime::Fits => (1, full),
        Regime::Reused => (queues, full * queues),
        Regime::Sets => (queue.sets() * queues, full),
    };
    let notifications = costs.notification * queue.fragments(bytes).max(1);
    (regime, Parts { sets: costs.each_use() * uses, first, notifications, copying })
}

/// Returns C(m), the time of copying all fragments of a message.
fn copying(costs: &Costs, queue: &Queue, bytes: u64) -> Span {
    let last = queue.fragments(bytes).saturating_sub(1);
    costs.copy.for_bytes(queue.fragment_bytes()) * last + costs.copy.for_bytes(queue.fragment(bytes, last))
}

//! Check that a CPU would have served its operations in the order in which they were taken.

use crate::OpKind;
use models::time::Time;

/// Number that stands for no operation.
pub(super) const NONE: u32 = u32::MAX;

/// Time since when an operation has wanted its CPU, its kind and its number: the smallest is served first.
pub(super) type Turn = (Time, u8, u32);

/// Facts about the operations served so far by which the next one is checked to be rightly served after them.
pub(super) struct Order {
    /// Turn and begin of the operation served last.
    last: (Turn, Time),
    /// Begin of the operation before the run of those that came in the order of their turns, if there was one.
    before_run: Option<Time>,
    /// Time until which the CPU was idle, before one that was served.
    idle_until: Time,
    /// Turn of the last send.
    last_send: Turn,
    /// Operation since which all of the above counts: one that was required by another, and served just before it.
    gate: u32,
    /// Begin of the gate, if there is one.
    gate_begun: Option<Time>,
}

impl Order {
    pub(super) const START: Order = Order {
        last: ((Time::ZERO, 0, NONE), Time::ZERO),
        before_run: None,
        idle_until: Time::ZERO,
        last_send: (Time::ZERO, 0, 0),
        gate: NONE,
        gate_begun: None,
    };

    /// Notes that an operation begins. Returns true if the event engine would have begun it after those before it too.
    /// `required` are up to two that it required.
    ///
    /// It could not have begun before `possible`, whatever the CPU did. It must not have been able to begin while the
    /// CPU was idle before one of them, and of those that began when it could have, all must have had their turn before
    /// it. (That sends come in turn makes `possible` sound for them: a send that its interface held back held back all
    /// later ones.) An operation that requires the one before it, or the one before the gate, could not be there
    /// earlier.
    #[inline]
    pub(super) fn serve(&mut self, turn: Turn, possible: Time, cpu: Time, required: [u32; 2]) -> bool {
        let is_send = turn.1 == OpKind::Send as u8;
        let (last_turn, last_begun) = self.last;
        self.last = (turn, possible.max(cpu));
        if last_turn.2 != NONE && required.contains(&last_turn.2) {
            (self.gate, self.gate_begun) = (last_turn.2, Some(last_begun));
            self.before_run = None;
            self.idle_until = if possible > cpu { possible } else { Time::ZERO };
            self.last_send = if is_send { turn } else { Order::START.last_send };
            return true;
        }
        if turn < last_turn && last_turn.2 != NONE {
            self.before_run = Some(last_begun);
        }
        let in_order = possible >= self.idle_until
            && self.before_run.is_none_or(|before| possible > before)
            && !(is_send && turn < self.last_send)
            && (required.contains(&self.gate) || self.gate_begun.is_none_or(|gate| turn.0 > gate));
        if is_send {
            self.last_send = turn;
        }
        if possible > cpu {
            self.idle_until = possible;
        }
        in_order
    }
}

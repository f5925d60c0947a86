//! Calls that begin as an earlier one did: without noise nothing but the hour differs, so that the earlier one's
//! outcome is moved in time, and no message is played. Loops of benchmarks come to such a state within a few calls.

use models::collective::{Algorithm, Shape};
use models::network::Port;
use models::time::Time;
use std::collections::VecDeque;

/// Calls that were played last, with the state of the ranks before and after each.
#[derive(Default)]
pub(super) struct Again {
    played: VecDeque<Played>,
}

struct Played {
    algorithm: &'static Algorithm,
    shape: Shape,
    before: Standing,
    after: Standing,
    messages: u64,
}

/// State of all ranks, with times counted from an instant.
#[derive(PartialEq, Eq)]
pub(super) struct Standing(Vec<Port>);

/// Most calls that are kept: calls and barriers of the states through which a loop goes in turn.
const MOST: usize = 16;

impl Again {
    /// Returns the state of the ranks after a call, and the number of its messages, if a call like it was played from
    /// this state before.
    pub(super) fn find(&self, algorithm: &Algorithm, shape: &Shape, before: &Standing) -> Option<(&Standing, u64)> {
        let is_it = |played: &&Played| {
            std::ptr::eq(played.algorithm, algorithm) && played.shape == *shape && played.before == *before
        };
        self.played.iter().rev().find(is_it).map(|played| (&played.after, played.messages))
    }

    /// Keeps a call in place of the oldest one.
    pub(super) fn keep(
        &mut self,
        algorithm: &'static Algorithm,
        shape: &Shape,
        [before, after]: [Standing; 2],
        messages: u64,
    ) {
        if self.played.len() == MOST {
            self.played.pop_front();
        }
        self.played.push_back(Played { algorithm, shape: *shape, before, after, messages });
    }
}

impl Standing {
    /// Makes the state of ranks with these ports, with times counted from `base`. Earlier times wrap round.
    pub(super) fn from_ports<'a>(ports: impl Iterator<Item = &'a Port>, base: Time) -> Standing {
        let since = |time: Time| Time(time.0.wrapping_sub(base.0));
        let relative = |port: &Port| Port {
            cpu: since(port.cpu),
            // A gap that is over binds nothing.
            next_send: since(port.next_send.max(port.cpu)),
            last_receive: port.last_receive.map(since),
        };
        Standing(ports.map(relative).collect())
    }

    /// Returns the ports of ranks in this state, with times counted from `base`.
    pub(super) fn ports(&self, base: Time) -> impl Iterator<Item = Port> {
        let at = move |time: Time| Time(time.0.wrapping_add(base.0));
        self.0.iter().map(move |port| Port {
            cpu: at(port.cpu),
            next_send: at(port.next_send),
            last_receive: port.last_receive.map(at),
        })
    }
}

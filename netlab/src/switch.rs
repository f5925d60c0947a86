//! A switch: the ports to which a frame goes, and when, without devices and clocks, so that tests can run it.

use crate::files::hardware_address;
use crate::options::{Near, Rate};
use models::time::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// Bytes of all frames that may be on their way: 64 MiB.
const ROOM_BYTES: usize = 64 << 20;

/// Switch with a link to each host. Hosts of a group may be nearer to each other.
pub(crate) struct Switch {
    /// Time from a frame's arrival at the switch to its departure.
    delay: Span,
    /// Delay between hosts of a group, if it differs.
    near: Option<Near>,
    rate: Option<Rate>,
    ports: Vec<Port>,
    held_bytes: usize,
    /// Number of frames for which there was no room.
    pub dropped: u64,
}

/// Port whose frames leave in the order in which they are due, those due together in the order in which they came.
#[derive(Default)]
struct Port {
    waiting: VecDeque<(u64, Rc<[u8]>)>,
    /// Time at which the last frame that was given away has left, in ns.
    free_at: u64,
}

impl Port {
    /// Returns the time at which the first frame leaves, in ns.
    fn next(&self) -> Option<u64> {
        self.waiting.front().map(|(due, _)| self.free_at.max(*due))
    }
}

impl Switch {
    /// Makes a switch for `hosts` hosts.
    pub(crate) fn new(hosts: usize, delay: Span, near: Option<Near>, rate: Option<Rate>) -> Switch {
        let ports = (0..hosts).map(|_| Port::default()).collect();
        Switch { delay, near, rate, ports, held_bytes: 0, dropped: 0 }
    }

    /// Returns the time of frames from one host to another, in ns.
    fn delay_ns(&self, from: usize, to: usize) -> u64 {
        let near = self.near.filter(|near| from / near.hosts == to / near.hosts);
        near.map_or(self.delay, |near| near.delay).0 / 1_000
    }

    /// Takes a frame that has come from a host at `now`, in ns.
    pub(crate) fn take(&mut self, from: usize, frame: &[u8], now: u64) {
        let frame: Rc<[u8]> = frame.into();
        // The lowest bit of the first byte: for many.
        let for_many = frame.first().is_some_and(|byte| byte & 1 == 1);
        for to in (0..self.ports.len()).filter(|&to| to != from) {
            if !for_many && !frame.starts_with(&hardware_address(to)) {
                continue;
            }
            if self.held_bytes + frame.len() > ROOM_BYTES {
                self.dropped += 1;
                continue;
            }
            self.held_bytes += frame.len();
            let due = now + self.delay_ns(from, to);
            let waiting = &mut self.ports[to].waiting;
            let place = waiting.partition_point(|(other, _)| *other <= due);
            waiting.insert(place, (due, Rc::clone(&frame)));
        }
    }

    /// Returns a frame whose time has come at `now`, and the host to which it goes.
    pub(crate) fn give(&mut self, now: u64) -> Option<(usize, Rc<[u8]>)> {
        let is_due = |port: &Port| port.next().is_some_and(|next| next <= now);
        let to = self.ports.iter().position(is_due)?;
        let port = &mut self.ports[to];
        let leaves = port.next()?;
        let (_, frame) = port.waiting.pop_front()?;
        // From when it could leave, not from `now`: waking up late does not lower the rate.
        port.free_at = leaves + self.rate.map_or(0, |rate| rate.time_ns(frame.len()));
        self.held_bytes -= frame.len();
        Some((to, frame))
    }

    /// Returns the time at which the next frame is due, in ns.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.ports.iter().filter_map(Port::next).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(to: usize, length: usize) -> Vec<u8> {
        let mut frame = hardware_address(to).to_vec();
        frame.resize(length, 0);
        frame
    }

    #[test]
    fn frames_take_the_delay_and_stay_in_order() {
        let mut switch = Switch::new(3, Span::from_ns(500), None, None);
        switch.take(0, &frame(1, 60), 1_000);
        switch.take(0, &frame(1, 70), 1_001);
        assert_eq!((switch.next_due(), switch.give(1_499)), (Some(1_500), None));
        let given: Vec<_> = std::iter::from_fn(|| switch.give(2_000)).map(|(to, frame)| (to, frame.len())).collect();
        assert_eq!(given, [(1, 60), (1, 70)]);
        assert_eq!((switch.next_due(), switch.held_bytes), (None, 0));
    }

    #[test]
    fn frames_within_a_group_overtake_those_from_others() {
        let near = Near { hosts: 2, delay: Span::from_ns(100) };
        let mut switch = Switch::new(4, Span::from_ns(500), Some(near), None);
        switch.take(0, &frame(3, 60), 1_000);
        switch.take(2, &frame(3, 70), 1_200);
        switch.take(1, &frame(2, 80), 1_200);
        assert_eq!(switch.next_due(), Some(1_300));
        let given = |switch: &mut Switch, now| switch.give(now).map(|(to, frame)| (to, frame.len()));
        assert_eq!(given(&mut switch, 1_300), Some((3, 70)));
        assert_eq!((given(&mut switch, 1_499), given(&mut switch, 1_500)), (None, Some((3, 60))));
        assert_eq!((given(&mut switch, 1_700), switch.held_bytes), (Some((2, 80)), 0));
    }

    #[test]
    fn frames_for_many_go_to_all_others() {
        let mut switch = Switch::new(3, Span(0), None, None);
        switch.take(1, &[0xff; 60], 0);
        let to: Vec<_> = std::iter::from_fn(|| switch.give(0)).map(|(to, _)| to).collect();
        assert_eq!(to, [0, 2]);
    }

    #[test]
    fn a_port_sends_no_faster_than_its_rate() {
        // 8 Mbit/s: 1000 B take 1 ms. Two hosts send to a third at once.
        let mut switch = Switch::new(3, Span(0), None, Some(Rate(8_000_000)));
        switch.take(0, &frame(2, 1_000), 0);
        switch.take(1, &frame(2, 1_000), 0);
        assert!(switch.give(0).is_some() && switch.give(999_999).is_none());
        assert_eq!(switch.next_due(), Some(1_000_000));
    }

    #[test]
    fn what_there_is_no_room_for_is_dropped_and_counted() {
        let mut switch = Switch::new(2, Span::from_ns(1), None, None);
        for _ in 0..ROOM_BYTES / 1_000 + 5 {
            switch.take(0, &frame(1, 1_000), 0);
        }
        assert_eq!(switch.dropped, 5);
    }
}

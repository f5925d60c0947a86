//! What a switch does with frames: which ports a frame goes to, and when; without devices and clocks, for tests.

use crate::files::hardware_address;
use crate::options::Rate;
use std::collections::VecDeque;
use std::rc::Rc;

/// Frames that are on their way, in all: 64 MiB.
const ROOM_BYTES: usize = 64 << 20;

/// A switch with equal links to all hosts.
pub(crate) struct Switch {
    /// From arrival at the switch to departure, in ns.
    delay_ns: u64,
    rate: Option<Rate>,
    ports: Vec<Port>,
    held_bytes: usize,
    /// Frames for which there was no room.
    pub dropped: u64,
}

/// A port: its frames leave in the order in which they came.
#[derive(Default)]
struct Port {
    waiting: VecDeque<(u64, Rc<[u8]>)>,
    /// When the last of them has left, in ns.
    free_at: u64,
}

impl Switch {
    /// A switch for so many hosts.
    pub(crate) fn new(hosts: usize, delay_ns: u64, rate: Option<Rate>) -> Switch {
        Switch { delay_ns, rate, ports: (0..hosts).map(|_| Port::default()).collect(), held_bytes: 0, dropped: 0 }
    }

    /// A frame has come from a host at `now`, in ns.
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
            let port = &mut self.ports[to];
            let due = (now + self.delay_ns).max(port.free_at);
            port.free_at = due + self.rate.map_or(0, |rate| rate.time_ns(frame.len()));
            port.waiting.push_back((due, Rc::clone(&frame)));
        }
    }

    /// A frame whose time has come at `now`, and where it goes.
    pub(crate) fn give(&mut self, now: u64) -> Option<(usize, Rc<[u8]>)> {
        let is_due = |port: &Port| port.waiting.front().is_some_and(|(due, _)| *due <= now);
        let to = self.ports.iter().position(is_due)?;
        let (_, frame) = self.ports[to].waiting.pop_front()?;
        self.held_bytes -= frame.len();
        Some((to, frame))
    }

    /// When the next frame is due, in ns.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.ports.iter().filter_map(|port| port.waiting.front().map(|(due, _)| *due)).min()
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
        let mut switch = Switch::new(3, 500, None);
        switch.take(0, &frame(1, 60), 1_000);
        switch.take(0, &frame(1, 70), 1_001);
        assert_eq!((switch.next_due(), switch.give(1_499)), (Some(1_500), None));
        let given: Vec<_> = std::iter::from_fn(|| switch.give(2_000)).map(|(to, frame)| (to, frame.len())).collect();
        assert_eq!(given, [(1, 60), (1, 70)]);
        assert_eq!((switch.next_due(), switch.held_bytes), (None, 0));
    }

    #[test]
    fn frames_for_many_go_to_all_others() {
        let mut switch = Switch::new(3, 0, None);
        switch.take(1, &[0xff; 60], 0);
        let to: Vec<_> = std::iter::from_fn(|| switch.give(0)).map(|(to, _)| to).collect();
        assert_eq!(to, [0, 2]);
    }

    #[test]
    fn a_port_sends_no_faster_than_its_rate() {
        // 8 Mbit/s: 1000 B take 1 ms. Two hosts send to a third at once.
        let mut switch = Switch::new(3, 0, Some(Rate(8_000_000)));
        switch.take(0, &frame(2, 1_000), 0);
        switch.take(1, &frame(2, 1_000), 0);
        assert!(switch.give(0).is_some() && switch.give(999_999).is_none());
        assert_eq!(switch.next_due(), Some(1_000_000));
    }

    #[test]
    fn what_there_is_no_room_for_is_dropped_and_counted() {
        let mut switch = Switch::new(2, 1, None);
        for _ in 0..ROOM_BYTES / 1_000 + 5 {
            switch.take(0, &frame(1, 1_000), 0);
        }
        assert_eq!(switch.dropped, 5);
    }
}

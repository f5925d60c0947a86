//! PLogP's functions of the message's length (Kielmann, Bal, Verstoep 2000), point by point.
//!
//! | exchange | duration on PLogP's ranks |
//! |---|---|
//! | send whose receiver is late | o_s(m) |
//! | receive that is late | o_r(m) |
//! | half a ping-pong | L + g(m), where o_s(m) + o_r(m) ≤ 2(L + g(m)) |
//! | between messages of a train (saturation) | max(g(m), o_s(m), o_r(m)) |
//!
//! The shortest length's train gives its g(m), and thereby L. From then on single messages come first, as with Kielmann
//! et al.: g(m) is half a round trip less L. A note says where trains follow each other otherwise. Of lengths that
//! wait, o_s(m) is a send to a receiver that is ready, and o_r(m) contains the transfer.

use super::lengths::Length;

/// Functions at one length; times in µs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub bytes: u64,
    pub overhead_send_us: f64,
    pub overhead_receive_us: f64,
    pub gap_us: f64,
    /// Time between the messages of a train.
    pub period_us: f64,
    /// Time of half a ping-pong.
    pub one_way_us: f64,
}

/// L before it is clamped at 0, and points by length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    pub unclamped_latency_us: f64,
    pub points: Vec<Point>,
}

/// Returns `None` if there is no length of which every exchange was timed.
pub(super) fn solve(lengths: &[Length]) -> Option<Solution> {
    let point = |length: &Length| {
        let sent = if length.waits { length.late_send_us } else { length.send_us };
        Some(Point {
            bytes: length.bytes,
            overhead_send_us: sent?.max(0.0),
            overhead_receive_us: length.receive_us?.max(0.0),
            gap_us: 0.0,
            period_us: length.period_us?.max(0.0),
            one_way_us: length.one_way_us,
        })
    };
    let mut points: Vec<Point> = lengths.iter().filter_map(point).collect();
    let shortest = points.first()?;
    let unclamped_latency_us = shortest.one_way_us - shortest.period_us;
    let latency_us = unclamped_latency_us.max(0.0);
    points.iter_mut().for_each(|point| point.gap_us = (point.one_way_us - latency_us).max(0.0));
    Some(Solution { unclamped_latency_us, points })
}

impl Point {
    /// Returns the time between the messages of a train, according to the model.
    pub(super) fn saturation_us(&self) -> f64 {
        self.gap_us.max(self.overhead_send_us).max(self.overhead_receive_us)
    }
}

impl Solution {
    pub(super) fn latency_us(&self) -> f64 {
        self.unclamped_latency_us.max(0.0)
    }
}

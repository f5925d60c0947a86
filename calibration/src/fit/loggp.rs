//! LogGP's parameters from parametrised round trips (Hoefler, Lichei, Rehm 2007) and delayed receives.
//!
//! PRTT(n, d, s): rank 0 sends n messages of s bytes with a delay d after each but the last, rank 1
//! answers with one. Let B = max(s − 1, 0), and o(s) the CPU time of a send or a receive. LogGP says
//! o(s) = o; where the CPU copies the message, o(s) = o + B·O (LogGOPS: Hoefler, Schneider, Lumsdaine 2010).
//!
//! | exchange | duration | holds where |
//! |---|---|---|
//! | PRTT(1, 0, s) | 2(L + 2o(s) + BG) | g + BG is no longer than that |
//! | PRTT(n, 0, s) − PRTT(1, 0, s) | (n−1)·max(o(s), g + BG) | the first does: both sides keep that period |
//! | PRTT(n, d, s) − PRTT(1, 0, s) | (n−1)·(o(s) + d) | d exceeds the period above |
//! | a send to a receiver that comes late, a receive that comes late | o(s) each | the sender does not wait |
//!
//! - **o** is o(s) of the shortest message: the mean of its send and its receive, which leaves L right; from a
//!   delayed train, its send, where nothing else was timed. The other lengths' o(s) are no
//!   parameters, but show how far "one o for all lengths" is from true.
//! - **G** is the rise per byte of half a ping-pong. Alexandrov et al. (1995) define G as the time per byte
//!   of a long message, and o + BG + L + o as the time of one message: that rise, and nothing else, makes
//!   this so for every length. On ranks that follow LogGP the trains have the same rise. On ranks that copy, half
//!   a ping-pong rises by max(G, O) + O (the copies, one after the other) and a train by max(O, G) (they overlap),
//!   or by what a full queue costs: LogGP cannot hold both, and one message comes first. That the trains are
//!   then mispredicted is noted.
//! - **g** is what is left of the shortest train's period after BG, among trains that show the gap.
//!   (The paper fits (n−1)(g + BG) to all trains: true only where o ≤ g + BG.) A train whose period is no longer than
//!   its own o(s) shows the CPU instead and is set aside; if all are, g ≤ o − BG is all that is known, or g ≤ o
//!   where o(s) grows.
//! - **L** = PRTT(1, 0, s)/2 − 2o − BG for the shortest s, at least 0.

use super::lengths::Length;
use statistics::least_relative_deviations;

/// Share of o(s) within which a train's period is due to the CPU, not to the gap.
pub(super) const HELD_BACK: f64 = 0.05;

/// LogGP's parameters; times in µs, the rate in µs per byte.
pub(super) struct Solution {
    pub latency_us: f64,
    pub overhead_us: f64,
    pub gap_us: f64,
    pub gap_per_byte_us: f64,
    /// Whether g was never seen: its true value is this or less.
    pub gap_is_a_bound: bool,
    /// L and o as the shortest length gives them; may be negative.
    pub unclamped: Unclamped,
    /// Time of a send of the shortest length.
    pub send_us: f64,
    /// Shortest and longest length of which there is a train.
    pub ends: [Length; 2],
    /// Longest of these lengths whose sends do not wait for their receivers.
    pub longest_eager: Length,
    /// Periods of the trains of both ends.
    pub periods_us: [f64; 2],
}

/// L and o before they are clamped at 0.
pub(super) struct Unclamped {
    pub latency_us: f64,
    pub overhead_us: f64,
}

/// Reason why there are no parameters.
pub(super) enum Missing {
    /// Only ping-pongs were measured.
    Trains,
    /// No exchange shows o.
    Delay,
    /// The delay in µs is shorter than the gap and hides o.
    LongerDelay(f64),
}

/// Solves for the parameters.
pub(super) fn solve(all: &[Length]) -> Result<Solution, Missing> {
    let trains: Vec<(&Length, f64)> = all.iter().filter_map(|length| Some((length, length.period_us?))).collect();
    let (&(shortest, first_us), &(longest, last_us)) = trains.first().zip(trains.last()).ok_or(Missing::Trains)?;
    let send_us = shortest.sender_us().ok_or(shortest.short_delay_us.map_or(Missing::Delay, Missing::LongerDelay))?;
    let receive_us = shortest.receive_us.filter(|_| !shortest.waits);
    let measured_overhead = receive_us.map_or(send_us, |receive_us| f64::midpoint(send_us, receive_us));
    let overhead_us = measured_overhead.max(0.0);
    // 0 B and 1 B cost the same: such lengths alone have no slope.
    let halves: Vec<(f64, f64)> = all.iter().map(|length| (length.stretch(), length.one_way_us)).collect();
    let gap_per_byte_us = least_relative_deviations(&halves).map_or(0.0, |line| line.slope);
    let (gap_us, gap_is_a_bound) = gap(&trains, overhead_us, gap_per_byte_us);
    let (stretch, one_way) = halves[0];
    let latency_us = one_way - 2.0 * overhead_us - stretch * gap_per_byte_us;
    Ok(Solution {
        latency_us: latency_us.max(0.0),
        overhead_us,
        gap_us,
        gap_per_byte_us,
        gap_is_a_bound,
        unclamped: Unclamped { latency_us, overhead_us: measured_overhead },
        send_us,
        ends: [*shortest, *longest],
        longest_eager: trains.iter().rev().find(|(length, _)| !length.waits).map_or(*shortest, |(length, _)| **length),
        periods_us: [first_us, last_us],
    })
}

/// Returns g, and whether it is only known to be no more than that.
fn gap(trains: &[(&Length, f64)], overhead_us: f64, gap_per_byte_us: f64) -> (f64, bool) {
    let own = |length: &Length| length.busy_us().unwrap_or(overhead_us);
    let left = |&(length, period_us): &(&Length, f64)| period_us - length.stretch() * gap_per_byte_us;
    let shows_gap = |&&(length, period_us): &&(&Length, f64)| period_us > own(length) * (1.0 + HELD_BACK);
    if let Some(train) = trains.iter().find(shows_gap) {
        return (left(train).max(0.0), false);
    }
    let shortest = trains.first().map_or(overhead_us, |(length, _)| own(length).max(0.0));
    if trains.iter().any(|(length, _)| own(length) > shortest * (1.0 + HELD_BACK)) {
        // BG contains copies that overlap in a train: the rest would bound g too low.
        return (shortest, true);
    }
    let bound = trains.iter().map(left).min_by(f64::total_cmp);
    (bound.unwrap_or(overhead_us).max(0.0), true)
}

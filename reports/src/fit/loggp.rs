//! LogGP's parameters from parametrised round trips (Hoefler, Lichei, Rehm 2007).
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
//!
//! - **o** is o(s) of the shortest message, from its delayed train. The other lengths' o(s) are no
//!   parameters, but show how far "one o for all lengths" is from true.
//! - **G** is the rise per byte of half a ping-pong. Alexandrov et al. (1995) define G as the time per byte
//!   of a long message, and o + BG + L + o as the time of one message: that rise, and nothing else, makes
//!   this so for every length. On ranks that follow LogGP the trains have the same rise. On ranks that copy, half
//!   a ping-pong rises by G + 2O (both copies, one after the other) and a train by max(O, G) (they overlap),
//!   or by what a full queue costs: LogGP cannot hold both, and one message comes first. That the trains are
//!   then mispredicted is noted.
//! - **g** is what is left of the shortest train's period after BG, among trains that show the gap.
//!   (The paper fits (n−1)(g + BG) to all trains: true only where o ≤ g + BG.) A train whose period is no longer than
//!   its own o(s) shows the CPU instead and is set aside; if all are, g ≤ o − BG is all that is known, or g ≤ o
//!   where o(s) grows.
//! - **L** = PRTT(1, 0, s)/2 − 2o − BG for the shortest s, at least 0.

use super::Kind;
use crate::statistics::least_relative_deviations;

/// A train's period within this share of o(s) is the CPU's doing, not the gap's.
const HELD_BACK: f64 = 0.05;

/// LogGP's parameters; times in µs, the rate in µs per byte.
pub(super) struct Solution {
    pub latency_us: f64,
    pub overhead_us: f64,
    pub gap_us: f64,
    pub gap_per_byte_us: f64,
    /// g was never seen: it is this or less.
    pub gap_is_a_bound: bool,
    /// What the shortest length would give for L and o; may be negative.
    pub unclamped: Unclamped,
    /// The shortest and the longest length of which there is a train.
    pub ends: [Length; 2],
}

/// L and o before they are set to 0.
pub(super) struct Unclamped {
    pub latency_us: f64,
    pub overhead_us: f64,
}

/// What was exchanged of one length; times in µs.
#[derive(Clone, Copy)]
pub(super) struct Length {
    pub bytes: u64,
    /// Half a ping-pong.
    pub one_way_us: f64,
    /// Time between the messages of a train.
    pub period_us: f64,
    /// o(s), unless no delay was long enough to show it.
    pub overhead_us: Option<f64>,
}

/// Why there are no parameters.
pub(super) enum Missing {
    /// Only ping-pongs were asked for.
    Trains,
    /// Nothing shows o.
    Delay,
    /// The delay in µs is shorter than the gap and hides o.
    LongerDelay(f64),
}

/// The kinds of exchange, each with its median in µs.
type Exchanges<'a> = [(&'a Kind, f64)];

/// Solves for the parameters.
pub(super) fn solve(exchanges: &Exchanges) -> Result<Solution, Missing> {
    let lengths = lengths(exchanges);
    let shortest = lengths.iter().copied().min_by_key(Length::stretch).ok_or(Missing::Trains)?;
    let longest = lengths.iter().copied().max_by_key(Length::stretch).ok_or(Missing::Trains)?;
    let measured_overhead = shortest.overhead_us.ok_or_else(|| missing(exchanges, &shortest))?;
    let overhead_us = measured_overhead.max(0.0);
    // 0 B and 1 B cost the same: such lengths alone have no slope.
    let halves: Vec<(f64, f64)> = ping_pongs(exchanges).collect();
    let gap_per_byte_us = least_relative_deviations(&halves).map_or(0.0, |line| line.slope);
    let (gap_us, gap_is_a_bound) = gap(&lengths, overhead_us, gap_per_byte_us);
    let (stretch, one_way) = halves.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).ok_or(Missing::Trains)?;
    let latency_us = one_way - 2.0 * overhead_us - stretch * gap_per_byte_us;
    Ok(Solution {
        latency_us: latency_us.max(0.0),
        overhead_us,
        gap_us,
        gap_per_byte_us,
        gap_is_a_bound,
        unclamped: Unclamped { latency_us, overhead_us: measured_overhead },
        ends: [shortest, longest],
    })
}

impl Length {
    /// Bytes after the first.
    pub(super) fn stretch(&self) -> u64 {
        self.bytes.saturating_sub(1)
    }

    /// The part of the period that BG does not explain.
    fn gap_us(&self, gap_per_byte_us: f64) -> f64 {
        self.period_us - self.stretch() as f64 * gap_per_byte_us
    }
}

/// Bytes after the first, and half the round trip, of each ping-pong.
fn ping_pongs<'a>(exchanges: &'a Exchanges) -> impl Iterator<Item = (f64, f64)> + 'a {
    let ping_pongs = exchanges.iter().filter(|(kind, _)| kind.messages == 1);
    ping_pongs.map(|(kind, median)| (kind.bytes.saturating_sub(1) as f64, median / 2.0))
}

/// Each length of which a train without delay was sent.
fn lengths(exchanges: &Exchanges) -> Vec<Length> {
    let trains = exchanges.iter().filter(|(kind, _)| kind.messages > 1 && kind.delay_us == 0.0);
    let length = |&(kind, median): &(&Kind, f64)| {
        let bytes = kind.bytes;
        let (_, ping_pong) = exchanges.iter().find(|(other, _)| other.messages == 1 && other.bytes == bytes)?;
        let added = |kind: &Kind, median: f64| (median - ping_pong) / f64::from(kind.messages - 1);
        let period_us = added(kind, median);
        let overhead_us = delayed(exchanges, bytes)
            .filter(|(kind, _)| kind.delay_us >= period_us)
            .map(|(kind, median)| added(kind, median) - kind.delay_us);
        Some(Length { bytes, one_way_us: ping_pong / 2.0, period_us, overhead_us })
    };
    trains.filter_map(length).collect()
}

/// The delayed train of this length; the one with the longest delay, if there are several.
fn delayed<'a>(exchanges: &'a Exchanges, bytes: u64) -> Option<(&'a Kind, f64)> {
    let delayed = exchanges.iter().filter(|(kind, _)| kind.messages > 1 && kind.delay_us > 0.0 && kind.bytes == bytes);
    delayed.max_by(|(a, _), (b, _)| a.delay_us.total_cmp(&b.delay_us)).copied()
}

/// Why the shortest length does not show o.
fn missing(exchanges: &Exchanges, shortest: &Length) -> Missing {
    delayed(exchanges, shortest.bytes).map_or(Missing::Delay, |(kind, _)| Missing::LongerDelay(kind.delay_us))
}

/// g, and whether it is only known to be no more than that.
fn gap(lengths: &[Length], overhead_us: f64, gap_per_byte_us: f64) -> (f64, bool) {
    let own = |length: &Length| length.overhead_us.unwrap_or(overhead_us);
    let shows_gap = |length: &&Length| length.period_us > own(length) * (1.0 + HELD_BACK);
    if let Some(length) = lengths.iter().filter(shows_gap).min_by_key(|length| length.stretch()) {
        return (length.gap_us(gap_per_byte_us).max(0.0), false);
    }
    if lengths.iter().any(|length| own(length) > overhead_us * (1.0 + HELD_BACK)) {
        // BG holds copies that overlap in a train: what it leaves would bound g too low.
        return (overhead_us, true);
    }
    let bound = lengths.iter().map(|length| length.gap_us(gap_per_byte_us)).min_by(f64::total_cmp);
    (bound.unwrap_or(overhead_us).max(0.0), true)
}

//! LogGP's parameters from parametrised round trips (Hoefler, Lichei, Rehm 2007).
//!
//! PRTT(n, d, s): rank 0 sends n messages of s bytes with a delay d after each but the last, rank 1
//! answers with one. With B = max(s − 1, 0), o the same for sends and receives, and the model's rules:
//!
//! | exchange | duration | holds where |
//! |---|---|---|
//! | PRTT(1, 0, s) | 2(L + 2o + BG) | g + BG is no longer than that |
//! | PRTT(n, 0, s) − PRTT(1, 0, s) | (n−1)·max(o, g + BG) | the first does: both sides keep that period |
//! | PRTT(n, d, s) − PRTT(1, 0, s) | (n−1)·max(o + d, g + BG) | the first does |
//!
//! The paper writes (n−1)(g + (s−1)G) for the second: true only where o ≤ g + BG. Where o is longer
//! the train says nothing of g but that g ≤ o − BG. So o comes first, from a delay that
//! exceeds a round trip; trains whose period is no longer than o are set aside; g and G come
//! from the others; and L = PRTT(1, 0, s)/2 − 2o − BG for the shortest s, without the 2o that others leave in.

use super::{Kind, POOR_FIT};
use crate::statistics::least_relative_deviations;

/// A train's period within this share of o is o's doing, not the gap's.
const HELD_BACK: f64 = 0.05;
/// A difference between the two G that is worth a note.
const TWO_RATES: f64 = 0.2;

/// LogGP's parameters; times in µs, the rate in µs per byte.
pub(super) struct Solution {
    pub latency_us: f64,
    pub overhead_us: f64,
    pub gap_us: f64,
    pub gap_per_byte_us: f64,
    /// g was never seen: it is this or less.
    pub gap_is_a_bound: bool,
}

/// One train without delay: bytes after the first, and time between its messages in µs.
struct Train {
    stretch: f64,
    period: f64,
}

/// The kinds of exchange, each with its median in µs.
type Exchanges<'a> = [(&'a Kind, f64)];

/// Solves for the parameters; `None` where there are no trains or none with a delay.
pub(super) fn solve(exchanges: &Exchanges, notes: Option<&mut Vec<String>>) -> Option<Solution> {
    let mut said = Vec::new();
    let solution = solve_noting(exchanges, &mut said);
    if let Some(notes) = notes {
        notes.append(&mut said);
    }
    solution
}

fn solve_noting(exchanges: &Exchanges, notes: &mut Vec<String>) -> Option<Solution> {
    let trains = trains(exchanges);
    if trains.is_empty() {
        return None;
    }
    let overhead_us = overhead(exchanges, &trains, notes)?;
    let (gap_us, gap_per_byte_us, gap_is_a_bound) = gaps(exchanges, &trains, overhead_us, notes)?;
    let (shortest, round_trip) = ping_pongs(exchanges).min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let one_way = round_trip / 2.0;
    let latency_us = one_way - 2.0 * overhead_us - shortest * gap_per_byte_us;
    if latency_us < 0.0 {
        let predicted = 2.0 * overhead_us + shortest * gap_per_byte_us;
        notes.push(format!(
            "L would be {latency_us:.3} µs and is set to 0: two overheads take longer than half a round trip, and one \
             message is predicted as {predicted:.3} µs where {one_way:.3} µs were measured"
        ));
    }
    if trains.iter().any(|train| train.stretch == shortest && train.period >= round_trip) {
        notes.push("the gap is as long as a round trip: ping-pongs wait for it, and L is too long by that".to_owned());
    }
    let latency_us = latency_us.max(0.0);
    Some(Solution { latency_us, overhead_us, gap_us, gap_per_byte_us, gap_is_a_bound })
}

/// Bytes after the first.
fn stretch(kind: &Kind) -> f64 {
    kind.bytes.saturating_sub(1) as f64
}

/// Bytes after the first, and round trip, of each ping-pong.
fn ping_pongs<'a>(exchanges: &'a Exchanges) -> impl Iterator<Item = (f64, f64)> + 'a {
    exchanges.iter().filter(|(kind, _)| kind.messages == 1).map(|(kind, median)| (stretch(kind), *median))
}

/// What each further message added to the ping-pong of the same length.
fn added(exchanges: &Exchanges, kind: &Kind, median: f64) -> Option<f64> {
    let (_, ping_pong) = exchanges.iter().find(|(other, _)| other.messages == 1 && other.bytes == kind.bytes)?;
    Some((median - ping_pong) / f64::from(kind.messages - 1))
}

fn trains(exchanges: &Exchanges) -> Vec<Train> {
    let plain = exchanges.iter().filter(|(kind, _)| kind.messages > 1 && kind.delay_us == 0.0);
    plain
        .filter_map(|&(kind, median)| Some(Train { stretch: stretch(kind), period: added(exchanges, kind, median)? }))
        .collect()
}

/// o: what a delayed message added, less the delay.
fn overhead(exchanges: &Exchanges, trains: &[Train], notes: &mut Vec<String>) -> Option<f64> {
    let delayed = exchanges.iter().filter(|(kind, _)| kind.messages > 1 && kind.delay_us > 0.0);
    let Some(&(kind, median)) = delayed.max_by(|(a, _), (b, _)| a.delay_us.total_cmp(&b.delay_us)) else {
        notes.push("no LogGP parameters: o needs a train with a delay between its messages".to_owned());
        return None;
    };
    let same_length = trains.iter().find(|train| train.stretch == stretch(kind));
    if same_length.is_some_and(|train| train.period > kind.delay_us) {
        let delay = kind.delay_us;
        notes.push(format!("no LogGP parameters: the delay of {delay:.3} µs is shorter than the gap and hides o"));
        return None;
    }
    let overhead = added(exchanges, kind, median)? - kind.delay_us;
    if overhead < 0.0 {
        notes.push(format!("o would be {overhead:.3} µs and is set to 0: the delay outweighs it"));
    }
    Some(overhead.max(0.0))
}

/// g, G, and whether g is only known to be no more than that.
fn gaps(exchanges: &Exchanges, trains: &[Train], overhead: f64, notes: &mut Vec<String>) -> Option<(f64, f64, bool)> {
    let free: Vec<(f64, f64)> = trains
        .iter()
        .filter(|train| train.period > overhead * (1.0 + HELD_BACK))
        .map(|train| (train.stretch, train.period))
        .collect();
    let halves: Vec<(f64, f64)> = ping_pongs(exchanges).map(|(stretch, median)| (stretch, median / 2.0)).collect();
    // 0 B and 1 B cost the same: such lengths alone have no slope.
    let ping_pong_rate = least_relative_deviations(&halves).map_or(0.0, |line| line.slope);
    if free.len() < trains.len() && overhead > 0.0 {
        let held_back = trains.len() - free.len();
        notes.push(format!(
            "o = {overhead:.3} µs is no shorter than the time between the messages of {held_back} of {} trains: these \
             show max(o, g + (s−1)G) = o and are not used for g and G",
            trains.len()
        ));
    }
    if let Some(line) = least_relative_deviations(&free) {
        let (rate, other) = (line.slope * 1e3, ping_pong_rate * 1e3);
        if (rate - other).abs() > TWO_RATES * rate.max(other) {
            notes.push(format!("G is {rate:.4} ns/B by trains; ping-pongs alone would say {other:.4} ns/B"));
        }
        note_poor_gaps(&free, |stretch| line.at(stretch), notes);
        return Some((line.intercept, line.slope, false));
    }
    // Every train bounds g from above; one that o does not hold back shows it.
    let bound = trains.iter().map(|train| train.period - train.stretch * ping_pong_rate).min_by(f64::total_cmp)?;
    notes.push("G is taken from ping-pongs: fewer than two lengths of trains show the gap".to_owned());
    if free.is_empty() {
        notes.push(format!("g is only known to be at most {:.3} µs: o hides it", bound.max(0.0)));
    }
    Some((bound.max(0.0), ping_pong_rate, free.is_empty()))
}

fn note_poor_gaps(free: &[(f64, f64)], fitted: impl Fn(f64) -> f64, notes: &mut Vec<String>) {
    let residual = |&(stretch, period): &(f64, f64)| (fitted(stretch) / period - 1.0).abs();
    if let Some(worst) = free.iter().max_by(|a, b| residual(a).total_cmp(&residual(b)))
        && residual(worst) > POOR_FIT
    {
        notes.push(format!(
            "g + (s−1)G fits poorly: at {} B it says {:.3} µs where {:.3} µs were measured",
            worst.0 + 1.0,
            fitted(worst.0),
            worst.1
        ));
    }
}

//! LogGOPS' parameters (Hoefler, Schneider, Lumsdaine 2010) from round trips, trains, late receives and late sends.
//!
//! With B = max(s − 1, 0) and M = max(G, O), its ranks give (engine rules: `models::network::LogGops`):
//!
//! | exchange | duration | where |
//! |---|---|---|
//! | send whose receiver is late | o_s + BO | s ≤ S |
//! | receive that is late | o_r + BO | s ≤ S |
//! | half a ping-pong | o_s + BM + L + o_r + BO, and 2L more under `round-trip` | any s (the 2L: s > S) |
//! | send whose receiver waits | o_s + BM, and 2L more under `round-trip` | s > S |
//! | between messages of a train | max(o_s + BO, o_r + BO, g + BG) | s ≤ S |
//! | the same at the sender | max(o_s + BO, g + BG) | s ≤ S |
//!
//! The parameters that these durations determine:
//! - **o_s, o_r** are those of the shortest length, **O** the rise of both: the mean of two slopes, for a model with
//!   one O. Where few eager lengths show it, half a ping-pong less the send of a length that waits is L + o_r + BO too.
//! - Half a ping-pong rises by M + O. If that exceeds 2O, the wire is slower than the CPUs and **G** = rise − O. If it
//!   does not, M = O and no single message shows G. Trains show it only where their period exceeds their CPU time,
//!   which must hold for two lengths. Where there are none, G ≤ O is all that is known, and no exchange of these
//!   lengths depends on it.
//! - **g** is the rest of the shortest such train after BG. If no train shows it, g is bounded by the sender's period.
//! - **L** is the rest of the shortest message after o_s and o_r (other authors leave them in).
//! - **S** comes from late receives alone: a send that grows with its receiver's delay waits. Under `match` nothing
//!   else changes at S. Of the two rules the one is chosen that predicts messages and sends more closely.

use super::lengths::{Length, Waiting};
use super::loggp::HELD_BACK;
use models::network::Rendezvous;
use statistics::{StraightLine, least_scaled_deviations};

/// Eager lengths with at least this stretch show the growth of O well enough.
const ENOUGH_BYTES: f64 = 255.0;

/// Decisions that resampling must not change.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decisions {
    /// Longest eager length, if longer ones wait.
    pub eager_limit: Option<u64>,
    pub rendezvous: Rendezvous,
    /// Exchanges that show G.
    pub gap_per_byte: GapExchanges,
    /// Lengths whose trains show the gap, by their indices.
    trains: Vec<bool>,
}

/// Exchanges that show G.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GapExchanges {
    /// Single messages, by the rise of their times.
    Messages,
    /// Trains, by the rise of their periods.
    Trains,
    /// No exchange: all that is known is G ≤ O.
    Nowhere,
}

/// LogGOPS' parameters; times in µs, rates in µs per byte.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub latency_us: f64,
    pub overhead_send_us: f64,
    pub overhead_receive_us: f64,
    pub gap_us: f64,
    pub gap_per_byte_us: f64,
    pub overhead_per_byte_us: f64,
    /// L before it is clamped at 0.
    pub unclamped_latency_us: f64,
    /// Excess of the rise of half a ping-pong per byte over both CPUs' work.
    pub beyond_us: f64,
    /// Rises of the work of a send and of a receive per byte.
    pub slopes_us: [f64; 2],
}

/// Reason why there are no parameters.
pub(super) enum Missing {
    /// Late receives or trains are missing.
    Exchanges,
    /// Even the shortest length waits for its receiver.
    Eager,
}

/// Quantities that follow from lengths before G is known, for resamples too.
struct Rises {
    half: StraightLine,
    slopes: [f64; 2],
}

impl Decisions {
    /// Decides by the best values, as if single messages showed G.
    pub(super) fn from_lengths(lengths: &[Length], waiting: Option<Waiting>) -> Result<Decisions, Missing> {
        let timed = |length: &&Length| length.send_us.is_some() && length.receive_us.is_some();
        if lengths.iter().filter(timed).count() < 2 || lengths.iter().all(|length| length.period_us.is_none()) {
            return Err(Missing::Exchanges);
        }
        if lengths[0].waits {
            return Err(Missing::Eager);
        }
        let shows = |length: &Length| match (length.busy_us(), length.period_us) {
            (Some(busy), Some(period)) => !length.waits && period > busy * (1.0 + HELD_BACK),
            _ => false,
        };
        let mut decisions = Decisions {
            eager_limit: waiting.map(Waiting::eager_limit),
            rendezvous: Rendezvous::Match,
            gap_per_byte: GapExchanges::Messages,
            trains: lengths.iter().map(shows).collect(),
        };
        if lengths.iter().any(|length| length.waits) {
            let off = |rendezvous| Decisions { rendezvous, ..decisions.clone() }.deviation(lengths);
            if off(Rendezvous::RoundTrip) < off(Rendezvous::Match) {
                decisions.rendezvous = Rendezvous::RoundTrip;
            }
        }
        Ok(decisions)
    }

    /// Decides which exchanges show G, from whether single messages do beyond doubt.
    pub(super) fn settle(&mut self, lengths: &[Length], best: &Solution, beyond_low_us: f64) {
        if beyond_low_us > 0.0 && best.beyond_us > HELD_BACK * best.overhead_per_byte_us {
            return;
        }
        let shown =
            self.train_line(lengths).is_some_and(|line| line.slope <= best.overhead_per_byte_us * (1.0 + HELD_BACK));
        self.gap_per_byte = if shown { GapExchanges::Trains } else { GapExchanges::Nowhere };
    }

    /// Whether some train's period exceeds its CPUs' work.
    pub(super) fn gap_is_seen(&self) -> bool {
        self.trains.contains(&true)
    }

    /// Returns the parameters of these lengths.
    pub(super) fn solve(&self, lengths: &[Length]) -> Option<Solution> {
        let rises = self.rises(lengths)?;
        let shortest = lengths.first()?;
        let both = f64::midpoint(rises.slopes[0], rises.slopes[1]);
        // Copies on both sides that take longer than the message overlap: one message comes first.
        let overhead_per_byte_us = both.min(rises.half.slope / 2.0);
        let slower_us = rises.half.slope - overhead_per_byte_us;
        let own = |us: f64| (us - shortest.stretch() * overhead_per_byte_us).max(0.0);
        let (overhead_send_us, overhead_receive_us) = (own(shortest.send_us?), own(shortest.receive_us?));
        let flown = shortest.one_way_us - shortest.stretch() * rises.half.slope;
        let unclamped_latency_us = flown - overhead_send_us - overhead_receive_us;
        let gap_per_byte_us = match self.gap_per_byte {
            GapExchanges::Messages => slower_us,
            GapExchanges::Trains => self.train_line(lengths)?.slope,
            GapExchanges::Nowhere => overhead_per_byte_us,
        };
        Some(Solution {
            latency_us: unclamped_latency_us.max(0.0),
            overhead_send_us,
            overhead_receive_us,
            gap_us: self.gap(lengths, gap_per_byte_us),
            gap_per_byte_us,
            overhead_per_byte_us,
            unclamped_latency_us,
            beyond_us: rises.half.slope - 2.0 * both,
            slopes_us: rises.slopes,
        })
    }

    fn rises(&self, lengths: &[Length]) -> Option<Rises> {
        let agreed_us = self.agreed_us(lengths);
        let half = |length: &Length| {
            let agreed = if length.waits { agreed_us } else { 0.0 };
            (length.stretch(), length.one_way_us - agreed, length.one_way_us)
        };
        let nothing = StraightLine { intercept: lengths[0].one_way_us, slope: 0.0 };
        let half = least_scaled_deviations(&lengths.iter().map(half).collect::<Vec<_>>()).unwrap_or(nothing);
        Some(Rises { half, slopes: handling(lengths) })
    }

    /// Returns the duration of request and answer of a message that waits: 2L under `round-trip`, by the eager lengths
    /// alone.
    fn agreed_us(&self, lengths: &[Length]) -> f64 {
        match self.rendezvous {
            Rendezvous::Match => 0.0,
            Rendezvous::RoundTrip => 2.0 * eager_latency_us(lengths).max(0.0),
        }
    }

    /// Returns the sum of the relative deviations of the lengths that wait from the predictions of these parameters.
    fn deviation(&self, lengths: &[Length]) -> f64 {
        let (Some(solution), agreed_us) = (self.solve(lengths), self.agreed_us(lengths)) else { return f64::INFINITY };
        let (o_s, slower_us) = (solution.overhead_send_us, solution.gap_per_byte_us);
        let off = |length: &Length| {
            let leaving = o_s + agreed_us + length.stretch() * slower_us;
            let there = solution.unclamped_latency_us + solution.overhead_receive_us;
            let half = leaving + there + length.stretch() * solution.overhead_per_byte_us;
            let sent = length.late_send_us.map_or(0.0, |us| (us - leaving).abs());
            ((length.one_way_us - half).abs() + sent) / length.one_way_us
        };
        lengths.iter().filter(|length| length.waits).map(off).sum()
    }

    /// Returns the length whose single message has the largest error, with its measured and predicted time.
    pub(super) fn worst(&self, lengths: &[Length], solution: &Solution) -> Option<Misfit> {
        let predicted = |length: &Length| {
            let there_us = solution.latency_us + solution.overhead_receive_us;
            self.leaving_us(length, solution) + there_us + length.stretch() * solution.overhead_per_byte_us
        };
        furthest(lengths.iter().map(|length| (length.bytes, length.one_way_us, predicted(length))))
    }

    /// Returns the length with the largest error among sends that wait for their receivers, which are ready.
    pub(super) fn worst_send(&self, lengths: &[Length], solution: &Solution) -> Option<Misfit> {
        let waiting = lengths.iter().filter(|length| length.waits);
        furthest(
            waiting.filter_map(|length| Some((length.bytes, length.late_send_us?, self.leaving_us(length, solution)))),
        )
    }

    /// Returns the time from the begin of a send to the last byte's departure, where the receiver is ready.
    fn leaving_us(&self, length: &Length, solution: &Solution) -> f64 {
        let agreed = length.waits && self.rendezvous == Rendezvous::RoundTrip;
        let agreed_us = if agreed { 2.0 * solution.latency_us } else { 0.0 };
        let per_byte_us = solution.gap_per_byte_us.max(solution.overhead_per_byte_us);
        solution.overhead_send_us + agreed_us + length.stretch() * per_byte_us
    }

    /// Fits a line to the periods that show the gap over B.
    fn train_line(&self, lengths: &[Length]) -> Option<StraightLine> {
        let point = |length: &Length| Some((length.stretch(), length.period_us?, length.period_us?));
        let shown = self.shown(lengths).filter_map(point);
        least_scaled_deviations(&shown.collect::<Vec<_>>())
    }

    fn shown<'a>(&'a self, lengths: &'a [Length]) -> impl Iterator<Item = &'a Length> {
        lengths.iter().zip(&self.trains).filter(|&(_, &shows)| shows).map(|(length, _)| length)
    }

    /// Returns g: the rest of a period after BG, or of the sender's period where only a bound is known.
    fn gap(&self, lengths: &[Length], gap_per_byte_us: f64) -> f64 {
        let left = |length: &Length, period_us: f64| (period_us - length.stretch() * gap_per_byte_us).max(0.0);
        let shown = self.shown(lengths).next().and_then(|length| Some(left(length, length.period_us?)));
        let bound = |length: &Length| Some(left(length, length.sending_period_us.or(length.period_us)?));
        let bounds = || lengths.iter().filter(|length| !length.waits).filter_map(bound).min_by(f64::total_cmp);
        shown.or_else(bounds).unwrap_or(0.0)
    }
}

/// Length with its measured and its predicted time, in µs.
pub(super) type Misfit = (u64, f64, f64);

fn furthest(all: impl Iterator<Item = Misfit>) -> Option<Misfit> {
    let off = |(_, measured, predicted): &Misfit| (predicted / measured - 1.0).abs();
    all.max_by(|a, b| off(a).total_cmp(&off(b)))
}

/// Returns L as the eager lengths alone show it.
fn eager_latency_us(lengths: &[Length]) -> f64 {
    let halves = lengths.iter().filter(|length| !length.waits).map(|l| (l.stretch(), l.one_way_us, l.one_way_us));
    let rise = least_scaled_deviations(&halves.collect::<Vec<_>>()).map_or(0.0, |line| line.slope);
    let shortest = &lengths[0];
    let busy = shortest.send_us.unwrap_or(0.0) + shortest.receive_us.unwrap_or(0.0);
    shortest.one_way_us - shortest.stretch() * rise - busy
}

/// Returns the rises of a send and of a receive per byte.
fn handling(lengths: &[Length]) -> [f64; 2] {
    let eager = || lengths.iter().filter(|length| !length.waits);
    let point = |length: &Length, us: Option<f64>| Some((length.stretch(), us?, length.one_way_us));
    let sends: Vec<_> = eager().filter_map(|length| point(length, length.send_us)).collect();
    let mut receives: Vec<_> = eager().filter_map(|length| point(length, length.receive_us)).collect();
    if eager().all(|length| length.stretch() < ENOUGH_BYTES) {
        let latency_us = eager_latency_us(lengths);
        let waiting = lengths.iter().filter(|length| length.waits);
        receives.extend(
            waiting.filter_map(|length| point(length, Some(length.one_way_us - length.late_send_us? - latency_us))),
        );
    }
    let received = least_scaled_deviations(&receives).map_or(0.0, |line| line.slope);
    let enough = sends.iter().any(|&(stretch, ..)| stretch >= ENOUGH_BYTES) || receives.len() == sends.len();
    let sent = least_scaled_deviations(&sends).filter(|_| enough).map_or(received, |line| line.slope);
    [sent, received]
}

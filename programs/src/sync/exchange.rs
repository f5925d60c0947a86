//! Exchanges of readings by which one rank learns the global time from another that knows it.
//!
//! A question leaves after the reading `asked`; the server reads its clock and answers; the answer is there before the
//! reading `answered`. So at `asked` the global time was no later than the server's reading says, and at `answered` no
//! earlier: two limits of the offset, however long either way took, and whoever was preempted meanwhile. All limits are
//! combined as they come, so that the quickest question and the quickest answer of all exchanges bound the offset
//! (SKaMPI).

use super::interval::{Interval, LARGEST_RATE_DIFFERENCE_PPM, Limit, UNKNOWN};
use super::knowledge::{BYTES, Knowledge, grain};
use crate::rank::Rank;
use models::clock::{Ticks, Timescale};
use models::time::{Span, Time};

/// Question, as long as an answer, so that both directions take equally long on an even network.
const ASK: [u8; 8] = [1; 8];
const DONE: [u8; 8] = [0; 8];

/// Number of alternating readings that are taken before any is looked at.
const BATCH: u32 = 10;
/// Part of the distance of both limits by which a limit must be better to count as improved.
const ENOUGH: i64 = 64;

/// Number of exchanges after which a rank has learned enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Number of exchanges without improvement after which it is enough.
    pub patience: u32,
    /// Largest number of exchanges, so that a noisy machine cannot keep improving for ever.
    pub most: u32,
}

/// Answers one other rank until it has learned enough.
pub(super) async fn serve<R: Rank>(rank: &R, knowledge: &Knowledge, other: u32) {
    // A rank that serves several is asked by one at a time: it says when, so that no question lies in a queue. The
    // scale and limits of its readings are sent first, so that an answer is a reading and nothing else.
    rank.send(other, &knowledge.to_bytes()).await;
    rank.answer_clock_reads(other, &DONE).await;
}

/// One exchange, as the asking rank sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub asked: Time,
    pub answered: Time,
    /// Offset, were both ways equally long: at the middle of `asked` and `answered`.
    pub offset_ps: i64,
}

impl Exchange {
    pub(super) fn round_trip(&self) -> Span {
        self.answered.since(self.asked)
    }

    pub(super) fn middle(&self) -> Time {
        self.asked + Span(self.round_trip().0 / 2)
    }
}

/// Asking side of a session.
pub(super) struct Learner<'a, R> {
    rank: &'a R,
    server: u32,
    teacher: Knowledge,
    scale: Timescale,
    /// Limits of the offset that were proven so far.
    pub interval: Interval,
}

impl<'a, R: Rank> Learner<'a, R> {
    /// Waits until the server is there, whose clock may have another rate.
    pub(super) async fn connect(rank: &'a R, server: u32) -> Learner<'a, R> {
        Learner::assuming(rank, server, LARGEST_RATE_DIFFERENCE_PPM).await
    }

    /// Waits until the server is there, with a given bound in ppm of the rate at which the clocks drift apart.
    pub(super) async fn assuming(rank: &'a R, server: u32, ppm: u64) -> Learner<'a, R> {
        let mut message = [0; BYTES];
        rank.receive(server, &mut message).await;
        let scale = rank.timescale();
        let teacher = Knowledge::from_bytes(&message);
        let mut interval = Interval::unknown(ppm, grain(&scale));
        interval.contradicted = teacher.interval.contradicted;
        Learner { rank, server, teacher, scale, interval }
    }

    /// Makes one exchange between readings of its own.
    pub(super) async fn exchange(&mut self) -> Exchange {
        let asked = self.now();
        let answer = self.rank.ask(self.server, &ASK).await;
        let answered = self.now();
        self.learned(asked, answered, answer)
    }

    /// Makes exchanges until the least round trip has not improved for a while, and returns the one with the least.
    pub(super) async fn least_round_trip(&mut self, effort: Effort) -> Exchange {
        let mut best = self.exchange().await;
        let mut since_improved = 1;
        for _ in 1..effort.most {
            if since_improved >= effort.patience {
                break;
            }
            let exchange = self.exchange().await;
            since_improved += 1;
            if exchange.round_trip() < best.round_trip() {
                best = exchange;
                since_improved = 0;
            }
        }
        best
    }

    /// Takes strictly alternating readings, each of which ends one exchange and begins the next, until neither limit
    /// has improved for a while (SKaMPI). Between a reading and the next message nothing is worked out, which would
    /// make one way longer. The server could keep the same limits with opposite signs; only this rank needs them.
    pub(super) async fn alternate(&mut self, effort: Effort) {
        let mut readings = Vec::with_capacity(BATCH as usize);
        let (mut made, mut since_improved) = (0, 0);
        let mut marks = (-UNKNOWN, UNKNOWN);
        while made < effort.most && since_improved < effort.patience {
            let mut last = self.rank.read_clock();
            for _ in 0..BATCH {
                let answer = self.rank.ask(self.server, &ASK).await;
                let now = self.rank.read_clock();
                readings.push((last, now, answer));
                last = now;
            }
            made += BATCH;
            for (asked, answered, answer) in readings.drain(..) {
                self.learned(self.scale.time(asked), self.scale.time(answered), answer);
                since_improved = if self.has_narrowed(&mut marks) { 0 } else { since_improved + 1 };
            }
        }
    }

    /// Whether a limit is better than when this was last true, by enough to matter. Losses by growing old do not count,
    /// nor gains by slow drift.
    fn has_narrowed(&self, marks: &mut (i64, i64)) -> bool {
        let (low, high) = (self.interval.low.ps, self.interval.high.ps);
        let enough = high.saturating_sub(low) / ENOUGH;
        let narrowed = low > marks.0.saturating_add(enough) || high < marks.1.saturating_sub(enough);
        if narrowed {
            *marks = (low, high);
        }
        narrowed
    }

    fn learned(&mut self, asked: Time, answered: Time, answer: Ticks) -> Exchange {
        let stamp = self.teacher.stamp(answer);
        let own = |time: Time| i64::try_from(time.0).unwrap_or(i64::MAX);
        let grain = grain(&self.scale).0 as i64;
        let low_ps = stamp.low.saturating_sub(own(answered)).saturating_sub(grain);
        let high_ps = stamp.high.saturating_sub(own(asked));
        let middle = own(asked) + (own(answered) - own(asked)) / 2 + grain / 2;
        self.interval.learn(Limit { ps: low_ps, at: answered }, Limit { ps: high_ps, at: asked });
        Exchange { asked, answered, offset_ps: stamp.estimate.saturating_sub(middle) }
    }

    /// Returns this rank's local time now.
    pub(super) fn now(&self) -> Time {
        self.scale.time(self.rank.read_clock())
    }

    /// Ends the session with the offset that some exchanges suggest, or the nearest that is possible.
    pub(super) async fn settle_on(self, offset_ps: i64) -> Knowledge {
        self.rank.send(self.server, &DONE).await;
        Knowledge::settled(self.scale, self.interval, self.now(), offset_ps, None)
    }

    /// Ends the session with the middle of the possible offsets.
    pub(super) async fn settle_in_the_middle(self) -> Knowledge {
        self.rank.send(self.server, &DONE).await;
        Knowledge::middle(self.scale, self.interval, self.now())
    }

    /// Ends the session with a fitted line, where fitting it has paid.
    pub(super) async fn settle_on_fit(self, fit: super::fit::Fit) -> Knowledge {
        self.rank.send(self.server, &DONE).await;
        let now = self.now();
        Knowledge::settled(self.scale, self.interval, now, fit.offset_at(now), fit.drift)
    }
}

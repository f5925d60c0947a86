//! Two ranks exchange messages of one length, again and again, and the one that begins times it.
//!
//! A ping-pong is timed from one reading of the clock to the next: its parts follow each other without a gap, so that
//! their sum is the time of all, and each contains one reading. Both ways at once, every exchange is timed by itself,
//! from an instant on at which both ranks begin: the one that answers says that it is there and waits for a message;
//! the one that begins sends that, and waits for as long as it is under way, half of the least round trip of such
//! messages. (After an exchange of messages instead, a rank that came late begins late, by up to a latency, and the sum
//! of both is timed.)

use super::buffers::Buffers;
use crate::operation::{Library, Operation, Own};
use crate::rank::{Phase, Rank};
use models::clock::Ticks;
use models::collective::{Collective, Part, Shape, Step, Then};
use models::time::Span;
use serde::{Deserialize, Serialize};

models::named! {
    /// Direction and order of the messages of an exchange.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Way {
        /// One message there and then one back, by blocking calls: one message at a time.
        PingPong => "ping-pong",
        /// One message each way at the same time, by non-blocking calls.
        BothWays => "both-ways",
    }
    /// The name used in files and output.
    fn name;
}

/// Numbers of exchanges of a length, by the length of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeats {
    /// Largest length of small messages, in bytes; longer ones are `large`.
    pub large_above: u64,
    /// Number of exchanges of small messages that are not kept, and number of those that are.
    pub small: (u32, u32),
    /// Number of exchanges of large messages that are not kept, and number of those that are.
    pub large: (u32, u32),
}

impl Repeats {
    /// Returns the number of exchanges of this length that are not kept, and the number of those that are.
    pub fn counts(&self, bytes: u64) -> (u32, u32) {
        if bytes > self.large_above { self.large } else { self.small }
    }
}

/// Exchanges of one length between two ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchanges {
    /// Direction and order of the messages.
    pub way: Way,
    /// Rank that began, and read its clock.
    pub from: u32,
    /// Rank that answered the other.
    pub to: u32,
    /// Length of each message, in bytes.
    pub bytes: u64,
    /// Duration of each exchange: two messages, one after the other or at once.
    pub round_trips: Vec<Span>,
}

impl Way {
    /// Returns the number of messages of an exchange that are under way one after the other, by which its time is
    /// divided.
    pub fn messages_in_turn(self) -> f64 {
        match self {
            Way::PingPong => 2.0,
            Way::BothWays => 1.0,
        }
    }
}

impl Exchanges {
    /// Returns the time of one message in each exchange, in µs: half of a ping-pong, all of an exchange both ways.
    pub fn times_us(&self) -> Vec<f64> {
        self.round_trips.iter().map(|span| span.as_us() / self.way.messages_in_turn()).collect()
    }
}

/// Returns the powers of two times `first` (at least 1) from `first` to `last`, both included where they are such
/// multiples.
pub fn doubling(first: u64, last: u64) -> Vec<u64> {
    std::iter::successors(Some(first.max(1)), |bytes| bytes.checked_mul(2)).take_while(|&bytes| bytes <= last).collect()
}

/// Two ranks, and the messages that they send each other.
pub(super) struct ExchangePair {
    pub from: u32,
    pub to: u32,
    pub bytes: u64,
    /// Length of the longest message of the test, behind which messages are received.
    pub longest: u64,
    /// Number of exchanges that are not kept, and number of those that are.
    pub repeats: (u32, u32),
    /// State in which messages find their buffers.
    pub buffers: Buffers,
}

/// Number of exchanges between two notes on the board that a rank is getting on, which lie outside the timed exchanges.
const AT_ONCE: u32 = 128;

impl ExchangePair {
    /// Exchanges messages; both ranks call it. Returns the timed exchanges on the rank that begins, `None` on the
    /// other.
    pub(super) async fn exchange<R: Rank>(&self, rank: &R, way: Way) -> Option<Exchanges> {
        let begins = rank.id() == self.from;
        self.buffers.begin(rank, self.longest, self.bytes);
        let steps = Steps::new(self, if begins { self.to } else { self.from });
        let (skipped, kept) = self.repeats;
        let all = skipped.saturating_add(kept);
        // Nothing is allocated between the readings of a ping-pong.
        let mut spans: Vec<(Ticks, Ticks)> = Vec::with_capacity(if begins { all as usize } else { 0 });
        let mut done = 0;
        while done < all {
            // Exchanges that are not kept and those that are never share a stretch.
            let end = if done < skipped { skipped } else { all };
            let count = AT_ONCE.min(end - done);
            rank.enter_phase(Phase::PointToPoint);
            match (way, begins) {
                (Way::PingPong, true) if self.buffers.are_readied() => {
                    ready_ping(rank, &steps, count, &mut spans).await;
                }
                (Way::PingPong, false) if self.buffers.are_readied() => ready_pong(rank, &steps, count).await,
                (Way::PingPong, true) => ping(rank, &steps, count, &mut spans).await,
                (Way::PingPong, false) => pong(rank, &steps, count).await,
                (Way::BothWays, true) => ping_both_ways(rank, &steps, count, &mut spans).await,
                (Way::BothWays, false) => pong_both_ways(rank, &steps, count).await,
            }
            done += count;
        }
        let scale = rank.timescale();
        let round_trips = spans.iter().skip(skipped as usize).map(|&(start, end)| scale.span(start, end)).collect();
        begins.then_some(Exchanges { way, from: self.from, to: self.to, bytes: self.bytes, round_trips })
    }
}

/// Steps of a rank with the other one, worked out beforehand.
struct Steps {
    send: Step,
    receive: Step,
    post: Step,
    start: Step,
    /// Empty messages by which both ranks begin at the same instant.
    say: Step,
    hear: Step,
}

impl Steps {
    fn new(pair: &ExchangePair, peer: u32) -> Steps {
        let sent = Part::range(0, pair.bytes);
        let received = pair.buffers.received(pair.longest, pair.bytes);
        let none = Part::range(0, 0);
        let then = Then::Store;
        Steps {
            send: Step::Send { to: peer, part: sent },
            receive: Step::Receive { from: peer, part: received, then },
            post: Step::Post { from: peer, part: received, then },
            start: Step::Start { to: peer, part: sent },
            say: Step::Send { to: peer, part: none },
            hear: Step::Receive { from: peer, part: none, then },
        }
    }
}

async fn ping<R: Rank>(rank: &R, steps: &Steps, count: u32, spans: &mut Vec<(Ticks, Ticks)>) {
    let mut last = rank.read_clock();
    for _ in 0..count {
        rank.step(&steps.send).await;
        rank.step(&steps.receive).await;
        let now = rank.read_clock();
        spans.push((last, now));
        last = now;
    }
}

async fn pong<R: Rank>(rank: &R, steps: &Steps, count: u32) {
    for _ in 0..count {
        rank.step(&steps.receive).await;
        rank.step(&steps.send).await;
    }
}

/// Makes ping-pongs one by one, once both ranks have brought their memory into its state.
async fn ready_ping<R: Rank>(rank: &R, steps: &Steps, count: u32, spans: &mut Vec<(Ticks, Ticks)>) {
    for _ in 0..count {
        rank.ready_buffers();
        rank.step(&steps.hear).await;
        let start = rank.read_clock();
        rank.step(&steps.send).await;
        rank.step(&steps.receive).await;
        spans.push((start, rank.read_clock()));
    }
}

async fn ready_pong<R: Rank>(rank: &R, steps: &Steps, count: u32) {
    for _ in 0..count {
        rank.ready_buffers();
        rank.step(&steps.say).await;
        rank.step(&steps.receive).await;
        rank.step(&steps.send).await;
    }
}

/// Number of round trips of empty messages, of which half the least is the time that one is under way.
const TRIALS: u32 = 16;

async fn ping_both_ways<R: Rank>(rank: &R, steps: &Steps, count: u32, spans: &mut Vec<(Ticks, Ticks)>) {
    let scale = rank.timescale();
    let mut least = Span(u64::MAX);
    for _ in 0..TRIALS {
        let start = rank.read_clock();
        rank.step(&steps.say).await;
        rank.step(&steps.hear).await;
        least = least.min(scale.span(start, rank.read_clock()));
    }
    for _ in 0..count {
        rank.ready_buffers();
        rank.step(&steps.hear).await;
        let due = scale.reading(scale.time(rank.read_clock()) + Span(least.0 / 2));
        rank.step(&steps.say).await;
        rank.wait_until(due).await;
        let start = rank.read_clock();
        all_at_once(rank, steps).await;
        spans.push((start, rank.read_clock()));
    }
}

async fn pong_both_ways<R: Rank>(rank: &R, steps: &Steps, count: u32) {
    for _ in 0..TRIALS {
        rank.step(&steps.hear).await;
        rank.step(&steps.say).await;
    }
    for _ in 0..count {
        rank.ready_buffers();
        rank.step(&steps.say).await;
        rank.step(&steps.hear).await;
        all_at_once(rank, steps).await;
    }
}

async fn all_at_once<R: Rank>(rank: &R, steps: &Steps) {
    rank.step(&steps.post).await;
    rank.step(&steps.start).await;
    rank.step(&Step::WaitAll).await;
}

/// Carries out a barrier of all ranks: the library's own where there is one, else dissemination.
pub(super) async fn barrier<R: Rank>(rank: &R) {
    let shape = Shape::new(rank.size(), 0, 0);
    if R::HAS_LIBRARY {
        let call = Library(Collective::Barrier, shape);
        call.prepare(rank);
        call.call(rank).await;
    } else {
        let steps = models::collective::Algorithm::find(Collective::Barrier, "dissemination");
        Own::new(steps.expect("the table has it"), &shape, rank.id()).call(rank).await;
    }
}

/// Has rank 0 hear from every other rank, and then they from it, by control messages, for which a rank sleeps where
/// ranks have to share cores.
pub(crate) async fn gather_and_go<R: Rank>(rank: &R) {
    for other in 1..rank.size() {
        if rank.id() == 0 {
            rank.receive(other, &mut []).await;
        } else if rank.id() == other {
            rank.send(0, &[]).await;
        }
    }
    for other in 1..rank.size() {
        if rank.id() == 0 {
            rank.send(other, &[]).await;
        } else if rank.id() == other {
            rank.receive(0, &mut []).await;
        }
    }
}

/// Waits until every rank is there; all leave nearly at once.
pub(super) async fn meet<R: Rank>(rank: &R) {
    rank.enter_phase(Phase::PointToPoint);
    gather_and_go(rank).await;
    barrier(rank).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_double() {
        assert_eq!(doubling(1, 8), [1, 2, 4, 8]);
        assert_eq!(doubling(3, 13), [3, 6, 12]);
        assert_eq!(doubling(0, 1), [1]);
        assert_eq!(doubling(u64::MAX, u64::MAX), [u64::MAX]);
    }

    #[test]
    fn messages_longer_than_the_bound_are_large() {
        let repeats = Repeats { large_above: 8192, small: (100, 10_000), large: (10, 1_000) };
        assert_eq!((repeats.counts(8192), repeats.counts(8193)), ((100, 10_000), (10, 1_000)));
    }
}

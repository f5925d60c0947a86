//! All exchanges of a calibration, one kind after the other.

use super::eager_limit;
use super::exchange::{Exchange, Timed, agree, of_second, settle};
use super::settings::FEWEST_SAMPLES;
use super::{CalibrationSettings, LateReceives, LateSends, Prtt, Readings, Sample, Touching};
use crate::observation::MachineLook;
use crate::rank::{Phase, Rank};
use models::spread::median;
use models::time::Span;

/// Number of pairs of readings of each clock, which show the cost of a reading.
const READINGS: u32 = 200;
/// Number of round trips after which a message is there, and a send that does not wait has long returned.
const SURELY_THERE: u64 = 2;
/// Number of first warm-ups, from which the number of all warm-ups follows.
pub(super) const FEWEST_WARM_UPS: u32 = 2;
/// Number by which the limit is divided to give the time of all warm-ups together.
const WARM_UP_SHARE: u64 = 8;

/// A length as rank 0 knows it, from which the duration of delays follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownLength {
    pub bytes: u64,
    /// Time that an exchange of this length without delay takes at most, about.
    pub busy: Span,
}

impl CalibrationSettings {
    /// Runs all exchanges. All ranks call it together: rank 0 returns the samples, others an empty list.
    ///
    /// # Errors
    /// Fails on all ranks alike where [`Leaving::run`](super::Leaving::run) fails.
    pub async fn run<R: Rank>(&self, rank: &R) -> Result<Vec<Sample>, String> {
        let mut all = Vec::new();
        rank.enter_phase(Phase::Calibration);
        all.extend(look(rank).await);
        let pair = rank.id() < 2;
        let known = if pair { self.messages_alone(rank, &mut all).await } else { Vec::new() };
        settle(rank).await;
        all.extend(look(rank).await);
        if self.touching {
            if pair {
                Touching::for_lengths(self.bytes.clone()).pair(rank, &mut all).await;
            }
            settle(rank).await;
            all.extend(look(rank).await);
        }
        if pair {
            self.trains_and_late(rank, known, &mut all).await;
        }
        settle(rank).await;
        all.extend(look(rank).await);
        if let Some(leaving) = &self.leaving {
            all.extend(leaving.run(rank).await?.map(Sample::Left));
            all.extend(look(rank).await);
        }
        Ok(if rank.id() == 0 { all } else { Vec::new() })
    }

    async fn messages_alone<R: Rank>(&self, rank: &R, all: &mut Vec<Sample>) -> Vec<KnownLength> {
        let mut known = Vec::with_capacity(self.bytes.len());
        for &bytes in &self.bytes {
            look_between(rank, all).await;
            let ping_pong = self.round_trips(rank, 1, Span::ZERO, bytes).await;
            known.push(KnownLength { bytes, busy: median(ping_pong.round_trips.iter().copied()) });
            all.push(Sample::RoundTrips(ping_pong));
        }
        known
    }

    /// Times trains and late messages, after all that is timed message by message: where libraries pass messages
    /// through a pool of memory, trains may leave it otherwise than fresh processes have it.
    async fn trains_and_late<R: Rank>(&self, rank: &R, mut known: Vec<KnownLength>, all: &mut Vec<Sample>) {
        let Some(shortest) = known.first().map(|length| length.busy) else { return };
        if self.train > 1 {
            for length in &mut known {
                look_between(rank, all).await;
                let train = self.round_trips(rank, self.train_of(length.bytes), Span::ZERO, length.bytes).await;
                length.busy = length.busy.max(period(&train));
                all.push(Sample::RoundTrips(train));
            }
        }
        if self.train > 1 && self.delayed_trains {
            for length in &known {
                look_between(rank, all).await;
                // o + d must exceed g + BG: that is what the shortest message and this one take.
                let delay = Span(agree(rank, (shortest * 4 + length.busy).0).await);
                let delayed = self.round_trips(rank, self.train_of(length.bytes), delay, length.bytes).await;
                all.push(Sample::RoundTrips(delayed));
            }
        }
        if self.late_receives {
            all.push(Sample::Readings(readings(rank).await));
            self.late(rank, shortest, &known, all).await;
        }
    }

    async fn late<R: Rank>(&self, rank: &R, shortest: Span, known: &[KnownLength], all: &mut Vec<Sample>) {
        let mut waits = Vec::with_capacity(known.len());
        for &length in known {
            look_between(rank, all).await;
            let delay = Span(agree(rank, delay(shortest, length.busy).0).await);
            let late = self.late_receives(rank, delay, length.bytes).await;
            let wait = agree(rank, u64::from(late.wait())).await == 1;
            waits.push((length, wait));
            all.push(Sample::LateReceives(late));
            if wait {
                let (bytes, timed) =
                    (length.bytes, self.repeat(rank, Exchange::LateSend { delay, bytes: length.bytes }).await);
                let sends = timed.iter().map(|timed| timed.whole).collect();
                all.push(Sample::LateSends(LateSends { delay, bytes, sends }));
            }
        }
        eager_limit::bisect(self, rank, shortest, &waits, all).await;
    }

    pub(super) async fn late_receives<R: Rank>(&self, rank: &R, delay: Span, bytes: u64) -> LateReceives {
        let timed = self.repeat(rank, Exchange::LateReceive { delay, bytes }).await;
        let sends: Vec<Span> = timed.iter().map(|timed| timed.whole).collect();
        // The time of a message, and of all that is before it.
        let pause = Span(delay.0 / SURELY_THERE);
        let timed = self.repeat(rank, Exchange::Announced { delay, pause, bytes }).await;
        let spans: Vec<Span> = timed.iter().map(|timed| timed.whole).collect();
        let receives = of_second(rank, &spans).await;
        LateReceives { delay, bytes, sends, receives }
    }

    async fn round_trips<R: Rank>(&self, rank: &R, messages: u32, delay: Span, bytes: u64) -> Prtt {
        let alone = messages == 1;
        let exchange = if alone { Exchange::PingPong { bytes } } else { Exchange::Train { messages, delay, bytes } };
        let timed = self.repeat(rank, exchange).await;
        let round_trips = timed.iter().map(|timed| timed.whole).collect();
        let sending = timed.iter().filter(|_| !alone).map(|timed| timed.sending).collect();
        Prtt { messages, delay, bytes, round_trips, sending }
    }

    /// Makes exchanges that are not kept, from which rank 0 sees how many to make within the limit, and returns those
    /// that follow.
    async fn repeat<R: Rank>(&self, rank: &R, exchange: Exchange) -> Vec<Timed> {
        let mut count = self.samples;
        if self.limit < Span(u64::MAX) {
            let first = warm_up(rank, exchange, FEWEST_WARM_UPS.min(self.warmup)).await;
            let more = agree(rank, times(Span(self.limit.0 / WARM_UP_SHARE), first)).await.min(u64::from(self.warmup));
            let took = warm_up(rank, exchange, (more as u32).max(1)).await;
            let fit = times(self.limit, took).max(u64::from(FEWEST_SAMPLES)).min(u64::from(self.samples));
            count = agree(rank, fit).await as u32;
            // An exchange that follows a message of another kind.
            exchange.once(rank).await;
        } else {
            warm_up(rank, exchange, self.warmup).await;
        }
        let mut timed = Vec::with_capacity(count as usize);
        for _ in 0..count {
            timed.push(exchange.once(rank).await);
        }
        timed
    }
}

/// Takes a look in the middle of the exchanges of ranks 0 and 1, which both call it: their cores may be slowed from one
/// kind to the next. Takes none where they are no neighbours, as the other ranks are idle.
pub(super) async fn look_between<R: Rank>(rank: &R, all: &mut Vec<Sample>) {
    if rank.neighbour() == Some(1 - rank.id()) {
        all.extend(look(rank).await);
    }
}

/// Takes a look by ranks 0 and 1; all ranks call it. The work is that of the slower core of both.
async fn look<R: Rank>(rank: &R) -> Option<Sample> {
    let own = rank.look_around()?;
    if rank.id() >= 2 {
        return None;
    }
    let works = of_second(rank, &[own.work]).await;
    Some(Sample::Looked(MachineLook { work: works.into_iter().fold(own.work, Span::max), ..own }))
}

/// Makes `count` exchanges and returns the median time of one, which is at least [`Exchange::least`].
pub(super) async fn warm_up<R: Rank>(rank: &R, exchange: Exchange, count: u32) -> Span {
    let mut took = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let start = rank.read_clock();
        exchange.once(rank).await;
        took.push(rank.timescale().span(start, rank.read_clock()));
    }
    median(took).max(exchange.least())
}

/// Returns the number of spans of length `one` that fit into the limit.
pub(super) fn times(limit: Span, one: Span) -> u64 {
    limit.0 / one.0.max(1)
}

/// Returns the time for which the later of two ranks computes so that the other one's message, or receive, is surely
/// there.
pub(super) fn delay(shortest: Span, busy: Span) -> Span {
    (shortest + busy) * SURELY_THERE
}

/// Returns about the time between the messages of a train.
fn period(train: &Prtt) -> Span {
    Span(median(train.round_trips.iter().copied()).0 / u64::from(train.messages.max(1)))
}

async fn readings<R: Rank>(rank: &R) -> Readings {
    let mut first = Vec::with_capacity(READINGS as usize);
    for _ in 0..READINGS {
        first.push(Exchange::Reading.once(rank).await.whole);
    }
    let second = of_second(rank, &first).await;
    Readings { first, second }
}

//! A single exchange between ranks 0 and 1, with its readings of the clock.

use crate::rank::{Phase, Rank};
use models::clock::Ticks;
use models::collective::{Part, Step, Then};
use models::time::Span;

/// Kind of exchange between ranks 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exchange {
    /// A ping-pong, PRTT(1, 0, s).
    PingPong { bytes: u64 },
    /// A train, PRTT(n, d, s) with n > 1.
    Train { messages: u32, delay: Span, bytes: u64 },
    /// Rank 1 computes before it receives.
    LateReceive { delay: Span, bytes: u64 },
    /// A late receive behind an empty message, which rank 1 receives first: a rank that looks for messages for the
    /// first time in a while takes longer (Open MPI on two near cores: 0.11 to 0.15 µs instead of 0.02 to 0.05), and
    /// ranks inside of a collective have just looked. Between the two messages both ranks wait for `pause`, so that
    /// they do not queue.
    Announced { delay: Span, pause: Span, bytes: u64 },
    /// Rank 0 computes before it sends.
    LateSend { delay: Span, bytes: u64 },
    /// Two readings of the clock with nothing between them.
    Reading,
}

/// Spans that one rank timed of one exchange.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timed {
    pub whole: Span,
    /// Time until the last send of a train had returned.
    pub sending: Span,
}

impl Exchange {
    /// Returns the least duration of the exchange, however early rank 0 is done with its part.
    pub(super) fn least(self) -> Span {
        match self {
            Exchange::LateReceive { delay, .. } | Exchange::LateSend { delay, .. } => delay,
            Exchange::Announced { delay, pause, .. } => delay + pause,
            Exchange::PingPong { .. } | Exchange::Train { .. } | Exchange::Reading => Span::ZERO,
        }
    }

    /// Carries out the exchange; both ranks call it.
    pub(super) async fn once<R: Rank>(self, rank: &R) -> Timed {
        rank.enter_phase(Phase::Calibration);
        let first = rank.id() == 0;
        let [start, middle, end] = match self {
            Exchange::PingPong { bytes } if first => ping(rank, bytes).await,
            Exchange::PingPong { bytes } => receive_and_reply(rank, 1, bytes).await,
            Exchange::Train { messages, delay, bytes } if first => train(rank, messages, delay, bytes).await,
            Exchange::Train { messages, bytes, .. } => receive_and_reply(rank, messages, bytes).await,
            Exchange::LateReceive { bytes, .. } if first => send(rank, None, Span::ZERO, bytes).await,
            Exchange::LateReceive { delay, bytes } => receive(rank, None, delay, bytes).await,
            Exchange::Announced { pause, bytes, .. } if first => send(rank, Some(pause), Span::ZERO, bytes).await,
            Exchange::Announced { delay, pause, bytes } => receive(rank, Some(pause), delay, bytes).await,
            Exchange::LateSend { delay, bytes } if first => send(rank, None, delay, bytes).await,
            Exchange::LateSend { bytes, .. } => receive(rank, None, Span::ZERO, bytes).await,
            Exchange::Reading => {
                let start = rank.read_clock();
                [start, start, rank.read_clock()]
            }
        };
        let scale = rank.timescale();
        Timed { whole: scale.span(start, end), sending: scale.span(start, middle) }
    }
}

/// Readings at the begin, at the end of the sends and at the end.
type Stamps = [Ticks; 3];

#[inline(always)]
async fn ping<R: Rank>(rank: &R, bytes: u64) -> Stamps {
    let (send, receive) = both(1, bytes);
    let start = rank.read_clock();
    rank.step(&send).await;
    rank.step(&receive).await;
    let end = rank.read_clock();
    [start, end, end]
}

#[inline(always)]
async fn train<R: Rank>(rank: &R, messages: u32, delay: Span, bytes: u64) -> Stamps {
    let (send, receive) = both(1, bytes);
    let start = rank.read_clock();
    rank.step(&send).await;
    for _ in 1..messages {
        if delay > Span::ZERO {
            rank.compute(delay).await;
        }
        rank.step(&send).await;
    }
    let middle = rank.read_clock();
    rank.step(&receive).await;
    [start, middle, rank.read_clock()]
}

#[inline(always)]
async fn receive_and_reply<R: Rank>(rank: &R, messages: u32, bytes: u64) -> Stamps {
    let (send, receive) = both(0, bytes);
    for _ in 0..messages {
        rank.step(&receive).await;
    }
    rank.step(&send).await;
    [Ticks::default(); 3]
}

/// Rank 0's part of a late send or receive: rank 1 says that the message may come, and rank 0 sends it. If it is
/// `announced`, it follows an empty message after that pause.
#[inline(always)]
async fn send<R: Rank>(rank: &R, announced: Option<Span>, delay: Span, bytes: u64) -> Stamps {
    let (announce, hear) = both(1, 0);
    let (send, _) = both(1, bytes);
    rank.step(&hear).await;
    if let Some(pause) = announced {
        rank.step(&announce).await;
        rank.compute(pause).await;
    }
    if delay > Span::ZERO {
        rank.compute(delay).await;
    }
    let start = rank.read_clock();
    rank.step(&send).await;
    let end = rank.read_clock();
    [start, end, end]
}

/// Rank 1's part of a late send or receive.
#[inline(always)]
async fn receive<R: Rank>(rank: &R, announced: Option<Span>, delay: Span, bytes: u64) -> Stamps {
    let (say, announcement) = both(0, 0);
    let (_, receive) = both(0, bytes);
    rank.step(&say).await;
    if delay > Span::ZERO {
        rank.compute(delay).await;
    }
    if let Some(pause) = announced {
        rank.step(&announcement).await;
        rank.compute(pause).await;
    }
    let start = rank.read_clock();
    rank.step(&receive).await;
    let end = rank.read_clock();
    [start, end, end]
}

/// Returns a send to the other rank, and a receive from it into memory of its own, so that sent memory is never
/// written: as `osu_latency` and IMB's PingPong do it. Memory that a rank has just received into costs more to send on
/// (Parameters beyond network models).
pub(super) fn both(peer: u32, bytes: u64) -> (Step, Step) {
    let receive = Step::Receive { from: peer, part: Part::behind(bytes, bytes), then: Then::Store };
    (Step::Send { to: peer, part: Part::range(0, bytes) }, receive)
}

/// Sends a number from rank 0 to rank 1, and returns it on both.
pub(super) async fn agree<R: Rank>(rank: &R, number: u64) -> u64 {
    let mut message = number.to_le_bytes();
    if rank.id() == 0 {
        rank.send(1, &message).await;
    } else {
        rank.receive(0, &mut message).await;
    }
    u64::from_le_bytes(message)
}

/// Sends rank 1's spans to rank 0, which returns them; rank 1 returns its `own`. Both have equally many.
pub(super) async fn of_second<R: Rank>(rank: &R, own: &[Span]) -> Vec<Span> {
    let mut message: Vec<u8> = own.iter().flat_map(|span| span.0.to_le_bytes()).collect();
    if rank.id() == 0 {
        rank.receive(1, &mut message).await;
    } else {
        rank.send(0, &message).await;
    }
    let (whole, _) = message.as_chunks::<8>();
    whole.iter().map(|&bytes| Span(u64::from_le_bytes(bytes))).collect()
}

/// Keeps the idle ranks waiting until ranks 0 and 1 are done.
pub(super) async fn settle<R: Rank>(rank: &R) {
    for other in 1..rank.size() {
        if rank.id() == 0 {
            rank.send(other, &[]).await;
        } else if rank.id() == other {
            rank.receive(0, &mut []).await;
        }
    }
}

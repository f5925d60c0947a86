//! A single touch, carried out by ranks 0 and 1.

use super::super::exchange::both;
use super::windows::Act;
use super::{AT_ONCE, ROAM, Touch};
use crate::rank::Rank;
use models::collective::{Collective, Part, Shape, Step, Then};
use models::time::Span;

/// Returns the number of messages or moves that the time holds, and the time; zero time on rank 1.
pub(super) async fn once<R: Rank>(rank: &R, touch: Touch, bytes: u64) -> (u32, Span) {
    let (sent, apart) = (Part::range(0, bytes), Part::behind(bytes, bytes));
    match touch {
        Touch::Same | Touch::Rewritten | Touch::SentFlushed | Touch::ReceivedFlushed | Touch::BothFlushed => {
            (2, round_trip(rank, sent, apart, Span::ZERO).await)
        }
        Touch::Forwarded | Touch::ForwardedShared => (2, round_trip(rank, sent, sent, Span::ZERO).await),
        Touch::Started => (2, round_trip(rank, sent, apart, WAIT).await),
        Touch::Called => (2, calls(rank, bytes).await),
        Touch::CalledReducing => {
            (1, together(rank, async || rank.library(Collective::Allreduce, &Shape::new(2, 0, bytes)).await).await)
        }
        Touch::BothWays | Touch::BothWaysRewritten => (1, both_ways(rank, sent, apart).await),
        Touch::BothWaysForwarded => {
            rank.step(&exchange(1 - rank.id(), sent, apart)).await;
            (1, both_ways(rank, apart, sent).await)
        }
        Touch::ToSelf => (1, to_self(rank, sent, apart).await),
        Touch::Copied => (AT_ONCE, within(rank, AT_ONCE, bytes, Then::Store).await),
        Touch::CopiedFrom => {
            be_read(rank, bytes).await;
            (1, copy_out(rank, bytes).await)
        }
        Touch::CopiedOver => {
            be_read(rank, bytes).await;
            (1, within(rank, 1, bytes, Then::Store).await)
        }
        Touch::CopiedOverShared => {
            be_read(rank, bytes).await;
            copy_out(rank, bytes).await;
            (1, within(rank, 1, bytes, Then::Store).await)
        }
        Touch::Combined => (AT_ONCE, within(rank, AT_ONCE, bytes, Then::Combine).await),
        Touch::CombinedOver => {
            be_read(rank, bytes).await;
            (1, within(rank, 1, bytes, Then::Combine).await)
        }
        Touch::CombinedByLibrary
        | Touch::CombinedInts
        | Touch::CombinedLongs
        | Touch::CombinedFloats
        | Touch::CombinedDoubles => (AT_ONCE, by_library(rank, AT_ONCE, bytes, touch).await),
        Touch::CombinedOverByLibrary => {
            be_read(rank, bytes).await;
            (1, by_library(rank, 1, bytes, touch).await)
        }
        Touch::Renewed => renewed(rank, bytes),
    }
}

/// Time for which ranks wait on their clocks before a round trip that begins with a start: about as long as in a
/// window.
const WAIT: Span = Span::from_us(10);

/// Times a round trip after both ranks have waited for `wait`, unless it is zero.
async fn round_trip<R: Rank>(rank: &R, sent: Part, received: Part, wait: Span) -> Span {
    let peer = 1 - rank.id();
    let (send, receive) =
        (Step::Send { to: peer, part: sent }, Step::Receive { from: peer, part: received, then: Then::Store });
    rank.ready_buffers();
    meet(rank).await;
    if wait > Span::ZERO {
        let scale = rank.timescale();
        rank.wait_until(scale.reading(scale.time(rank.read_clock()) + wait)).await;
    }
    if rank.id() == 1 {
        rank.step(&receive).await;
        rank.step(&send).await;
        return Span::ZERO;
    }
    let start = rank.read_clock();
    rank.step(&send).await;
    rank.step(&receive).await;
    rank.timescale().span(start, rank.read_clock())
}

async fn to_self<R: Rank>(rank: &R, sent: Part, received: Part) -> Span {
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    rank.step(&Step::Post { from: 0, part: received, then: Then::Store }).await;
    rank.step(&Step::Start { to: 0, part: sent }).await;
    rank.step(&Step::WaitAll).await;
    rank.timescale().span(start, rank.read_clock())
}

async fn calls<R: Rank>(rank: &R, bytes: u64) -> Span {
    let [there, back] = [0, 1].map(|root| Shape::new(2, root, bytes));
    meet(rank).await;
    let start = rank.read_clock();
    rank.library(Collective::Bcast, &there).await;
    rank.library(Collective::Bcast, &back).await;
    rank.timescale().span(start, rank.read_clock())
}

/// Has rank 1 receive the memory that rank 0 is about to write.
async fn be_read<R: Rank>(rank: &R, bytes: u64) {
    rank.ready_buffers();
    let (send, _) = both(1, bytes);
    let (_, receive) = both(0, bytes);
    rank.step(if rank.id() == 0 { &send } else { &receive }).await;
    meet(rank).await;
}

/// Has rank 1 tell rank 0 that it is there.
async fn meet<R: Rank>(rank: &R) {
    let (say, hear) = both(1 - rank.id(), 0);
    rank.step(if rank.id() == 0 { &hear } else { &say }).await;
}

/// Returns the act that a rank carries out in windows where both ranks read one clock; `None` for touches that are
/// timed otherwise.
pub(super) fn in_windows(touch: Touch, rank: u32, bytes: u64) -> Option<Act> {
    if !Touch::IN_WINDOWS.contains(&touch) {
        return None;
    }
    if let Some((collective, _)) = touch.call() {
        return Some(Act::Call(collective, Shape::new(2, 0, bytes)));
    }
    let (send, receive) = both(1 - rank, bytes);
    let (sent, apart) = (Part::range(0, bytes), Part::behind(bytes, bytes));
    let there = exchange(1 - rank, sent, apart);
    let one_way = if rank == 0 { send } else { receive };
    let first = if touch == Touch::Started { one_way } else { there };
    let second = if touch == Touch::BothWaysForwarded { exchange(1 - rank, apart, sent) } else { first };
    Some(Act::Steps([first, second]))
}

fn exchange(peer: u32, sent: Part, received: Part) -> Step {
    Step::Exchange { to: peer, sent, from: peer, received, then: Then::Store }
}

async fn both_ways<R: Rank>(rank: &R, sent: Part, received: Part) -> Span {
    let exchange = exchange(1 - rank.id(), sent, received);
    together(rank, async || rank.step(&exchange).await).await
}

/// Has both ranks wait; rank 0 begins when rank 1 does as far as it can tell: half of an empty round trip after rank 1
/// has answered.
async fn together<R: Rank>(rank: &R, act: impl AsyncFnOnce()) -> Span {
    let peer = 1 - rank.id();
    rank.ready_buffers();
    let (say, hear) = both(peer, 0);
    let scale = rank.timescale();
    if rank.id() == 1 {
        rank.step(&say).await;
        rank.step(&hear).await;
        rank.step(&say).await;
        rank.step(&hear).await;
        let heard = rank.read_clock();
        rank.wait_until(scale.reading(scale.time(heard) + WAIT)).await;
        act().await;
        return Span::ZERO;
    }
    rank.step(&hear).await;
    let asked = rank.read_clock();
    rank.step(&say).await;
    rank.step(&hear).await;
    let answered = rank.read_clock();
    rank.step(&say).await;
    let half = Span(scale.span(asked, answered).0 / 2);
    rank.wait_until(scale.reading(scale.time(answered) + half + WAIT)).await;
    let start = rank.read_clock();
    act().await;
    scale.span(start, rank.read_clock())
}

/// Times `times` local copies or combinations of rank 0; zero on rank 1.
async fn within<R: Rank>(rank: &R, times: u32, bytes: u64, then: Then) -> Span {
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    for time in 0..times {
        let (from, to) = apart_from_others(time, bytes);
        rank.step(&Step::Local { from, to, then }).await;
    }
    rank.timescale().span(start, rank.read_clock())
}

/// Returns the parts that a touch reads and writes within a rank's memory: each of several in a row has another part,
/// where there is room. A call does not find its buffers in a core's first cache, through which whatever was done since
/// has passed.
fn apart_from_others(time: u32, bytes: u64) -> (Part, Part) {
    let (from, to) = (Part::behind(bytes.max(ROAM), bytes), Part::range(0, bytes));
    let offset = u64::from(time) * bytes;
    let offset = if bytes > 0 && ROAM >= bytes { offset % (ROAM / bytes * bytes) } else { 0 };
    (from.moved(offset), to.moved(offset))
}

/// Times rank 0's copy from the part that it sends to the part that it receives into.
async fn copy_out<R: Rank>(rank: &R, bytes: u64) -> Span {
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    rank.step(&Step::Local { from: Part::range(0, bytes), to: Part::behind(bytes, bytes), then: Then::Store }).await;
    rank.timescale().span(start, rank.read_clock())
}

/// Returns the number of renewed pages, and the time that they took.
fn renewed<R: Rank>(rank: &R, bytes: u64) -> (u32, Span) {
    if rank.id() > 0 {
        return (1, Span::ZERO);
    }
    let start = rank.read_clock();
    let pages = rank.renew_pages(bytes);
    (pages, rank.timescale().span(start, rank.read_clock()))
}

async fn by_library<R: Rank>(rank: &R, times: u32, bytes: u64, touch: Touch) -> Span {
    let element = touch.element().unwrap_or_default();
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    for time in 0..times {
        let (from, to) = apart_from_others(time, bytes);
        rank.combine(from, to, element);
    }
    rank.timescale().span(start, rank.read_clock())
}

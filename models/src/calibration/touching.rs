//! What touching memory costs by who holds it: messages of ranks 0 and 1 whose buffers somebody rewrote, flushed or has just
//! received, and what rank 0 combines and copies within its memory.
//!
//! Each touch is compared with [`Touch::Same`], the state that network models are fitted to: what is sent was never
//! rewritten, and what is received lies apart. Before each round trip both ranks bring their memory into the state,
//! outside the timed region; then rank 1 says that it is there.

use super::exchange::{agree, both, of_second};
use crate::call::Element;
use crate::clock::Ticks;
use crate::collective::{Collective, Part, Shape, Step, Then};
use crate::footprint::{Footprint, Place, Run};
use crate::platform::Buffer;
use crate::rank::{Phase, Rank};
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// What is done, with memory in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touch {
    /// Half a round trip; nothing was rewritten.
    Same,
    /// Both ranks have rewritten what they send.
    Rewritten,
    /// Each rank sends what it has just received.
    Forwarded,
    /// Each rank sends what it has received, and read after it was sent on the last time.
    ForwardedShared,
    /// Both ranks have flushed what they send from all caches.
    SentFlushed,
    /// Both ranks have flushed where they receive.
    ReceivedFlushed,
    /// Both ranks have waited on their clocks: a message from the first start to the last end, where they read one clock and
    /// start at the same instant; else a whole round trip.
    Started,
    /// The library's broadcast from either rank in turn, instead of a message.
    Called,
    /// Both ranks have waited on their clocks, and then send and receive at the same time.
    BothWays,
    /// Rank 0 sends itself a message.
    ToSelf,
    /// Rank 0 copies within its memory.
    Copied,
    /// The same out of what rank 0 has rewritten and rank 1 has just received from there.
    CopiedFrom,
    /// The same over what rank 1 has just received from there.
    CopiedOver,
    /// The same, once rank 0 has read it again.
    CopiedOverShared,
    /// Rank 0 combines within its memory as our own algorithms do.
    Combined,
    /// The same into what rank 1 has just received from there.
    CombinedOver,
    /// Rank 0 combines within its memory by the library.
    CombinedByLibrary,
    /// The same into what rank 1 has just received from there.
    CombinedOverByLibrary,
    /// Rank 0 combines integers of 32 bits by the library.
    CombinedInts,
    /// Rank 0 combines integers of 64 bits by the library.
    CombinedLongs,
    /// Rank 0 combines floats by the library.
    CombinedFloats,
    /// Rank 0 combines doubles by the library.
    CombinedDoubles,
}

impl Touch {
    /// All of them.
    pub const ALL: [Touch; 22] = [
        Touch::Same,
        Touch::Rewritten,
        Touch::Forwarded,
        Touch::ForwardedShared,
        Touch::SentFlushed,
        Touch::ReceivedFlushed,
        Touch::Started,
        Touch::Called,
        Touch::BothWays,
        Touch::ToSelf,
        Touch::Copied,
        Touch::CopiedFrom,
        Touch::CopiedOver,
        Touch::CopiedOverShared,
        Touch::Combined,
        Touch::CombinedOver,
        Touch::CombinedByLibrary,
        Touch::CombinedOverByLibrary,
        Touch::CombinedInts,
        Touch::CombinedLongs,
        Touch::CombinedFloats,
        Touch::CombinedDoubles,
    ];

    /// The elements that the library combines, if it does.
    pub fn element(self) -> Option<Element> {
        match self {
            Touch::CombinedByLibrary | Touch::CombinedOverByLibrary => Some(Element::Byte),
            Touch::CombinedInts => Some(Element::Int),
            Touch::CombinedLongs => Some(Element::Long),
            Touch::CombinedFloats => Some(Element::Float),
            Touch::CombinedDoubles => Some(Element::Double),
            Touch::Same
            | Touch::Rewritten
            | Touch::Forwarded
            | Touch::ForwardedShared
            | Touch::SentFlushed
            | Touch::ReceivedFlushed
            | Touch::Started
            | Touch::Called
            | Touch::BothWays
            | Touch::ToSelf
            | Touch::Copied
            | Touch::CopiedFrom
            | Touch::CopiedOver
            | Touch::CopiedOverShared
            | Touch::Combined
            | Touch::CombinedOver => None,
        }
    }

    /// In which state ranks bring which memory before each.
    fn state(self, bytes: u64) -> (Buffer, Footprint) {
        let run = |part: Part| vec![Run { place: Place::Buffer, offset: part.offset, bytes: part.bytes }];
        let (sent, received) = (run(Part::range(0, bytes)), run(Part::behind(bytes, bytes)));
        match self {
            Touch::Rewritten => (Buffer::Touched, Footprint { sent, received }),
            Touch::ForwardedShared => (Buffer::Touched, Footprint { sent: Vec::new(), received: sent }),
            Touch::CopiedFrom | Touch::CopiedOverShared => (Buffer::Touched, Footprint { sent, received: Vec::new() }),
            Touch::SentFlushed => (Buffer::Cold, Footprint { sent, received: Vec::new() }),
            Touch::ReceivedFlushed => (Buffer::Cold, Footprint { sent: Vec::new(), received }),
            Touch::Same
            | Touch::Forwarded
            | Touch::Started
            | Touch::Called
            | Touch::BothWays
            | Touch::ToSelf
            | Touch::Copied
            | Touch::CopiedOver
            | Touch::Combined
            | Touch::CombinedOver
            | Touch::CombinedByLibrary
            | Touch::CombinedOverByLibrary
            | Touch::CombinedInts
            | Touch::CombinedLongs
            | Touch::CombinedFloats
            | Touch::CombinedDoubles => (Buffer::Same, Footprint::default()),
        }
    }
}

/// What to time.
pub(super) struct Touching {
    /// Lengths, in bytes.
    bytes: Vec<u64>,
    /// How often all touches of a length take their turn.
    turns: u32,
    /// Of each touch and length in a turn, kept.
    samples: u32,
    /// Before those, not kept.
    warmup: u32,
}

/// One touch of one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedTouch {
    /// What was done.
    pub touch: Touch,
    /// How many bytes.
    pub bytes: u64,
    /// What each sample holds so many times: a round trip holds two messages.
    pub times: u32,
    /// Each sample, with one reading of the clock.
    pub spans: Vec<Span>,
}

/// What a touch of one length may take in one turn, where ranks share cores or messages take long; fewer samples than
/// [`FEWEST`] are never taken.
const LIMIT: Span = Span::from_ms(4);
const FEWEST: u32 = 2;

/// Copies and combinations between two readings of the clock: a single short one takes no longer than the readings.
const AT_ONCE: u32 = 16;

impl Touching {
    /// These lengths, within a fraction of a second.
    pub(super) fn of(bytes: Vec<u64>) -> Touching {
        Touching { bytes, turns: 4, samples: 15, warmup: 5 }
    }

    /// Carries it out; called by ranks 0 and 1. What rank 0 timed, nothing on rank 1.
    pub(super) async fn pair<R: Rank>(&self, rank: &R) -> Vec<TimedTouch> {
        let mut all: Vec<TimedTouch> = Vec::new();
        let mine = Span(rank.clock_domain().map_or(0, |domain| domain + 1));
        let theirs = of_second(rank, &[mine]).await;
        let one_clock = agree(rank, u64::from(mine > Span::ZERO && theirs == [mine])).await == 1;
        for &bytes in &self.bytes {
            let first = all.len();
            all.extend(Touch::ALL.map(|touch| TimedTouch { touch, bytes, times: 0, spans: Vec::new() }));
            for _ in 0..self.turns {
                for timed in &mut all[first..] {
                    rank.enter_phase(Phase::Calibration);
                    self.turn(rank, timed, one_clock).await;
                }
            }
        }
        rank.use_buffers(Buffer::Same);
        rank.work_on(&Footprint::default());
        all.retain(|timed| !timed.spans.is_empty());
        if rank.id() == 0 { all } else { Vec::new() }
    }

    async fn turn<R: Rank>(&self, rank: &R, timed: &mut TimedTouch, one_clock: bool) {
        let (buffer, footprint) = timed.touch.state(timed.bytes);
        let element = timed.touch.element();
        if element.is_some_and(|element| !timed.bytes.is_multiple_of(element.bytes())) {
            return;
        }
        // Either rank may be unable to flush; the library is the same on both, and its calls are all ranks'.
        let can = rank.use_buffers(buffer)
            && element.is_none_or(|element| rank.combine(0, element))
            && (timed.touch != Touch::Called || R::HAS_LIBRARY && rank.size() == 2);
        let other = of_second(rank, &[Span(u64::from(can))]).await;
        if agree(rank, u64::from(can && other == [Span(1)])).await == 0 {
            return;
        }
        rank.work_on(&footprint);
        if timed.touch == Touch::Called {
            [0, 1].iter().for_each(|&root| rank.prepare(Collective::Bcast, &Shape::new(2, root, timed.bytes)));
        }
        let begun = rank.read_clock();
        for _ in 0..FEWEST {
            once(rank, timed.touch, timed.bytes, one_clock).await;
        }
        let one = rank.timescale().span(begun, rank.read_clock()).0 / u64::from(FEWEST);
        let fit = agree(rank, LIMIT.0 / one.max(1)).await.max(u64::from(FEWEST));
        let count = fit.min(u64::from(self.warmup + self.samples)) as u32;
        let skipped = self.warmup.min(count / 4);
        for sample in 0..count {
            let (times, span) = once(rank, timed.touch, timed.bytes, one_clock).await;
            if sample >= skipped {
                timed.times = times;
                timed.spans.push(span);
            }
        }
    }
}

async fn once<R: Rank>(rank: &R, touch: Touch, bytes: u64, one_clock: bool) -> (u32, Span) {
    let (sent, apart) = (Part::range(0, bytes), Part::behind(bytes, bytes));
    match touch {
        Touch::Same | Touch::Rewritten | Touch::SentFlushed | Touch::ReceivedFlushed => {
            (2, round_trip(rank, sent, apart, Span::ZERO).await)
        }
        Touch::Forwarded | Touch::ForwardedShared => (2, round_trip(rank, sent, sent, Span::ZERO).await),
        Touch::Started if one_clock => {
            let (send, _) = both(1, bytes);
            let (_, receive) = both(0, bytes);
            (1, together(rank, if rank.id() == 0 { &send } else { &receive }).await)
        }
        Touch::Started => (2, round_trip(rank, sent, apart, WAIT).await),
        Touch::Called => (2, calls(rank, bytes).await),
        Touch::BothWays => (1, both_ways(rank, sent, apart, one_clock).await),
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
    }
}

/// How long ranks wait on their clocks before a round trip that begins with a start: about as long as in a window.
const WAIT: Span = Span::from_us(10);

/// Both ranks have waited for so long, if at all.
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

/// Rank 1 receives what rank 0 is about to write.
async fn be_read<R: Rank>(rank: &R, bytes: u64) {
    rank.ready_buffers();
    let (send, _) = both(1, bytes);
    let (_, receive) = both(0, bytes);
    rank.step(if rank.id() == 0 { &send } else { &receive }).await;
    meet(rank).await;
}

/// Rank 1 says that it is there.
async fn meet<R: Rank>(rank: &R) {
    let (say, hear) = both(1 - rank.id(), 0);
    rank.step(if rank.id() == 0 { &hear } else { &say }).await;
}

/// A step of either rank, begun at the same instant, from the first start to the last end: as windows time calls.
async fn together<R: Rank>(rank: &R, step: &Step) -> Span {
    let scale = rank.timescale();
    let due = scale.reading(scale.time(rank.read_clock()) + AHEAD);
    rank.wait_until(Ticks(agree(rank, due.0).await)).await;
    let start = rank.read_clock();
    rank.step(step).await;
    let end = rank.read_clock();
    let other = of_second(rank, &[Span(start.0), Span(end.0)]).await;
    scale.span(Ticks(start.0.min(other[0].0)), Ticks(end.0.max(other[1].0)))
}

/// Until the second rank knows when to start.
const AHEAD: Span = Span::from_us(20);

/// Where ranks read different clocks, rank 0 begins when rank 1 does as far as it can: half of an empty round trip after it
/// has answered.
async fn both_ways<R: Rank>(rank: &R, sent: Part, received: Part, one_clock: bool) -> Span {
    let peer = 1 - rank.id();
    let exchange = Step::Exchange { to: peer, sent, from: peer, received, then: Then::Store };
    if one_clock {
        return together(rank, &exchange).await;
    }
    let (say, hear) = both(peer, 0);
    if rank.id() == 1 {
        rank.step(&say).await;
        rank.step(&hear).await;
        rank.step(&say).await;
        rank.step(&hear).await;
        rank.step(&exchange).await;
        return Span::ZERO;
    }
    let scale = rank.timescale();
    rank.step(&hear).await;
    let asked = rank.read_clock();
    rank.step(&say).await;
    rank.step(&hear).await;
    let answered = rank.read_clock();
    rank.step(&say).await;
    let due = scale.reading(scale.time(answered) + Span(scale.span(asked, answered).0 / 2));
    rank.wait_until(due).await;
    let start = rank.read_clock();
    rank.step(&exchange).await;
    scale.span(start, rank.read_clock())
}

/// What rank 0 does within its memory, so many times.
async fn within<R: Rank>(rank: &R, times: u32, bytes: u64, then: Then) -> Span {
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    let step = Step::Local { from: Part::behind(bytes, bytes), to: Part::range(0, bytes), then };
    for _ in 0..times {
        rank.step(&step).await;
    }
    rank.timescale().span(start, rank.read_clock())
}

/// Rank 0 copies what it sends to where it receives.
async fn copy_out<R: Rank>(rank: &R, bytes: u64) -> Span {
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    rank.step(&Step::Local { from: Part::range(0, bytes), to: Part::behind(bytes, bytes), then: Then::Store }).await;
    rank.timescale().span(start, rank.read_clock())
}

async fn by_library<R: Rank>(rank: &R, times: u32, bytes: u64, touch: Touch) -> Span {
    let element = touch.element().unwrap_or_default();
    if rank.id() > 0 {
        return Span::ZERO;
    }
    let start = rank.read_clock();
    for _ in 0..times {
        rank.combine(bytes, element);
    }
    rank.timescale().span(start, rank.read_clock())
}

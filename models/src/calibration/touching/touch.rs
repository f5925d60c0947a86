//! Which touches are timed, and the state of memory that each wants.

use crate::call::Element;
use crate::collective::{Collective, Part};
use crate::footprint::{Footprint, Place, Run};
use crate::platform::Buffer;
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
    /// Both ranks have flushed both.
    BothFlushed,
    /// Both ranks have waited on their clocks: a message from the first start to the last end, where they read one clock and
    /// start at the same instant; else a whole round trip.
    Started,
    /// The library's broadcast from rank 0 in windows, where ranks read one clock; else from either rank in turn.
    Called,
    /// The library's reduction to both ranks, after a wait of both on their clocks.
    CalledReducing,
    /// Both ranks have waited on their clocks, and then send and receive at the same time.
    BothWays,
    /// The same; both have rewritten what they send.
    BothWaysRewritten,
    /// The same; each sends what it has just received, and receives over what the other has just taken.
    BothWaysForwarded,
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
    /// Rank 0 writes to pages that the operating system gives it anew; only where there are some of them.
    Renewed,
}

impl Touch {
    /// All of them, in the order of passes over all lengths. Messages that begin after a wait come first, as a process has them
    /// that has done nothing else: what else it does makes some of them slower for good (Open MPI on near cores, 2 KiB: 0.43 µs
    /// in a fresh process, 0.48 µs once a rank has copied and combined as below), and methods time calls in fresh processes.
    pub(super) const PASSES: [&[Touch]; 3] = [
        &[Touch::Started],
        &[Touch::BothWays, Touch::BothWaysRewritten, Touch::BothWaysForwarded, Touch::Called, Touch::CalledReducing],
        &[
            Touch::Same,
            Touch::Rewritten,
            Touch::Forwarded,
            Touch::ForwardedShared,
            Touch::SentFlushed,
            Touch::ReceivedFlushed,
            Touch::BothFlushed,
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
            Touch::Renewed,
        ],
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Touch> {
        Touch::PASSES.into_iter().flatten().copied()
    }

    /// Those that are timed in windows where ranks read one clock.
    pub(super) const IN_WINDOWS: [Touch; 6] = [
        Touch::Started,
        Touch::Called,
        Touch::CalledReducing,
        Touch::BothWays,
        Touch::BothWaysRewritten,
        Touch::BothWaysForwarded,
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
            | Touch::BothFlushed
            | Touch::Started
            | Touch::Called
            | Touch::CalledReducing
            | Touch::BothWays
            | Touch::BothWaysRewritten
            | Touch::BothWaysForwarded
            | Touch::ToSelf
            | Touch::Copied
            | Touch::CopiedFrom
            | Touch::CopiedOver
            | Touch::CopiedOverShared
            | Touch::Combined
            | Touch::CombinedOver
            | Touch::Renewed => None,
        }
    }

    /// The library's call that it is, and from which roots in turn, if it is one.
    pub(super) fn call(self) -> Option<(Collective, &'static [u32])> {
        let calls: [(Touch, Collective, &[u32]); 2] =
            [(Touch::Called, Collective::Bcast, &[0, 1]), (Touch::CalledReducing, Collective::Allreduce, &[0])];
        calls.into_iter().find(|(touch, ..)| *touch == self).map(|(_, collective, roots)| (collective, roots))
    }

    /// In which state ranks bring which memory before each.
    pub(super) fn state(self, bytes: u64) -> (Buffer, Footprint) {
        let run = |part: Part| vec![Run { place: Place::Buffer, offset: part.offset, bytes: part.bytes }];
        let (sent, received) = (run(Part::range(0, bytes)), run(Part::behind(bytes, bytes)));
        match self {
            Touch::Rewritten | Touch::BothWaysRewritten => (Buffer::Touched, Footprint { sent, received }),
            Touch::ForwardedShared => (Buffer::Touched, Footprint { sent: Vec::new(), received: sent }),
            Touch::CopiedFrom | Touch::CopiedOverShared => (Buffer::Touched, Footprint { sent, received: Vec::new() }),
            Touch::SentFlushed => (Buffer::Cold, Footprint { sent, received: Vec::new() }),
            Touch::BothFlushed => (Buffer::Cold, Footprint { sent, received }),
            Touch::ReceivedFlushed => (Buffer::Cold, Footprint { sent: Vec::new(), received }),
            Touch::Same
            | Touch::Forwarded
            | Touch::Started
            | Touch::Called
            | Touch::CalledReducing
            | Touch::BothWays
            | Touch::BothWaysForwarded
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
            | Touch::CombinedDoubles
            | Touch::Renewed => (Buffer::Same, Footprint::default()),
        }
    }
}

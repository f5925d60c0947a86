//! Kinds of timed touches, and the state of memory that each wants.

use models::call::Element;
use models::collective::{Collective, Part};
use models::footprint::{ByteRun, Footprint, MemoryRegion};
use models::platform::Buffer;
use serde::{Deserialize, Serialize};

/// A kind of touch: an operation, and the state of the memory that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touch {
    /// Half a round trip of messages that nobody rewrote.
    Same,
    /// Both ranks have rewritten the memory that they send.
    Rewritten,
    /// Each rank sends the memory that it has just received into.
    Forwarded,
    /// Each rank sends memory that it has received into, and has read after it was sent on the last time.
    ForwardedShared,
    /// Both ranks have flushed the memory that they send from all caches.
    SentFlushed,
    /// Both ranks have flushed the memory that they receive into.
    ReceivedFlushed,
    /// Both ranks have flushed the memory that they send and the memory that they receive into.
    BothFlushed,
    /// Both ranks have waited on their clocks: a message from the first start to the last end, where they read one
    /// clock and start at the same instant; else a whole round trip.
    Started,
    /// The library's broadcast from rank 0 in windows, where ranks read one clock; else from either rank in turn.
    Called,
    /// The library's reduction to both ranks, after a wait of both on their clocks.
    CalledReducing,
    /// Both ranks have waited on their clocks, and then send and receive at the same time.
    BothWays,
    /// Both ranks have waited on their clocks, and then send memory that they have rewritten and receive at the same
    /// time.
    BothWaysRewritten,
    /// Both ranks have waited on their clocks, and then send and receive at the same time: each sends memory that it
    /// has just received into, and receives over memory that the other has just taken.
    BothWaysForwarded,
    /// Rank 0 sends itself a message.
    ToSelf,
    /// Rank 0 copies within its memory.
    Copied,
    /// Rank 0 copies out of memory that it has rewritten and rank 1 has just received.
    CopiedFrom,
    /// Rank 0 copies over memory that rank 1 has just received.
    CopiedOver,
    /// Rank 0 copies over memory that rank 1 has just received, and that rank 0 has read again since.
    CopiedOverShared,
    /// Rank 0 combines within its memory as our own algorithms do.
    Combined,
    /// Rank 0 combines as our own algorithms do into memory that rank 1 has just received.
    CombinedOver,
    /// Rank 0 combines within its memory by the library.
    CombinedByLibrary,
    /// Rank 0 combines by the library into memory that rank 1 has just received.
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
    /// All touches, in the order of passes over all lengths. Messages that begin after a wait come first, in a process
    /// that has done nothing else: other touches make some of them slower for good (Open MPI on near cores, 2 KiB: 0.43
    /// µs in a fresh process, 0.48 µs once a rank has copied and combined as below), and methods time calls in fresh
    /// processes.
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

    /// Returns all touches, in the order in which they are timed.
    pub fn all() -> impl Iterator<Item = Touch> {
        Touch::PASSES.into_iter().flatten().copied()
    }

    /// Touches that are timed in windows where ranks read one clock.
    pub(super) const IN_WINDOWS: [Touch; 6] = [
        Touch::Started,
        Touch::Called,
        Touch::CalledReducing,
        Touch::BothWays,
        Touch::BothWaysRewritten,
        Touch::BothWaysForwarded,
    ];

    /// Returns the elements that the library combines, if the touch is a combination by the library.
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

    /// Returns the library's call that the touch is, and the roots from which it is made in turn, if it is one.
    pub(super) fn call(self) -> Option<(Collective, &'static [u32])> {
        let calls: [(Touch, Collective, &[u32]); 2] =
            [(Touch::Called, Collective::Bcast, &[0, 1]), (Touch::CalledReducing, Collective::Allreduce, &[0])];
        calls.into_iter().find(|(touch, ..)| *touch == self).map(|(_, collective, roots)| (collective, roots))
    }

    /// Returns the state that ranks bring memory into before each touch, and the memory.
    pub(super) fn state(self, bytes: u64) -> (Buffer, Footprint) {
        let run = |part: Part| vec![ByteRun { place: MemoryRegion::Buffer, offset: part.offset, bytes: part.bytes }];
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

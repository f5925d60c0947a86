//! States in which messages find the memory that they are sent from and received into.

use crate::rank::Rank;
use models::collective::Part;
use models::footprint::{ByteRun, Footprint, MemoryRegion};
use models::platform::Buffer;
use serde::{Deserialize, Serialize};

models::named! {
    /// State of both ranks' memory before each exchange.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Buffers {
        /// Ranks send data that were never rewritten, and receive into memory apart: as `osu_latency` and IMB PingPong
        /// do it.
        #[default]
        Same => "same", "what is sent was never rewritten",
        /// Both ranks have rewritten the data that they send, and read those that they received: as applications do it.
        Touched => "touched", "what is sent was rewritten before every exchange",
        /// Ranks send on the data that they have just received.
        Forwarded => "forwarded", "ranks send on what they have just received",
        /// Both ranks have flushed all of this memory from every cache.
        Cold => "cold", "all of it was flushed from the caches before every exchange",
        /// Every exchange has the next buffers of a pool that is larger than the last-level cache.
        Pool => "pool", "every exchange has the next buffers of a pool that is larger than the caches",
    }
    /// The name used in flags and output.
    fn name;
    /// Description of the state in words.
    fn words;
    find("state of buffers");
}

impl Buffers {
    /// Returns the state into which ranks bring their memory.
    pub fn buffer(self) -> Buffer {
        match self {
            Buffers::Same | Buffers::Forwarded => Buffer::Same,
            Buffers::Touched => Buffer::Touched,
            Buffers::Cold => Buffer::Cold,
            Buffers::Pool => Buffer::Pool,
        }
    }

    /// Returns true if ranks have something to do between exchanges, which then follow each other with gaps.
    pub(super) fn are_readied(self) -> bool {
        self.buffer() != Buffer::Same
    }

    /// Returns the part that messages are received into, in a test whose longest message is `longest`.
    pub(super) fn received(self, longest: u64, bytes: u64) -> Part {
        match self {
            Buffers::Forwarded => Part::range(0, bytes),
            Buffers::Same | Buffers::Touched | Buffers::Cold | Buffers::Pool => Part::behind(longest, bytes),
        }
    }

    /// Has a rank's memory brought into this state from here on.
    pub(super) fn begin<R: Rank>(self, rank: &R, longest: u64, bytes: u64) {
        let run = |part: Part| vec![ByteRun { place: MemoryRegion::Buffer, offset: part.offset, bytes: part.bytes }];
        rank.use_buffers(self.buffer());
        rank.work_on(&Footprint { sent: run(Part::range(0, bytes)), received: run(self.received(longest, bytes)) });
    }
}

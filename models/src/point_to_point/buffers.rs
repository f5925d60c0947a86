//! In which state messages find the memory that they are sent from and received into.

use crate::collective::Part;
use crate::footprint::{Footprint, Place, Run};
use crate::platform::Buffer;
use crate::rank::Rank;
use serde::{Deserialize, Serialize};

crate::named! {
    /// The state of both ranks' memory before each exchange.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Buffers {
        /// What is sent was never rewritten, and what is received lies apart: as `osu_latency` and IMB PingPong do it.
        #[default]
        Same => "same", "what is sent was never rewritten",
        /// The same, but both ranks have rewritten what they send, and read what they received: as applications do it.
        Touched => "touched", "what is sent was rewritten before every exchange",
        /// Ranks send on what they have just received.
        Forwarded => "forwarded", "ranks send on what they have just received",
        /// Both ranks have flushed all of it from every cache.
        Cold => "cold", "all of it was flushed from the caches before every exchange",
        /// Every exchange has the next buffers of a pool that is larger than the last-level cache.
        Pool => "pool", "every exchange has the next buffers of a pool that is larger than the caches",
    }
    /// The name used in flags and output.
    fn name;
    /// What that is, in words.
    fn words;
    find("state of buffers");
}

impl Buffers {
    /// The state into which ranks bring their memory.
    pub fn buffer(self) -> Buffer {
        match self {
            Buffers::Same | Buffers::Forwarded => Buffer::Same,
            Buffers::Touched => Buffer::Touched,
            Buffers::Cold => Buffer::Cold,
            Buffers::Pool => Buffer::Pool,
        }
    }

    /// True if ranks have something to do between exchanges, which then follow each other with gaps.
    pub(super) fn are_readied(self) -> bool {
        self.buffer() != Buffer::Same
    }

    /// What is received of messages of a test whose longest message is `longest`.
    pub(super) fn received(self, longest: u64, bytes: u64) -> Part {
        match self {
            Buffers::Forwarded => Part::range(0, bytes),
            Buffers::Same | Buffers::Touched | Buffers::Cold | Buffers::Pool => Part::behind(longest, bytes),
        }
    }

    /// From now on a rank's memory is brought into this state.
    pub(super) fn begin<R: Rank>(self, rank: &R, longest: u64, bytes: u64) {
        let run = |part: Part| vec![Run { place: Place::Buffer, offset: part.offset, bytes: part.bytes }];
        rank.use_buffers(self.buffer());
        rank.work_on(&Footprint { sent: run(Part::range(0, bytes)), received: run(self.received(longest, bytes)) });
    }
}

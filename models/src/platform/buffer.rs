//! State in which calls find their buffers (E4 of Kurnosov 2012). [`super::Lines`] holds its costs.

use serde::{Deserialize, Serialize};

crate::named! {
    /// State in which the calls find their buffers.
    ///
    /// [`Buffer::Same`], [`Buffer::Touched`] and [`Buffer::Cold`] are the states in which a reference may be taken.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Buffer {
        /// One buffer for every call, never rewritten between calls: it stays in the cache (as in IMB and OSU).
        #[default]
        Same => "same",
        /// One buffer for every call. Since the last call every rank has rewritten what it sends and read what it
        /// received (as an application does).
        Touched => "touched",
        /// One buffer for every call. Since the last call every rank has flushed what it sends and what it receives
        /// from all caches.
        Cold => "cold",
        /// Buffers from a pool larger than the last-level cache, one after the other.
        Pool => "pool",
        /// One buffer for every call, a byte behind the beginning of a cache line.
        Misaligned => "misaligned",
    }
    /// Name of the state in files and output.
    fn name;
}

impl Buffer {
    /// The states in which a reference may be taken.
    pub const REFERENCES: [Buffer; 3] = [Buffer::Same, Buffer::Touched, Buffer::Cold];

    /// Whether ranks work on the buffers before every call, outside the timed region. Methods that time several calls
    /// between two clock readings leave no room for that.
    pub fn is_prepared(self) -> bool {
        match self {
            Buffer::Touched | Buffer::Cold => true,
            Buffer::Same | Buffer::Pool | Buffer::Misaligned => false,
        }
    }

    /// Words for the state of the buffers, to follow a description of the calls.
    pub fn words(self) -> &'static str {
        match self {
            Buffer::Touched => {
                ", each rank having rewritten what it sends and read what it received since the last call"
            }
            Buffer::Same => ", buffers being the same and never rewritten (as in IMB and OSU)",
            Buffer::Cold => ", buffers being flushed from all caches",
            Buffer::Pool => ", buffers coming from a pool larger than the caches",
            Buffer::Misaligned => ", buffers not being aligned to cache lines",
        }
    }
}

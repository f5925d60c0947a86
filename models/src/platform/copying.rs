//! Buffer reuse (E4 of Kurnosov 2012): moving a message's bytes takes CPU time on both sides, less where the
//! buffer lies in the cache.
//!
//! The sender copies before its o, the receiver after its own; noise stretches both. A buffer that is always the same is
//! warm, touched between the calls or not; one from a pool larger than the cache is cold, and so is a flushed one.

use crate::noise::Advance;
use crate::time::{PerByte, Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// In which state the calls find their buffers.
///
/// [`Buffer::Same`], [`Buffer::Touched`] and [`Buffer::Cold`] are the states in which a reference may be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Buffer {
    /// The same one every time, never rewritten between calls: it stays in the cache (what IMB and OSU do).
    #[default]
    Same,
    /// The same one every time; since the last call every rank has rewritten what it sends and read what it received
    /// (what an application does).
    Touched,
    /// The same one every time; since the last call every rank has flushed what it sends and what it receives from all
    /// caches.
    Cold,
    /// One after the other from a pool larger than the last-level cache.
    Pool,
    /// The same one every time, a byte behind the beginning of a cache line.
    Misaligned,
}

impl Buffer {
    /// All of them.
    pub const ALL: [Buffer; 5] = [Buffer::Same, Buffer::Touched, Buffer::Cold, Buffer::Pool, Buffer::Misaligned];

    /// The states in which a reference may be taken.
    pub const REFERENCES: [Buffer; 3] = [Buffer::Same, Buffer::Touched, Buffer::Cold];

    /// True if ranks work on the buffers before every call, outside the timed region. Methods that time several calls
    /// between two clock readings leave no room for that.
    pub fn is_prepared(self) -> bool {
        match self {
            Buffer::Touched | Buffer::Cold => true,
            Buffer::Same | Buffer::Pool | Buffer::Misaligned => false,
        }
    }

    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Buffer::Same => "same",
            Buffer::Touched => "touched",
            Buffer::Cold => "cold",
            Buffer::Pool => "pool",
            Buffer::Misaligned => "misaligned",
        }
    }
}

/// What copying costs the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Copying {
    /// Per byte that is not in the cache.
    pub cold: PerByte,
    /// Per byte that is.
    pub warm: PerByte,
    /// Which of the two applies.
    pub buffer: Buffer,
}

impl Copying {
    /// The CPU time of one message on one side.
    pub fn work(&self, bytes: u64) -> Span {
        match self.buffer {
            Buffer::Same | Buffer::Touched | Buffer::Misaligned => self.warm.of(bytes),
            Buffer::Cold | Buffer::Pool => self.cold.of(bytes),
        }
    }

    /// When a copy begun at `at` is done.
    pub(super) fn done(&self, at: Time, bytes: u64, cpu: &mut impl Advance) -> Time {
        match self.work(bytes) {
            Span::ZERO => at,
            work => cpu.advance(at, work),
        }
    }
}

impl fmt::Display for Copying {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Copying { cold, warm, buffer } = self;
        write!(f, "copy {:.4} ns/B cold, {:.4} ns/B warm", cold.as_ns(), warm.as_ns())?;
        write!(f, ", buffer {}", buffer.name())
    }
}

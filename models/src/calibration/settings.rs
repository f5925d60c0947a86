//! What is exchanged, and how often.

use super::Leaving;
use super::touching::Touching;
use crate::collective::Part;
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// What to exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationSettings {
    /// Message lengths, in bytes.
    pub bytes: Vec<u64>,
    /// Exchanges per length and kind that are kept, at most.
    pub samples: u32,
    /// Exchanges before those, not kept; fewer where they would take an eighth of the limit.
    pub warmup: u32,
    /// Messages per train, n; 1 leaves the trains out. Trains of long messages have fewer, at least 4.
    pub train: u32,
    /// Trains with a delay between their messages too: they show o where nothing else is timed.
    pub delayed_trains: bool,
    /// Late receives and late sends too: they show o_s, o_r, O and S.
    pub late_receives: bool,
    /// Touches of memory of the same lengths, too: they show γ and what lines cost by who holds them.
    #[serde(default)]
    pub touching: bool,
    /// How all ranks leave barriers, too: it shows what a method that starts by a barrier starts with.
    #[serde(default)]
    pub leaving: Option<Leaving>,
    /// S is known once no more than so many bytes lie between a length that does not wait and one that does.
    pub doubt_bytes: u64,
    /// What the exchanges of one kind and one length may take; 8 are made all the same.
    pub limit: Span,
}

/// Fewer exchanges are never made, whatever they take (unless fewer were asked for): their median has a 95 % interval.
pub(super) const FEWEST_SAMPLES: u32 = 8;
/// No train has fewer messages, unless fewer were asked for.
pub(super) const SHORTEST_TRAIN: u32 = 4;
/// Trains of more bytes are shortened.
const TRAIN_BYTES: u64 = 1 << 20;

impl CalibrationSettings {
    /// Ping-pongs alone, as many as asked for: enough for Hockney's model.
    pub fn ping_pongs(bytes: Vec<u64>, samples: u32, warmup: u32) -> CalibrationSettings {
        CalibrationSettings {
            bytes,
            samples,
            warmup,
            train: 1,
            delayed_trains: false,
            late_receives: false,
            touching: false,
            leaving: None,
            doubt_bytes: 1,
            limit: Span(u64::MAX),
        }
    }

    /// Everything that fits are made of, for these lengths.
    pub fn whole(bytes: Vec<u64>, samples: u32, limit: Span) -> CalibrationSettings {
        CalibrationSettings {
            bytes,
            samples,
            warmup: samples.div_ceil(10).max(3),
            train: 16,
            delayed_trains: false,
            late_receives: true,
            touching: true,
            leaving: None,
            doubt_bytes: 1,
            limit,
        }
    }

    /// All models' parameters within seconds: lengths up to `longest` that double from 256 B on, at most 40 ms for each
    /// of the three or four kinds of exchange.
    pub fn quick(longest: u64) -> CalibrationSettings {
        let lengths = [1, 8, 64].into_iter().chain(doubling(256, longest));
        CalibrationSettings::whole(up_to(longest, lengths), 200, Span::from_ms(40))
    }

    /// The same within minutes, from more lengths and more exchanges.
    pub fn thorough(longest: u64) -> CalibrationSettings {
        let lengths = doubling(1, longest).chain(doubling(384, longest));
        CalibrationSettings::whole(up_to(longest, lengths), 2_000, Span::from_ms(400))
    }

    /// The length of the buffer that each rank needs.
    pub fn buffer_bytes(&self) -> u64 {
        let longest = self.bytes.iter().copied().max().unwrap_or(0);
        Part::room_behind(longest).max(if self.touching { Touching::ROOM } else { 0 })
    }

    /// Messages in a train of this length.
    pub fn train_of(&self, bytes: u64) -> u32 {
        let fit = TRAIN_BYTES.checked_div(bytes).map_or(u32::MAX, |fit| u32::try_from(fit).unwrap_or(u32::MAX));
        self.train.min(fit.max(SHORTEST_TRAIN))
    }
}

fn doubling(first: u64, longest: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first), |bytes| bytes.checked_mul(2)).take_while(move |&bytes| bytes <= longest)
}

/// In order, each once, none longer than the longest, which is among them; two at least.
fn up_to(longest: u64, lengths: impl Iterator<Item = u64>) -> Vec<u64> {
    let longest = longest.max(2);
    let mut all: Vec<u64> = lengths.filter(|&bytes| bytes <= longest).chain([1, longest]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

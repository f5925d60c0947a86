//! Settings of a calibration: the kinds, lengths and numbers of its exchanges.

use super::Leaving;
use super::touching::Touching;
use models::collective::Part;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Kinds, lengths and numbers of the exchanges of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationSettings {
    /// Message lengths, in bytes.
    pub bytes: Vec<u64>,
    /// Largest number of exchanges per length and kind that are kept.
    pub samples: u32,
    /// Number of exchanges before those that are not kept; fewer where they would take an eighth of the limit.
    pub warmup: u32,
    /// Number n of messages per train; 1 leaves the trains out. Trains of long messages have fewer, at least 4.
    pub train: u32,
    /// Whether trains with a delay between their messages are timed too: they show o where nothing else is timed.
    pub delayed_trains: bool,
    /// Whether late receives and late sends are timed too: they show o_s, o_r, O and S.
    pub late_receives: bool,
    /// Whether touches of memory of the same lengths are timed too: they show γ and the cost of lines by who holds
    /// them.
    #[serde(default)]
    pub touching: bool,
    /// Barriers that all ranks leave too, if any: they show the exit skew that a method that starts by a barrier begins
    /// with.
    #[serde(default)]
    pub leaving: Option<Leaving>,
    /// Largest distance, in bytes, between a length that does not wait and one that does, at which S counts as known.
    pub doubt_bytes: u64,
    /// Time limit of the exchanges of one kind and one length; 8 are made all the same.
    pub limit: Span,
}

/// Least number of exchanges, whatever time they take (unless fewer were asked for): their median has a 95 % interval.
pub(super) const FEWEST_SAMPLES: u32 = 8;
/// Least number of messages of a train, unless fewer were asked for.
pub(super) const SHORTEST_TRAIN: u32 = 4;
/// Largest number of bytes of a train; longer ones are shortened.
const TRAIN_BYTES: u64 = 1 << 20;

impl CalibrationSettings {
    /// Returns settings for ping-pongs alone, exactly `samples` of each length: enough for Hockney's model.
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

    /// Returns settings for everything that fits are made of, for these lengths.
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

    /// Returns settings that find all models' parameters within seconds: lengths up to `longest` that double from 256 B
    /// on, at most 40 ms for each of the three or four kinds of exchange.
    pub fn quick(longest: u64) -> CalibrationSettings {
        let lengths = [1, 8, 64].into_iter().chain(doubling(256, longest));
        CalibrationSettings::whole(up_to(longest, lengths), 200, Span::from_ms(40))
    }

    /// Returns settings that find all models' parameters within minutes, from more lengths and more exchanges.
    pub fn thorough(longest: u64) -> CalibrationSettings {
        let lengths = doubling(1, longest).chain(doubling(384, longest));
        CalibrationSettings::whole(up_to(longest, lengths), 2_000, Span::from_ms(400))
    }

    /// Returns the length of the buffer that each rank needs, in bytes.
    pub fn buffer_bytes(&self) -> u64 {
        let longest = self.bytes.iter().copied().max().unwrap_or(0);
        Part::room_behind(longest).max(if self.touching { Touching::ROOM } else { 0 })
    }

    /// Returns the number of messages in a train of this length.
    pub fn train_of(&self, bytes: u64) -> u32 {
        let fit = TRAIN_BYTES.checked_div(bytes).map_or(u32::MAX, |fit| u32::try_from(fit).unwrap_or(u32::MAX));
        self.train.min(fit.max(SHORTEST_TRAIN))
    }
}

fn doubling(first: u64, longest: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first), |bytes| bytes.checked_mul(2)).take_while(move |&bytes| bytes <= longest)
}

/// Sorts the lengths, each once, and leaves out those above the longest, which is among them; two lengths at least.
fn up_to(longest: u64, lengths: impl Iterator<Item = u64>) -> Vec<u64> {
    let longest = longest.max(2);
    let mut all: Vec<u64> = lengths.filter(|&bytes| bytes <= longest).chain([1, longest]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

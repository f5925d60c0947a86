//! Random numbers by position: every draw of a noise source is found by its place in its stream, so nothing is stored
//! per rank and no order of calls matters.

use crate::time::{Span, Time};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Key of all streams of one seed, purpose and source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// Builds the key; `purpose` distinguishes kinds of draws, `source` the sources of one kind.
    pub(super) fn new(seed: u64, purpose: &[u8; 8], source: u64) -> Key {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose);
        key[16..24].copy_from_slice(&source.to_le_bytes());
        Key(key)
    }

    /// Numbers of one stream from a position on, counted in 32-bit words.
    #[inline]
    pub(super) fn stream(&self, stream: u64, word: u128) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::from_seed(self.0);
        random.set_stream(stream);
        if word > 0 {
            random.set_word_pos(word);
        }
        random
    }

    /// Number of a rank in one realisation.
    #[inline]
    pub(super) fn number(&self, rank: u32, realisation: u32) -> u64 {
        self.numbers(rank, realisation).next_u64()
    }

    /// Numbers of a rank for this and the following realisations: 32 of them cost one refill.
    #[inline]
    pub(super) fn numbers(&self, rank: u32, first_realisation: u32) -> ChaCha8Rng {
        self.stream(u64::from(rank), 2 * u128::from(first_realisation))
    }
}

/// Exponential gap by the inverse of its distribution, at least 1 ps so that detours stay disjoint.
#[inline]
pub(super) fn exponential_gap(number: u64, mean_ps: f64) -> Span {
    let uniform = ((number >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64);
    // Rounded by hand: f64::round is a call on many machines, and this is the hottest place of large runs.
    Span(((-uniform.ln() * mean_ps + 0.5) as u64).max(1))
}

/// Uniform instant in [0, period).
#[inline]
pub(super) fn uniform_phase(number: u64, period: Span) -> Time {
    Time(((u128::from(number) * u128::from(period.0)) >> 64) as u64)
}

//! Detours that arrive at random: whenever the CPU is free of them, the next comes after an exponential time.
//!
//! Several such sources on one rank are one process of the same kind, exactly: from any instant at which none is in a
//! detour, each starts its next after an exponential time, so the first comes at the sum of the rates, and the time
//! until all are idle again is one longer detour. Detour i of a rank is drawn from its own place in the rank's stream.

use super::duration::Durations;
use super::random::{Key, exponential_gap};
use crate::time::{Span, Time};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// One source of detours, by their frequency and durations.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrivals {
    /// Mean time from the end of one detour to the start of the next, in ps.
    pub mean_gap_ps: f64,
    /// Distribution of the durations of detours.
    pub durations: Durations,
}

/// Joint process of all sources of random arrivals that act on a rank.
#[derive(Clone, Debug)]
pub(super) struct Renewal {
    sources: Vec<Arrivals>,
    mean_gap_ps: f64,
    first: Key,
    later: Key,
    /// Whether all ranks draw the detours of rank 0.
    cosched: bool,
}

/// Number of bits by which a detour's index is shifted to its place in the stream, so that each detour has more words
/// than it draws.
const WORDS_PER_DETOUR: u32 = 16;

impl Renewal {
    /// Process of `sources`; `id` distinguishes co-scheduled processes of one rank.
    pub(super) fn new(sources: Vec<Arrivals>, cosched: bool, seed: u64, id: u64) -> Renewal {
        let rate: f64 = sources.iter().map(|source| 1.0 / source.mean_gap_ps).sum();
        let (first, later) = if cosched { (b"cofirst ", b"colater ") } else { (b"first   ", b"later   ") };
        Renewal {
            sources,
            mean_gap_ps: 1.0 / rate,
            first: Key::new(seed, first, id),
            later: Key::new(seed, later, id),
            cosched,
        }
    }

    fn stream_of(&self, rank: u32) -> u32 {
        if self.cosched { 0 } else { rank }
    }

    /// Start of the first detour.
    #[inline]
    pub(super) fn first(&self, rank: u32, realisation: u32) -> Time {
        self.arrival(self.first.number(self.stream_of(rank), realisation))
    }

    /// Starts of the first detours in consecutive realisations.
    pub(super) fn firsts(&self, rank: u32, first_realisation: u32, starts: &mut [Time]) {
        let mut numbers = self.first.numbers(self.stream_of(rank), first_realisation);
        starts.iter_mut().for_each(|start| *start = self.arrival(numbers.next_u64()));
    }

    #[inline]
    fn arrival(&self, number: u64) -> Time {
        Time::ZERO + exponential_gap(number, self.mean_gap_ps)
    }

    /// Duration of detour `index`, and the gap after it.
    pub(super) fn detour(&self, rank: u32, realisation: u32, index: u64) -> (Span, Span) {
        let stream = u64::from(realisation) << 32 | u64::from(self.stream_of(rank));
        let mut random = self.later.stream(stream, u128::from(index) << WORDS_PER_DETOUR);
        let gap = exponential_gap(random.next_u64(), self.mean_gap_ps);
        let duration = match self.sources.as_slice() {
            [only] => only.durations.sample_duration(&mut random),
            several => busy_period(several, &mut random),
        };
        (duration, gap)
    }
}

/// Time from the first detour of any source until no source is in a detour.
fn busy_period(sources: &[Arrivals], random: &mut ChaCha8Rng) -> Span {
    // The source that begins is the first of all to arrive. Which one it is does not depend on the past.
    let mut next: Vec<Span> = sources.iter().map(|source| gap_of(source, random)).collect();
    let begins = (0..next.len()).min_by_key(|&i| next[i]).unwrap_or(0);
    let begun = next[begins];
    let mut end = begun;
    loop {
        let first = (0..next.len()).min_by_key(|&i| next[i]).unwrap_or(0);
        if next[first] > end || end.0 == u64::MAX {
            return end - begun;
        }
        let detour_end = next[first] + sources[first].durations.sample_duration(random);
        end = end.max(detour_end);
        next[first] = detour_end + gap_of(&sources[first], random);
    }
}

fn gap_of(source: &Arrivals, random: &mut ChaCha8Rng) -> Span {
    exponential_gap(random.next_u64(), source.mean_gap_ps)
}

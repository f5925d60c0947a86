//! Knowledge of a rank about the global time, as it keeps it and as it sends it to others.

use super::interval::{Interval, LARGEST_RATE_DIFFERENCE_PPM, Limit};
use models::clock::{Basis, Drift, GlobalClock, Ticks, Timescale};
use models::time::{Span, Time};

/// Best estimate of a rank of the global time, and the proven limits of its offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knowledge {
    pub clock: GlobalClock,
    pub interval: Interval,
}

/// Limits and estimate of the global time of one reading, in picoseconds; signed, since limits may lie before zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub low: i64,
    pub estimate: i64,
    pub high: i64,
}

/// Returns the most time that a clock that has just shown a reading has counted further: one step, and the rounding.
pub(super) fn grain(scale: &Timescale) -> Span {
    scale.granularity() + Span(1)
}

fn signed(time: Time) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

impl Knowledge {
    /// Returns the knowledge of a rank whose clock is the global one.
    pub(super) fn reference(scale: Timescale) -> Knowledge {
        Knowledge { clock: GlobalClock::reference(scale), interval: Interval::zero() }
    }

    /// Returns the possible offset that is the nearest to `estimate_ps` at `now`, with the bound of its error.
    pub(super) fn settled(
        scale: Timescale,
        interval: Interval,
        now: Time,
        estimate_ps: i64,
        drift: Option<Drift>,
    ) -> Knowledge {
        let (low, high) = (interval.low_at(now), interval.high_at(now).max(interval.low_at(now)));
        let offset_ps = estimate_ps.clamp(low, high);
        // One picosecond for the rounding of the drift.
        let bound = (high - offset_ps).max(offset_ps - low).unsigned_abs() + u64::from(drift.is_some());
        let basis = if interval.contradicted { Basis::Contradicted } else { Basis::Measured };
        Knowledge { clock: GlobalClock { scale, offset_ps, bound: Span(bound), at: now, drift, basis }, interval }
    }

    /// Returns the middle of the possible offsets at `now`, with the bound of its error.
    pub(super) fn middle(scale: Timescale, interval: Interval, now: Time) -> Knowledge {
        let low = interval.low_at(now);
        Knowledge::settled(scale, interval, now, low + interval.width_at(now) / 2, None)
    }

    /// Returns the knowledge at a later moment, with the bound grown until then.
    pub(super) fn at(&self, now: Time) -> Knowledge {
        let mut later =
            Knowledge::settled(self.clock.scale, self.interval, now, self.clock.offset_at(now), self.clock.drift);
        if self.clock.basis == Basis::Shared && later.clock.basis == Basis::Measured {
            later.clock.basis = Basis::Shared;
        }
        later
    }

    /// Returns limits and estimate of the global time of a reading of this rank's clock.
    pub(super) fn stamp(&self, reading: Ticks) -> Stamp {
        let local = self.clock.scale.time(reading);
        let grain = grain(&self.clock.scale).0 as i64;
        Stamp {
            low: signed(local).saturating_add(self.interval.low_at(local)),
            estimate: signed(self.clock.global(local)).saturating_add(grain / 2),
            high: signed(local).saturating_add(grain).saturating_add(self.interval.high_at(local)),
        }
    }
}

/// Length of a message of knowledge, in bytes.
pub(super) const BYTES: usize = 14 * 8;

impl Knowledge {
    /// Returns the knowledge as a message.
    pub(super) fn to_bytes(self) -> [u8; BYTES] {
        let Knowledge { clock: GlobalClock { scale, offset_ps, at, drift, .. }, interval } = self;
        let words = [
            scale.ticks_per_second.to_bits(),
            scale.origin.0,
            scale.granularity_ticks,
            offset_ps as u64,
            at.0,
            u64::from(drift.is_some()),
            drift.map_or(0, |drift| drift.ps_per_second as u64),
            drift.map_or(0, |drift| drift.error_ps_per_second),
            interval.low.ps as u64,
            interval.low.at.0,
            interval.high.ps as u64,
            interval.high.at.0,
            u64::from(interval.ppm > 0),
            u64::from(interval.contradicted),
        ];
        let mut message = [0; BYTES];
        for (place, word) in message.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        message
    }

    /// Reads the knowledge from a message of another rank of the same program.
    pub(super) fn from_bytes(message: &[u8; BYTES]) -> Knowledge {
        let word = |at: usize| u64::from_le_bytes(message[at * 8..at * 8 + 8].try_into().expect("eight bytes"));
        let scale =
            Timescale { ticks_per_second: f64::from_bits(word(0)), origin: Ticks(word(1)), granularity_ticks: word(2) };
        let drift = Drift { ps_per_second: word(6) as i64, error_ps_per_second: word(7) };
        let limit = |at: usize| Limit { ps: word(at) as i64, at: Time(word(at + 1)) };
        let interval = Interval {
            low: limit(8),
            high: limit(10),
            ppm: if word(12) == 1 { LARGEST_RATE_DIFFERENCE_PPM } else { 0 },
            grain: grain(&scale),
            contradicted: word(13) == 1,
        };
        let drift = (word(5) == 1).then_some(drift);
        let mut knowledge = Knowledge::settled(scale, interval, Time(word(4)), word(3) as i64, drift);
        knowledge.clock.offset_ps = word(3) as i64;
        knowledge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_is_told_whole() {
        let scale = Timescale { ticks_per_second: 2.1e9, origin: Ticks(77), granularity_ticks: 1 };
        let mut interval = Interval::unknown(LARGEST_RATE_DIFFERENCE_PPM, grain(&scale));
        interval.learn(Limit { ps: -900, at: Time(5) }, Limit { ps: 400, at: Time(9) });
        for drift in [None, Some(Drift::from_ppm(-3.0, 0.25))] {
            let known = Knowledge::settled(scale, interval, Time(10), -100, drift);
            assert_eq!(Knowledge::from_bytes(&known.to_bytes()), known);
        }
        let reference = Knowledge::reference(scale);
        let told = Knowledge::from_bytes(&reference.to_bytes());
        assert_eq!(told.stamp(Ticks(2_100_000_077)), reference.stamp(Ticks(2_100_000_077)));
    }

    #[test]
    fn an_estimate_outside_of_what_is_possible_is_not_believed() {
        let mut interval = Interval::unknown(0, Span::ZERO);
        interval.learn(Limit { ps: 100, at: Time(0) }, Limit { ps: 300, at: Time(0) });
        let clock = Knowledge::settled(Timescale::PICOSECONDS, interval, Time(0), 1_000, None).clock;
        assert_eq!((clock.offset_ps, clock.bound), (300, Span(200)));
        let clock = Knowledge::middle(Timescale::PICOSECONDS, interval, Time(0)).clock;
        assert_eq!((clock.offset_ps, clock.bound), (200, Span(100)));
    }
}

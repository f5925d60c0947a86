//! Periodic detours: one of `duration` in every `period`, like a timer tick or a daemon's.

use super::random::{Key, uniform_phase};
use super::settings::{ExactDuration, Settings};
use crate::time::{Span, Time};
use rand::Rng;
use std::fmt;

/// Shortest accepted period. Shorter periods are refused, as are higher rates of random arrivals: they are no noise any
/// more.
const SHORTEST_PERIOD: Span = Span::from_ns(100);

/// Period of a single detour: 53 days, longer than any simulation.
const ONCE: Span = Span(1 << 62);
/// Limit of the begin and of the duration of a single detour: 13 days.
const LATEST_DETOUR: Span = Span(1 << 60);

/// Spec of periodic detours, or of a single one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PeriodicSpec {
    period: Span,
    duration: Span,
    /// Start of a detour for all ranks; `None` where it is drawn uniformly.
    phase: Option<Span>,
}

impl PeriodicSpec {
    /// Reads `period=`, `duration=` and `phase=`.
    pub(super) fn read(settings: &mut Settings) -> Result<PeriodicSpec, String> {
        let (period, duration) = (settings.duration("period")?, settings.duration("duration")?);
        if period < SHORTEST_PERIOD {
            return Err(format!("key 'period': expected 100ns or more, found {}", ExactDuration(period)));
        }
        if duration >= period {
            return Err(format!(
                "duration={} takes all of period={}: nothing is left for the rank; expected a shorter duration",
                ExactDuration(duration),
                ExactDuration(period)
            ));
        }
        let phase = match settings.text("phase")? {
            None | Some("random") => None,
            Some(text) => Some(
                crate::quantity::parse::<Span>(text)
                    .map_err(|error| format!("key 'phase': expected random, or {error}"))?,
            ),
        };
        Ok(PeriodicSpec { period, duration, phase })
    }

    /// Reads `at=` and `for=` of a single detour.
    pub(super) fn read_single(settings: &mut Settings) -> Result<PeriodicSpec, String> {
        let (at, duration) = (settings.duration_or_zero("at")?, settings.duration("for")?);
        for (key, found) in [("at", at), ("for", duration)] {
            if found > LATEST_DETOUR {
                let most = ExactDuration(LATEST_DETOUR);
                return Err(format!("key '{key}': expected at most {most}, found {}", ExactDuration(found)));
            }
        }
        Ok(PeriodicSpec { period: ONCE, duration, phase: Some(at) })
    }

    /// Share of the CPU that the detours take.
    pub(super) fn share(&self) -> f64 {
        self.duration.0 as f64 / self.period.0 as f64
    }
}

impl fmt::Display for PeriodicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (ONCE, Some(at)) = (self.period, self.phase) {
            return write!(f, "detour:at={},for={}", ExactDuration(at), ExactDuration(self.duration));
        }
        write!(f, "periodic:period={},duration={}", ExactDuration(self.period), ExactDuration(self.duration))?;
        match self.phase {
            None => write!(f, ",phase=random"),
            Some(phase) => write!(f, ",phase={}", ExactDuration(phase)),
        }
    }
}

/// Periodic detours with the key of their draws.
#[derive(Clone, Debug)]
pub(super) struct Periodic {
    spec: PeriodicSpec,
    key: Key,
    cosched: bool,
}

impl Periodic {
    /// Prepares the detours of a spec; `id` distinguishes the sources of one seed.
    pub(super) fn new(spec: PeriodicSpec, cosched: bool, seed: u64, id: u64) -> Periodic {
        Periodic { spec, key: Key::new(seed, b"periodic", id), cosched }
    }

    /// First start of a detour at or after time zero.
    fn phase(&self, rank: u32, realisation: u32) -> Time {
        match self.spec.phase {
            Some(phase) => Time(phase.0 % self.spec.period.0),
            None => {
                let rank = if self.cosched { 0 } else { rank };
                uniform_phase(self.key.number(rank, realisation), self.spec.period)
            }
        }
    }

    /// Start of the first detour that ends after time zero, and start of the detour after it. A rank may begin its life
    /// in the middle of a detour, which then starts at time zero.
    pub(super) fn first(&self, rank: u32, realisation: u32) -> (Time, Time) {
        self.first_of(self.phase(rank, realisation))
    }

    fn first_of(&self, phase: Time) -> (Time, Time) {
        if phase.0 + self.spec.duration.0 > self.spec.period.0 {
            (Time::ZERO, phase)
        } else {
            (phase, phase + self.spec.period)
        }
    }

    /// First starts in consecutive realisations.
    pub(super) fn firsts(&self, rank: u32, first_realisation: u32, starts: &mut [Time]) {
        if self.spec.phase.is_some() {
            return starts.fill(self.first(rank, 0).0);
        }
        let mut numbers = self.key.numbers(if self.cosched { 0 } else { rank }, first_realisation);
        for start in starts {
            *start = self.first_of(uniform_phase(numbers.next_u64(), self.spec.period)).0;
        }
    }

    /// End of a detour, from the start of the one after it.
    pub(super) fn end_before(&self, next: Time) -> Time {
        if next == Time::END { Time::END } else { Time(next.0 - (self.spec.period.0 - self.spec.duration.0)) }
    }

    /// Start of the detour after the one that starts at `start`.
    pub(super) fn after(&self, start: Time) -> Time {
        start + self.spec.period
    }

    /// Starts of the first detour that ends after `at` and of the one after it, given that the one before `next` has
    /// ended by then.
    pub(super) fn skip(&self, next: Time, at: Time) -> (Time, Time) {
        let rounds = at.since(self.end_before(next)).0 / self.spec.period.0;
        let start = next + self.spec.period * rounds;
        (start, self.after(start))
    }

    /// Start and end of the first detour that ends after `at`.
    pub(super) fn find(&self, rank: u32, realisation: u32, at: Time) -> (Time, Time) {
        let phase = self.phase(rank, realisation);
        let (mut start, mut next) = self.first_of(phase);
        if self.end_before(next) <= at {
            (start, next) = self.skip(next, at);
        }
        (start, self.end_before(next))
    }
}

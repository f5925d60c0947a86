//! The delay of one rank in one grain of work: a density with mass 1 on [0, ∞), or delays that were recorded.

use super::duration::Durations;
use super::settings::Settings;
use crate::names::unknown;
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Distribution of the delays of one rank in one grain of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Delays(Durations);

/// Delays that were recorded, sorted, in ps. There is at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedDelays(Vec<u64>);

/// Message for a density with mass below zero.
const SIGNED: &str = "a delay is never negative; expected half-normal:sigma=… (the size of a normal deviation), or \
                      rectified-normal:sigma=… (zero in place of what is negative)";

impl Delays {
    /// Reads a distribution in the notation of noise sources, without a rate: `half-normal:sigma=10us`.
    ///
    /// # Errors
    /// Names the mistake and the known distributions.
    pub fn parse(text: &str) -> Result<Delays, String> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        if ["normal", "gaussian", "signed-normal"].contains(&name) {
            return Err(format!("'{name}': {SIGNED}"));
        }
        let mut settings = Settings::new(keys.split(',').filter(|_| !keys.trim().is_empty()))?;
        let law = Durations::read(name, &mut settings)?;
        let law = law.ok_or_else(|| unknown("distribution", name, Durations::NAMES.to_vec()))?;
        settings.finish()?;
        Ok(Delays(law))
    }

    /// Mean delay, in ps.
    pub fn mean_ps(&self) -> f64 {
        self.0.mean_ps() * self.0.probability()
    }

    /// Probability of a delay longer than `ps` picoseconds.
    pub fn beyond(&self, ps: f64) -> f64 {
        self.0.probability() * self.0.beyond(ps)
    }

    /// Points at which that probability jumps or bends, in ps, sorted.
    pub fn breaks_ps(&self) -> Vec<f64> {
        self.0.breaks_ps()
    }

    /// Mean and variance of the largest of n delays, in ps and ps², where there is a closed form. The variance is
    /// infinite where the tail is too heavy for one.
    pub fn largest(&self, n: f64) -> Option<(f64, f64)> {
        self.0.largest(n)
    }

    /// Draws one delay at random.
    pub fn sample_delay(&self, random: &mut ChaCha8Rng) -> Span {
        let occurs = self.0.probability() >= 1.0 || random.random::<f64>() < self.0.probability();
        if occurs { self.0.sample_duration(random) } else { Span::ZERO }
    }
}

impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl RecordedDelays {
    /// Collects delays; `None` if there are none.
    pub fn from_delays(delays: impl IntoIterator<Item = Span>) -> Option<RecordedDelays> {
        let mut all: Vec<u64> = delays.into_iter().map(|delay| delay.0).collect();
        all.sort_unstable();
        (!all.is_empty()).then_some(RecordedDelays(all))
    }

    /// Number of recorded delays.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Share of the delays that are not zero.
    pub fn delayed(&self) -> f64 {
        let none = self.0.partition_point(|&delay| delay == 0);
        1.0 - none as f64 / self.0.len() as f64
    }

    /// Mean delay, in ps.
    pub fn mean_ps(&self) -> f64 {
        self.0.iter().map(|&delay| delay as f64).sum::<f64>() / self.0.len() as f64
    }

    /// Delay that a share of all delays does not exceed: the smallest one for which at least that share is no longer.
    pub fn quantile(&self, share: f64) -> Span {
        let place = (share * self.0.len() as f64).ceil().max(1.0) as usize;
        Span(self.0[place.min(self.0.len()) - 1])
    }

    /// Each delay that occurs, and the share of all delays that are longer.
    pub fn survival(&self) -> Vec<(Span, f64)> {
        let all = self.0.len();
        let mut longer = all;
        let step = |equal: &[u64]| {
            longer -= equal.len();
            (Span(equal[0]), longer as f64 / all as f64)
        };
        self.0.chunk_by(|one, other| one == other).map(step).collect()
    }

    /// Mean and variance of the largest of n delays, in ps and ps²: sums over the steps of their distribution.
    pub fn largest(&self, n: f64) -> (f64, f64) {
        let (mut mean, mut square, mut from) = (0.0, 0.0, 0.0);
        for (below, &delay) in self.0.iter().enumerate() {
            let to = delay as f64;
            // Between two delays the largest is beyond unless all n are among the delays below.
            let any = if below == 0 { 1.0 } else { -(n * (below as f64 / self.0.len() as f64).ln()).exp_m1() };
            mean += any * (to - from);
            square += any * (to * to - from * from);
            from = to;
        }
        (mean, (square - mean * mean).max(0.0))
    }
}

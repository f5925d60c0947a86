//! Bernoulli durations: each arrival is a detour of one duration with some probability.

use super::Duration;
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Detours of one duration at rate · probability: arrivals that are no detours leave no trace.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Bernoulli {
    /// Share of arrivals that are detours.
    pub probability: f64,
    duration: Span,
}

impl Duration for Bernoulli {
    fn read(settings: &mut Settings) -> Result<Bernoulli, String> {
        Ok(Bernoulli {
            probability: settings.number("probability", 1e-12, 1.0)?,
            duration: settings.duration("duration")?,
        })
    }

    fn mean_ps(&self) -> f64 {
        self.duration.0 as f64
    }

    fn sample_duration(&self, _random: &mut ChaCha8Rng) -> Span {
        self.duration
    }

    fn beyond(&self, ps: f64) -> f64 {
        if ps < self.duration.0 as f64 { 1.0 } else { 0.0 }
    }

    fn breaks_ps(&self) -> Vec<f64> {
        vec![self.duration.0 as f64]
    }

    /// Mean and variance over arrivals: any of n is a detour with probability 1 − (1 − p)^n, and then the largest is a
    /// detour.
    fn largest(&self, n: f64) -> Option<(f64, f64)> {
        let (none, duration) = (n * (-self.probability).ln_1p(), self.duration.0 as f64);
        let any = -none.exp_m1();
        Some((any * duration, any * none.exp() * duration * duration))
    }
}

impl fmt::Display for Bernoulli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "probability={},duration={}", self.probability, ExactDuration(self.duration))
    }
}

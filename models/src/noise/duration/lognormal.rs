//! Durations with a lognormal distribution.

use super::{Duration, beyond_normal, rounded};
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// ln D is normal. `mean` is the arithmetic mean of the durations themselves, E[D], not of their
/// logarithms; `sigma` is the standard deviation of ln D, without a unit. ln D has mean ln(mean) − sigma²/2.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct LogNormal {
    mean: Span,
    sigma: f64,
}

impl Duration for LogNormal {
    fn read(settings: &mut Settings) -> Result<LogNormal, String> {
        Ok(LogNormal { mean: settings.duration("mean")?, sigma: settings.number("sigma", 1e-6, 10.0)? })
    }

    fn mean_ps(&self) -> f64 {
        self.mean.0 as f64
    }

    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
        let normal: f64 = random.sample(rand_distr::StandardNormal);
        rounded(self.mean.0 as f64 * (self.sigma * normal - 0.5 * self.sigma * self.sigma).exp())
    }

    fn beyond(&self, ps: f64) -> f64 {
        // The logarithm of the mean is μ + σ²/2.
        let mu = (self.mean.0 as f64).ln() - 0.5 * self.sigma * self.sigma;
        if ps > 0.0 { beyond_normal((ps.ln() - mu) / self.sigma) } else { 1.0 }
    }
}

impl fmt::Display for LogNormal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mean={},sigma={}", ExactDuration(self.mean), self.sigma)
    }
}

//! Exponential durations: E[max of n] = mean · H_n, which grows as log n.

use super::{Duration, rounded};
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// P(D > x) = exp(−x / mean).
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Exponential {
    mean: Span,
}

impl Duration for Exponential {
    fn read(settings: &mut Settings) -> Result<Exponential, String> {
        Ok(Exponential { mean: settings.duration("mean")? })
    }

    fn mean_ps(&self) -> f64 {
        self.mean.0 as f64
    }

    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
        let unit: f64 = random.sample(rand_distr::Exp1);
        rounded(unit * self.mean.0 as f64)
    }

    fn beyond(&self, ps: f64) -> f64 {
        (-ps / self.mean.0 as f64).exp()
    }
}

impl fmt::Display for Exponential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mean={}", ExactDuration(self.mean))
    }
}

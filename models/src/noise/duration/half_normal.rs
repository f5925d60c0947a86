//! Half-normal durations: the absolute value of a normal deviation, as the reading of "gaussian noise" that is never
//! negative.

use super::{Duration, beyond_normal, rounded};
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// D = |N(0, sigma)|; its mean is sigma · √(2/π).
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct HalfNormal {
    sigma: Span,
}

impl Duration for HalfNormal {
    fn read(settings: &mut Settings) -> Result<HalfNormal, String> {
        Ok(HalfNormal { sigma: settings.duration("sigma")? })
    }

    fn mean_ps(&self) -> f64 {
        self.sigma.0 as f64 * (2.0 / std::f64::consts::PI).sqrt()
    }

    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
        let normal: f64 = random.sample(rand_distr::StandardNormal);
        rounded(normal.abs() * self.sigma.0 as f64)
    }

    fn beyond(&self, ps: f64) -> f64 {
        2.0 * beyond_normal(ps / self.sigma.0 as f64)
    }
}

impl fmt::Display for HalfNormal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sigma={}", ExactDuration(self.sigma))
    }
}

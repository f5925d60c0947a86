//! Weibull durations: shape 1 is exponential, smaller shapes have heavier tails.

use super::{Duration, rounded};
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// P(D > x) = exp(−(x / scale)^shape).
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Weibull {
    scale: Span,
    shape: f64,
    law: rand_distr::Weibull<f64>,
}

impl Duration for Weibull {
    fn read(settings: &mut Settings) -> Result<Weibull, String> {
        let scale = settings.duration("scale")?;
        let shape = settings.number("shape", 0.1, 1000.0)?;
        let law = rand_distr::Weibull::new(scale.0 as f64, shape).map_err(|error| error.to_string())?;
        Ok(Weibull { scale, shape, law })
    }

    fn mean_ps(&self) -> f64 {
        self.scale.0 as f64 * statrs::function::gamma::gamma(1.0 + 1.0 / self.shape)
    }

    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
        rounded(random.sample(self.law))
    }

    fn beyond(&self, ps: f64) -> f64 {
        (-(ps / self.scale.0 as f64).powf(self.shape)).exp()
    }
}

impl fmt::Display for Weibull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scale={},shape={}", ExactDuration(self.scale), self.shape)
    }
}

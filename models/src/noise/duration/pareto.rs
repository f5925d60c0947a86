//! Pareto durations: heavy-tailed, E[max of n] grows as n^(1/shape).

use super::{Duration, rounded};
use crate::noise::settings::{Settings, Written};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// P(D > x) = (scale / x)^shape for x ≥ scale: no detour is shorter than `scale`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Pareto {
    scale: Span,
    shape: f64,
    law: rand_distr::Pareto<f64>,
}

impl Duration for Pareto {
    fn read(settings: &mut Settings) -> Result<Pareto, String> {
        let scale = settings.duration("scale")?;
        let shape = settings.number("shape", 0.01, 1000.0)?;
        if shape <= 1.0 {
            return Err(format!(
                "shape={shape} has no finite mean: such detours take the whole CPU in the long run; \
                 expected a shape greater than 1"
            ));
        }
        let law = rand_distr::Pareto::new(scale.0 as f64, shape).map_err(|error| error.to_string())?;
        Ok(Pareto { scale, shape, law })
    }

    fn mean_ps(&self) -> f64 {
        self.scale.0 as f64 * self.shape / (self.shape - 1.0)
    }

    fn draw(&self, random: &mut ChaCha8Rng) -> Span {
        rounded(random.sample(self.law))
    }

    fn beyond(&self, ps: f64) -> f64 {
        let scale = self.scale.0 as f64;
        if ps < scale { 1.0 } else { (scale / ps).powf(self.shape) }
    }

    fn breaks_ps(&self) -> Vec<f64> {
        vec![self.scale.0 as f64]
    }
}

impl fmt::Display for Pareto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scale={},shape={}", Written(self.scale), self.shape)
    }
}

//! Pareto durations: heavy-tailed, E[max of n] grows as n^(1/shape). A mean exists for shapes above 1, a variance for
//! shapes above 2.

use super::{Duration, rounded};
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use statrs::function::gamma::gamma;
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

    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
        rounded(random.sample(self.law))
    }

    fn beyond(&self, ps: f64) -> f64 {
        let scale = self.scale.0 as f64;
        if ps < scale { 1.0 } else { (scale / ps).powf(self.shape) }
    }

    fn breaks_ps(&self) -> Vec<f64> {
        vec![self.scale.0 as f64]
    }

    /// E[M^k] = scale^k Γ(n + 1) Γ(1 − k/shape) / Γ(n + 1 − k/shape) for k < shape, since (scale / M)^shape is the
    /// least of n uniform draws (David, Nagaraja 2003, Order Statistics).
    fn largest(&self, n: f64) -> Option<(f64, f64)> {
        let scale = self.scale.0 as f64;
        let moment = |k: f64| {
            let left = gamma((self.shape - k) / self.shape);
            scale.powf(k) * left * gamma_over(n + 1.0, k / self.shape)
        };
        let mean = moment(1.0);
        let variance = if self.shape > 2.0 { (moment(2.0) - mean * mean).max(0.0) } else { f64::INFINITY };
        Some((mean, variance))
    }
}

/// Γ(z) / Γ(z − less) for 0 < less < z, by Stirling's series after enough steps that four terms are exact to a double's
/// digits. Differences of whole logarithms would lose as many digits as z ln z has.
fn gamma_over(z: f64, less: f64) -> f64 {
    const STEPS: u32 = 24;
    let steps: f64 = (0..STEPS).map(|step| 1.0 - less / (z + f64::from(step))).product();
    let (z, w) = (z + f64::from(STEPS), z + f64::from(STEPS) - less);
    let series = |x: f64| {
        let square = x * x;
        (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / x
    };
    // (z − ½) ln z − z, less the corresponding term of w, with ln w = ln z + ln(1 − less/z).
    let log = less * (z.ln() - 1.0) - (w - 0.5) * (-less / z).ln_1p() + series(z) - series(w);
    steps * log.exp()
}

impl fmt::Display for Pareto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scale={},shape={}", ExactDuration(self.scale), self.shape)
    }
}

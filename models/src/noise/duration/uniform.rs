//! Durations spread evenly over a range: bounded, so E[max of n] saturates at `to`.

use super::Duration;
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Every whole picosecond from `from` to `to`, both included, is as likely as any other.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Uniform {
    from: Span,
    to: Span,
}

impl Duration for Uniform {
    fn read(settings: &mut Settings) -> Result<Uniform, String> {
        let (from, to) = (settings.duration_or_zero("from")?, settings.duration("to")?);
        if from > to {
            return Err(format!("from={} lies beyond to={}", ExactDuration(from), ExactDuration(to)));
        }
        Ok(Uniform { from, to })
    }

    fn mean_ps(&self) -> f64 {
        (self.from.0 as f64 + self.to.0 as f64) / 2.0
    }

    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
        Span(random.random_range(self.from.0..=self.to.0))
    }

    fn beyond(&self, ps: f64) -> f64 {
        let (from, to) = (self.from.0 as f64, self.to.0 as f64);
        if ps < from {
            return 1.0;
        }
        if ps >= to { 0.0 } else { (to - ps) / (to - from) }
    }

    fn breaks_ps(&self) -> Vec<f64> {
        vec![self.from.0 as f64, self.to.0 as f64]
    }

    /// Beta distribution with parameters n and 1, over the range.
    fn largest(&self, n: f64) -> Option<(f64, f64)> {
        let (from, width) = (self.from.0 as f64, (self.to.0 - self.from.0) as f64);
        Some((from + width * n / (n + 1.0), width * width * n / ((n + 1.0) * (n + 1.0) * (n + 2.0))))
    }
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from={},to={}", ExactDuration(self.from), ExactDuration(self.to))
    }
}

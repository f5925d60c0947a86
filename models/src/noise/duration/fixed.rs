//! Detours of one duration.

use super::Duration;
use crate::noise::settings::{ExactDuration, Settings};
use crate::time::Span;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// D = duration, without variation.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::noise) struct Fixed {
    duration: Span,
}

impl Duration for Fixed {
    fn read(settings: &mut Settings) -> Result<Fixed, String> {
        Ok(Fixed { duration: settings.duration("duration")? })
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

    fn largest(&self, _n: f64) -> Option<(f64, f64)> {
        Some((self.duration.0 as f64, 0.0))
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "duration={}", ExactDuration(self.duration))
    }
}

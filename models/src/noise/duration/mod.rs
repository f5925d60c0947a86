//! Distributions of the durations of detours.
//!
//! Draws are rounded to picoseconds where they are drawn. Draws beyond the range of [`Span`] become its longest value.

mod bernoulli;
mod exponential;
mod fixed;
mod half_normal;
mod lognormal;
mod pareto;
mod rectified_normal;
mod uniform;
mod weibull;

use super::settings::Settings;
use crate::time::Span;
use rand_chacha::ChaCha8Rng;
use std::fmt;

pub(super) use bernoulli::Bernoulli;
pub(super) use exponential::Exponential;
pub(super) use fixed::Fixed;
pub(super) use half_normal::HalfNormal;
pub(super) use lognormal::LogNormal;
pub(super) use pareto::Pareto;
pub(super) use rectified_normal::RectifiedNormal;
pub(super) use uniform::Uniform;
pub(super) use weibull::Weibull;

/// Distribution of durations, which each file of this folder implements.
pub(super) trait Duration: Sized + fmt::Display {
    /// Reads the distribution's own keys.
    fn read(settings: &mut Settings) -> Result<Self, String>;
    /// Mean duration, in picoseconds.
    fn mean_ps(&self) -> f64;
    /// Draws one duration at random.
    fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span;
    /// Probability of a duration longer than `ps` picoseconds.
    fn beyond(&self, ps: f64) -> f64;
    /// Points at which that probability jumps or bends, in ps, sorted.
    fn breaks_ps(&self) -> Vec<f64> {
        Vec::new()
    }
    /// Mean and variance of the largest of n durations, in ps and ps², where there is a closed form that needs no
    /// integration. The variance is infinite where the tail is too heavy for one.
    fn largest(&self, _n: f64) -> Option<(f64, f64)> {
        None
    }
}

/// P(N(0, 1) > x).
fn beyond_normal(x: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(x / std::f64::consts::SQRT_2)
}

macro_rules! durations {
    ($($variant:ident $name:literal,)*) => {
        /// Distribution of durations, as noise sources name it.
        #[derive(Clone, Debug, PartialEq)]
        pub(super) enum Durations {
            $(#[doc = concat!("`", $name, "`")] $variant($variant),)*
        }

        impl Durations {
            /// Names of distributions in noise sources.
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            /// Reads the distribution called `name`; `None` if there is none.
            pub(crate) fn read(name: &str, settings: &mut Settings) -> Result<Option<Durations>, String> {
                Ok(Some(match name {
                    $($name => Durations::$variant(Duration::read(settings)?),)*
                    _ => return Ok(None),
                }))
            }

            /// Mean duration, in picoseconds.
            pub(crate) fn mean_ps(&self) -> f64 {
                match self { $(Durations::$variant(durations) => durations.mean_ps(),)* }
            }

            /// Probability of a duration longer than `ps` picoseconds.
            pub(crate) fn beyond(&self, ps: f64) -> f64 {
                match self { $(Durations::$variant(durations) => durations.beyond(ps),)* }
            }

            /// Points at which that probability jumps or bends, in ps, sorted.
            pub(crate) fn breaks_ps(&self) -> Vec<f64> {
                match self { $(Durations::$variant(durations) => durations.breaks_ps(),)* }
            }

            /// Mean and variance of the largest of n durations, in ps and ps², where there is a closed form.
            pub(crate) fn largest(&self, n: f64) -> Option<(f64, f64)> {
                match self { $(Durations::$variant(durations) => durations.largest(n),)* }
            }

            /// Draws one duration at random.
            #[inline]
            pub(crate) fn sample_duration(&self, random: &mut ChaCha8Rng) -> Span {
                match self { $(Durations::$variant(durations) => durations.sample_duration(random),)* }
            }
        }

        impl fmt::Display for Durations {
            /// Writes the notation of noise sources: `name:keys`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Durations::$variant(durations) => write!(f, "{}:{durations}", $name),)* }
            }
        }
    };
}

durations! {
    Exponential "exponential",
    Pareto "pareto",
    LogNormal "lognormal",
    Weibull "weibull",
    HalfNormal "half-normal",
    RectifiedNormal "rectified-normal",
    Uniform "uniform",
    Bernoulli "bernoulli",
    Fixed "fixed",
}

impl Durations {
    /// Share of arrivals that are detours at all.
    pub(super) fn probability(&self) -> f64 {
        match self {
            Durations::Bernoulli(bernoulli) => bernoulli.probability,
            Durations::Exponential(_)
            | Durations::Pareto(_)
            | Durations::LogNormal(_)
            | Durations::Weibull(_)
            | Durations::HalfNormal(_)
            | Durations::RectifiedNormal(_)
            | Durations::Uniform(_)
            | Durations::Fixed(_) => 1.0,
        }
    }
}

/// Duration of a draw in picoseconds, rounded, and clamped where it does not fit.
fn rounded(ps: f64) -> Span {
    Span(ps.round() as u64)
}

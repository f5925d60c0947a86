//! The delay of one rank in one grain of work, as a distribution: a density with mass 1 on [0, ∞), or what was recorded.

use super::duration::Durations;
use super::settings::Settings;
use crate::names::unknown;
use crate::time::Span;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// A distribution of delays.
#[derive(Clone, Debug, PartialEq)]
pub struct Delays(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Law(Durations),
    /// Sorted, in ps.
    Recorded(Vec<u64>),
}

/// What a density with mass below zero is told.
const SIGNED: &str = "a delay is never negative; expected half-normal:sigma=… (the size of a normal deviation), or \
                      rectified-normal:sigma=… (zero in place of what is negative)";

impl Delays {
    /// Reads a distribution as sources of noise are written, without a rate: `half-normal:sigma=10us`.
    ///
    /// # Errors
    /// What is wrong with it, and what is known.
    pub fn parse(text: &str) -> Result<Delays, String> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        if ["normal", "gaussian", "signed-normal"].contains(&name) {
            return Err(format!("'{name}': {SIGNED}"));
        }
        let mut settings = Settings::new(keys.split(',').filter(|_| !keys.trim().is_empty()))?;
        let law = Durations::read(name, &mut settings)?;
        let law = law.ok_or_else(|| unknown("distribution", name, Durations::NAMES.to_vec()))?;
        settings.finish()?;
        Ok(Delays(Kind::Law(law)))
    }

    /// Those that were recorded; none of none.
    pub fn recorded(delays: impl IntoIterator<Item = Span>) -> Option<Delays> {
        let mut all: Vec<u64> = delays.into_iter().map(|delay| delay.0).collect();
        all.sort_unstable();
        (!all.is_empty()).then_some(Delays(Kind::Recorded(all)))
    }

    /// The mean, in ps.
    pub fn mean_ps(&self) -> f64 {
        match &self.0 {
            Kind::Law(law) => law.mean_ps() * law.probability(),
            Kind::Recorded(all) => all.iter().map(|&delay| delay as f64).sum::<f64>() / all.len() as f64,
        }
    }

    /// The probability of a delay longer than so many ps.
    pub fn beyond(&self, ps: f64) -> f64 {
        match &self.0 {
            Kind::Law(law) => law.probability() * law.beyond(ps),
            Kind::Recorded(all) => {
                let up_to = all.partition_point(|&delay| delay as f64 <= ps);
                (all.len() - up_to) as f64 / all.len() as f64
            }
        }
    }

    /// Where that probability jumps or bends, in ps, sorted.
    pub fn breaks_ps(&self) -> Vec<f64> {
        match &self.0 {
            Kind::Law(law) => law.breaks_ps(),
            Kind::Recorded(all) => {
                let mut breaks: Vec<f64> = all.iter().map(|&delay| delay as f64).collect();
                breaks.dedup();
                breaks
            }
        }
    }

    /// Of recorded delays mean and mean square of the largest of n, in ps and ps²: sums over the steps of their distribution.
    pub fn largest_recorded(&self, n: f64) -> Option<(f64, f64)> {
        let Kind::Recorded(all) = &self.0 else { return None };
        let (mut mean, mut square, mut from) = (0.0, 0.0, 0.0);
        for (below, &delay) in all.iter().enumerate() {
            let to = delay as f64;
            // Between two of them the largest is beyond unless all n are among those below.
            let any = if below == 0 { 1.0 } else { -(n * (below as f64 / all.len() as f64).ln()).exp_m1() };
            mean += any * (to - from);
            square += any * (to * to - from * from);
            from = to;
        }
        Some((mean, square))
    }

    /// One delay.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> Span {
        match &self.0 {
            Kind::Law(law) => {
                let occurs = law.probability() >= 1.0 || random.random::<f64>() < law.probability();
                if occurs { law.draw(random) } else { Span::ZERO }
            }
            Kind::Recorded(all) => Span(all[random.random_range(0..all.len())]),
        }
    }
}

impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Law(law) => write!(f, "{law}"),
            Kind::Recorded(all) => write!(f, "{} recorded delays", all.len()),
        }
    }
}

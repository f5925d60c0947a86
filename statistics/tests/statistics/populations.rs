//! Populations whose every number is known.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp, LogNormal, Normal, Pareto};
use statrs::distribution::ContinuousCDF;

/// Where samples come from.
#[derive(Clone, Copy, Debug)]
pub enum Population {
    /// Mean 100, standard deviation 5.
    Normal,
    /// exp of a normal with standard deviation 0.8.
    Lognormal,
    /// From 1 on, P(X > x) = x^(−2.5): a finite variance, no third moment.
    Pareto,
    /// 10 and exponential delays of mean 1, one in fifty of mean 50: as noise hits a short call.
    Spikes,
}

pub const ALL: [Population; 4] = [Population::Normal, Population::Lognormal, Population::Pareto, Population::Spikes];

impl Population {
    pub fn sample_n(self, n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut fill = |distribution: &dyn Fn(&mut ChaCha8Rng) -> f64| (0..n).map(|_| distribution(rng)).collect();
        match self {
            Population::Normal => {
                let normal = Normal::new(100.0, 5.0).expect("a normal");
                fill(&|rng| normal.sample(rng))
            }
            Population::Lognormal => {
                let lognormal = LogNormal::new(0.0, 0.8).expect("a lognormal");
                fill(&|rng| lognormal.sample(rng))
            }
            Population::Pareto => {
                let pareto = Pareto::new(1.0, 2.5).expect("a Pareto");
                fill(&|rng| pareto.sample(rng))
            }
            Population::Spikes => {
                let delay = Exp::new(1.0).expect("an exponential");
                fill(&|rng| 10.0 + if rng.random_bool(0.02) { 50.0 } else { 1.0 } * delay.sample(rng))
            }
        }
    }

    pub fn mean(self) -> f64 {
        match self {
            Population::Normal => 100.0,
            Population::Lognormal => 0.32f64.exp(),
            Population::Pareto => 2.5 / 1.5,
            Population::Spikes => 10.0 + 0.98 + 0.02 * 50.0,
        }
    }

    pub fn quantile(self, share: f64) -> f64 {
        let normal = || statrs::distribution::Normal::standard().inverse_cdf(share);
        match self {
            Population::Normal => 100.0 + 5.0 * normal(),
            Population::Lognormal => (0.8 * normal()).exp(),
            Population::Pareto => (1.0 - share).powf(-1.0 / 2.5),
            Population::Spikes => {
                let above = |delay: f64| 0.98 * (-delay).exp() + 0.02 * (-delay / 50.0).exp();
                let (mut low, mut high) = (0.0, 1e4);
                for _ in 0..100 {
                    let middle = f64::midpoint(low, high);
                    if above(middle) > 1.0 - share { low = middle } else { high = middle }
                }
                10.0 + low
            }
        }
    }

    /// The mean of the middle half.
    pub fn midmean(self) -> f64 {
        let steps = 20_000;
        let at = |i: i32| self.quantile(0.25 + (f64::from(i) + 0.5) / f64::from(steps) / 2.0);
        (0..steps).map(at).sum::<f64>() / f64::from(steps)
    }
}

/// A series xₜ = φ·xₜ₋₁ + e with standard normal values, from its steady state.
pub fn autoregressive(phi: f64, n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let step = Normal::new(0.0, (1.0 - phi * phi).sqrt()).expect("a normal");
    let mut x = Normal::new(0.0, 1.0).expect("a normal").sample(rng);
    let mut next = || {
        x = phi * x + step.sample(rng);
        x
    };
    (0..n).map(|_| next()).collect()
}

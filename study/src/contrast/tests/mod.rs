//! Comparisons of samples whose truth is known, joins, forms, and every kind of input.

mod forms;
mod inputs;
mod joins;
mod quantities;
mod states;
mod truths;

use super::*;
use crate::forms::{json, printed, table};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal};
use render::results::{Format, Results};

/// A case of broadcasts with these launches.
pub(crate) fn case(operation: &str, bytes: u64, launches: Vec<Vec<f64>>) -> Sampled {
    let key = Key::default().named(Axis::Operation, operation).named(Axis::Algorithm, "library");
    let key = key.counted(Axis::Ranks, Some(4_u64)).counted(Axis::Bytes, Some(bytes));
    let key = key.named(Axis::Method, "window");
    Sampled {
        key,
        quantity: Quantity::Time,
        launches,
        rounds: Vec::new(),
        estimate: None,
        ran_by: String::new(),
        oversubscribed: false,
        doubt: None,
    }
}

/// Each time is a launch of its own.
fn launches(times: Vec<f64>) -> Vec<Vec<f64>> {
    times.into_iter().map(|time| vec![time]).collect()
}

pub(crate) fn side(name: &str, cases: Vec<Sampled>) -> Side {
    Side { cases, ..Side::new(name, Kind::Campaign) }
}

/// So many times about `median` that vary by some 10 %, skewed as times are.
pub(crate) fn times(rng: &mut ChaCha8Rng, count: usize, median: f64) -> Vec<f64> {
    let factor = LogNormal::new(0.0, 0.1).expect("a distribution");
    (0..count).map(|_| median * factor.sample(rng)).collect()
}

pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub(crate) const DEMAND: Demand = Demand { confidence: 0.95, at_least: 0.02 };

fn held(a: Vec<Sampled>, b: Vec<Sampled>) -> Contrast {
    contrast(&[side("a", a), side("b", b)], &Choice::default(), DEMAND).expect("two sides")
}

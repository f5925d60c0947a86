//! A walk through parameters that are as good as the best ones: random directions and lengths, steps that leave them
//! not taken.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of steps of the walk.
const STEPS: usize = 240;
/// First longest step, as a logarithm. It grows with each step that is taken and shrinks with each that is not.
const FIRST_STEP: f64 = 0.2;
/// Factor of growth and shrinking: half of the steps are taken in the end.
const CHANGE: f64 = 1.15;
/// Seed of the walk: the same numbers give the same walk.
const SEED: u64 = 0x77_61_6e_64_65_72;

/// Walks from `best` on, as long as the error is no larger than `most`. `cost` is called for every step.
pub(crate) fn wander(best: &[f64], most: f64, cost: impl Fn(&[f64]) -> f64) {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let (mut at, mut longest) = (best.to_vec(), FIRST_STEP);
    for _ in 0..STEPS {
        let step: Vec<f64> = at.iter().map(|value| value + longest * (2.0 * random.random::<f64>() - 1.0)).collect();
        if cost(&step) <= most {
            (at, longest) = (step, longest * CHANGE);
        } else {
            longest /= CHANGE;
        }
    }
}

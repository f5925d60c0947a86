//! A clock's rate that wanders: a random walk, as oscillators do when they warm up and age.
//!
//! The rate is constant over fixed steps of true time and changes between them by normal increments of
//! ppm · √step. Steps are drawn in order and kept, so that a reading costs a look-up. After
//! `MOST_STEPS` of them the rate stays where it is.

use super::imperfect::QUINTILLION;
use crate::time::{Span, Time};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Largest number of steps: three hours in steps of 10 ms.
const MOST_STEPS: usize = 1 << 20;

/// Bound of the wandering part of a rate, ± 9 %, so that clocks always run forward.
const LARGEST: f64 = 9e16;

/// Random walk of one clock's rate. Clones share the steps that have been drawn.
#[derive(Clone, Debug)]
pub struct RateWalk {
    ppm_per_sqrt_second: f64,
    step: Span,
    seed: u64,
    rank: u32,
    drawn: Arc<Mutex<SampledWalk>>,
}

#[derive(Debug)]
struct SampledWalk {
    random: ChaCha8Rng,
    knots: Vec<Knot>,
}

/// Start of a step, from which on the clock gains at one rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    /// Time at which the step starts.
    pub start: Time,
    /// Time that the clock has gained by the start of the step, in 10⁻¹⁸ ps.
    pub gained: i128,
    /// Rate error over the step, in 10⁻¹⁸.
    pub rate: i128,
}

impl Knot {
    /// Step of a clock that gains nothing.
    pub(super) const STEADY: Knot = Knot { start: Time::ZERO, gained: 0, rate: 0 };

    /// Returns the time gained by a time in this step, in 10⁻¹⁸ ps.
    pub(super) fn gained_at(&self, at: Time) -> i128 {
        self.gained + self.rate * (i128::from(at.0) - i128::from(self.start.0))
    }
}

impl RateWalk {
    /// Returns the walk of one rank's clock from the standard deviation of its rate after one second in ppm, the length
    /// of a step (1 µs at least), and the seed and rank by which it is drawn.
    pub fn new(ppm_per_sqrt_second: f64, step: Span, seed: u64, rank: u32) -> RateWalk {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(b"ratewalk");
        let mut random = ChaCha8Rng::from_seed(key);
        random.set_stream(u64::from(rank));
        let drawn = SampledWalk { random, knots: vec![Knot::STEADY] };
        let step = step.max(Span::from_us(1));
        RateWalk { ppm_per_sqrt_second, step, seed, rank, drawn: Arc::new(Mutex::new(drawn)) }
    }

    /// Returns the step in which a time lies.
    pub(super) fn at(&self, at: Time) -> Knot {
        let index = (at.0 / self.step.0).min(MOST_STEPS as u64 - 1) as usize;
        let mut drawn = self.lock();
        while drawn.knots.len() <= index {
            self.extend_walk(&mut drawn);
        }
        drawn.knots[index]
    }

    /// Returns the last step that starts before a clock of rate error `skew` (in 10⁻¹⁸) has advanced by `target` (in
    /// 10⁻¹⁸ ps); the first step if none does.
    pub(super) fn before(&self, target: i128, skew: i128) -> Knot {
        let advanced = |knot: &Knot| i128::from(knot.start.0) * (QUINTILLION + skew) + knot.gained;
        let mut drawn = self.lock();
        while drawn.knots.len() < MOST_STEPS && drawn.knots.last().is_some_and(|last| advanced(last) < target) {
            self.extend_walk(&mut drawn);
        }
        let after = drawn.knots.partition_point(|knot| advanced(knot) < target);
        drawn.knots[after.saturating_sub(1)]
    }

    fn extend_walk(&self, drawn: &mut SampledWalk) {
        let normal: f64 = drawn.random.sample(rand_distr::StandardNormal);
        let change = normal * self.ppm_per_sqrt_second * 1e12 * self.step.as_seconds().sqrt();
        let last = *drawn.knots.last().expect("the first step is there from the beginning");
        let start = last.start + self.step;
        let rate = (last.rate as f64 + change).clamp(-LARGEST, LARGEST).round() as i128;
        drawn.knots.push(Knot { start, gained: last.gained_at(start), rate });
    }

    fn lock(&self) -> MutexGuard<'_, SampledWalk> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for RateWalk {
    /// Compares the parameters: walks with the same ones are equal, however far they have been drawn.
    fn eq(&self, other: &RateWalk) -> bool {
        let identity = |walk: &RateWalk| (walk.ppm_per_sqrt_second, walk.step, walk.seed, walk.rank);
        identity(self) == identity(other)
    }
}

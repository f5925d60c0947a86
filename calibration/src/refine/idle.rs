//! Additional times of an operation after each idle time: differences of medians, with percentile bootstraps.

use models::time::Span;
use programs::calibration::Idled;
use programs::machine::{Estimate, IdlePoint};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use statistics::{RESAMPLES, ResampledMedians, median, percentile_interval};

/// Seed of the resamples.
const SEED: u64 = 0x69_64_6c_65;

/// Returns the cost of each idle time, by increasing idle time from 0; costs may fall or rise.
pub(super) fn idle(idled: &[Idled], confidence: f64, notes: &mut Vec<String>) -> Vec<IdlePoint> {
    let us = |one: &Idled| one.round_trips.iter().map(|span| span.as_us()).collect::<Vec<_>>();
    let Some(busy) = idled.iter().find(|one| one.idle == Span::ZERO).map(us) else { return Vec::new() };
    let mut points = vec![IdlePoint { idle_us: 0.0, cost_us: Estimate { value: 0.0, low: 0.0, high: 0.0 } }];
    let mut rest: Vec<&Idled> = idled.iter().filter(|one| one.idle > Span::ZERO).collect();
    rest.sort_by_key(|one| one.idle);
    let costs = rest.iter().filter_map(|one| Some((one.idle.as_us(), difference(&us(one), &busy, confidence)?)));
    points.extend(costs.map(|(idle_us, cost_us)| IdlePoint { idle_us, cost_us }));
    if points.len() < 2 {
        return Vec::new();
    }
    let faster: Vec<String> =
        points.iter().filter(|point| point.cost_us.high < 0.0).map(|point| format!("{} µs", point.idle_us)).collect();
    if !faster.is_empty() {
        notes.push(format!(
            "idle: after {} of idle time a round trip is faster than immediately after another one; \
             simulations use a cost of 0",
            faster.join(", ")
        ));
    }
    points
}

/// Returns the median of `a` less the median of `b`.
fn difference(a: &[f64], b: &[f64], confidence: f64) -> Option<Estimate> {
    let (over, under) = (ResampledMedians::from_samples(a)?, ResampledMedians::from_samples(b)?);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let replicates: Vec<f64> =
        (0..RESAMPLES).map(|_| over.sample_median(&mut rng) - under.sample_median(&mut rng)).collect();
    percentile_interval(median(a)? - median(b)?, &replicates, confidence)
}

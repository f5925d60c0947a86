//! The smallest sample, and how far below it the true least time may lie.

use super::{proper, sorted};
use models::machine::Estimate;

/// The smallest sample with [X₍₁₎ − (X₍₂₎ − X₍₁₎)·p/(1 − p), X₍₁₎], p the confidence (Robson and Whitlock 1964).
///
/// It holds for many independent samples where the distribution begins with a positive density, as exponential
/// delays on a fixed time do; where times thin out towards the least one (lognormal) the true least lies lower.
/// `None` for fewer than two samples.
pub fn minimum_with_interval(samples: &[f64], confidence: f64) -> Option<Estimate> {
    let odds = proper(confidence)? / (1.0 - confidence);
    let sorted = sorted(samples).filter(|sorted| sorted.len() > 1)?;
    let value = sorted[0];
    Some(Estimate { value, low: value - (sorted[1] - value) * odds, high: value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_reaches_down_nineteen_gaps_at_95_percent() {
        let least = minimum_with_interval(&[12.0, 10.0, 11.0, 40.0], 0.95).expect("samples");
        assert_eq!((least.value, least.high), (10.0, 10.0));
        assert!((least.low - (10.0 - 19.0)).abs() < 1e-9, "{least:?}");
    }

    #[test]
    fn one_sample_has_no_interval() {
        assert_eq!(minimum_with_interval(&[1.0], 0.95), None);
        assert_eq!(minimum_with_interval(&[1.0, f64::NAN], 0.95), None);
        assert_eq!(minimum_with_interval(&[1.0, 2.0], 1.0), None);
    }
}

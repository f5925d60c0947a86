//! Comparison of two samples of one case, unpaired or by pairs: their distance, and whether that is chance.

use super::cliffs_delta::cliffs_delta;
use super::launch_estimate::{LaunchEstimate, launch_estimate};
use super::shift::{Shift, hodges_lehmann, ratio_of_locations};
use super::{Design, mann_whitney, median, proper, ratio_of_medians_with_interval, signed_rank};
use programs::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Side that is faster, of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Faster {
    /// The first side: its times are less.
    A,
    /// The second side: its times are less.
    B,
    /// Neither side, or chance alone would show as much.
    NotShown,
}

/// Comparison of two samples of times, a and b.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Number of samples of a and of b.
    pub counts: (usize, usize),
    /// Median of a, in the samples' unit.
    pub median_a: f64,
    /// Median of b, in the samples' unit.
    pub median_b: f64,
    /// Median of a over median of b, with its bootstrap interval. `None` where b's is zero.
    pub ratio_of_medians: Option<Estimate>,
    /// Median of all ratios of a's to b's, with an exact interval where the two differ by a factor. `None` where a
    /// sample is not positive.
    pub ratio: Option<Shift>,
    /// Median of all differences a − b, in the samples' unit, with an exact interval where the two differ by a shift.
    pub shift: Shift,
    /// Cliff's delta of a against b: 1 where every one of a's is larger. `None` with a single sample on a side.
    pub delta: Option<Estimate>,
    /// Whether the samples are pairs, which decides on the test that was made.
    pub design: Design,
    /// Two-sided p of the test: Mann and Whitney's rank-sum test, or Wilcoxon's signed-rank test of pairs.
    pub p: f64,
    /// Side for which the test's statistic speaks, chance aside.
    pub leaning: Faster,
    /// Value of p, adjusted for all cases compared together (Holm 1979). Equal to `p` where there is but one.
    pub adjusted_p: f64,
    /// Confidence of the intervals. The risk of a false finding is its complement.
    pub confidence: f64,
}

impl Comparison {
    /// Returns the side that is faster, by the adjusted p against 1 − confidence.
    pub fn faster(&self) -> Faster {
        if self.adjusted_p > 1.0 - self.confidence { Faster::NotShown } else { self.leaning }
    }
}

/// Returns the side for which a statistic speaks that is large where a's times are longer, against its middle.
fn leaning(statistic: f64, middle: f64) -> Faster {
    match statistic.partial_cmp(&middle) {
        Some(std::cmp::Ordering::Less) => Faster::A,
        Some(std::cmp::Ordering::Greater) => Faster::B,
        Some(std::cmp::Ordering::Equal) | None => Faster::NotShown,
    }
}

/// Compares two samples, each independent within itself: of several launches, hand over one number per launch. `None`
/// where one side has no samples or one that is not finite.
pub fn compare_samples(a: &[f64], b: &[f64], confidence: f64, seed: u64) -> Option<Comparison> {
    let confidence = proper(confidence)?;
    let test = mann_whitney(a, b)?;
    Some(Comparison {
        counts: (a.len(), b.len()),
        median_a: median(a)?,
        median_b: median(b)?,
        ratio_of_medians: ratio_of_medians_with_interval(a, b, confidence, seed),
        ratio: ratio_of_locations(a, b, confidence),
        shift: hodges_lehmann(a, b, confidence)?,
        delta: cliffs_delta(a, b, confidence),
        design: Design::Unpaired,
        p: test.p,
        leaning: leaning(test.u, a.len() as f64 * b.len() as f64 / 2.0),
        adjusted_p: test.p,
        confidence,
    })
}

/// Compares two samples by pairs: aᵢ was measured next to bᵢ (in one launch, or one round), so that effects on both are
/// in neither ratio nor test. The ratio is the Hodges–Lehmann estimate of ln(aᵢ/bᵢ) with the interval of
/// [`launch_estimate`] (which reaches 0 where there is none), the test Wilcoxon's signed-rank test of these logarithms,
/// or of aᵢ − bᵢ where a time is not positive. `None` for no pairs, sides of different length, and a number that is not
/// finite.
pub fn compare_pairs(a: &[f64], b: &[f64], confidence: f64, seed: u64) -> Option<Comparison> {
    if a.len() != b.len() {
        return None;
    }
    let positive = a.iter().chain(b).all(|time| *time > 0.0);
    let of =
        |difference: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(&a, &b)| difference(a, b)).collect::<Vec<f64>>();
    let differences = of(&|a, b| a - b);
    let logarithms = positive.then(|| of(&|a, b| (a / b).ln()));
    let test = signed_rank(logarithms.as_ref().unwrap_or(&differences))?;
    let factor = |found: LaunchEstimate| {
        let (value, ends) = found.ratio();
        let (low, high) = ends.unwrap_or((value, value));
        Shift { estimate: Estimate { value, low, high }, reached: found.reached.unwrap_or(0.0) }
    };
    let shift = launch_estimate(&differences, confidence)?;
    Some(Comparison {
        counts: (a.len(), b.len()),
        median_a: median(a)?,
        median_b: median(b)?,
        ratio_of_medians: ratio_of_medians_with_interval(a, b, confidence, seed),
        ratio: logarithms.and_then(|logarithms| launch_estimate(&logarithms, confidence)).map(factor),
        shift: Shift { estimate: shift.estimate(), reached: shift.reached.unwrap_or(0.0) },
        delta: cliffs_delta(a, b, confidence),
        design: Design::Paired,
        p: test.p,
        leaning: leaning(test.w, test.middle()),
        adjusted_p: test.p,
        confidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(from: f64, n: u32) -> Vec<f64> {
        (0..n).map(|i| from + f64::from(i) / 10.0).collect()
    }

    #[test]
    fn the_faster_one_is_named() {
        let (a, b) = (ramp(10.0, 20), ramp(12.5, 20));
        let found = compare_samples(&a, &b, 0.99, 1).expect("samples");
        assert_eq!(found.faster(), Faster::A);
        assert!((found.shift.estimate.value + 2.5).abs() < 1e-9, "{found:?}");
        assert_eq!(found.delta.map(|delta| delta.value), Some(-1.0));
        assert_eq!(compare_samples(&b, &a, 0.99, 1).expect("samples").faster(), Faster::B);
        assert_eq!(compare_samples(&a, &a, 0.99, 1).expect("samples").faster(), Faster::NotShown);
    }

    #[test]
    fn pairs_show_what_their_common_noise_hides() {
        // Rounds differ by up to a factor of 2, the sides by 3 %.
        let b: Vec<f64> = (0..8).map(|i| 10.0 * f64::from(i * 3 % 8).mul_add(0.125, 1.0)).collect();
        let a: Vec<f64> = b.iter().enumerate().map(|(i, time)| time * (1.03 + 0.001 * i as f64)).collect();
        let (apart, paired) = (compare_samples(&a, &b, 0.95, 1).expect("samples"), compare_pairs(&a, &b, 0.95, 1));
        let paired = paired.expect("pairs");
        assert_eq!((apart.faster(), paired.faster()), (Faster::NotShown, Faster::B));
        assert!((paired.p - 2.0 / 256.0).abs() < 1e-12, "{paired:?}");
        let ratio = paired.ratio.expect("positive");
        assert!(ratio.estimate.low > 1.029 && ratio.estimate.high < 1.038 && ratio.reached >= 0.95, "{ratio:?}");
        let back = compare_pairs(&b, &a, 0.95, 1).expect("pairs");
        assert_eq!((back.faster(), back.p), (Faster::A, paired.p));
        let three = compare_pairs(&a[..3], &b[..3], 0.95, 1).expect("pairs").ratio.expect("positive");
        assert_eq!((three.reached, three.estimate.low), (0.0, three.estimate.value), "no interval");
        assert_eq!(compare_pairs(&a, &b[1..], 0.95, 1), None);
        let negative = compare_pairs(&[-1.0, -2.0], &[1.0, 1.0], 0.95, 1).expect("pairs");
        assert_eq!((negative.ratio, negative.shift.estimate.value), (None, -2.5));
    }

    #[test]
    fn no_samples_no_comparison() {
        assert_eq!(compare_samples(&[], &[1.0], 0.95, 1), None);
        assert_eq!(compare_samples(&[1.0], &[f64::NAN], 0.95, 1), None);
        assert_eq!(compare_samples(&[1.0], &[2.0], 1.5, 1), None);
        let single = compare_samples(&[1.0], &[0.0], 0.95, 1).expect("samples");
        assert_eq!((single.ratio_of_medians, single.ratio, single.delta), (None, None, None));
        assert_eq!(single.faster(), Faster::NotShown);
    }
}

//! Two samples of one case held against each other: how far apart, and whether that is chance.

use super::cliffs_delta::cliffs_delta;
use super::shift::{Shift, hodges_lehmann, ratio_of_locations};
use super::{MannWhitney, holm, mann_whitney, median, proper, ratio_of_medians_with_interval};
use models::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Which of two is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Faster {
    /// The first: its times are less.
    A,
    /// The second.
    B,
    /// Chance alone would show as much.
    NotShown,
}

/// What samples a and b of times say of each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Samples of a and of b.
    pub counts: (usize, usize),
    /// Median of a, in the samples' unit.
    pub median_a: f64,
    /// Median of b, in the samples' unit.
    pub median_b: f64,
    /// Median of a over median of b, with its bootstrap interval; `None` where b's is zero.
    pub ratio_of_medians: Option<Estimate>,
    /// Median of all ratios of a's to b's, with an exact interval where the two differ by a factor; `None` where a sample is
    /// not positive.
    pub ratio: Option<Shift>,
    /// Median of all differences a − b, in the samples' unit, with an exact interval where the two differ by a shift.
    pub shift: Shift,
    /// Cliff's delta of a against b: 1 where every one of a's is larger; `None` with a single sample on a side.
    pub delta: Option<Estimate>,
    /// Mann and Whitney's test.
    pub test: MannWhitney,
    /// Its p, adjusted for all cases compared together (Holm 1979); the same where there is but one.
    pub adjusted_p: f64,
    /// Confidence of the intervals; the risk of a false finding is what it leaves.
    pub confidence: f64,
}

impl Comparison {
    /// Which is faster, by the adjusted p against 1 − confidence.
    pub fn faster(&self) -> Faster {
        let middle = self.counts.0 as f64 * self.counts.1 as f64 / 2.0;
        match self.test.u.partial_cmp(&middle) {
            _ if self.adjusted_p > 1.0 - self.confidence => Faster::NotShown,
            Some(std::cmp::Ordering::Less) => Faster::A,
            Some(std::cmp::Ordering::Greater) => Faster::B,
            Some(std::cmp::Ordering::Equal) | None => Faster::NotShown,
        }
    }
}

/// Compares two samples, each independent within itself: of several launches, hand over one number per launch.
/// `None` where one side has no samples or one that is not finite.
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
        test,
        adjusted_p: test.p,
        confidence,
    })
}

/// Compares the samples of many cases, the risk of any false finding among them being 1 − confidence. A case that one side has
/// no samples of is `None` and is not counted.
pub fn compare_all(cases: &[(&[f64], &[f64])], confidence: f64, seed: u64) -> Vec<Option<Comparison>> {
    let mut compared: Vec<Option<Comparison>> =
        cases.iter().map(|(a, b)| compare_samples(a, b, confidence, seed)).collect();
    let ps: Vec<f64> = compared.iter().map(|one| one.map_or(f64::NAN, |one| one.test.p)).collect();
    for (one, adjusted) in compared.iter_mut().zip(holm(&ps)) {
        if let Some(one) = one {
            one.adjusted_p = adjusted;
        }
    }
    compared
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
    fn many_cases_need_more_evidence_than_one() {
        let (a, b) = (ramp(10.0, 12), ramp(10.36, 12));
        let alone = compare_samples(&a, &b, 0.95, 1).expect("samples");
        assert!(alone.test.p < 0.05 && alone.test.p > 0.005, "{alone:?}");
        assert_eq!(alone.faster(), Faster::A);
        let even = (a.as_slice(), a.as_slice());
        let together = compare_all(&[even, (&a, &b), (&a, &[]), even], 0.95, 1);
        let one = together[1].expect("samples");
        assert!((one.adjusted_p - 3.0 * alone.test.p).abs() < 1e-12, "three cases were compared: {one:?}");
        assert_eq!(one.faster(), Faster::NotShown);
        assert_eq!(together[2], None);
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

//! Estimates over launches: one number per launch (a log ratio, as a rule), the launch being the statistical unit.

use super::mean::{mean_with_interval, student};
use super::rank_sums::averages_outside;
use super::{proper, sorted};
use ordered_float::OrderedFloat;
use programs::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Least number of launches that have an interval.
const LEAST: usize = 4;

models::named! {
    /// Whether there were enough launches for an interval, and for which one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LaunchCount {
        /// Enough for the signed-rank interval: six or more at 95 %, eight or more at 99 %.
        Enough => "",
        /// Enough for Student's interval only, which takes the numbers for normal: four or five at 95 %.
        Few => "few launches",
        /// Three or fewer: no interval.
        TooFew => "no interval: 3 launches or fewer",
    }
    /// Returns the mark that stands beside the number, empty where there is nothing to mark.
    fn mark;
}

/// Estimate over launches, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchEstimate {
    /// Hodges–Lehmann estimate: the median of all Walsh averages (dᵢ + dⱼ)/2, i ≤ j.
    pub value: f64,
    /// Lower and upper end of the interval, `None` for three launches or fewer.
    pub interval: Option<(f64, f64)>,
    /// Confidence that the interval reaches, at least the one asked for. `None` without an interval.
    pub reached: Option<f64>,
    /// Standard error of the value, `None` without an interval.
    pub standard_error: Option<f64>,
    /// Number of launches, J.
    pub launches: usize,
    /// Whether the launches were enough for an interval.
    pub count: LaunchCount,
}

impl LaunchEstimate {
    /// Returns the estimate of a ratio, if the numbers were logarithms of ratios: value and interval. Without an
    /// interval both ends are `None`.
    pub fn ratio(&self) -> (f64, Option<(f64, f64)>) {
        (self.value.exp(), self.interval.map(|(low, high)| (low.exp(), high.exp())))
    }

    /// Returns the value with its ends, which are the value's own where there is no interval.
    pub fn estimate(&self) -> Estimate {
        let (low, high) = self.interval.unwrap_or((self.value, self.value));
        Estimate { value: self.value, low, high }
    }
}

/// Returns the one-sample Hodges–Lehmann estimate of one number per launch (Hodges and Lehmann 1963), with
///
/// * the interval that inverts the signed-rank test (Tukey 1949), exact for numbers that are symmetric about their
///   centre, where that reaches the confidence (J ≥ 6 at 95 %);
/// * else, from four launches on, Student's interval about the estimate, value ± t·s/√J, marked [`LaunchCount::Few`];
/// * no interval for three launches or fewer.
///
/// The standard error is half the interval's length over Student's quantile of the confidence that it reaches at J − 1
/// degrees of freedom: s/√J for Student's interval, and about as much for the signed-rank interval of normal numbers.
/// (Over the normal quantile it would be up to 40 % too large for six launches, whose interval is their range.)
/// `None` for no launches, a number that is not finite, or an improper confidence.
pub fn launch_estimate(of_launches: &[f64], confidence: f64) -> Option<LaunchEstimate> {
    let confidence = proper(confidence)?;
    let numbers = sorted(of_launches)?;
    let launches = numbers.len();
    let averages = walsh_averages(&numbers);
    let value = f64::midpoint(averages[(averages.len() - 1) / 2], averages[averages.len() / 2]);
    let none = LaunchEstimate {
        value,
        interval: None,
        reached: None,
        standard_error: None,
        launches,
        count: LaunchCount::TooFew,
    };
    if launches < LEAST {
        return Some(none);
    }
    let (outside, by_ranks) = averages_outside(launches, confidence);
    let (interval, reached, count) = if outside > 0 {
        ((averages[outside - 1], averages[averages.len() - outside]), by_ranks, LaunchCount::Enough)
    } else {
        let about_mean = mean_with_interval(&numbers, confidence)?;
        let reach = (about_mean.high - about_mean.low) / 2.0;
        ((value - reach, value + reach), confidence, LaunchCount::Few)
    };
    let half = (interval.1 - interval.0) / 2.0;
    let standard_error = half / student(reached, launches as f64 - 1.0)?;
    Some(LaunchEstimate {
        interval: Some(interval),
        reached: Some(reached),
        standard_error: Some(standard_error),
        count,
        ..none
    })
}

/// Returns the mean of these launches ± t·s·√(1 + 1/J), between which the number of one more launch lies. It takes the
/// numbers for normal. `None` for fewer than four launches, a number that is not finite, or an improper confidence.
pub fn next_launch(of_launches: &[f64], confidence: f64) -> Option<Estimate> {
    let confidence = proper(confidence)?;
    let numbers = sorted(of_launches)?;
    if numbers.len() < LEAST {
        return None;
    }
    let launches = numbers.len() as f64;
    let about_mean = mean_with_interval(&numbers, confidence)?;
    // The interval of the mean is t·s/√J.
    let reach = (about_mean.high - about_mean.low) / 2.0 * (launches + 1.0).sqrt();
    Some(Estimate { value: about_mean.value, low: about_mean.value - reach, high: about_mean.value + reach })
}

/// Returns the estimate of a number of another launch, which is none of these: value and interval are those of one more
/// launch ([`next_launch`]), the standard error is s·√(1 + 1/J). Fewer than four launches have no interval, as in
/// [`launch_estimate`].
pub fn next_launch_estimate(of_launches: &[f64], confidence: f64) -> Option<LaunchEstimate> {
    let together = launch_estimate(of_launches, confidence)?;
    let Some(next) = next_launch(of_launches, confidence) else { return Some(together) };
    let half = (next.high - next.low) / 2.0;
    Some(LaunchEstimate {
        value: next.value,
        interval: Some((next.low, next.high)),
        reached: Some(confidence),
        standard_error: Some(half / student(confidence, together.launches as f64 - 1.0)?),
        ..together
    })
}

/// Returns all averages (dᵢ + dⱼ)/2 with i ≤ j, ascending (Walsh 1949).
fn walsh_averages(numbers: &[f64]) -> Vec<f64> {
    let mut averages: Vec<f64> = numbers
        .iter()
        .enumerate()
        .flat_map(|(place, &a)| numbers[place..].iter().map(move |&b| f64::midpoint(a, b)))
        .collect();
    averages.sort_unstable_by_key(|&average| OrderedFloat(average));
    averages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::approx_constant, reason = "a score of 3.14 is no π")]
    fn the_estimate_of_a_textbook() {
        // Hollander and Wolfe 1973, table 3.1, depression scores; R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE)
        // gives 0.46 and, at 96.1 %, 0.01 to 0.786.
        let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
        let found = launch_estimate(&differences, 0.95).expect("differences");
        let (low, high) = found.interval.expect("nine launches");
        assert!((found.value - 0.46).abs() < 1e-9, "{found:?}");
        assert!((low - 0.01).abs() < 1e-9 && (high - 0.786).abs() < 1e-9, "{found:?}");
        assert!((found.reached.expect("an interval") - 0.9609).abs() < 5e-5, "{found:?}");
        assert_eq!((found.count, found.launches), (LaunchCount::Enough, 9));
    }

    #[test]
    fn few_launches_are_marked_and_fewer_have_no_interval() {
        let numbers = [0.10, 0.12, 0.14, 0.09, 0.17, 0.11];
        let of = |launches: usize| launch_estimate(&numbers[..launches], 0.95).expect("launches");
        assert_eq!([1, 2, 3].map(|j| (of(j).interval, of(j).standard_error)), [(None, None); 3]);
        assert_eq!([3, 4, 5, 6].map(|j| of(j).count), {
            use LaunchCount::{Enough, Few, TooFew};
            [TooFew, Few, Few, Enough]
        });
        let (low, high) = of(6).interval.expect("six");
        assert_eq!((low, high), (0.09, 0.17), "the range of six");
        let four = of(4);
        let student = mean_with_interval(&numbers[..4], 0.95).expect("four");
        let (low, high) = four.interval.expect("four");
        assert!((high - low - (student.high - student.low)).abs() < 1e-12 && low < four.value && four.value < high);
        let s_over_root = (student.high - student.low) / 2.0 / 3.182_446_305;
        assert!((four.standard_error.expect("four") - s_over_root).abs() < 1e-9, "{four:?}");
        assert_eq!(launch_estimate(&numbers, 0.99).expect("six").count, LaunchCount::Few, "2/64 at both ends");
        insta::assert_snapshot!(of(3).count.mark());
    }

    #[test]
    fn another_launch_lies_within_the_spread_of_launches_and_not_of_their_mean() {
        let numbers = [1.0, 2.0, 3.0, 4.0, 5.0];
        let found = next_launch_estimate(&numbers, 0.95).expect("five");
        // s = √2.5, t = 2.776 at four degrees of freedom: 3 ± 2.776·1.581·√1.2.
        let (low, high) = found.interval.expect("five");
        assert!((found.value - 3.0).abs() < 1e-12 && (high - 3.0 - 4.808_88).abs() < 1e-4, "{found:?}");
        assert!((3.0 - low - (high - 3.0)).abs() < 1e-12, "{found:?}");
        assert!((found.standard_error.expect("five") - 3.0f64.sqrt()).abs() < 1e-9, "√(2.5·1.2): {found:?}");
        assert_eq!(found.count, LaunchCount::Few);
        assert_eq!(next_launch_estimate(&numbers[..3], 0.95), launch_estimate(&numbers[..3], 0.95));
    }

    #[test]
    fn a_ratio_is_the_exponential() {
        let found = launch_estimate(&[2.0f64.ln(); 6], 0.95).expect("launches");
        let (value, interval) = found.ratio();
        let (low, high) = interval.expect("six");
        assert!([value, low, high].iter().all(|ratio| (ratio - 2.0).abs() < 1e-12), "{found:?}");
        assert_eq!(found.estimate().low, found.value);
        assert_eq!(found.standard_error, Some(0.0));
    }

    #[test]
    fn no_launches_and_a_certain_confidence_have_none() {
        assert_eq!(launch_estimate(&[], 0.95), None);
        assert_eq!(launch_estimate(&[1.0], 1.0), None);
    }
}

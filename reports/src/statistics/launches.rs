//! Several launches of one program: repetitions of one launch are alike and not counted as independent.

use super::mean::{mean, mean_with_interval, squares};
use super::{finite, median_with_interval};
use models::machine::Estimate;
use serde::{Deserialize, Serialize};

/// How much of the variance lies between launches and how much within: the one-way random-effects model
/// x = µ + launch + repetition, its components by analysis of variance (Searle, Casella and McCulloch 1992, section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchVariance {
    /// Launches with samples.
    pub launches: usize,
    /// Mean square between launches.
    pub mean_square_between: f64,
    /// Mean square within launches.
    pub mean_square_within: f64,
    /// Variance of what a launch adds; 0 where launches differ no more than their repetitions explain.
    pub between: f64,
    /// Variance of repetitions within a launch.
    pub within: f64,
    /// Share of the variance that is between launches, 0 … 1: two repetitions of one launch are so correlated. `None`
    /// where nothing varies.
    pub intraclass: Option<f64>,
    /// As many independent samples would fix the mean as well, n over the design effect (Kish 1965); `None` where nothing varies.
    pub effective_n: Option<f64>,
}

/// `None` for fewer than two launches, where no launch has two samples, and where one has none.
pub fn launch_variance(launches: &[Vec<f64>]) -> Option<LaunchVariance> {
    let all = launches.concat();
    finite(&all)?;
    let (l, n) = (launches.len(), all.len());
    if l < 2 || n <= l || launches.iter().any(Vec::is_empty) {
        return None;
    }
    let sum_within: f64 = launches.iter().map(|launch| squares(launch)).sum();
    let grand = mean(&all);
    let sum_between: f64 = launches.iter().map(|launch| launch.len() as f64 * (mean(launch) - grand).powi(2)).sum();
    let mean_square_between = sum_between / (l - 1) as f64;
    let mean_square_within = sum_within / (n - l) as f64;
    let n = n as f64;
    let sizes: f64 = launches.iter().map(|launch| (launch.len() as f64).powi(2)).sum();
    // The size of launches that counts, n₀; equal to it where all have one size.
    let typical = (n - sizes / n) / (l - 1) as f64;
    let between = ((mean_square_between - mean_square_within) / typical).max(0.0);
    let total = between + mean_square_within;
    let intraclass = (total > 0.0).then(|| between / total);
    // Kish 1965: the mean of clusters varies 1 + (Σ nᵢ²/n − 1)·ρ times as much.
    let effective_n = intraclass.map(|intraclass| n / (1.0 + (sizes / n - 1.0) * intraclass));
    Some(LaunchVariance {
        launches: l,
        mean_square_between,
        mean_square_within,
        between,
        within: mean_square_within,
        intraclass,
        effective_n,
    })
}

/// One number per launch and what they say together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverLaunches {
    /// The statistic of each launch.
    pub of_launches: Vec<f64>,
    /// Their mean with Student's interval at (launches − 1) degrees of freedom: launches, not repetitions, are what is
    /// independent. For means of launches of one size this is the interval of the random-effects model.
    pub mean: Estimate,
    /// Their median with its order-statistic interval, where the launches are enough to reach the confidence
    /// (6 for 95 %, 8 for 99 %).
    pub median: Option<Estimate>,
}

/// A statistic over launches. `None` for fewer than two launches, or where `statistic` is for one of them.
pub fn over_launches(
    launches: &[Vec<f64>],
    statistic: impl Fn(&[f64]) -> Option<f64>,
    confidence: f64,
) -> Option<OverLaunches> {
    let of_launches: Vec<f64> = launches.iter().map(|launch| statistic(launch)).collect::<Option<_>>()?;
    let mean = mean_with_interval(&of_launches, confidence)?;
    let median = median_with_interval(&of_launches, confidence).filter(|median| median.reached >= confidence);
    Some(OverLaunches { mean, median: median.map(|median| median.estimate), of_launches })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::median;

    #[test]
    fn components_are_those_of_nist() {
        // NIST StRD, SiRstv: resistivity of silicon wafers by five instruments, certified to 15 digits.
        let instruments = [
            vec![196.3052, 196.1240, 196.1890, 196.2569, 196.3403],
            vec![196.3042, 196.3825, 196.1669, 196.3257, 196.0422],
            vec![196.1303, 196.2005, 196.2889, 196.0343, 196.1811],
            vec![196.2795, 196.1748, 196.1494, 196.1485, 195.9885],
            vec![196.2119, 196.1051, 196.1850, 196.0052, 196.2090],
        ];
        let found = launch_variance(&instruments).expect("five instruments");
        let (between, within) = (5.114_626_16e-2 / 4.0, 2.166_365_6e-1 / 20.0);
        assert!((found.mean_square_between / between - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found.mean_square_within / within - 1.0).abs() < 1e-9, "{found:?}");
        let f = found.mean_square_between / found.mean_square_within;
        assert!((f - 1.180_462_374_402_55).abs() < 1e-9, "{f}");
        assert!((found.between - (between - within) / 5.0).abs() < 1e-12);
        let design_effect = 1.0 + 4.0 * found.intraclass.expect("they vary");
        assert!((found.effective_n.expect("they vary") - 25.0 / design_effect).abs() < 1e-9);
    }

    #[test]
    fn launches_that_repeat_themselves_count_once_each() {
        let launches: Vec<Vec<f64>> = (0..8).map(|launch| vec![f64::from(launch); 100]).collect();
        let found = launch_variance(&launches).expect("launches");
        assert_eq!((found.intraclass, found.within), (Some(1.0), 0.0));
        assert!((found.effective_n.expect("they vary") - 8.0).abs() < 1e-9);
        let over = over_launches(&launches, median, 0.99).expect("launches");
        assert_eq!(over.of_launches, (0..8).map(f64::from).collect::<Vec<f64>>());
        assert_eq!(over.median, Some(Estimate { value: 3.5, low: 0.0, high: 7.0 }));
        let student = mean_with_interval(&over.of_launches, 0.99);
        assert_eq!(Some(over.mean), student);
        let few = over_launches(&launches[..7], median, 0.99).expect("launches");
        assert_eq!(few.median, None, "seven launches do not reach 99 %");
    }

    #[test]
    fn too_little_has_no_components() {
        assert_eq!(launch_variance(&[]), None);
        assert_eq!(launch_variance(&[vec![1.0, 2.0]]), None);
        assert_eq!(launch_variance(&[vec![1.0], vec![2.0]]), None);
        assert_eq!(launch_variance(&[vec![1.0, 2.0], vec![]]), None);
        assert_eq!(over_launches(&[vec![1.0, 2.0]], median, 0.95), None);
        assert_eq!(over_launches(&[vec![1.0], vec![]], median, 0.95), None);
        let constant = launch_variance(&[vec![1.0, 1.0], vec![1.0, 1.0]]).expect("samples");
        assert_eq!((constant.intraclass, constant.effective_n), (None, None));
    }
}

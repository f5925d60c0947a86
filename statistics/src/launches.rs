//! Several launches of one program: samples of one launch are alike and not counted as independent.

use super::mean::mean_with_interval;
use super::median_with_interval;
use programs::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Numbers of launches, one each, with their mean and median.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverLaunches {
    /// Statistic of each launch.
    pub of_launches: Vec<f64>,
    /// Mean of the numbers with Student's interval at (launches − 1) degrees of freedom: launches, not samples, are
    /// independent. For means of launches of one size this is the interval of the random-effects model.
    pub mean: Estimate,
    /// Median of the numbers with its order-statistic interval, where the launches are enough to reach the confidence
    /// (6 for 95 %, 8 for 99 %).
    pub median: Option<Estimate>,
}

/// Returns a statistic over launches. `None` for fewer than two launches, or where `statistic` is `None` for one of
/// them.
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
    use crate::median;

    #[test]
    fn launches_that_repeat_themselves_count_once_each() {
        let launches: Vec<Vec<f64>> = (0..8).map(|launch| vec![f64::from(launch); 100]).collect();
        let over = over_launches(&launches, median, 0.99).expect("launches");
        assert_eq!(over.of_launches, (0..8).map(f64::from).collect::<Vec<f64>>());
        assert_eq!(over.median, Some(Estimate { value: 3.5, low: 0.0, high: 7.0 }));
        let student = mean_with_interval(&over.of_launches, 0.99);
        assert_eq!(Some(over.mean), student);
        let few = over_launches(&launches[..7], median, 0.99).expect("launches");
        assert_eq!(few.median, None, "seven launches do not reach 99 %");
    }

    #[test]
    fn too_little_has_no_interval() {
        assert_eq!(over_launches(&[vec![1.0, 2.0]], median, 0.95), None);
        assert_eq!(over_launches(&[vec![1.0], vec![]], median, 0.95), None);
    }
}

//! The one number that stands for all repetitions, by name.

use super::{
    Batches, mean_with_interval, median, median_with_interval, minimum_with_interval, quantile, quantile_with_interval,
    trimmed_mean,
};
use models::aggregation::OverRepetitions;
use models::machine::Estimate;
use serde::{Deserialize, Serialize};

/// A statistic that is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The median.
    #[default]
    Median,
    /// The mean without this share at each end, rounded down to whole samples.
    TrimmedMean {
        /// From 0 to less than 0.5.
        share: f64,
    },
    /// The least.
    Min,
    /// The quantile of this order.
    Quantile {
        /// Between 0 and 1.
        share: f64,
    },
}

/// What is taken of successive repetitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependence {
    /// They are independent.
    #[default]
    None,
    /// They may resemble their neighbours; intervals come from batches ([`Batches`]).
    Serial,
}

impl Statistic {
    /// The statistic that a benchmark with this aggregation reports; `None` for the largest, which has no interval.
    pub fn of(reported: OverRepetitions) -> Option<Statistic> {
        Some(match reported {
            OverRepetitions::Mean => Statistic::Mean,
            OverRepetitions::Median => Statistic::Median,
            OverRepetitions::TrimmedMean { share } => Statistic::TrimmedMean { share },
            OverRepetitions::Min => Statistic::Min,
            OverRepetitions::Max => return None,
        })
    }

    /// Its value; `None` without samples.
    pub fn value(self, samples: &[f64]) -> Option<f64> {
        match self {
            Statistic::Mean => trimmed_mean(samples, 0.0).map(|mean| mean.value),
            Statistic::Median => median(samples),
            Statistic::TrimmedMean { share } => trimmed_mean(samples, share).map(|mean| mean.value),
            Statistic::Min => quantile(samples, 0.0),
            Statistic::Quantile { share } => quantile(samples, share),
        }
    }

    /// Its value and interval: Student's, Student's with the winsorised error, between order statistics, Robson and Whitlock's
    /// for the least; from batches where repetitions depend on each other (the least has no such interval). `None`
    /// where the samples are too few to reach the confidence.
    pub fn estimate(self, samples: &[f64], confidence: f64, dependence: Dependence) -> Option<Estimate> {
        match (dependence, self) {
            (Dependence::Serial, Statistic::Min) => None,
            (Dependence::Serial, _) => Batches::of(samples)?.interval(|batch| self.value(batch), confidence),
            (Dependence::None, Statistic::Mean) => mean_with_interval(samples, confidence),
            (Dependence::None, Statistic::Median) => {
                let median = median_with_interval(samples, confidence)?;
                (median.reached >= confidence).then_some(median.estimate)
            }
            (Dependence::None, Statistic::TrimmedMean { share }) => trimmed_mean(samples, share)?.interval(confidence),
            (Dependence::None, Statistic::Min) => minimum_with_interval(samples, confidence),
            (Dependence::None, Statistic::Quantile { share }) => {
                let quantile = quantile_with_interval(samples, share, confidence)?;
                (quantile.reached >= confidence).then_some(quantile.estimate)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Statistic; 5] = [
        Statistic::Mean,
        Statistic::Median,
        Statistic::TrimmedMean { share: 0.25 },
        Statistic::Min,
        Statistic::Quantile { share: 0.9 },
    ];

    #[test]
    fn an_estimate_is_of_the_value() {
        let samples: Vec<f64> = (0..400u32).map(|i| 1.0 + f64::from(i.wrapping_mul(2_654_435_761) >> 16)).collect();
        for statistic in ALL {
            for dependence in [Dependence::None, Dependence::Serial] {
                let Some(estimate) = statistic.estimate(&samples, 0.95, dependence) else {
                    assert_eq!((statistic, dependence), (Statistic::Min, Dependence::Serial));
                    continue;
                };
                assert!((estimate.value / statistic.value(&samples).expect("samples") - 1.0).abs() < 1e-12);
                assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
            }
            assert_eq!(statistic.value(&[]), None);
            assert_eq!(statistic.estimate(&[], 0.95, Dependence::None), None);
        }
    }

    #[test]
    fn too_few_samples_have_no_estimate() {
        let few = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(Statistic::Median.estimate(&few, 0.95, Dependence::None), None);
        assert_eq!(Statistic::Quantile { share: 0.99 }.estimate(&few, 0.95, Dependence::None), None);
        assert!(Statistic::Median.estimate(&few, 0.90, Dependence::None).is_some());
    }

    #[test]
    fn what_a_benchmark_reports_is_what_is_judged() {
        assert_eq!(Statistic::of(OverRepetitions::Median), Some(Statistic::Median));
        assert_eq!(
            Statistic::of(OverRepetitions::TrimmedMean { share: 0.25 }),
            Some(Statistic::TrimmedMean { share: 0.25 })
        );
        assert_eq!(Statistic::of(OverRepetitions::Max), None);
    }
}

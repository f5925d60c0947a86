//! When enough has been measured: judged on the statistic that is reported, not on another one.

use super::{Dependence, Statistic};
use models::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Go on until the interval of the reported statistic is narrow enough.
///
/// Looking often and stopping at the first narrow interval makes intervals cover a little less than they say (Anscombe 1953;
/// Chow and Robbins 1965: not at all in the limit): `least` guards against the early ones that are narrow by
/// luck, and [`StoppingRule::next_look`] spaces the looks out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoppingRule {
    /// The statistic that is reported.
    pub statistic: Statistic,
    /// Enough is half an interval, the longer half, of this share of the value.
    pub relative_half_width: f64,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Never stop with fewer samples.
    pub least: usize,
    /// Never go on with so many.
    pub most: usize,
    /// What is taken of successive repetitions.
    pub dependence: Dependence,
}

impl Default for StoppingRule {
    fn default() -> StoppingRule {
        StoppingRule {
            statistic: Statistic::default(),
            relative_half_width: 0.05,
            confidence: 0.95,
            least: 30,
            most: 10_000,
            dependence: Dependence::default(),
        }
    }
}

/// What to do after the samples so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Measure more: too few, not yet narrow enough, or no interval yet.
    GoOn,
    /// Stop: the interval is narrow enough.
    Precise(Estimate),
    /// Stop: this is the most that was allowed. The estimate is not as precise as asked; `None` where there is no
    /// interval even now.
    Most(Option<Estimate>),
}

impl StoppingRule {
    /// What is wrong with the rule, in one sentence; `None` for a rule that can be followed.
    pub fn fault(&self) -> Option<String> {
        let share = match self.statistic {
            Statistic::TrimmedMean { share } if !(0.0..0.5).contains(&share) => Some("from 0 to less than 0.5"),
            Statistic::Quantile { share } if !(share > 0.0 && share < 1.0) => Some("between 0 and 1"),
            Statistic::TrimmedMean { .. }
            | Statistic::Quantile { .. }
            | Statistic::Mean
            | Statistic::Median
            | Statistic::Min => None,
        };
        if let Some(expected) = share {
            return Some(format!("the share of {:?} must lie {expected}", self.statistic));
        }
        if self.statistic == Statistic::Min && self.dependence == Dependence::Serial {
            return Some(
                "the least has no interval where repetitions depend on each other; report the median".to_owned(),
            );
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Some(format!("confidence {} must lie between 0 and 1, like 0.95", self.confidence));
        }
        if self.relative_half_width.is_nan() || self.relative_half_width <= 0.0 {
            return Some(format!("relative_half_width {} must be positive, like 0.05", self.relative_half_width));
        }
        (self.least > self.most || self.most == 0)
            .then(|| format!("least {} must not exceed most {}, which must be positive", self.least, self.most))
    }

    /// After the samples so far, in the order in which they were taken.
    pub fn decide(&self, samples: &[f64]) -> Decision {
        if samples.len() < self.least.min(self.most) {
            return Decision::GoOn;
        }
        let estimate = self.statistic.estimate(samples, self.confidence, self.dependence);
        match estimate {
            Some(estimate) if self.is_narrow(&estimate) => Decision::Precise(estimate),
            _ if samples.len() >= self.most => Decision::Most(estimate),
            _ => Decision::GoOn,
        }
    }

    fn is_narrow(&self, estimate: &Estimate) -> bool {
        let half = (estimate.high - estimate.value).max(estimate.value - estimate.low);
        half <= self.relative_half_width * estimate.value.abs()
    }

    /// After `n` samples, the count at which to look next: a tenth more, within `least` and `most`.
    pub fn next_look(&self, n: usize) -> usize {
        (n + (n / 10).max(1)).max(self.least).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alternating(n: usize) -> Vec<f64> {
        (0..n).map(|i| if i % 2 == 0 { 9.0 } else { 11.0 }).collect()
    }

    #[test]
    fn it_stops_where_the_interval_is_narrow_enough_and_not_before() {
        // Mean 10, standard deviation about 1: half of the 95 % interval is about 2/√n, so 5 % takes 16 … 20.
        let rule = StoppingRule { statistic: Statistic::Mean, least: 4, ..StoppingRule::default() };
        assert_eq!(rule.decide(&alternating(10)), Decision::GoOn);
        assert!(matches!(rule.decide(&alternating(22)), Decision::Precise(_)));
        let patient = StoppingRule { least: 30, ..rule };
        assert_eq!(patient.decide(&alternating(22)), Decision::GoOn);
        let short = StoppingRule { most: 10, ..rule };
        let Decision::Most(Some(estimate)) = short.decide(&alternating(10)) else { panic!("it has an interval") };
        assert_eq!(estimate.value, 10.0);
    }

    #[test]
    fn it_looks_at_the_statistic_that_is_reported() {
        // Nine in ten at 10, one in ten at 100: the median is certain long before the mean.
        let samples: Vec<f64> = (0..50).map(|i| if i % 10 == 9 { 100.0 } else { 10.0 }).collect();
        let median = StoppingRule::default();
        assert!(matches!(median.decide(&samples), Decision::Precise(_)));
        assert_eq!(StoppingRule { statistic: Statistic::Mean, ..median }.decide(&samples), Decision::GoOn);
        let quantile = StoppingRule { statistic: Statistic::Quantile { share: 0.99 }, most: 50, ..median };
        assert_eq!(quantile.decide(&samples), Decision::Most(None), "50 samples have no interval of the 99 % quantile");
    }

    #[test]
    fn nothing_measured_goes_on_and_constants_stop() {
        let rule = StoppingRule::default();
        assert_eq!(rule.decide(&[]), Decision::GoOn);
        assert!(matches!(rule.decide(&[3.0; 30]), Decision::Precise(_)));
        assert!(matches!(rule.decide(&[0.0; 30]), Decision::Precise(_)));
    }

    #[test]
    fn looks_are_spaced_out() {
        let rule = StoppingRule::default();
        assert_eq!((rule.next_look(0), rule.next_look(30), rule.next_look(1_000)), (30, 33, 1_100));
        assert_eq!(rule.next_look(9_999), 10_000);
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(StoppingRule::default().fault(), None);
        let faulty = [
            StoppingRule { confidence: 1.0, ..StoppingRule::default() },
            StoppingRule { relative_half_width: 0.0, ..StoppingRule::default() },
            StoppingRule { least: 20_000, ..StoppingRule::default() },
            StoppingRule { statistic: Statistic::TrimmedMean { share: 0.5 }, ..StoppingRule::default() },
            StoppingRule { statistic: Statistic::Quantile { share: 1.0 }, ..StoppingRule::default() },
            StoppingRule { statistic: Statistic::Min, dependence: Dependence::Serial, ..StoppingRule::default() },
        ];
        for rule in faulty {
            assert!(rule.fault().is_some(), "{rule:?}");
        }
    }
}

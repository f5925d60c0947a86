//! Settings by which measurements are read. They change what is shown of a campaign, and none of its measurements.

use formats::export;
use models::quantity::Millionths;
use statistics::median_with_interval;

/// Confidence of intervals, unless another one is chosen.
pub const CONFIDENCE: f64 = 0.95;

/// Settings by which measurements are read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Confidence of all intervals; `None` for the usual one of each table: [`CONFIDENCE`], but 99 % for the checks of
    /// clocks.
    pub confidence: Option<f64>,
    /// Share of the samples that trimmed means drop at each end; `None` for MPIPerf's.
    pub trim: Option<Millionths>,
    /// Whether the numbers of each rank are shown.
    pub per_rank: bool,
}

impl Reading {
    /// Returns the confidence of intervals.
    pub fn confidence(&self) -> f64 {
        self.confidence.unwrap_or(CONFIDENCE)
    }

    /// Returns the confidence of the intervals of the clocks' checks.
    pub(super) fn confidence_of_clocks(&self) -> f64 {
        self.confidence.unwrap_or(probes::clocks::waits::CONFIDENCE)
    }

    /// Returns the settings of the statistics in MPIPerf's form.
    pub fn of_mpiperf(&self) -> export::MpiperfStatistics {
        let usual = export::MpiperfStatistics::default();
        export::MpiperfStatistics {
            confidence: self.confidence.unwrap_or(usual.confidence),
            trim: self.trim.unwrap_or(usual.trim),
        }
    }

    /// Returns the share that trimmed means drop at each end.
    pub(super) fn trim(&self) -> Millionths {
        self.of_mpiperf().trim
    }

    /// Returns the settings that were chosen, in words; empty if none was.
    pub(super) fn words(&self) -> Vec<String> {
        let level = self.confidence.map(|confidence| format!("{:.0} % intervals", confidence * 100.0));
        let trimmed =
            self.per_rank.then(|| format!("each rank's mean trimmed {} % at each end", self.trim().percent()));
        level.into_iter().chain(trimmed).collect()
    }

    /// Returns the least number of launches whose median has an interval of the confidence.
    pub(super) fn launches_for_a_median(&self) -> usize {
        let reaches = |launches: &usize| {
            let interval = median_with_interval(&vec![0.0; *launches], self.confidence());
            interval.is_some_and(|median| median.reached >= self.confidence())
        };
        (1..).find(reaches).expect("enough launches reach any confidence below 1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_told_and_what_was_not_is_not() {
        assert_eq!(Reading::default().words(), [] as [String; 0]);
        let chosen = Reading { confidence: Some(0.99), trim: Some(Millionths(125_000)), per_rank: true };
        assert_eq!(chosen.words(), ["99 % intervals", "each rank's mean trimmed 12.5 % at each end"]);
        assert_eq!((Reading::default().trim().as_f64(), Reading::default().confidence_of_clocks()), (0.25, 0.99));
        let ninety = Reading { confidence: Some(0.9), ..Reading::default() };
        assert_eq!((ninety.confidence_of_clocks(), ninety.of_mpiperf().confidence), (0.9, 0.9));
    }

    #[test]
    fn a_median_of_launches_takes_as_many_as_the_sign_test_needs() {
        // 2^(1 − n) ≤ 1 − confidence.
        let of = |confidence| Reading { confidence: Some(confidence), ..Reading::default() }.launches_for_a_median();
        assert_eq!([0.9, 0.95, 0.99].map(of), [5, 6, 8]);
    }
}

//! A number over its reference: one ratio in each launch, of values measured beside each other in one state of the
//! machine, then their estimate over launches. The launch is the statistical unit.

use programs::machine::Estimate;
use render::data::Cell;
use statistics::{LaunchCount, LaunchEstimate, Modes, launch_estimate, modes, next_launch_estimate};

/// Share by which a number may differ from its reference and still be right for most purposes.
pub(crate) const RIGHT: f64 = 0.1;

/// number ÷ reference over launches.
#[derive(Clone, Debug, PartialEq)]
pub struct OverReference {
    /// Estimate over launches of the natural logarithm of number ÷ reference.
    pub log_ratio: LaunchEstimate,
    /// Two groups of launches, where one does not explain the ratios; on the same scale.
    pub modes: Option<Box<Modes>>,
    /// Number of each launch, counted from 0, with its logarithm.
    pub of_launches: Vec<(u32, f64)>,
}

impl OverReference {
    /// Makes the ratio of the launches' numbers, counted from 0, each with ln(number ÷ reference), with an interval of a
    /// confidence. `None` without launches, or if a logarithm is not finite.
    pub fn from_logs(of_launches: Vec<(u32, f64)>, confidence: f64) -> Option<OverReference> {
        let logs: Vec<f64> = of_launches.iter().map(|(_, log)| *log).collect();
        Some(OverReference {
            log_ratio: launch_estimate(&logs, confidence)?,
            modes: modes(&logs).map(Box::new),
            of_launches,
        })
    }

    /// Makes the ratio of a number and a reference in each launch, in the same unit. `None` also where one of them is
    /// not positive.
    pub fn of_pairs(pairs: impl Iterator<Item = (u32, f64, f64)>, confidence: f64) -> Option<OverReference> {
        OverReference::from_logs(
            pairs.map(|(launch, number, reference)| (launch, (number / reference).ln())).collect(),
            confidence,
        )
    }

    /// Makes the ratio of a number that was measured in none of the launches, over the reference of each, in the same
    /// unit: the ratio's interval is that of one more launch.
    pub fn of_another_launch(
        number: f64,
        references: impl Iterator<Item = (u32, f64)>,
        confidence: f64,
    ) -> Option<OverReference> {
        let over =
            OverReference::of_pairs(references.map(|(launch, reference)| (launch, number, reference)), confidence)?;
        let logs: Vec<f64> = over.of_launches.iter().map(|(_, log)| *log).collect();
        Some(OverReference { log_ratio: next_launch_estimate(&logs, confidence)?, ..over })
    }

    /// Returns the ratio, with its interval if there are enough launches.
    pub fn ratio(&self) -> (f64, Option<(f64, f64)>) {
        self.log_ratio.ratio()
    }

    /// Returns the ratio as a value with its ends, which are the value's own where there is no interval.
    pub fn estimate(&self) -> Estimate {
        let (value, interval) = self.ratio();
        let (low, high) = interval.unwrap_or((value, value));
        Estimate { value, low, high }
    }

    /// Returns the ratio as a cell of tables: without limits where there is no interval.
    pub(crate) fn cell(over: Option<&OverReference>) -> Cell {
        over.map_or(Cell::None, |over| match over.ratio() {
            (value, Some((low, high))) => Estimate { value, low, high }.into(),
            (value, None) => value.into(),
        })
    }

    /// Returns the least error of the number, as the absolute value of a logarithm: that of the interval's end next to
    /// 1; 0 if the interval contains 1. Without an interval it is that of the ratio itself.
    pub(crate) fn at_least(&self) -> f64 {
        let (low, high) = self.log_ends();
        low.max(-high).max(0.0)
    }

    /// Returns the ends of the interval of the ratio's logarithm, which are the value itself where there is no
    /// interval.
    pub(crate) fn log_ends(&self) -> (f64, f64) {
        self.log_ratio.interval.unwrap_or((self.log_ratio.value, self.log_ratio.value))
    }

    /// Whether the ratio has an interval and one group of launches explains it.
    pub fn is_firm(&self) -> bool {
        self.log_ratio.count != LaunchCount::TooFew && self.modes.is_none()
    }

    /// Returns half the interval's length, as a logarithm.
    pub fn half_width(&self) -> Option<f64> {
        self.log_ratio.interval.map(|(low, high)| (high - low) / 2.0)
    }

    /// Prints the ratios of two groups of launches: `0.55|0.90`.
    pub fn groups(&self) -> Option<String> {
        let [low, high] = self.modes.as_ref()?.modes.map(|mode| mode.median.exp());
        Some(format!("{low:.2}|{high:.2}"))
    }

    /// Returns the number of groups into which the launches fall.
    pub(crate) fn groups_found(&self) -> usize {
        if self.modes.is_some() { 2 } else { 1 }
    }

    /// Returns a remark that qualifies the ratio: two groups of launches, or few launches; empty without one.
    pub fn remark(&self) -> String {
        match self.modes.as_deref() {
            Some(Modes { modes: [low, high], .. }) => format!(
                "two groups of launches: ×{:.2} ({}) and ×{:.2} ({})",
                low.median.exp(),
                low.launches,
                high.median.exp(),
                high.launches
            ),
            None if self.log_ratio.launches == 1 => "1 launch".to_owned(),
            None => self.log_ratio.count.mark().to_owned(),
        }
    }
}

/// Whether a column's head is that of the least of ranks' times, which is not taken for the call's time.
pub(crate) fn is_least(head: &str) -> bool {
    head.to_lowercase().contains("min")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::CONFIDENCE;

    fn over(ratios: &[f64]) -> OverReference {
        OverReference::of_pairs((0..).zip(ratios).map(|(launch, &ratio)| (launch, 3.0 * ratio, 3.0)), CONFIDENCE)
            .expect("ratios")
    }

    #[test]
    fn few_launches_are_marked_and_three_or_fewer_have_no_interval() {
        let marks = [1, 3, 5, 6].map(|count| {
            let over = over(&[0.5, 0.51, 0.49, 0.5, 0.505, 0.495][..count]);
            assert!((over.ratio().0 - 0.5).abs() < 0.006);
            assert_eq!((over.ratio().1.is_some(), over.is_firm()), (count > 3, count > 3));
            over.remark()
        });
        assert_eq!(marks.each_ref().map(String::is_empty), [false, false, false, true]);
        insta::assert_snapshot!(marks.join("\n"));
    }

    #[test]
    fn two_groups_of_launches_are_no_firm_ratio() {
        let over = over(&[0.55, 0.9, 0.551, 0.901, 0.549, 0.899, 0.55, 0.9]);
        assert!(!over.is_firm());
        assert_eq!(over.groups().as_deref(), Some("0.55|0.90"));
        insta::assert_snapshot!(over.remark());
    }

    #[test]
    fn what_is_not_positive_has_no_ratio() {
        assert_eq!(OverReference::of_pairs([(0, 1.0, 2.0), (1, -1.0, 2.0)].into_iter(), CONFIDENCE), None);
        assert_eq!(OverReference::of_pairs([(0, 1.0, 0.0)].into_iter(), CONFIDENCE), None);
        assert_eq!(OverReference::from_logs(Vec::new(), CONFIDENCE), None);
    }
}

//! The number of launches for a wanted precision: planned, not stopped at the first narrow interval.

use super::mean::{squares, student};
use super::{finite, proper};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Number of launches before the first estimate, and the least of all.
const FIRST: usize = 5;
/// Share of deviations that are likely to be larger than the upper bound they are given.
const DOUBT: f64 = 0.2;

/// Returns the number of launches that makes half an interval of a mean log ratio as short as ln(1 + h): the smallest J
/// ≥ 5 with t·s/√J ≤ ln(1 + h), t Student's quantile at J − 1 degrees of freedom, s the standard deviation of log
/// ratios from launch to launch. `None` for numbers that are not finite, a width that is not positive or an improper
/// confidence.
pub fn launches_needed(deviation: f64, half_width: f64, confidence: f64) -> Option<usize> {
    let confidence = proper(confidence)?;
    let most = Some(half_width.ln_1p()).filter(|most| *most > 0.0 && deviation.is_finite())?;
    let narrow = |launches: usize| {
        let t = student(confidence, launches as f64 - 1.0).unwrap_or(f64::INFINITY);
        t * deviation / (launches as f64).sqrt() <= most
    };
    // Half the width falls with every launch: double, then halve.
    let mut enough = FIRST;
    while !narrow(enough) {
        enough = enough.checked_mul(2)?;
    }
    let mut too_few = (enough / 2).max(FIRST - 1);
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        if narrow(middle) { enough = middle } else { too_few = middle }
    }
    Some(enough)
}

/// Returns the upper 80 % confidence bound of a standard deviation: s·√((n − 1)/χ²), χ² the 20 % quantile at n − 1
/// degrees of freedom. It holds for normal numbers. `None` for fewer than two.
pub fn deviation_bound(numbers: &[f64]) -> Option<f64> {
    let numbers = finite(numbers).filter(|numbers| numbers.len() > 1)?;
    let quantile = ChiSquared::new(numbers.len() as f64 - 1.0).ok()?.inverse_cdf(DOUBT);
    Some((squares(numbers) / quantile).sqrt())
}

/// Rule that chooses the number of launches of a campaign, by the spread of its first launches.
///
/// Five launches come first. Then the launches that are needed follow from the upper 80 % bound of every row's
/// deviation ([`launches_needed`], the largest over all rows), and once more when those are done. Then it is over.
/// Looking after every launch and stopping at the first narrow interval would choose the launches that happen to lie
/// close together, and intervals would cover too seldom (Anscombe 1953). The decision depends on the launches so far
/// alone, so that a resumed campaign decides alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutoLaunches {
    /// Wanted half width of intervals as a share, h: 0.05 is a factor of 1.05 either way.
    pub half_width: f64,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Most launches, however wide the intervals are.
    pub most: usize,
}

/// Decision after the launches so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchDecision {
    /// Go on until there are this many launches in all, then ask again.
    Until(usize),
    /// Stop: the launches that were found to be needed are done.
    Enough,
    /// Stop at the most that was allowed, though more were found to be needed.
    Most {
        /// Number of launches that were found to be needed.
        needed: usize,
    },
}

impl AutoLaunches {
    /// Decides after the launches so far. Each row (a case in a state) has one log ratio per launch, in order, or
    /// `None` where the launch has none for it. A row that is known in one of the launches only has no weight.
    pub fn decide(&self, rows: &[Vec<Option<f64>>]) -> LaunchDecision {
        let done = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut planned = FIRST;
        for _ in 0..2 {
            if done < planned.min(self.most) {
                return LaunchDecision::Until(planned.min(self.most));
            }
            planned = planned.max(self.needed(rows, planned.min(self.most)));
        }
        match done < planned.min(self.most) {
            true => LaunchDecision::Until(planned.min(self.most)),
            false if planned > self.most => LaunchDecision::Most { needed: planned },
            false => LaunchDecision::Enough,
        }
    }

    /// Returns the number of launches in all that the row that varies most needs, judged by the first `launches`.
    fn needed(&self, rows: &[Vec<Option<f64>>], launches: usize) -> usize {
        let of_row = |row: &Vec<Option<f64>>| {
            let seen = &row[..launches.min(row.len())];
            let known: Vec<f64> = seen.iter().copied().flatten().collect();
            let needed = launches_needed(deviation_bound(&known)?, self.half_width, self.confidence)?;
            // A row that only some launches have needs more of them, in proportion.
            Some(needed.saturating_mul(launches).div_ceil(known.len()))
        };
        rows.iter().filter_map(of_row).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_launches_are_self_consistent() {
        // For 10 %: t·s/√J ≤ ln 1.1 with t of J − 1 degrees of freedom.
        let needed = |deviation| launches_needed(deviation, 0.10, 0.95);
        assert_eq!([0.0, 0.05, 0.10, 0.20].map(needed), [5, 5, 7, 20].map(Some));
        assert_eq!(launches_needed(0.05, 0.05, 0.95), Some(7));
        assert_eq!(launches_needed(f64::NAN, 0.05, 0.95), None);
        assert_eq!(launches_needed(0.1, 0.0, 0.95), None);
        assert_eq!(launches_needed(0.1, 0.1, 1.0), None);
        let most = launches_needed(0.5, 1e-6, 0.95).expect("finite") as f64;
        assert!((most / (1.959_964 * 0.5e6_f64).powi(2) - 1.0).abs() < 1e-3, "in no time: {most}");
        let many = launches_needed(0.5, 0.01, 0.95).expect("finite") as f64;
        assert!((many / (1.96 * 0.5 / 0.01f64.ln_1p()).powi(2) - 1.0).abs() < 5e-3, "{many}");
    }

    #[test]
    fn a_deviation_is_bounded_by_chi_square() {
        // Five numbers: √(4/1.6488) = 1.5576 times their deviation.
        let numbers = [-0.02, -0.01, 0.0, 0.01, 0.02];
        let deviation = (0.001f64 / 4.0).sqrt();
        assert!((deviation_bound(&numbers).expect("five") / deviation - 1.5576).abs() < 1e-4);
        assert_eq!(deviation_bound(&[1.0]), None);
        assert_eq!(deviation_bound(&[2.0, 2.0]), Some(0.0));
    }

    #[test]
    fn a_width_that_takes_more_launches_than_can_be_counted_ends_at_the_most() {
        let auto = AutoLaunches { half_width: 1e-9, confidence: 0.95, most: 20 };
        assert!(matches!(auto.decide(&[row(20, 1.0)]), LaunchDecision::Most { .. }));
    }

    /// A row whose numbers lie ±`deviation` about zero.
    fn row(launches: usize, deviation: f64) -> Vec<Option<f64>> {
        (0..launches).map(|i| Some(if i % 2 == 0 { deviation } else { -deviation })).collect()
    }

    #[test]
    fn it_looks_at_five_launches_and_once_more() {
        let auto = AutoLaunches { half_width: 0.05, confidence: 0.95, most: 100 };
        assert_eq!(auto.decide(&[]), LaunchDecision::Until(5));
        assert_eq!(auto.decide(&[row(4, 0.0)]), LaunchDecision::Until(5));
        assert_eq!(auto.decide(&[row(5, 0.001)]), LaunchDecision::Enough);
        let LaunchDecision::Until(first) = auto.decide(&[row(5, 0.05), row(5, 0.001)]) else { panic!("more") };
        assert!(first > 7, "more than the deviation itself asks for: {first}");
        // However narrow the interval is meanwhile, the plan stands.
        let mut quiet = row(5, 0.05);
        quiet.extend(vec![Some(0.0); first - 6]);
        assert_eq!(auto.decide(&[quiet.clone()]), LaunchDecision::Until(first));
        quiet.push(Some(0.0));
        assert_eq!(auto.decide(&[quiet.clone()]), LaunchDecision::Enough);
        // Once more, and then no more.
        let mut wild = row(5, 0.05);
        wild.extend(row(first - 5, 0.2));
        let LaunchDecision::Until(second) = auto.decide(&[wild.clone()]) else { panic!("more") };
        assert!(second > first, "{second}");
        wild.extend(row(second - first, 5.0));
        assert_eq!(auto.decide(&[wild]), LaunchDecision::Enough);
    }

    #[test]
    fn the_most_is_kept_and_absent_launches_count() {
        let auto = AutoLaunches { half_width: 0.05, confidence: 0.95, most: 12 };
        assert_eq!(auto.decide(&[row(5, 0.2)]), LaunchDecision::Until(12));
        assert!(matches!(auto.decide(&[row(12, 0.2)]), LaunchDecision::Most { needed } if needed > 50));
        let short = AutoLaunches { most: 3, ..auto };
        assert_eq!(short.decide(&[row(2, 0.2)]), LaunchDecision::Until(3));
        assert!(matches!(short.decide(&[row(3, 0.2)]), LaunchDecision::Most { .. }));
        // Known in every other launch: twice as many launches.
        let most = AutoLaunches { most: 1_000, ..auto };
        let every = [0.05, -0.05, 0.05].map(Some).to_vec();
        let other = vec![Some(0.05), None, Some(-0.05), None, Some(0.05)];
        let of = |row: &[Option<f64>]| most.needed(&[row.to_vec()], row.len());
        assert!(of(&other) * 3 >= of(&every) * 5 - 3, "{} {}", of(&other), of(&every));
        assert_eq!(most.decide(&[vec![Some(1.0), None, None, None, None]]), LaunchDecision::Enough, "nothing is known");
    }
}

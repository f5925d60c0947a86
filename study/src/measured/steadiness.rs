//! Tests of whether the samples of a launch are steady: a warm-up at their beginning, a drift, samples that lie apart.
//! Every finding is reported, and the samples stay in the numbers.

use super::{Cell, MeasuredRow, Subject};
use crate::cells::percent;
use statistics::{Drift, median, outliers, warm_up};

/// Least number of samples of a launch that can show unsteadiness.
const LEAST_SAMPLES: usize = 20;
/// Least share by which a warm-up shifts a launch's median for it to be reported.
const WARM_UP_SHARE: f64 = 0.02;
/// Least change of the time from the first sample of a launch to the last, as a share of the median, for a drift to be
/// reported.
const DRIFT_SHARE: f64 = 0.05;
/// Significance level of the drift test of Mann and Kendall: a series without drift passes it this seldom.
const DRIFT_P: f64 = 0.01;
/// Least share of samples that lie apart for them to be reported.
const APART_SHARE: f64 = 0.05;

/// Unsteadiness found in more than half of the launches; a share is the median over the launches in which it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steadiness {
    /// Number of launches with enough samples for the tests.
    pub launches: usize,
    /// Warm-up: the first samples take longer, or less long, than the rest.
    pub warm_up: Option<WarmUp>,
    /// Drift: times rise or fall during a launch, behind its warm-up, in shares of the median.
    pub drift: Option<SteadinessFinding>,
    /// Share of the samples beyond the whiskers of the box plot for skewed samples.
    pub apart: Option<SteadinessFinding>,
}

/// Finding about the samples of several launches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadinessFinding {
    /// Number of launches in which it was found.
    pub launches: usize,
    /// Size of the effect, as a share.
    pub share: f64,
}

/// Warm-up at the beginning of launches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarmUp {
    /// Number of launches that show it, and the median with the warm-up over the median without it, less 1.
    pub found: SteadinessFinding,
    /// Number of samples of a launch that it lasts, the median over those launches.
    pub samples: usize,
    /// False where it lasted for half a launch or longer in one of them.
    pub settled: bool,
}

impl Steadiness {
    /// Examines each launch's samples in µs, in the order in which they were taken; `None` where
    /// there is nothing to report.
    pub(super) fn from_launches(launches: &[Vec<f64>]) -> Option<Steadiness> {
        let long: Vec<&[f64]> =
            launches.iter().map(Vec::as_slice).filter(|samples| samples.len() >= LEAST_SAMPLES).collect();
        let most = |found: Vec<f64>| {
            let share = median(&found)?;
            (2 * found.len() > long.len()).then_some(SteadinessFinding { launches: found.len(), share })
        };
        let each: Vec<(Option<Warm>, Option<f64>)> = long.iter().map(|samples| trend(samples)).collect();
        let warm: Vec<Warm> = each.iter().filter_map(|(warm, _)| *warm).collect();
        let lasted = || warm.iter().map(|&(_, samples, _)| samples as f64).collect::<Vec<f64>>();
        let warm_up = most(warm.iter().map(|&(share, ..)| share).collect()).map(|found| WarmUp {
            found,
            samples: median(&lasted()).unwrap_or_default().round() as usize,
            settled: warm.iter().all(|&(.., settled)| settled),
        });
        // Launches that drift both ways share no drift.
        let (up, down): (Vec<f64>, Vec<f64>) =
            each.iter().filter_map(|(_, drift)| *drift).partition(|share| *share > 0.0);
        let found = Steadiness {
            launches: long.len(),
            warm_up,
            drift: most(up).or(most(down)),
            apart: most(long.iter().filter_map(|samples| apart(samples)).collect()),
        };
        (found.warm_up.is_some() || found.drift.is_some() || found.apart.is_some()).then_some(found)
    }

    /// Describes the findings in words.
    pub(super) fn words(&self) -> String {
        let of = |found: SteadinessFinding| match self.launches {
            1 => String::new(),
            all => format!(" in {} of {all} launches", found.launches),
        };
        let mut said = Vec::new();
        if let Some(warm_up) = self.warm_up {
            let WarmUp { found, samples, settled } = warm_up;
            let lasts =
                if settled { format!("a warm-up of {samples} samples") } else { "a warm-up without end".to_owned() };
            said.push(format!("{lasts} shifts the median by {}{}: raise --warmup", signed(found.share), of(found)));
        }
        said.extend(
            self.drift.map(|found| format!("times drift by {} over a launch{}", signed(found.share), of(found))),
        );
        said.extend(self.apart.map(|found| {
            format!("{} of samples lie beyond the whiskers of the box plot{}", percent(found.share), of(found))
        }));
        said.join("; ")
    }
}

/// Prints a share with its sign: `+4.0 %`.
fn signed(share: f64) -> String {
    format!("{}{}", if share < 0.0 { '−' } else { '+' }, percent(share.abs()))
}

/// Share by which the warm-up of one launch shifts its median, number of samples that it lasts, and whether it came to
/// an end.
type Warm = (f64, usize, bool);

/// Returns the warm-up of one launch, and the drift of what follows it. Where times drift, a warm-up without end is
/// none.
fn trend(samples: &[f64]) -> (Option<Warm>, Option<f64>) {
    let warm = warmed_up(samples);
    let rest = match warm {
        Some((_, lasts, true)) => &samples[lasts..],
        _ => samples,
    };
    let drift = if rest.len() < LEAST_SAMPLES { None } else { drift(rest) };
    (warm.filter(|(.., settled)| *settled || drift.is_none()), drift)
}

fn warmed_up(samples: &[f64]) -> Option<Warm> {
    let found = warm_up(samples).filter(|found| found.evident)?;
    let share = median(samples)? / median(&samples[found.steady_from..])? - 1.0;
    (share.abs() >= WARM_UP_SHARE).then_some((share, found.steady_from, found.settled))
}

/// Returns the change from the first sample of one launch to its last, in shares of the median.
fn drift(samples: &[f64]) -> Option<f64> {
    let found = Drift::from_samples(samples).filter(|found| found.p < DRIFT_P)?;
    let share = found.per_sample.value * samples.len() as f64 / median(samples)?;
    (share.abs() >= DRIFT_SHARE).then_some(share)
}

/// Returns the share of samples of one launch that lie apart.
fn apart(samples: &[f64]) -> Option<f64> {
    let share = outliers(samples)?.count() as f64 / samples.len() as f64;
    (share >= APART_SHARE).then_some(share)
}

/// Describes every finding of a subject with its method and length, those that can be cured first.
pub(super) fn findings(subject: &Subject) -> Vec<String> {
    let rows = subject.rows.iter().flat_map(|row| row.methods.iter().map(move |cell| (row, cell)));
    let mut found: Vec<_> = rows.filter_map(|(row, cell)| Some((row, cell, cell.steadiness?))).collect();
    found.sort_by_key(|(_, _, found)| found.warm_up.is_none() && found.drift.is_none());
    let words = |(row, cell, found): &(&MeasuredRow, &Cell, Steadiness)| {
        format!("{} at {} B: {}", cell.name(), row.bytes, found.words())
    };
    found.iter().map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times about 10 µs that neither rise nor fall, of a uniform spread of 1 µs.
    fn steady(seed: u32, count: u32) -> Vec<f64> {
        let noise = |i: u32| f64::from((seed * 7_919 + i).wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24);
        (0..count).map(|i| 10.0 + noise(i)).collect()
    }

    fn launches(change: impl Fn(usize, f64) -> f64) -> Vec<Vec<f64>> {
        let changed = |samples: Vec<f64>| samples.into_iter().enumerate().map(|(i, us)| change(i, us)).collect();
        (0..4).map(|launch| changed(steady(launch, 100))).collect()
    }

    #[test]
    fn steady_samples_are_not_mentioned() {
        assert_eq!(Steadiness::from_launches(&launches(|_, us| us)), None);
        assert_eq!(Steadiness::from_launches(&[]), None);
        assert_eq!(
            Steadiness::from_launches(&[steady(1, 19).iter().enumerate().map(|(i, us)| us + i as f64).collect()]),
            None
        );
    }

    #[test]
    fn a_warm_up_is_reported_with_what_it_does_to_the_number() {
        let found =
            Steadiness::from_launches(&launches(|i, us| if i < 40 { us * 2.0 } else { us })).expect("a warm-up");
        let warm_up = found.warm_up.expect("a warm-up");
        assert_eq!((warm_up.found.launches, warm_up.samples, warm_up.settled), (4, 40, true));
        // With 40 of 100 samples apart the median of all is the 5/6 quantile of the rest: 10.83 of 10.5.
        assert!((warm_up.found.share - 0.0317).abs() < 0.01, "{found:?}");
        assert_eq!(found.drift, None, "what follows the warm-up is steady");
        insta::assert_snapshot!(found.words());
        let few = Steadiness::from_launches(&launches(|i, us| if i < 5 { us * 2.0 } else { us }));
        assert!(few.is_none_or(|few| few.warm_up.is_none()), "a median hardly sees five of a hundred: {few:?}");
    }

    #[test]
    fn a_drift_is_reported_where_most_launches_drift_one_way() {
        let found = Steadiness::from_launches(&launches(|i, us| us - 0.02 * i as f64)).expect("a drift");
        let drift = found.drift.expect("a drift");
        assert!(drift.launches == 4 && (drift.share + 0.21).abs() < 0.03, "{found:?}");
        assert_eq!(found.warm_up, None, "times that fall all the time are no warm-up");
        insta::assert_snapshot!(found.words());
        let mut both = launches(|i, us| us - 0.02 * i as f64);
        both[2..].iter_mut().for_each(|samples| samples.reverse());
        assert!(Steadiness::from_launches(&both).is_none_or(|found| found.drift.is_none()), "two rise and two fall");
    }

    #[test]
    fn samples_that_lie_apart_are_counted() {
        let found =
            Steadiness::from_launches(&launches(|i, us| if i % 10 == 9 { us * 4.0 } else { us })).expect("one in ten");
        assert_eq!(found.apart, Some(SteadinessFinding { launches: 4, share: 0.1 }));
        assert_eq!((found.warm_up, found.drift), (None, None));
    }
}

//! Modes that remain over launches: numbers of launches that fall into two groups have no one value to report.

use super::dip::dip;
use super::{median, sorted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Least number of launches in each of two modes.
const LEAST_EACH: usize = 3;
/// Least length of a gap between modes, in median gaps.
const GAPS: f64 = 3.0;
/// Value of p of either test from which on there is one mode.
const RISK: f64 = 0.05;
/// Number of simulated samples that a p is counted from.
const SIMULATED: u32 = 1_999;
/// Seed of the simulated samples.
const SEED: u64 = 20_261_122;

/// Mode of the launches: a group of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mode {
    /// Median of the group's launches.
    pub median: f64,
    /// Number of launches in the group.
    pub launches: usize,
}

/// Two groups of launches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Modes {
    /// Group of lower numbers, then the group of higher ones.
    pub modes: [Mode; 2],
    /// p of the dip test.
    pub dip_p: f64,
    /// p of the largest gap, 1 where the largest gap is not between the groups, or is not three median gaps long.
    pub gap_p: f64,
}

/// Returns the two modes of one number per launch. `None` where one mode explains the numbers, and for fewer than six
/// launches.
///
/// There are two modes if either
///
/// * the dip (Hartigan and Hartigan 1985) is larger than that of 95 % of samples from a uniform distribution, the
///   hardest distribution with one mode; or
/// * the largest gap between neighbours is more than three times the median gap, has three launches or more on either
///   side, and is longer, in median gaps, than in 95 % of samples from a uniform distribution.
///
/// Without the last condition the rule of gaps would find two modes in 15 % of samples of ten normal numbers and in
/// 35 % of ten uniform ones. With it both rules together find them in 3 to 4 % of normal samples of 6 to 20 launches,
/// in 8 to 10 % of uniform ones and in 5 % of lognormal ones (`statistics/tests/statistics/launches.rs`). Both p are
/// counted from 1,999 samples of uniform numbers with a fixed seed. The groups are divided at the largest gap that has
/// three launches on either side.
pub fn modes(of_launches: &[f64]) -> Option<Modes> {
    let numbers = sorted(of_launches).filter(|numbers| numbers.len() >= 2 * LEAST_EACH)?;
    let (found_dip, found_gap) = (dip(&numbers)?, gap_between(&numbers));
    let simulated = simulated(numbers.len())?;
    let count = |larger: &dyn Fn(&(f64, f64)) -> bool| simulated.iter().filter(|one| larger(one)).count() as u32;
    let (dips, gaps) = (count(&|(dip, _)| *dip >= found_dip), count(&|(_, gap)| *gap >= found_gap));
    let p = |count: u32| f64::from(count + 1) / f64::from(SIMULATED + 1);
    let (dip_p, gap_p) = (p(dips), if found_gap > GAPS { p(gaps) } else { 1.0 });
    if dip_p >= RISK && gap_p >= RISK {
        return None;
    }
    let (low, high) = numbers.split_at(division(&numbers));
    let mode = |group: &[f64]| Some(Mode { median: median(group)?, launches: group.len() });
    Some(Modes { modes: [mode(low)?, mode(high)?], dip_p, gap_p })
}

/// Dip and largest gap of each simulated sample of one number of launches.
type SimulatedSamples = Arc<Vec<(f64, f64)>>;

/// Returns the simulated samples. Equal numbers of launches have equal samples, so that they are simulated once.
fn simulated(launches: usize) -> Option<SimulatedSamples> {
    static KNOWN: Mutex<BTreeMap<usize, SimulatedSamples>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(there) = known.get(&launches) {
        return Some(there.clone());
    }
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut one = || {
        let uniform: Vec<f64> = (0..launches).map(|_| rng.random::<f64>()).collect();
        let uniform = sorted(&uniform)?;
        Some((dip(&uniform)?, gap_between(&uniform)))
    };
    let all: SimulatedSamples = Arc::new((0..SIMULATED).map(|_| one()).collect::<Option<_>>()?);
    known.insert(launches, all.clone());
    Some(all)
}

/// Returns the number of the ascending numbers before the largest gap that has enough on either side.
fn division(numbers: &[f64]) -> usize {
    let gap = |before: &usize| numbers[*before] - numbers[before - 1];
    let places = LEAST_EACH..=numbers.len() - LEAST_EACH;
    places.max_by(|a, b| gap(a).total_cmp(&gap(b))).unwrap_or(LEAST_EACH)
}

/// Returns the largest gap in median gaps, 0 where it has too few numbers on a side.
fn gap_between(numbers: &[f64]) -> f64 {
    let gaps: Vec<f64> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let division = division(numbers);
    let largest = gaps.iter().copied().fold(0.0, f64::max);
    match median(&gaps) {
        Some(typical) if gaps[division - 1] >= largest && largest > 0.0 => largest / typical,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_groups_are_found_with_their_medians_and_counts() {
        let numbers = [0.31, 0.01, 0.30, 0.02, 0.33, 0.0, 0.32, 0.03, 0.31, 0.01, 0.29];
        let found = modes(&numbers).expect("two modes");
        assert_eq!(found.modes.map(|mode| mode.launches), [5, 6]);
        assert_eq!(found.modes.map(|mode| mode.median), [0.01, 0.31]);
        assert!(found.dip_p < 0.01 && found.gap_p < 0.05, "{found:?}");
        // Three of ten are a mode, too: by the gap.
        let uneven = [0.0, 0.004, 0.009, 0.5, 0.505, 0.511, 0.516, 0.52, 0.527, 0.531];
        let found = modes(&uneven).expect("two modes");
        assert_eq!(found.modes.map(|mode| mode.launches), [3, 7]);
        assert_eq!(modes(&numbers), modes(&numbers), "the seed is fixed");
    }

    #[test]
    fn one_group_outliers_and_few_launches_have_one_mode() {
        let even: Vec<f64> = (0..12).map(|i| f64::from(i) / 10.0).collect();
        assert_eq!(modes(&even), None);
        let outliers = [0.0, 0.01, 0.02, 0.035, 0.04, 0.05, 0.06, 0.075, 0.08, 0.9, 1.0];
        assert_eq!(modes(&outliers), None, "two launches are no mode");
        assert_eq!(modes(&[0.0, 0.0, 1.0, 1.0, 1.0]), None, "five launches");
        assert_eq!(modes(&[1.0; 8]), None);
        assert_eq!(modes(&[]), None);
        let exactly = modes(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]).expect("two values");
        assert_eq!(exactly.modes.map(|mode| mode.launches), [4, 4]);
    }
}

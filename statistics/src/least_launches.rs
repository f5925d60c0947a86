//! Least number of launches with which a test can find anything, whatever the numbers are.

use serde::{Deserialize, Serialize};

/// Design of a comparison: the way in which the launches of two sides belong together, and so the test by which they
/// are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// Each launch of one side ran next to one of the other, in rounds: signed-rank test.
    Paired,
    /// The sides ran apart: rank-sum test.
    Unpaired,
}

/// Returns the least two-sided p that these numbers of launches of either side can show: all differences of one sign
/// have 2/2ᴶ, two sides that do not overlap 2/C(m + n, m).
pub fn least_p(design: Design, (m, n): (usize, usize)) -> f64 {
    let ways: f64 = match design {
        Design::Paired => 2.0f64.powi(i32::try_from(m.min(n)).unwrap_or(i32::MAX)),
        Design::Unpaired => (1..=m.min(n)).map(|i| (m.max(n) + i) as f64 / i as f64).product(),
    };
    (2.0 / ways).min(1.0)
}

/// Returns the least number of launches on each side with which one of `tests` tests can show a difference after Holm's
/// adjustment (1979), `risk` being that of any false finding: the smallest J with least p · tests ≤ risk. Paired that
/// is 1 + log₂(tests/risk), rounded up.
pub fn least_launches(design: Design, tests: usize, risk: f64) -> usize {
    let shows = |launches: &usize| least_p(design, (*launches, *launches)) * tests as f64 <= risk;
    // The least p of 1,100 launches is less than any f64 above 0.
    (1..1_100).find(shows).unwrap_or(1_100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mann_whitney, signed_rank};

    #[test]
    fn least_launches_are_those_of_the_formula() {
        let paired = |tests| least_launches(Design::Paired, tests, 0.05);
        assert_eq!([1, 14, 36, 100, 400].map(paired), [6, 10, 11, 12, 14]);
        for tests in 1..500 {
            assert_eq!(paired(tests), (1.0 + (20.0 * tests as f64).log2()).ceil() as usize, "{tests}");
        }
        let unpaired = |tests| least_launches(Design::Unpaired, tests, 0.05);
        // C(8, 4) = 70, C(12, 6) = 924, C(14, 7) = 3432, C(16, 8) = 12870.
        assert_eq!([1, 12, 23, 24, 60, 85, 86].map(unpaired), [4, 6, 6, 7, 7, 7, 8]);
    }

    #[test]
    fn the_least_p_is_that_of_the_tests() {
        let ascending = |from: f64, n: usize| (0..n).map(|i| from + i as f64).collect::<Vec<f64>>();
        for n in [3, 6, 11] {
            let signed = signed_rank(&ascending(1.0, n)).expect("differences").p;
            assert!((signed - least_p(Design::Paired, (n, n))).abs() < 1e-12, "{n}");
            let sum = mann_whitney(&ascending(0.0, n), &ascending(100.0, n + 1)).expect("samples").p;
            assert!((sum - least_p(Design::Unpaired, (n, n + 1))).abs() < 1e-12, "{n}");
        }
        assert_eq!(least_p(Design::Paired, (0, 0)), 1.0);
    }
}

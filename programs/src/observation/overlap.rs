//! Overlap of a non-blocking call with computation, which hides part of its time.

use models::time::Span;
use serde::{Deserialize, Serialize};

/// Computation of one rank between issuing a call and waiting for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverlapRecord {
    /// Duration of the call by itself, issued and waited for at once: the mean of some calls, each after a barrier, on
    /// this rank.
    pub pure: Span,
    /// Time for which the rank computed in every timed call.
    pub compute: Span,
    /// Number of times that it asked the library meanwhile whether the call was done (`MPI_Test`).
    pub tests: u32,
}

impl OverlapRecord {
    /// Returns the share of the call that was hidden, in percent, of a timed call that took `overall`: 100 · max(0,
    /// min(1, (pure + compute − overall) / max(pure, compute))). `None` where there was nothing to hide.
    ///
    /// Source: Intel MPI Benchmarks 2021.11, IMB-NBC (`t_pure`, `t_CPU`, `t_ovrl`): of the rank whose `t_ovrl` is the
    /// longest.
    pub fn imb_percent(&self, overall: Span) -> Option<f64> {
        let (longer, shorter) = (self.pure.max(self.compute).0 as f64, self.pure.min(self.compute));
        let saved = self.pure.0 as f64 + self.compute.0 as f64 - overall.0 as f64;
        (shorter > Span::ZERO).then(|| 100.0 * (saved / longer).clamp(0.0, 1.0))
    }

    /// Returns the share of the call that was hidden, in percent, as OSU's benchmarks print it: max(0, 100 − 100 ·
    /// (overall − compute) / pure). `None` where the call took no time.
    ///
    /// Source: OSU Micro-Benchmarks, `calculate_and_print_stats` of the non-blocking collectives. There, overall,
    /// compute and pure are means over ranks.
    pub fn osu_percent(&self, overall: Span) -> Option<f64> {
        let visible = overall.0 as f64 - self.compute.0 as f64;
        (self.pure > Span::ZERO).then(|| (100.0 - 100.0 * visible / self.pure.0 as f64).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_none_and_half_of_a_call_is_hidden() {
        let record = OverlapRecord { pure: Span::from_us(10), compute: Span::from_us(10), tests: 0 };
        for (overall, percent) in [(10, 100.0), (15, 50.0), (20, 0.0), (30, 0.0)] {
            assert_eq!(record.imb_percent(Span::from_us(overall)), Some(percent));
            assert_eq!(record.osu_percent(Span::from_us(overall)), Some(percent));
        }
        let nothing = OverlapRecord { pure: Span::ZERO, ..record };
        assert_eq!((nothing.imb_percent(Span::ZERO), nothing.osu_percent(Span::ZERO)), (None, None));
    }
}

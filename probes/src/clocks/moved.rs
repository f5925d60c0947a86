//! Clocks that moved between the start and the end of a case, and cases whose clocks are too uncertain for their
//! result.

use models::clock::Basis;
use models::time::Span;
use programs::observation::{RankRecord, are_on_one_clock};
use programs::sync::LARGEST_RATE_DIFFERENCE_PPM;
use std::fmt;

/// Movement of one rank's clock against rank 0's during a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Number of the rank.
    pub rank: u32,
    /// Amount by which its global clock was behind at the end, in µs.
    pub by_us: f64,
    /// Uncertainty of `by_us`, ± µs: the bounds at the start and at the end together.
    pub bound_us: f64,
    /// Whether it moved by more than the largest difference of rates and the bounds allow: the clock jumped, or is
    /// broken.
    pub jumped: bool,
    /// Whether readings contradicted each other already while it was synchronised.
    pub contradicted: bool,
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moved { rank, by_us, bound_us, .. } = self;
        write!(f, "clock of rank {rank} moved by {by_us:.3} µs between start and end: bound {bound_us:.3} µs")?;
        if self.jumped {
            write!(f, "; no drift explains that: it jumped")?;
        }
        if self.contradicted {
            write!(f, "; its readings contradict each other")?;
        }
        Ok(())
    }
}

/// Compares every rank's clock at the end of a case with its start.
pub fn moved(ranks: &[RankRecord]) -> Vec<Moved> {
    let one = |record: &RankRecord| {
        let (start, end) = (&record.clock, &record.clock_after);
        let by_ps = start.moved_ps(end);
        let bound = start.bound + end.bound;
        let passed = end.at.since(start.at);
        let drift = Span((u128::from(passed.0) * u128::from(LARGEST_RATE_DIFFERENCE_PPM) / 1_000_000) as u64);
        Moved {
            rank: record.rank,
            by_us: by_ps as f64 / 1e6,
            bound_us: bound.as_us(),
            jumped: by_ps.unsigned_abs() > (bound + drift).0,
            contradicted: [start.basis, end.basis].contains(&Basis::Contradicted),
        }
    };
    ranks.iter().map(one).collect()
}

/// Returns the reason why the clocks are too uncertain for a result in µs that rests on them: the worst rank whose
/// bound, with the movement of its clock, exceeds a share of the result, or whose clock jumped. `None` if there is
/// none. Where all ranks read one clock its bound does not count: it is that of a check, which found no difference.
pub fn too_unsure(ranks: &[RankRecord], result_us: f64, share: f64) -> Option<String> {
    let unsure = |moved: &Moved| moved.bound_us + moved.by_us.abs();
    let limit = result_us.abs() * share;
    let worst = moved(ranks).into_iter().max_by(|a, b| {
        let key = |moved: &Moved| (moved.jumped || moved.contradicted, unsure(moved));
        key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
    })?;
    if worst.jumped || worst.contradicted {
        return Some(worst.to_string());
    }
    (unsure(&worst) > limit && !are_on_one_clock(ranks))
        .then(|| format!("{worst}; more than {:.0} % of {result_us:.3} µs", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::clock::{GlobalClock, Timescale};
    use models::time::Time;

    /// Synchronised to ± 100 ns at the start, and a second later.
    fn record(rank: u32, moved_ps: i64) -> RankRecord {
        let clock = GlobalClock::constant(Timescale::PICOSECONDS, -7, Span::from_ns(100));
        let mut record = RankRecord::new(rank, clock, Vec::new());
        record.clock_after.offset_ps += moved_ps;
        record.clock_after.at = Time(1_000_000_000_000);
        record
    }

    #[test]
    fn a_drift_is_told_and_a_jump_is_called_one() {
        let all = moved(&[record(0, 0), record(3, -40_000_000), record(4, 150_000_000)]);
        assert!(!all[0].jumped && !all[1].jumped && all[2].jumped, "100 ppm are 100 µs in a second: {all:?}");
        insta::assert_snapshot!(all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn a_case_is_flagged_when_its_clocks_are_unsure_by_a_share_of_its_result() {
        let ranks = [record(0, 0), record(1, 300_000)];
        assert_eq!(too_unsure(&ranks, 50.0, 0.05), None);
        let moved = too_unsure(&ranks, 5.0, 0.05).unwrap();
        let jumped = too_unsure(&[record(0, 0), record(1, 150_000_000)], 1e9, 0.05).unwrap();
        let shared = |rank: u32, moved_ps: i64| {
            let mut one = record(rank, moved_ps);
            (one.clock.basis, one.clock_after.basis) = (Basis::Shared, Basis::Shared);
            one
        };
        assert!(are_on_one_clock(&[record(0, 0), shared(1, 0)]) && !are_on_one_clock(&[record(0, 0)]));
        assert!(!are_on_one_clock(&[record(0, 0), shared(1, 0), record(2, 0)]), "rank 2 was synchronised");
        assert_eq!(too_unsure(&[record(0, 0), shared(1, 0)], 1e-3, 0.05), None, "a check's bound does not count");
        assert!(too_unsure(&[record(0, 0), record(1, 0)], 1e-3, 0.05).is_some());
        assert_eq!(too_unsure(&[record(0, 0), shared(1, 150_000_000)], 1e9, 0.05).as_ref(), Some(&jumped));
        let mut contradicted = record(1, 0);
        contradicted.clock.basis = Basis::Contradicted;
        let contradicted = too_unsure(&[contradicted], 1e9, 0.05).unwrap();
        insta::assert_snapshot!([moved, jumped, contradicted].join("\n"));
        assert_eq!(too_unsure(&[], 1.0, 0.05), None);
    }
}

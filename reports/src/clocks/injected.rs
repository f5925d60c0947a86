//! Clocks that were drawn, and so are known, beside what was found by them.

use models::observation::{ClockCheck, RankRecord};
use serde::Serialize;

/// What is known of the clocks of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Injected {
    /// By which seed they were drawn.
    pub seed: u64,
    /// What windows report of WaitPatternNull by these clocks, in µs; ranks that start late come on top.
    pub null_us: f64,
    /// Of WaitPatternUp.
    pub up_us: f64,
    /// Of WaitPatternDown.
    pub down_us: f64,
    /// Every rank but the first, in the waits of WaitPatternNull.
    pub ranks: Vec<Offset>,
}

/// How a rank's clock was synchronised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Offset {
    /// The rank.
    pub rank: u32,
    /// By how much its clock is behind rank 0's, as drawn, in µs.
    pub injected_us: f64,
    /// By how much what was found differs from that, in µs.
    pub error_us: f64,
    /// It differs by this at most, as the synchronisation says, in µs.
    pub bound_us: f64,
    /// By how much the offset grew until the waits were over, as drawn, in µs.
    pub drifted_us: f64,
    /// By how much it was found to have grown, in µs.
    pub moved_us: f64,
}

impl Injected {
    /// Of a check by drawn clocks.
    pub fn of(check: &ClockCheck) -> Option<Injected> {
        let clocks = check.clocks?;
        let count = check.null.len() as u32;
        let us = |ps: i64| ps as f64 / 1e6;
        let offset = |record: &RankRecord| {
            let (start, end) = (&record.clock, &record.clock_after);
            let [error, error_after] = [start, end].map(|found| us(clocks.error_ps(record.rank, found)));
            let moved_us = us(end.offset_ps) - us(start.offset_ps);
            Offset {
                rank: record.rank,
                injected_us: us(start.offset_ps) - error,
                error_us: error,
                bound_us: start.bound.as_us(),
                drifted_us: moved_us - (error_after - error),
                moved_us,
            }
        };
        Some(Injected {
            seed: clocks.seed,
            null_us: clocks.wait_us((0..count).map(|_| 0.0)),
            up_us: clocks.wait_us((0..count).map(|rank| f64::from(rank + 1))),
            down_us: clocks.wait_us((0..count).map(|rank| f64::from(count - rank))),
            ranks: check.null.iter().filter(|record| record.rank > 0).map(offset).collect(),
        })
    }

    /// In words.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let Injected { seed, null_us, up_us, down_us, ranks } = self;
        let waits = format!(
            "By the clocks that were drawn (seed {seed}) windows report {null_us:.3} µs for null, {up_us:.3} for up and {down_us:.3} for \
             down; what ranks start late comes on top."
        );
        let each = ranks.iter().map(|of| {
            let Offset { rank, injected_us, error_us, bound_us, drifted_us, moved_us } = of;
            let (far, side) = (injected_us.abs(), if *injected_us < 0.0 { "ahead of" } else { "behind" });
            let assumed = models::sync::LARGEST_RATE_DIFFERENCE_PPM;
            let beyond = if error_us.abs() > *bound_us {
                format!(", which holds for rates up to {assumed} ppm apart")
            } else {
                String::new()
            };
            format!(
                "Rank {rank}'s clock was drawn {far:.3} µs {side} rank 0's and found {error_us:+.3} µs off that, bound {bound_us:.3} \
                 µs{beyond}; the two drift by {drifted_us:.3} µs until the end, found {moved_us:.3} µs."
            )
        });
        std::iter::once(waits).chain(each)
    }
}

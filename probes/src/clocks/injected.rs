//! Clocks that were drawn at random, so that the truth is known, beside the findings about them.

use super::Examined;
use programs::observation::{ClockCheck, RankRecord};
use render::columns;
use render::data::{Filled, Known, Table};

/// Known properties of the drawn clocks of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Injected {
    /// Seed with which the clocks were drawn.
    pub seed: u64,
    /// Time that windows report of WaitPatternNull by these clocks, in µs; ranks that start late add to it.
    pub null_us: f64,
    /// Time that windows report of WaitPatternUp, in µs.
    pub up_us: f64,
    /// Time that windows report of WaitPatternDown, in µs.
    pub down_us: f64,
    /// Offsets of every rank but the first, in the waits of WaitPatternNull.
    pub ranks: Vec<Offset>,
}

/// Drawn and found offset of a rank's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset {
    /// Number of the rank.
    pub rank: u32,
    /// Drawn offset by which its clock is behind rank 0's, in µs.
    pub injected_us: f64,
    /// Difference of the found offset from the drawn one, in µs.
    pub error_us: f64,
    /// Bound of this difference by the synchronisation, in µs.
    pub bound_us: f64,
    /// Drawn growth of the offset until the waits were over, in µs.
    pub drifted_us: f64,
    /// Found growth of the offset, in µs.
    pub moved_us: f64,
}

impl Injected {
    /// Compares the drawn clocks of a check with the findings; `None` where its clocks were not drawn.
    pub fn from_check(check: &ClockCheck) -> Option<Injected> {
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

    /// Returns the comparison in sentences.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let Injected { seed, null_us, up_us, down_us, ranks } = self;
        let waits = format!(
            "By the clocks that were drawn (seed {seed}) windows report {null_us:.3} µs for null, {up_us:.3} for up and {down_us:.3} for \
             down; what ranks start late comes on top."
        );
        let each = ranks.iter().map(|of| {
            let Offset { rank, injected_us, error_us, bound_us, drifted_us, moved_us } = of;
            let (far, side) = (injected_us.abs(), if *injected_us < 0.0 { "ahead of" } else { "behind" });
            let assumed = programs::sync::LARGEST_RATE_DIFFERENCE_PPM;
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

/// A clock, its known properties, and a rank that read it.
type Drawn<'a> = (&'a str, &'a Injected, &'a Offset);

/// Returns the drawn clocks, where clocks are imperfect on purpose: a row for each rank of each clock.
pub(super) fn drawn(clocks: &[Examined]) -> Option<Table> {
    const SEED: Known = Known::integer("seed", "", "seed of the drawn clocks", "1");
    const DRAWN_NULL: Known =
        Known::number("drawn_null_us", "µs", "what windows report by the drawn clocks for 0 µs", "0.9");
    const DRAWN_UP: Known = Known::number("drawn_up_us", "µs", "the same for 1, 2, … µs by rank", "2.9");
    const DRAWN_DOWN: Known = Known::number("drawn_down_us", "µs", "the same in the opposite order", "2.9");
    const INJECTED: Known =
        Known::number("injected_us", "µs", "by how much a clock is behind rank 0's, as drawn", "5000");
    const ERROR: Known = Known::number("error_us", "µs", "by how much what was found differs from that", "0.1");
    const BOUND: Known =
        Known::number("bound_us", "µs", "it differs by this at most, as the synchronisation says", "0.2");
    const DRIFTED: Known =
        Known::number("drifted_us", "µs", "by how much that grew until the waits were over, as drawn", "3");
    const MOVED: Known = Known::number("moved_us", "µs", "by how much it was found to have grown", "3.1");
    let all: Vec<(&str, &Injected)> = clocks
        .iter()
        .filter_map(|clock| Some((clock.card.name.as_str(), clock.waits.as_ref()?.injected.as_ref()?)))
        .collect();
    let all: Vec<Drawn> =
        all.iter().flat_map(|(clock, drawn)| drawn.ranks.iter().map(move |rank| (*clock, *drawn, rank))).collect();
    let columns: [Filled<Drawn>; 11] = [
        (columns::CLOCK.column(), &|(clock, ..)| (*clock).into()),
        (SEED.column(), &|(_, drawn, _)| drawn.seed.into()),
        (DRAWN_NULL.column(), &|(_, drawn, _)| drawn.null_us.into()),
        (DRAWN_UP.column(), &|(_, drawn, _)| drawn.up_us.into()),
        (DRAWN_DOWN.column(), &|(_, drawn, _)| drawn.down_us.into()),
        (columns::RANK.column(), &|(.., of)| of.rank.into()),
        (INJECTED.column(), &|(.., of)| of.injected_us.into()),
        (ERROR.column(), &|(.., of)| of.error_us.into()),
        (BOUND.column(), &|(.., of)| of.bound_us.into()),
        (DRIFTED.column(), &|(.., of)| of.drifted_us.into()),
        (MOVED.column(), &|(.., of)| of.moved_us.into()),
    ];
    (!all.is_empty()).then(|| Table::from_rows("drawn", &all, &columns))
}

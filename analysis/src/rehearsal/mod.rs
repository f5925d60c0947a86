//! Collectives timed as benchmarks do, and as their reference does, by turns in one launch: corrections are proved on
//! them, and calibrations rehearse them.

mod plan;

pub(crate) use plan::{Call, Printed, Turn, calls, configuration, group, plan, tasks, turns};

use programs::aggregation::{Aggregation, reported_us};
use programs::observation::RankRecord;
use std::collections::BTreeMap;
use study::correct::Pair;

/// Numbers by call, printed number (`None` for the reference) and round, in µs.
#[derive(Default)]
pub(crate) struct Numbers(BTreeMap<(usize, Option<usize>, u32), f64>);

impl Numbers {
    /// Keeps the numbers that follow from one run, as those of a round.
    pub(crate) fn note(&mut self, turn: Turn, call: &Call, ranks: &[RankRecord], round: u32) {
        let mut keep = |place: Option<usize>, aggregation: &Aggregation| {
            if let Some(us) = reported_us(ranks, aggregation).filter(|us| *us > 0.0) {
                self.0.insert((turn.call, place, round), us);
            }
        };
        if turn.run == 0 {
            // Windows give the reference: the median of the slowest rank's times.
            return keep(None, &Aggregation::default());
        }
        for (place, printed) in call.printed.iter().enumerate().filter(|(_, printed)| printed.run == turn.run) {
            keep(Some(place), &printed.configuration.aggregation);
        }
    }

    /// Returns a printed number of a call beside its reference, round by round; rounds without both are left out.
    pub(crate) fn pairs(&self, call: usize, place: usize) -> Vec<(u32, Pair)> {
        let of = self.0.range((call, Some(place), 0)..=(call, Some(place), u32::MAX));
        let pairs = of.filter_map(|(&(_, _, round), &printed_us)| {
            let reference_us = *self.0.get(&(call, None, round))?;
            Some((round, Pair { reference_us, printed_us }))
        });
        pairs.collect()
    }
}

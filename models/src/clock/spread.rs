//! Ranges from which each rank's imperfect clock is drawn, for simulated ranks or on purpose.

use super::{ClockModel, Jump, RateWalk, ReportCard};
use crate::names;
use crate::quantity::{self, Ppm};
use crate::time::{Span, Time};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Ranges from which clocks are drawn uniformly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClockSpread {
    /// Largest offset; offsets lie in 0 … this.
    pub largest_offset: Span,
    /// Largest rate error, in ppm; rate errors lie within ± this.
    pub largest_skew_ppm: f64,
    /// Largest wandering of rates, which lies in 0 … this, in ppm per √second: the standard deviation of the change in
    /// one second.
    pub largest_walk_ppm: f64,
    /// Number of jumps of every clock.
    pub jumps: u32,
    /// Largest jump; jumps lie within ± this.
    pub largest_jump: Span,
    /// True time within which all jumps happen.
    pub jumps_within: Span,
    /// Granularity of every clock.
    pub granularity: Span,
    /// Cost of one read of every clock.
    pub read_cost: Span,
}

/// Largest number of jumps of a clock; with more it is no clock any more.
const MOST_JUMPS: u32 = 100_000;
/// Length of the steps in which wandering rates change.
const WALK_STEP: Span = Span::from_ms(10);

impl ClockSpread {
    /// Returns the steps of a clock that all ranks share, and the cost of a reading, from its report card.
    pub fn of_card(card: &ReportCard) -> ClockSpread {
        let span = |ns: f64| Span::from_seconds(ns.max(0.0) / 1e9);
        let (granularity, read_cost) = (span(card.granularity_ns), span(card.read_in_calls_ns()));
        ClockSpread { granularity, read_cost, ..ClockSpread::default() }
    }

    /// Reads `largest-offset=1ms,largest-skew=20ppm,largest-walk=0.1ppm,granularity=100ns,read-cost=20ns` and further
    /// pairs, `jumps=1000,largest-jump=2us,jumps-within=20ms`. Keys that are not named keep their values of `known`.
    ///
    /// # Errors
    /// Says what is expected in place of the first pair that it cannot read.
    pub fn parse_over(known: ClockSpread, text: &str) -> Result<ClockSpread, String> {
        let mut clocks = known;
        for pair in text.split(',') {
            let (key, value) = pair.split_once('=').ok_or_else(|| format!("expected key=value, found '{pair}'"))?;
            let span = || quantity::parse::<Span>(value).map_err(|message| format!("{key}: {message}"));
            match key.trim() {
                "largest-offset" => clocks.largest_offset = span()?,
                "granularity" => clocks.granularity = span()?,
                "read-cost" => clocks.read_cost = span()?,
                "largest-jump" => clocks.largest_jump = span()?,
                "jumps-within" => clocks.jumps_within = span()?,
                "jumps" => {
                    let count = value.trim().parse().ok().filter(|count| *count <= MOST_JUMPS);
                    clocks.jumps =
                        count.ok_or_else(|| format!("jumps: expected 0 to {MOST_JUMPS}, found '{value}'"))?;
                }
                "largest-skew" => {
                    let skew = quantity::parse::<Ppm>(value).map_err(|message| format!("{key}: {message}"))?;
                    clocks.largest_skew_ppm = skew.0;
                }
                "largest-walk" => {
                    let walk = quantity::parse::<Ppm>(value).map_err(|message| format!("{key}: {message}"))?;
                    if walk.0 < 0.0 {
                        return Err(format!("{key}: expected 0 ppm or more, found '{value}'"));
                    }
                    clocks.largest_walk_ppm = walk.0;
                }
                _ => {
                    let known = [
                        "largest-offset",
                        "largest-skew",
                        "largest-walk",
                        "granularity",
                        "read-cost",
                        "jumps",
                        "largest-jump",
                        "jumps-within",
                    ];
                    return Err(names::unknown("key", key, known));
                }
            }
        }
        Ok(clocks)
    }

    /// Draws the clock of one rank. There is one stream per rank, so that a clock does not depend on the number of
    /// others.
    pub fn sample_clock(&self, seed: u64, rank: u32) -> ClockModel {
        self.without_draws().unwrap_or_else(|| self.drawn(seed, rank))
    }

    /// Returns the clock of every rank where all ranges have no width: a simulation of many ranks spends most of its
    /// time in draws that come to nothing otherwise.
    fn without_draws(&self) -> Option<ClockModel> {
        let ClockSpread { granularity, read_cost, .. } = *self;
        (ClockSpread { granularity, read_cost, ..ClockSpread::default() } == *self).then(|| ClockModel {
            granularity,
            read_cost,
            ..ClockModel::PERFECT
        })
    }

    fn drawn(&self, seed: u64, rank: u32) -> ClockModel {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(u64::from(rank));
        let offset = Span(random.random_range(0..=self.largest_offset.0));
        let skew_ppm = random.random_range(-1.0..=1.0) * self.largest_skew_ppm;
        let walk_ppm = random.random_range(0.0..=1.0) * self.largest_walk_ppm;
        let largest = i64::try_from(self.largest_jump.0).unwrap_or(i64::MAX);
        let mut jumps: Vec<Jump> = (0..self.jumps)
            .map(|_| Jump {
                at: Time(random.random_range(0..=self.jumps_within.0)),
                step_ps: random.random_range(-largest..=largest),
            })
            .collect();
        jumps.sort_unstable();
        ClockModel {
            offset,
            skew_ppm,
            walk: (walk_ppm > 0.0).then(|| RateWalk::new(walk_ppm, WALK_STEP, seed, rank)),
            jumps,
            granularity: self.granularity,
            read_cost: self.read_cost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_lie_in_their_ranges_and_differ() {
        let spread = ClockSpread {
            largest_offset: Span::from_ms(5),
            largest_skew_ppm: 20.0,
            largest_walk_ppm: 1.0,
            jumps: 3,
            largest_jump: Span::from_us(50),
            jumps_within: Span::from_ms(2_000),
            ..ClockSpread::default()
        };
        let clocks: Vec<ClockModel> = (0..200).map(|rank| spread.sample_clock(4, rank)).collect();
        for clock in &clocks {
            assert!(clock.offset <= spread.largest_offset && clock.skew_ppm.abs() <= 20.0 && clock.walk.is_some());
            assert_eq!(clock.jumps.len(), 3);
            assert!(clock.jumps.is_sorted());
            let within = |jump: &Jump| jump.at <= Time::ZERO + spread.jumps_within && jump.step_ps.abs() <= 50_000_000;
            assert!(clock.jumps.iter().all(within));
        }
        assert!(clocks.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(clocks.iter().any(|clock| clock.jumps[0].step_ps < 0), "some clocks are set back");
        assert_eq!(spread.sample_clock(4, 17), clocks[17]);
    }

    #[test]
    fn clocks_of_ranges_without_width_are_those_that_would_be_drawn() {
        let spread =
            ClockSpread { granularity: Span::from_ns(100), read_cost: Span::from_ns(20), ..ClockSpread::default() };
        for spread in [ClockSpread::default(), spread] {
            assert_eq!(spread.without_draws(), Some(spread.drawn(4, 17)));
        }
        assert_eq!(ClockSpread { jumps: 1, ..spread }.without_draws(), None);
    }
}

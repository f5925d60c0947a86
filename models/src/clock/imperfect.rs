//! The imperfect clock of a simulated rank: offset, rate error that may wander, jumps, granularity,
//! cost of a read.

use super::Ticks;
use super::walk::{Knot, RateWalk};
use crate::time::{Span, Time};

/// Differences of a rank's clock from true time. It counts picoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct ClockModel {
    /// Reading at true time zero.
    pub offset: Span,
    /// Rate error in parts per million: positive runs fast.
    pub skew_ppm: f64,
    /// Wandering part of the rate error, if it wanders.
    pub walk: Option<RateWalk>,
    /// Jumps of the clock, in the order of time.
    pub jumps: Vec<Jump>,
    /// Distance of readings, which are rounded down to multiples of it; zero means continuous.
    pub granularity: Span,
    /// CPU time that one read takes; the reading is taken at its end.
    pub read_cost: Span,
}

/// A jump of the clock when it is set. A clock that is set back is not monotone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Jump {
    /// True time from which the clock shows the jump.
    pub at: Time,
    /// Length of the jump, in ps; negative is back.
    pub step_ps: i64,
}

impl ClockModel {
    /// A perfect clock, which reads true time at no cost.
    pub const PERFECT: ClockModel = ClockModel {
        offset: Span::ZERO,
        skew_ppm: 0.0,
        walk: None,
        jumps: Vec::new(),
        granularity: Span::ZERO,
        read_cost: Span::ZERO,
    };

    /// Returns the reading of the clock at a true time. It is monotone in the true time but for jumps back, never below
    /// zero, nor beyond the range of [`Ticks`].
    pub fn reading(&self, at: Time) -> Ticks {
        if let Some(exact) = self.read_narrowly(at) {
            return self.shown(exact);
        }
        let skew = self.skew_per_quintillion();
        let gained = match &self.walk {
            None => (i128::from(at.0) * skew).div_euclid(QUINTILLION),
            Some(walk) => (i128::from(at.0) * skew + walk.at(at).gained_at(at)).div_euclid(QUINTILLION),
        };
        let exact = i128::from(at.0) + gained + i128::from(self.offset.0) + self.jumped(at);
        self.shown(exact.clamp(0, i128::from(u64::MAX)) as u64)
    }

    fn shown(&self, exact: u64) -> Ticks {
        Ticks(exact - exact.checked_rem(self.granularity.0).unwrap_or(0))
    }

    /// Returns the count of a clock that neither wanders nor jumps, where narrow numbers hold it: wide products and
    /// quotients take long, and clocks are read between all messages.
    fn read_narrowly(&self, at: Time) -> Option<u64> {
        if at.0 >= NARROW || self.offset.0 >= NARROW || self.walk.is_some() || !self.jumps.is_empty() {
            return None;
        }
        let gained = if self.skew_ppm == 0.0 { 0 } else { gained_narrowly(at.0 as i64, self.narrow_skew()?) };
        let exact = at.0 as i64 + gained + self.offset.0 as i64;
        Some(exact.max(0) as u64)
    }

    /// Returns the first true time at which the clock shows `reading` or more; [`Time::END`] if it never does. Where
    /// the clock jumps back it shows some readings again: the first time counts.
    pub fn true_time(&self, reading: Ticks) -> Time {
        let granularity = u128::from(self.granularity.0.max(1));
        // The clock shows `reading` once what it counts has reached the next multiple of the granularity.
        let shown = (u128::from(reading.0).div_ceil(granularity) * granularity) as i128;
        let (mut from, mut jumped) = (Time::ZERO, 0);
        for jump in &self.jumps {
            let reached = self.reaches(shown - i128::from(self.offset.0) - jumped).max(from);
            if reached < jump.at {
                return reached;
            }
            (from, jumped) = (jump.at, jumped + i128::from(jump.step_ps));
        }
        self.reaches(shown - i128::from(self.offset.0) - jumped).max(from)
    }

    /// Returns the first true time by which the clock, had it no offset and no jumps, has advanced by `target` ps.
    fn reaches(&self, target: i128) -> Time {
        if target <= 0 {
            return Time::ZERO;
        }
        if self.skew_ppm == 0.0 && self.walk.is_none() {
            return Time(target.min(i128::from(u64::MAX)) as u64);
        }
        let (target, skew) = (target * QUINTILLION, self.skew_per_quintillion());
        let knot = self.walk.as_ref().map_or(Knot::STEADY, |walk| walk.before(target, skew));
        // t·(1 + skew) + gained at the step's start + rate · (t − start) ≥ target, solved for t and rounded up.
        let constant = target - knot.gained_at(Time::ZERO);
        let rate = QUINTILLION + skew + knot.rate;
        Time(((constant + rate - 1).div_euclid(rate)).clamp(0, i128::from(u64::MAX)) as u64).max(knot.start)
    }

    /// Returns the sum of the jumps up to a true time, in ps.
    fn jumped(&self, at: Time) -> i128 {
        self.jumps.iter().take_while(|jump| jump.at <= at).map(|jump| i128::from(jump.step_ps)).sum()
    }

    fn skew_per_quintillion(&self) -> i128 {
        self.narrow_skew().map_or_else(|| (self.skew_ppm * 1e12).round() as i128, i128::from)
    }

    /// Returns the skew in parts per quintillion where it is narrow, rounded as a wide one is.
    fn narrow_skew(&self) -> Option<i64> {
        let skew = self.skew_ppm * 1e12;
        if skew.abs() >= NARROW as f64 {
            return None;
        }
        let whole = skew as i64;
        let rest = skew - whole as f64;
        Some(whole + i64::from(rest >= 0.5) - i64::from(rest <= -0.5))
    }
}

/// Limit below which times in ps (4.6 days) and skews in parts per quintillion (40 %) are multiplied in two digits of a
/// billion each.
const NARROW: u64 = 400_000_000_000_000_000;

/// Returns at · skew / 10¹⁸, rounded down: with digits (a, b) and (s, t), a·s + ⌊(a·t + b·s + ⌊b·t / 10⁹⌋) / 10⁹⌋.
fn gained_narrowly(at: i64, skew: i64) -> i64 {
    const BILLION: i64 = 1_000_000_000;
    let (a, b) = (at / BILLION, at % BILLION);
    let (s, t) = (skew.div_euclid(BILLION), skew.rem_euclid(BILLION));
    a * s + (a * t + b * s + b * t / BILLION).div_euclid(BILLION)
}

pub(super) const QUINTILLION: i128 = 1_000_000_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn jumps() -> impl Strategy<Value = Vec<Jump>> {
        let jump = (0u64..1_000_000_000_000, -50_000_000_000i64..50_000_000_000);
        prop::collection::vec(jump, 0..4).prop_map(|jumps| {
            let mut jumps: Vec<Jump> = jumps.into_iter().map(|(at, step_ps)| Jump { at: Time(at), step_ps }).collect();
            jumps.sort_unstable();
            jumps
        })
    }

    prop_compose! {
        fn clocks()(
            offset in 0u64..10_000_000_000,
            skew_ppm in -200.0..200.0f64,
            walk in prop::option::of((0.01..2_000.0f64, 1u64..20, 0u64..100)),
            jumps in jumps(),
            granularity in 0u64..2_000_000,
        ) -> ClockModel {
            let walk = walk.map(|(ppm, step_ms, seed)| RateWalk::new(ppm, Span::from_ms(step_ms), seed, 3));
            let (offset, granularity) = (Span(offset), Span(granularity));
            ClockModel { offset, skew_ppm, walk, jumps, granularity, read_cost: Span::ZERO }
        }
    }

    proptest! {
        #[test]
        fn narrow_products_are_the_wide_ones(at in 0..NARROW, skew in -(NARROW as i64)..NARROW as i64) {
            let wide = |at: u64, skew: i64| (i128::from(at) * i128::from(skew)).div_euclid(QUINTILLION);
            for (at, skew) in [(at, skew), (at % 1_000_000_000_000, skew % 100_000_000_000_000), (at, 0), (0, skew)] {
                prop_assert_eq!(i128::from(gained_narrowly(at as i64, skew)), wide(at, skew));
            }
        }

        #[test]
        fn narrow_clocks_show_what_wide_ones_do(
            clock in clocks(), at in 0..2 * NARROW, skew_ppm in -1_000_000.0..1_000_000.0f64, is_near in prop::bool::ANY,
        ) {
            let skew_ppm = if is_near { skew_ppm / 1e4 } else { skew_ppm };
            let clock = ClockModel { walk: None, jumps: Vec::new(), skew_ppm, ..clock };
            let skew = clock.skew_per_quintillion();
            prop_assert_eq!(skew, (skew_ppm * 1e12).round() as i128);
            let wide = i128::from(at) + (i128::from(at) * skew).div_euclid(QUINTILLION) + i128::from(clock.offset.0);
            let wide = wide.clamp(0, i128::from(u64::MAX)) as u64;
            prop_assert_eq!(clock.reading(Time(at)), clock.shown(wide));
        }

        #[test]
        fn true_time_is_the_first_time_that_shows_the_reading(
            clock in clocks(), due in 0u64..1_000_000_000_000, earlier in prop::collection::vec(0.0..1.0f64, 20),
        ) {
            let due = Ticks(due);
            let first = clock.true_time(due);
            prop_assert!(clock.reading(first) >= due);
            prop_assert!(first == Time::ZERO || clock.reading(Time(first.0 - 1)) < due);
            for share in earlier {
                let before = Time((first.0 as f64 * share) as u64);
                prop_assert!(before >= first || clock.reading(before) < due, "{:?} shows it too", before);
            }
            for jump in clock.jumps.iter().filter(|jump| jump.at < first) {
                prop_assert!(clock.reading(jump.at) < due && (jump.at.0 == 0 || clock.reading(Time(jump.at.0 - 1)) < due));
            }
        }

        #[test]
        fn a_clock_without_jumps_never_runs_backwards(
            clock in clocks(), at in 0u64..1_000_000_000_000, later in 0u64..100_000_000_000,
        ) {
            let clock = ClockModel { jumps: Vec::new(), ..clock };
            prop_assert!(clock.reading(Time(at)) <= clock.reading(Time(at + later)));
            prop_assert!(clock.reading(Time(at)) <= clock.reading(Time(at + 1)));
        }

        #[test]
        fn no_time_and_no_reading_is_too_large(clock in clocks(), at in u64::MAX - 1_000_000_000..=u64::MAX) {
            let clock = ClockModel { walk: None, ..clock };
            let shown = clock.reading(Time(at));
            prop_assert!(clock.true_time(shown) <= Time(at));
            prop_assert!(clock.reading(clock.true_time(Ticks(at))) <= Ticks(u64::MAX));
        }
    }

    #[test]
    fn a_clock_that_runs_20_ppm_fast_gains_20_us_a_second() {
        let clock = ClockModel { offset: Span::from_ms(5), skew_ppm: 20.0, ..ClockModel::PERFECT };
        assert_eq!(clock.reading(Time(1_000_000_000_000)), Ticks(1_005_020_000_000));
    }

    #[test]
    fn a_clock_set_back_shows_readings_twice_and_the_first_time_counts() {
        let jumps = vec![Jump { at: Time(1_000), step_ps: -300 }, Jump { at: Time(2_000), step_ps: 500 }];
        let clock = ClockModel { jumps, ..ClockModel::PERFECT };
        assert_eq!(clock.reading(Time(999)), Ticks(999));
        assert_eq!(clock.reading(Time(1_000)), Ticks(700));
        assert_eq!(clock.reading(Time(2_000)), Ticks(2_200));
        assert_eq!(clock.true_time(Ticks(800)), Time(800));
        assert_eq!(clock.true_time(Ticks(1_000)), Time(1_300));
        assert_eq!(clock.true_time(Ticks(1_900)), Time(2_000));
    }

    #[test]
    fn a_wandering_rate_has_the_spread_of_a_random_walk() {
        // After T the phase of a walk of the rate has standard deviation ppm · √(T³/3): here 1 s and 10 ppm.
        let gains: Vec<f64> = (0..2_000)
            .map(|rank| {
                let walk = Some(RateWalk::new(10.0, Span::from_ms(10), 7, rank));
                let clock = ClockModel { offset: Span::from_ms(500), walk, ..ClockModel::PERFECT };
                clock.reading(Time(1_000_000_000_000)).0 as f64 - 1.5e12
            })
            .collect();
        let count = gains.len() as f64;
        let mean = gains.iter().sum::<f64>() / count;
        let variance = gains.iter().map(|gain| gain * gain).sum::<f64>() / count;
        let expected = (10e-6 * 1e12_f64).powi(2) / 3.0;
        // Four standard errors; the steps add less than 2 % to the variance.
        assert!(mean.abs() < 4.0 * (expected / count).sqrt(), "mean {mean}");
        assert!((variance / expected - 1.0).abs() < 4.0 * (2.0 / count).sqrt() + 0.02, "{variance} for {expected}");
    }
}

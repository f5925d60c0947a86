//! From the rounds of one case to its budget: effects of each launch, and their Hodges–Lehmann estimates over launches.

use super::{CONFIDENCE, Measured};
use crate::measured::DOUBTFUL_SHARE;
use probes::clocks::too_unsure;
use programs::budget::{
    Bar, Budget, ClockCost, Clocks, Configuration, Design, Effects, Round, SystematicError, not_measurable,
};
use programs::machine::Estimate;
use programs::observation::{Carrier, Stamp};
use statistics::{LaunchCount, RESAMPLES, joint_medians, launch_estimate, median, percentile_interval};
use std::collections::{BTreeMap, BTreeSet};

/// Seed of the resamples, fixed so that the same rounds give the same intervals.
const SEED: u64 = 9;

/// Returns the measured budget of rounds; `None` where in no round all configurations have a number.
pub(super) fn measured(
    rounds: &[&Round],
    (from, to): (&Configuration, &Configuration),
    clock: Option<ClockCost>,
    benchmarks_clock: &[String],
) -> Option<Measured> {
    let carrier = rounds.first()?.observation.case.place.carrier;
    let design = Design::between(from, to);
    let numbers = Numbers::new(rounds, &design.cells, carrier, clock)?;
    let mut unmeasured: Vec<(SystematicError, String)> = Vec::new();
    let mut kept = Vec::new();
    for (index, errors) in design.errors().into_iter().enumerate() {
        let computed = errors == [SystematicError::BadClock] && clock.is_none();
        let same_clock = || computed.then_some("ranks read the same clock in both configurations");
        match not_measurable(&errors, from, to, carrier).or_else(same_clock) {
            Some(why) => unmeasured.extend(errors.into_iter().map(|error| (error, why.to_owned()))),
            None => kept.push((index, errors)),
        }
    }
    let (budget, count, whole) = numbers.budget(&design, kept)?;
    Some(Measured {
        ran_by: rounds[0].observation.ran_by.clone(),
        rounds: numbers.of_launches.values().map(Vec::len).sum(),
        launches: numbers.of_launches.len(),
        count,
        ln_ratios: if numbers.logs { whole } else { Vec::new() },
        budget,
        unmeasured,
        oversubscribed: rounds.iter().any(|round| round.observation.oversubscribed),
        unsure: unsure(rounds, &design.cells, carrier),
        benchmarks_clock: benchmarks_clock.to_vec(),
    })
}

/// The numbers of all cells of a design, for each launch and each of its rounds in which all have one.
struct Numbers {
    /// True if all are logarithms of times in µs, false if they are µs.
    logs: bool,
    of_launches: BTreeMap<u32, Vec<Vec<f64>>>,
}

impl Numbers {
    fn new(rounds: &[&Round], cells: &[Configuration], carrier: Carrier, clock: Option<ClockCost>) -> Option<Numbers> {
        let runs = Configuration::runs(cells, carrier);
        let run_of = |cell: &Configuration| runs.iter().position(|run| run.is_like(&cell.run(carrier)));
        let run_of: Vec<usize> = cells.iter().map(run_of).collect::<Option<_>>()?;
        let mut by_round: BTreeMap<(u32, u32), BTreeMap<usize, &Round>> = BTreeMap::new();
        for round in rounds {
            let place = (round.observation.occasion.launch, round.round);
            by_round.entry(place).or_default().insert(round.run as usize, round);
        }
        let mut of_launches: BTreeMap<u32, Vec<Vec<f64>>> = BTreeMap::new();
        let launches: BTreeSet<u32> = by_round.keys().map(|(launch, _)| *launch).collect();
        let first_calls: BTreeMap<u32, Vec<Stamp>> =
            launches.into_iter().map(|launch| (launch, fresh(rounds, launch))).collect();
        for ((launch, _), of_round) in &by_round {
            let number = |(cell, run): (&Configuration, &usize)| {
                let round = of_round.get(run)?;
                cell.number_us(&round.observation.ranks, &first_calls[launch], clock)
            };
            if let Some(numbers) = cells.iter().zip(&run_of).map(number).collect::<Option<Vec<f64>>>() {
                of_launches.entry(*launch).or_default().push(numbers);
            }
        }
        let all = || of_launches.values().flatten().flatten();
        let logs = all().all(|&us| us > 0.0);
        all().next()?;
        if logs {
            of_launches.values_mut().flatten().flatten().for_each(|us| *us = us.ln());
        }
        Some(Numbers { logs, of_launches })
    }

    /// Returns the budget over launches, with the number of launches and the difference between both ends in each
    /// launch. It has only the kept bars, given with their places in the design; effects of the others are part of the
    /// remainder.
    fn budget(
        &self,
        design: &Design,
        kept: Vec<(usize, Vec<SystematicError>)>,
    ) -> Option<(Budget, LaunchCount, Vec<f64>)> {
        let last = design.cells.len() - 1;
        let mut of_bars: Vec<Vec<f64>> = vec![Vec::new(); kept.len()];
        let [mut left, mut whole, mut first, mut end] = [const { Vec::new() }; 4];
        for rounds in self.of_launches.values() {
            let (levels, cells) = levels_and_cells(rounds)?;
            let (effects, _) = design.effects(&cells)?;
            let explained: f64 = kept.iter().map(|(index, _)| effects[*index]).sum();
            for (numbers, (index, _)) in of_bars.iter_mut().zip(&kept) {
                numbers.push(effects[*index]);
            }
            whole.push(cells[last] - cells[0]);
            left.push(cells[last] - cells[0] - explained);
            first.push(levels + cells[0]);
            end.push(levels + cells[last]);
        }
        let over = |numbers: &[f64]| launch_estimate(numbers, CONFIDENCE);
        let estimate = |numbers: &[f64]| Some(over(numbers)?.estimate());
        let count = over(&whole)?.count;
        let effects = Effects {
            logs: self.logs,
            bars: of_bars.iter().map(|numbers| estimate(numbers)).collect::<Option<_>>()?,
            remainder: estimate(&left)?,
            whole: estimate(&whole)?,
        };
        let time = |numbers: &[f64]| {
            let of = estimate(numbers)?;
            let us = |value: f64| if self.logs { value.exp() } else { value };
            Some(Estimate { value: us(of.value), low: us(of.low), high: us(of.high) })
        };
        let errors = kept.into_iter().map(|(_, errors)| errors).collect();
        Some((Budget::with(errors, time(&first)?, time(&end)?, &effects), count, whole))
    }
}

/// The level of a launch's rounds, and the distance of each cell from it. Both are medians over rounds, the latter
/// after removing shifts of whole rounds.
fn levels_and_cells(rounds: &[Vec<f64>]) -> Option<(f64, Vec<f64>)> {
    let shifts: Vec<f64> = rounds.iter().map(|round| median(round)).collect::<Option<_>>()?;
    let cell = |cell: usize| {
        let apart: Vec<f64> = rounds.iter().zip(&shifts).map(|(round, shift)| round[cell] - shift).collect();
        median(&apart)
    };
    Some((median(&shifts)?, (0..rounds[0].len()).map(cell).collect::<Option<_>>()?))
}

/// Returns the budget of numbers that were obtained round by round, one column for each of [`Design::cells`], in µs:
/// medians over rounds, with intervals by resampling whole rounds, so that shifts of a round apply to all of it. `None`
/// where a column has no number.
pub fn over_rounds(from: &Configuration, to: &Configuration, columns: &[Vec<Option<f64>>]) -> Option<Budget> {
    let (medians, replicates) = joint_medians(columns, RESAMPLES, SEED)?;
    let whole = replicates.iter().filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    let resampled: Vec<Budget> = whole.filter_map(|numbers| Budget::from_numbers(from, to, numbers)).collect();
    Some(with_intervals(Budget::from_numbers(from, to, &medians)?, &resampled))
}

/// The very first call of this case on each rank in a launch.
fn fresh(rounds: &[&Round], launch: u32) -> Vec<Stamp> {
    let first = rounds.iter().find(|round| round.observation.occasion.launch == launch);
    first.map(|first| first.observation.ranks.iter().map(|record| record.cold).collect()).unwrap_or_default()
}

/// Gives each number the interval of its replicates at [`CONFIDENCE`].
fn with_intervals(best: Budget, resampled: &[Budget]) -> Budget {
    let around = |value: Estimate, of: &dyn Fn(&Budget) -> Option<f64>| {
        let replicates: Vec<f64> = resampled.iter().filter_map(of).collect();
        percentile_interval(value.value, &replicates, CONFIDENCE).unwrap_or(Estimate::exactly(value.value))
    };
    let bar = |bar: &Bar, of: &dyn Fn(&Budget) -> Option<Bar>| Bar {
        errors: bar.errors.clone(),
        us: around(bar.us, &|budget| Some(of(budget)?.us.value)),
        factor: bar.factor.map(|factor| around(factor, &|budget| Some(of(budget)?.factor?.value))),
    };
    let bars = best.bars.iter().enumerate();
    Budget {
        from_us: around(best.from_us, &|budget| Some(budget.from_us.value)),
        bars: bars.map(|(index, of)| bar(of, &|budget| budget.bars.get(index).cloned())).collect(),
        remainder: bar(&best.remainder, &|budget| Some(budget.remainder.clone())),
        to_us: around(best.to_us, &|budget| Some(budget.to_us.value)),
        ratio: best.ratio.map(|ratio| around(ratio, &|budget| Some(budget.ratio?.value))),
    }
}

/// Runs with synchronised starts whose clocks, although the best available, were too unsure for the number in any
/// round, each with the first reason.
fn unsure(rounds: &[&Round], all: &[Configuration], carrier: Carrier) -> Vec<String> {
    let runs = Configuration::runs(all, carrier);
    let mut unsure: Vec<String> = Vec::new();
    let best = |run: &Configuration| run.clocks == Clocks::Perfect && run.method().is_synchronised();
    for (index, run) in runs.iter().enumerate().filter(|(_, run)| best(run)) {
        let of_run: Vec<_> = rounds.iter().filter(|round| round.run as usize == index).collect();
        let doubts: Vec<String> = of_run
            .iter()
            .filter_map(|round| {
                let number = run.number_us(&round.observation.ranks, &[], None)?;
                too_unsure(&round.observation.ranks, number, DOUBTFUL_SHARE)
            })
            .collect();
        if let Some(first) = doubts.first() {
            unsure.push(format!("{} in {} of {} rounds: {first}", run.name, doubts.len(), of_run.len()));
        }
    }
    unsure
}

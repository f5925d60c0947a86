//! From the rounds of one case to its budget: medians over rounds, and their intervals by resampling whole rounds.

use super::{CONFIDENCE, Measured};
use crate::clocks::too_unsure;
use crate::measured::DOUBTFUL_SHARE;
use crate::statistics::{RESAMPLES, joint_medians, percentile_interval};
use models::budget::{Budget, Clocks, Configuration, Ground, Round, SystematicError, not_measurable};
use models::machine::Estimate;
use models::observation::Stamp;

/// Seed of the resamples: the same rounds give the same intervals.
const SEED: u64 = 9;

/// What the rounds say; `None` where the first or the last configuration has no number in any of them.
pub(super) fn measured(rounds: &[&Round], from: &Configuration, to: &Configuration) -> Option<Measured> {
    let ground = rounds.first()?.ground;
    let configurations = Budget::configurations(from, to);
    let mut columns: Vec<Vec<Option<f64>>> =
        configurations.iter().map(|configuration| column(rounds, configuration, &configurations, ground)).collect();
    let has_number = |column: &Vec<Option<f64>>| column.iter().any(Option::is_some);
    if !columns.first().is_some_and(has_number) || !columns.last().is_some_and(has_number) {
        return None;
    }
    let mut unmeasured = Vec::new();
    for (index, error) in (1..).zip(Configuration::differences(from, to)) {
        let nothing = || (!has_number(&columns[index])).then_some("no start was valid on all ranks");
        if let Some(why) = not_measurable(error, from, to, ground).or_else(nothing) {
            unmeasured.push((error, why.to_owned()));
            if index + 1 < columns.len() {
                columns[index] = columns[0].clone();
            }
        }
    }
    let mut budget = over_rounds(from, to, &columns)?;
    if let ([(_, whole)], [_]) = (&budget.bars[..], &unmeasured[..]) {
        // What lies between both ends is not the doing of the one error that was not measured.
        budget.interaction = *whole;
    }
    budget.bars.retain(|(error, _)| !unmeasured.iter().any(|(missing, _)| missing == error));
    Some(Measured {
        ran_by: rounds[0].observation.ran_by.clone(),
        rounds: columns[0].iter().flatten().count(),
        launches: launches(rounds),
        budget,
        unmeasured,
        oversubscribed: rounds.iter().any(|round| round.observation.oversubscribed),
        unsure: unsure(rounds, &configurations, ground),
    })
}

/// The budget of numbers that were obtained round by round, one column for each of [`Budget::configurations`], in µs:
/// medians over rounds, with intervals by resampling whole rounds, so that whatever shifts a round shifts all of it.
/// `None` where a column has no number.
pub fn over_rounds(from: &Configuration, to: &Configuration, columns: &[Vec<Option<f64>>]) -> Option<Budget> {
    let (medians, replicates) = joint_medians(columns, RESAMPLES, SEED)?;
    let whole = replicates.iter().filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    let resampled: Vec<Budget> = whole.filter_map(|numbers| Budget::of(from, to, numbers)).collect();
    Some(with_intervals(Budget::of(from, to, &medians)?, &resampled))
}

/// The numbers of one configuration, one for each round; nothing where its run has no valid repetition there.
fn column(rounds: &[&Round], of: &Configuration, all: &[Configuration], ground: Ground) -> Vec<Option<f64>> {
    let runs = Configuration::runs(all, ground);
    let Some(run) = runs.iter().position(|run| run.is_like(&of.run(ground))) else { return Vec::new() };
    let most = rounds.iter().map(|round| round.round as usize + 1).max().unwrap_or(0);
    let mut column = vec![None; most];
    for round in rounds.iter().filter(|round| round.run as usize == run) {
        column[round.round as usize] = of.number_us(&round.observation.ranks, &fresh(rounds, round));
    }
    column
}

/// Each rank's very first call of this case in the launch of a round.
fn fresh(rounds: &[&Round], of: &Round) -> Vec<Stamp> {
    let launch = |round: &Round| round.observation.case.conditions.launch;
    let first = rounds.iter().find(|round| launch(round) == launch(of));
    first.map(|first| first.observation.ranks.iter().map(|record| record.cold).collect()).unwrap_or_default()
}

fn launches(rounds: &[&Round]) -> usize {
    let mut launches: Vec<u32> = rounds.iter().map(|round| round.observation.case.conditions.launch).collect();
    launches.sort_unstable();
    launches.dedup();
    launches.len()
}

/// Every number with the middle share of its replicates.
fn with_intervals(best: Budget, resampled: &[Budget]) -> Budget {
    let around = |value: Estimate, of: &dyn Fn(&Budget) -> f64| {
        interval(value.value, &resampled.iter().map(of).collect::<Vec<f64>>())
    };
    let bar = |error: SystematicError| move |budget: &Budget| budget.bar(error).map_or(f64::NAN, |bar| bar.value);
    Budget {
        from_us: around(best.from_us, &|budget| budget.from_us.value),
        bars: best.bars.iter().map(|&(error, value)| (error, around(value, &bar(error)))).collect(),
        interaction: around(best.interaction, &|budget| budget.interaction.value),
        to_us: around(best.to_us, &|budget| budget.to_us.value),
    }
}

fn interval(value: f64, replicates: &[f64]) -> Estimate {
    percentile_interval(value, replicates, CONFIDENCE).unwrap_or(Estimate { value, low: value, high: value })
}

/// Runs with synchronised starts whose clocks, the best there are, were too unsure for the number in any round; with the
/// first reason.
fn unsure(rounds: &[&Round], all: &[Configuration], ground: Ground) -> Vec<String> {
    let runs = Configuration::runs(all, ground);
    let mut unsure: Vec<String> = Vec::new();
    let best = |run: &Configuration| run.clocks == Clocks::Perfect && run.method().is_synchronised();
    for (index, run) in runs.iter().enumerate().filter(|(_, run)| best(run)) {
        let of_run: Vec<_> = rounds.iter().filter(|round| round.run as usize == index).collect();
        let doubts: Vec<String> = of_run
            .iter()
            .filter_map(|round| {
                let number = run.number_us(&round.observation.ranks, &[])?;
                too_unsure(&round.observation.ranks, number, DOUBTFUL_SHARE)
            })
            .collect();
        if let Some(first) = doubts.first() {
            unsure.push(format!("{} in {} of {} rounds: {first}", run.name, doubts.len(), of_run.len()));
        }
    }
    unsure
}

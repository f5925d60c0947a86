//! Reads the lines of a campaign as a side.

use super::imported::imported;
use crate::contrast::quantity_of_answer;
use crate::contrast::states::label;
use crate::contrast::{Kind, Quantity, Round, Sampled, Side};
use crate::measured::DOUBTFUL_SHARE;
use calibration::states::{States, load};
use formats::import::Imported;
use probes::cases::cases;
use probes::clocks::too_unsure;
use programs::aggregation::slowest_us;
use programs::method::Method;
use programs::observation::{Case, Observation, Occasion};
use scenario::axis::{Axis, Key};
use scenario::store::{CampaignLines, Line, Observed, Tested};
use statistics::median;
use std::collections::{BTreeMap, BTreeSet};

/// Reads a side from the lines of a campaign. `name` is the user's name of the campaign.
pub fn campaign(name: &str, lines: &[Line], observed: Observed) -> Side {
    match Imported::of_lines(lines).as_slice() {
        [] => of_ranks(name, CampaignLines::from(lines), observed),
        runs => imported(name, runs, None)
            .unwrap_or_else(|why| Side { notes: vec![why], ..Side::new(name, Kind::Imported) }),
    }
}

/// Reads a side from the observations of a campaign's ranks.
pub fn of_ranks(name: &str, lines: CampaignLines<'_>, observed: Observed) -> Side {
    let mut side = Side { facts: lines.facts(), ..Side::new(name, Kind::Campaign) };
    for machine in lines.machines() {
        side.machines.retain(|known| known.name != machine.name);
        side.machines.push(machine.clone());
    }
    let tests = lines.tested().filter(|_| observed == Observed::Measured);
    tests.flat_map(|tested| of_test(name, tested)).for_each(|case| side.add(case));
    let read = || lines.observations(observed);
    let mut all: BTreeMap<(&Case, Occasion), &Observation> = read().map(|one| (one.key(), one)).collect();
    if !lines.is_finished() {
        side.notes.push("it did not run to its end".to_owned());
    }
    let left_out = lines.left_out().count();
    if left_out > 0 {
        side.notes.push(format!("{left_out} of the requested cases could not be measured"));
    }
    all.retain(|(case, _), _| case.timing.method != Method::LoopTrace);
    // States are distinguished in the order of time.
    let is_last = |one: &&Observation| all.get(&one.key()).is_some_and(|last| std::ptr::eq(*last, *one));
    let in_time: Vec<&Observation> = read().filter(is_last).collect();
    let states = States::from_observations(in_time.iter().copied());
    side.notes.extend(load(in_time.iter().copied()).and_then(|load| load.sentence()));
    side.notes.extend(untold(&states));
    side.states = states.reported().into_iter().copied().collect();
    let launches: BTreeSet<u32> = all.keys().map(|(_, occasion)| occasion.launch).collect();
    side.rounds = launches.into_iter().map(|launch| round(name, launch)).collect();
    for observation in all.into_values() {
        let times = slowest_us(observation);
        if times.is_empty() {
            side.notes.push(format!("{}: no valid sample", observation.name()));
            continue;
        }
        if side.states.is_empty() || observation.ranks.iter().all(|record| record.looks.is_empty()) {
            side.add(sampled(name, observation, times));
            continue;
        }
        for state in side.states.clone() {
            let Some(here) = states.only(&state, observation) else { continue };
            let times = slowest_us(&here);
            if !times.is_empty() {
                let launch = sampled(name, observation, times);
                side.add(Sampled { key: launch.key.named(Axis::State, &label(&state)), ..launch });
            }
        }
    }
    side
}

/// Returns the numbers of a test's answer, case by case.
fn of_test(campaign: &str, tested: &Tested) -> impl Iterator<Item = Sampled> {
    cases(tested).into_iter().map(move |(key, numbers)| Sampled {
        quantity: quantity_of_answer(&key),
        key,
        launches: vec![numbers],
        rounds: vec![round(campaign, tested.number)],
        estimate: None,
        ran_by: without_errors(&tested.ran_by),
        oversubscribed: tested.oversubscribed(),
        doubt: None,
    })
}

/// Sentence on the blocks of calls that were measured in rare or unclear states; `None` where there are none.
fn untold(states: &States) -> Option<String> {
    let told: usize = states.reported().iter().map(|state| state.stretches).sum();
    let rare = states.met.iter().map(|state| state.stretches).sum::<usize>() - told;
    let all = told + rare + states.unclear;
    (!states.met.is_empty() && rare + states.unclear > 0).then(|| {
        format!(
            "left out: {} of {all} blocks of calls in which the state of the machine changed or was not clear, {rare} in rare states",
            states.unclear
        )
    })
}

/// Removes the error of the clock's rate from a description of the library and the clock, since it differs in every
/// run.
fn without_errors(ran_by: &str) -> String {
    let Some((before, rest)) = ran_by.split_once(" to ") else { return ran_by.to_owned() };
    match rest.split_once(" ppm") {
        Some((error, after)) if error.parse::<f64>().is_ok() => format!("{before}{after}"),
        _ => ran_by.to_owned(),
    }
}

fn round(campaign: &str, launch: u32) -> Round {
    Round { campaign: campaign.to_owned(), launch }
}

fn sampled(campaign: &str, observation: &Observation, times: Vec<f64>) -> Sampled {
    let case = &observation.case;
    let result = median(&times).filter(|_| case.timing.method.is_synchronised());
    Sampled {
        key: Key::from_case(case),
        quantity: Quantity::Time,
        doubt: result.and_then(|us| too_unsure(&observation.ranks, us, DOUBTFUL_SHARE)),
        launches: vec![times],
        rounds: vec![round(campaign, observation.occasion.launch)],
        estimate: None,
        ran_by: without_errors(&observation.ran_by),
        oversubscribed: observation.oversubscribed,
    }
}

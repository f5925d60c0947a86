//! Assignment of a campaign's lines to cases.

use super::measured::measured;
use super::{Budgets, CONFIDENCE, CaseBudget, Predicted};
use calibration::states::{States, load};
use models::clock::ReportCard;
use models::wtime::Told;
use programs::budget::{ClockCost, Configuration, Round};
use programs::method::Method;
use programs::observation::{Case, CaseKey, World};
use render::groups::distinct;
use scenario::store::CampaignLines;

/// Returns the budgets between two configurations that a campaign holds, in the order in which their cases came up.
pub fn budgets<'a>(lines: impl Into<CampaignLines<'a>>, from: &Configuration, to: &Configuration) -> Budgets {
    let lines: CampaignLines = lines.into();
    let (cases, predictions) = cases(lines);
    let mut places: Vec<BudgetRanks> = Vec::new();
    let mut told: Vec<CaseBudget> = Vec::new();
    for case in cases {
        if case.simulated {
            told.push(case);
            continue;
        }
        let of = place_of(&case.case);
        let known = places.iter().position(|place| place.of == of).unwrap_or_else(|| {
            places.push(BudgetRanks::new(lines, of));
            places.len() - 1
        });
        let key = case.case.without_conditions();
        let of_case = predictions.iter().filter(|(of, _)| *of == key).map(|(_, predicted)| predicted.clone());
        let of_case = of_case.collect();
        told.extend(in_states(&places[known], case, of_case, (from, to)));
    }
    let load = load(lines.rounds().map(|round| &round.observation));
    Budgets {
        from: from.clone(),
        to: to.clone(),
        confidence: CONFIDENCE,
        environment: lines.facts(),
        cases: told,
        unequal_cores: load.is_some_and(|load| load.has_unequal_cores()),
        checked: calibration::holds::sentences(lines),
        load: load.and_then(|load| load.sentence()),
    }
}

/// Returns the cases in the order in which they came up, those of simulated ranks with their prediction, and the
/// predictions of the others.
fn cases(lines: CampaignLines<'_>) -> (Vec<CaseBudget>, Vec<(CaseKey, Predicted)>) {
    let mut cases: Vec<CaseBudget> = Vec::new();
    let mut predictions = Vec::new();
    for key in distinct(lines.rounds().map(|round| round.observation.case.without_conditions())) {
        place(&mut cases, &key, false);
    }
    for budget in lines.budgets() {
        let predicted = Predicted {
            machine: budget.machine.clone(),
            calibrated_in: budget.calibrated_in,
            budget: budget.budget.clone(),
        };
        let key = budget.case.without_conditions();
        let known = place(&mut cases, &key, budget.simulated);
        if budget.simulated {
            known.predicted = Some(predicted);
        } else {
            predictions.push((key, predicted));
        }
    }
    (cases, predictions)
}

/// Data that all cases of the same world and number of ranks share.
struct BudgetRanks<'a> {
    of: (World, u32),
    rounds: Vec<&'a Round>,
    states: States,
    clock: Option<ClockCost>,
    /// Time that the benchmarks' clock reports (E7), in words.
    benchmarks_clock: Vec<String>,
}

impl BudgetRanks<'_> {
    fn new(lines: CampaignLines<'_>, of: (World, u32)) -> BudgetRanks<'_> {
        let here = |round: &&Round| place_of(&round.observation.case) == of;
        let rounds: Vec<&Round> = lines.rounds().filter(here).collect();
        let states = States::from_observations(rounds.iter().map(|round| &round.observation));
        let cards = cards(lines, of);
        let clock = cards.map(|[best, benchmarks]| ClockCost::from_report_cards(benchmarks, best));
        let told = cards.and_then(|[_, benchmarks]| Told::of_card(benchmarks));
        BudgetRanks { of, states, clock, benchmarks_clock: told.into_iter().flat_map(Told::lines).collect(), rounds }
    }
}

/// World and number of ranks of a case.
fn place_of(case: &Case) -> (World, u32) {
    (case.place.world, case.place.ranks)
}

/// Returns the measurements of a case, once for each state of the machine that was met. A prediction stands beside the
/// state of its calibration, beside the first one if that state is unknown, and alone if nothing was measured in that
/// state.
fn in_states(
    place: &BudgetRanks,
    case: CaseBudget,
    predictions: Vec<Predicted>,
    (from, to): (&Configuration, &Configuration),
) -> Vec<CaseBudget> {
    let rooted = case.case.subject.collective.is_rooted();
    let (from, to, clock) = (from.rooted(rooted), to.rooted(rooted), place.clock);
    let key = case.case.without_conditions();
    let of_case = |round: &&Round| round.observation.case.without_conditions() == key;
    let rounds: Vec<&Round> = place.rounds.iter().copied().filter(of_case).collect();
    let (states, told) = (&place.states, place.states.reported());
    if told.is_empty() {
        let predicted = predictions.into_iter().next();
        return vec![CaseBudget {
            measured: measured(&rounds, (&from, &to), clock, &place.benchmarks_clock),
            predicted,
            ..case
        }];
    }
    let mut found: Vec<CaseBudget> = Vec::new();
    for state in told {
        let inside: Vec<Round> = rounds
            .iter()
            .filter_map(|round| Some(Round { observation: states.only(state, &round.observation)?, ..**round }))
            .collect();
        let inside: Vec<&Round> = inside.iter().collect();
        let Some(measured) = measured(&inside, (&from, &to), clock, &place.benchmarks_clock) else { continue };
        found.push(CaseBudget { state: Some(*state), measured: Some(measured), ..case.clone() });
    }
    let mut alone = None;
    for predicted in predictions {
        let is_its = |one: &&mut CaseBudget| match (one.state, predicted.calibrated_in) {
            (Some(state), Some(of)) => one.predicted.is_none() && state.cores().is_like(&of),
            (None, _) | (_, None) => one.predicted.is_none(),
        };
        match found.iter_mut().find(is_its) {
            Some(its) => its.predicted = Some(predicted),
            None => alone = alone.or(Some(predicted)),
        }
    }
    if found.iter().all(|one| one.predicted.is_none()) && (alone.is_some() || found.is_empty()) {
        found.push(CaseBudget { predicted: alone, ..case });
    }
    found
}

/// The report card of the best clock, which read the times, and that of the clock that benchmarks read; `None` where
/// both are the same clock, or benchmarks' has not been judged.
fn cards(lines: CampaignLines<'_>, place: (World, u32)) -> Option<[&ReportCard; 2]> {
    let mut cards = lines.report_cards().filter(|(of, _)| *of == place).map(|(_, card)| card);
    let best = cards.next()?;
    let benchmarks = cards.find(|card| card.clock != best.clock)?;
    Some([best, benchmarks])
}

fn place<'a>(cases: &'a mut Vec<CaseBudget>, key: &CaseKey, simulated: bool) -> &'a mut CaseBudget {
    let case = key.by(Method::Window);
    let found = cases.iter().position(|known| known.case == case && known.simulated == simulated);
    let index = found.unwrap_or_else(|| {
        cases.push(CaseBudget { case, simulated, state: None, predicted: None, measured: None });
        cases.len() - 1
    });
    &mut cases[index]
}

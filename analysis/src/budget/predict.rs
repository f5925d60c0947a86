//! Predicted budgets: by a machine file, by a calibration, or by a network model alone.

use super::orders::base;
use super::plan::BudgetPlan;
use campaign::Campaign;
use models::call::Call;
use models::clock::ClockSpread;
use models::noise::Noise;
use models::platform::Platform;
use programs::budget::{Budget, Configuration, Design};
use programs::machine::{Arithmetic, Bound, Estimate, Machine};
use programs::method::Order;
use programs::observation::{Carrier, Case, Implementation};
use programs::played::as_played;
use scenario::BadInput;
use scenario::store::PredictedBudget;
use sim::{Predictor, SimError};
use study::budget::over_rounds;

/// Returns the budget of a case by simulated ranks, at the best parameters and at both ends of their intervals.
pub(super) fn predicted(
    plan: &BudgetPlan,
    case: &Case,
    machine: Option<&Machine>,
    campaign: &Campaign,
    simulated: bool,
) -> anyhow::Result<PredictedBudget> {
    let (from, to) = plan.ends(case);
    let measured = case;
    // Network models have no notion of the elements in a buffer.
    let case = &case.clone().with(|case| case.subject.call = Call::default());
    let sleepy = !simulated && case.place.carrier.is_emulated();
    let order = base(plan, case, sleepy);
    let clocks = clocks(plan, case, machine, campaign, simulated)?;
    // The predictions are medians over rounds: single exchanges may take less or longer, their median hardly.
    let machine = machine.map(|machine| Machine { spread: Estimate::exactly_one(), ..machine.clone() });
    let machine = machine.as_ref();
    let mut budgets = Vec::new();
    let mut words = String::new();
    let bounds: &[Bound] = if machine.is_some() { &[Bound::Best, Bound::Low, Bound::High] } else { &[Bound::Best] };
    for &bound in bounds {
        let predictor = predictor(plan, measured, machine, bound, clocks)?;
        if bound == Bound::Best {
            words = predictor.network.to_string();
            if !predictor.noise.is_none() {
                words.push_str(&format!("; noise {}", predictor.noise));
            }
        }
        let mut order = as_played(case, &order, &predictor.network);
        // Simulated ranks take the library's barrier if their platform knows it.
        let network = &predictor.network;
        if simulated && (network.barrier(case.place.ranks).is_some() || network.cells(case.place.ranks).is_some()) {
            order.settings.barrier = Implementation::Library;
        }
        let budget = realised(&predictor, &from, &to, &order, plan.rounds);
        budgets.push(budget.map_err(|error| BadInput(format!("{}: {error}", case.name_without_method())))?);
    }
    let budget: Budget = budgets.remove(0).spanning(&budgets);
    let calibrated_in = machine.and_then(Machine::core_state);
    Ok(PredictedBudget { case: measured.clone(), simulated, machine: words, calibrated_in, budget })
}

/// Returns the budget on a machine. Under noise it consists of the medians over one realisation per round of real
/// ranks, and all configurations of a round share a realisation.
fn realised(
    predictor: &Predictor,
    from: &Configuration,
    to: &Configuration,
    order: &Order,
    rounds: u32,
) -> Result<Budget, SimError> {
    if predictor.noise.is_none() {
        return predictor.budget(from, to, order);
    }
    let cells = Design::between(from, to).cells;
    let cells: Vec<&Configuration> = cells.iter().collect();
    let mut columns = vec![Vec::with_capacity(rounds as usize); cells.len()];
    for round in 0..rounds {
        let noisy = Predictor { noise: predictor.noise.realisation(round), ..predictor.clone() };
        for (column, number) in columns.iter_mut().zip(noisy.printed_by(&cells, order)) {
            column.push(Some(number?));
        }
    }
    Ok(over_rounds(from, to, &columns).expect("a number of every configuration in every round"))
}

fn predictor(
    plan: &BudgetPlan,
    case: &Case,
    machine: Option<&Machine>,
    bound: Bound,
    clocks: ClockSpread,
) -> anyhow::Result<Predictor> {
    let seed = plan.calls.seed;
    let choice = plan.modelled.choice();
    let said = Noise::parse_with(&plan.modelled.sources(machine), seed, &crate::files::open_traces)
        .map_err(|message| BadInput(format!("--noise: {message}")))?;
    let Some(machine) = machine else {
        let platform = choice.platform(case.place.ranks)?;
        let network = platform.network;
        return Ok(Predictor { network: platform, clocks, noise: said, seed, ..Predictor::perfect(network) });
    };
    let bad = |message: String| BadInput(format!("machine {}: {message}", machine.name));
    let arithmetic = Arithmetic::from_case(case);
    let platform = match (&plan.modelled.model, case.place.carrier) {
        (Some(model), _) => machine.platform_with_memory(model, bound, arithmetic).map_err(bad)?,
        // The emulated network is the model that it plays.
        (None, Carrier::Emulated(_)) if plan.machine.is_none() => {
            Platform::new(machine.hockney(bound), machine.refinements(bound).map_err(bad)?)
        }
        (None, _) => machine.best_platform(bound, arithmetic).map_err(bad)?,
    };
    let refinements = platform.refinements().cloned().unwrap_or_default();
    Ok(Predictor {
        network: choice.refined(platform.network, refinements, case.place.ranks)?,
        control: machine.control(),
        clocks,
        good_clocks: machine.clocks(),
        noise: if said.is_none() { machine.noise(seed).map_err(bad)? } else { said },
        seed,
        ..Predictor::perfect(platform.network)
    })
}

/// Returns the errors of clocks in configurations that take them as they are: those of the flag, those found on these
/// ranks for the clock that benchmarks read, or those in the machine's file.
fn clocks(
    plan: &BudgetPlan,
    case: &Case,
    machine: Option<&Machine>,
    campaign: &Campaign,
    simulated: bool,
) -> Result<ClockSpread, BadInput> {
    let good = machine.map(Machine::clocks).unwrap_or_default();
    if let Some(clocks) = plan.modelled.clocks(good)? {
        return Ok(clocks);
    }
    let read = plan.clock_of_benchmarks(case.place.world);
    let of = (case.place.world, case.place.ranks);
    let mut cards = campaign.records().report_cards().filter(|_| !simulated);
    let found = cards.find(|(ranks, card)| *ranks == of && card.clock == read).map(|(_, card)| card);
    let card = found.or(machine.and_then(|machine| machine.clock.as_ref()));
    Ok(card.map(ClockSpread::of_card).unwrap_or_default())
}

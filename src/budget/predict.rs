//! Predicted budgets: by a machine file, by what was calibrated, or by a network model alone.

use super::orders::base;
use super::plan::Plan;
use crate::bad_input::BadInput;
use crate::run::campaign::Campaign;
use models::budget::Budget;
use models::machine::{Bound, Estimate, Machine};
use models::noise::Noise;
use models::observation::{Carrier, Case};
use models::platform::Platform;
use models::scenario::ClockSpread;
use reports::store::{Line, PredictedBudget};
use sim::Predictor;

/// The budget of a case by simulated ranks, at the best parameters and at both ends of their intervals.
pub fn predicted(
    plan: &Plan,
    case: &Case,
    machine: Option<&Machine>,
    campaign: &Campaign,
    simulated: bool,
) -> anyhow::Result<PredictedBudget> {
    let (from, to) = plan.ends(case);
    let sleepy = !simulated && case.carrier == Carrier::Emulated;
    let order = base(plan, case, sleepy);
    let clocks = clocks(plan, case, machine, campaign, simulated)?;
    // What is predicted are medians over rounds: single exchanges may take less or longer, their median hardly.
    let machine = machine.map(|machine| Machine { spread: Estimate::exactly_one(), ..machine.clone() });
    let machine = machine.as_ref();
    let mut budgets = Vec::new();
    let mut words = String::new();
    let bounds: &[Bound] = if machine.is_some() { &[Bound::Best, Bound::Low, Bound::High] } else { &[Bound::Best] };
    for &bound in bounds {
        let predictor = predictor(plan, case, machine, bound, clocks)?;
        if bound == Bound::Best {
            words = predictor.network.to_string();
            if !predictor.noise.is_none() {
                words.push_str(&format!("; noise {}", predictor.noise));
            }
        }
        let budget = predictor.budget(&from, &to, &order);
        budgets.push(budget.map_err(|error| BadInput(format!("{}: {error}", case.subject())))?);
    }
    let budget: Budget = budgets.remove(0).spanning(&budgets);
    Ok(PredictedBudget { case: case.clone(), simulated, machine: words, budget })
}

fn predictor(
    plan: &Plan,
    case: &Case,
    machine: Option<&Machine>,
    bound: Bound,
    clocks: ClockSpread,
) -> anyhow::Result<Predictor> {
    let seed = plan.calls.seed;
    let Some(machine) = machine else {
        let platform = plan.modelled.flags().platform(case.ranks)?;
        let noise = Noise::parse_with(&plan.modelled.noise, seed, &crate::flags::open_traces)
            .map_err(|message| BadInput(format!("--noise: {message}")))?;
        return Ok(Predictor { control: platform.network, network: platform, clocks, noise, seed });
    };
    let bad = |message: String| BadInput(format!("machine {}: {message}", machine.name));
    let network = match (&plan.modelled.model, case.carrier) {
        (Some(model), _) => machine.network(model, bound).map_err(bad)?,
        // It is what it plays.
        (None, Carrier::Emulated) if plan.machine.is_none() => machine.hockney(bound),
        (None, _) => machine.best_network(bound),
    };
    Ok(Predictor {
        network: Platform::new(network, machine.refinements(bound).map_err(bad)?),
        control: machine.control(),
        clocks,
        noise: machine.noise(seed).map_err(bad)?,
        seed,
    })
}

/// How wrong clocks are that are as they are: as it was said, as the clock that benchmarks read was found on these
/// ranks, or as the machine's file has it.
fn clocks(
    plan: &Plan,
    case: &Case,
    machine: Option<&Machine>,
    campaign: &Campaign,
    simulated: bool,
) -> Result<ClockSpread, BadInput> {
    if let Some(clocks) = plan.modelled.clocks()? {
        return Ok(clocks);
    }
    let read = plan.clock_of_benchmarks(case.world);
    let found = campaign.lines().iter().find_map(|line| match line {
        Line::ReportCard { world, ranks, card }
            if !simulated && (*world, *ranks) == (case.world, case.ranks) && card.clock == read =>
        {
            Some(&**card)
        }
        _ => None,
    });
    let card = found.or(machine.and_then(|machine| machine.clock.as_ref()));
    Ok(card.map(ClockSpread::of_card).unwrap_or_default())
}

//! Cases of simulated ranks on machines that the scenario gives: no calibration, and the truth is exact.

use super::orders;
use campaign::Campaign;
use campaign::interrupted;
use models::call::Call;
use models::clock::DrawnClocks;
use models::collective::Shape;
use programs::machine::Bound;
use programs::method::{Order, Subject};
use programs::observation::{Case, ClockCheck, Observation, RankRecord};
use programs::operation::WaitPattern;
use scenario::BadInput;
use scenario::store::Line;
use scenario::{Group, Scenario, SimulatedMachine};
use sim::Predictor;

/// Simulates the cases and waits of a group that the campaign does not have yet.
pub(super) fn simulate_group(scenario: &Scenario, group: &Group, campaign: &mut Campaign) -> anyhow::Result<()> {
    let machine = scenario.machines.iter().find(|machine| machine.label == group.conditions.machine);
    let machine = machine.ok_or_else(|| BadInput("simulated ranks need a table [simulated]".to_owned()))?;
    let predictor = predictor(scenario, machine, group.occasion.launch)?;
    let (occasion, bound) = (group.occasion, Bound::Best);
    if group.waits && !campaign.has_checked_clocks(group.place(), group.conditions, occasion) {
        campaign.append(Line::ClockCheck(waits(scenario, group, &predictor)?))?;
    }
    let missing = |case: &&Case| !campaign.has_predicted(case, occasion);
    for case in group.cases.iter().filter(missing).cloned().collect::<Vec<_>>() {
        anyhow::ensure!(!interrupted(), "interrupted");
        let prediction = predictor.predict(&orders::order(scenario, &case)?)?;
        let observation = Observation::new(case.clone(), &machine.words, prediction.ranks);
        let observation = Observation { occasion, ..observation };
        campaign.append(Line::Truth { case, occasion, bound, spans: prediction.truth })?;
        campaign.append(Line::Predicted { bound, network: machine.platform.network, observation })?;
    }
    Ok(())
}

fn predictor(scenario: &Scenario, machine: &SimulatedMachine, launch: u32) -> Result<Predictor, BadInput> {
    let seed = orders::seed_of(scenario, launch);
    Ok(Predictor {
        network: machine.platform.clone(),
        control: machine.platform.network,
        clocks: machine.clocks,
        noise: machine.noise(seed).map_err(BadInput)?,
        seed,
        ..Predictor::perfect(machine.platform.network)
    })
}

/// Times windows around waits of known duration.
fn waits(scenario: &Scenario, group: &Group, predictor: &Predictor) -> anyhow::Result<ClockCheck> {
    let timed = |pattern: WaitPattern| -> anyhow::Result<Vec<RankRecord>> {
        let order = Order {
            subject: Subject::Wait(pattern),
            shape: Shape::new(group.ranks, 0, 0),
            call: Call::default(),
            copies_as: None,
            environment: Default::default(),
            settings: orders::of_waits(scenario),
        };
        Ok(predictor.predict(&order)?.ranks)
    };
    Ok(ClockCheck {
        world: group.world,
        carrier: group.carrier,
        conditions: group.conditions,
        occasion: group.occasion,
        oversubscribed: false,
        clocks: Some(DrawnClocks { spread: predictor.clocks, seed: predictor.seed }),
        null: timed(WaitPattern::Null)?,
        up: timed(WaitPattern::Up)?,
        down: timed(WaitPattern::Down)?,
    })
}

//! The machine by which budgets are predicted: calibrated in the first launch of its ranks, if no file was given.

use super::plan::Launch;
use crate::environment::provenance;
use measure::job::{Outcome, Task};
use models::calibration::CalibrationSettings;
use models::machine::Machine;
use models::network::SendRule;
use models::observation::{Carrier, Case};
use models::scenario::Group;
use reports::fit::fit_machine;

/// Ranks of a world as one group.
pub fn group(launch: &Launch, cases: &[Case]) -> Group {
    let carrier = cases.first().map_or(Carrier::Native, |case| case.carrier);
    Group::new(launch.world, carrier, launch.ranks, cases.to_vec())
}

/// What the ranks exchange so that their cases can be predicted.
pub fn task(group: &Group) -> Task {
    let settings: CalibrationSettings = crate::run::orders::calibration(group);
    Task::Calibrate(settings)
}

/// The machine of what they exchanged; `None` for other outcomes.
pub fn fitted(group: &Group, send_rule: SendRule, outcome: Outcome) -> anyhow::Result<Option<Machine>> {
    let Outcome::Calibrated { ran_by, samples, control } = outcome else { return Ok(None) };
    let provenance =
        provenance(ran_by, "Messages between ranks 0 and 1, medians per length.", reports::budget::CONFIDENCE);
    let send_rule = if group.carrier == Carrier::Emulated { send_rule } else { SendRule::Eager };
    let mut machine = fit_machine(&group.machine_name(), provenance, send_rule, &samples)?;
    machine.control_us = control.as_us();
    Ok(Some(machine))
}

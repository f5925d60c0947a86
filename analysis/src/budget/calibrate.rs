//! The machine by which budgets are predicted if no file was given: everything that `parallax calibrate --quick`
//! measures, and the costs of messages in the launches that measure.

use super::plan::Launch;
use crate::run::calibrated::{Missing, Samples, keep};
use campaign::progress::Expected;
use campaign::{Campaign, RecordedCampaign, Start};
use models::network::SendRule;
use programs::observation::{Carrier, Case};
use scenario::{BadInput, Group};

/// Least length up to which calibrations exchange messages, in bytes.
const SHORTEST: u64 = 4096;

/// Returns the ranks of a launch and their cases as one group.
pub(super) fn group(launch: &Launch, cases: &[Case]) -> Group {
    let carrier = cases.first().map_or(Carrier::Native, |case| case.place.carrier);
    Group::new(launch.world, carrier, launch.ranks, cases.to_vec())
}

/// Calibrates in launches of its own whatever takes fresh ranks or colder buffers; true if it did. Does nothing where
/// the machine is known, or where the network is emulated, since that network's parameters are given.
pub(super) fn first(start: &Start, group: &Group, campaign: &mut Campaign) -> anyhow::Result<bool> {
    let name = group.machine_name();
    if group.carrier != Carrier::Native || campaign.machine(&name).is_some() {
        return Ok(false);
    }
    let (machine, samples) = crate::calibrate::quickly(start, &name, group.longest_message().max(SHORTEST))?;
    let samples = Samples {
        machine: name,
        send_rule: SendRule::Eager,
        control_us: machine.control_us,
        provenance: machine.provenance.clone(),
        samples,
    };
    keep(campaign, &samples, machine)?;
    Ok(true)
}

/// Adds the first calibration to the expected work.
pub(super) fn expect_first(start: &Start, group: &Group, expected: &mut Expected) -> Result<(), BadInput> {
    if group.carrier != Carrier::Native {
        return Ok(());
    }
    crate::calibrate::expect_quickly(start, group.longest_message().max(SHORTEST), expected)
}

/// Returns the calibrations that a launch still has to make. On a library's own transport the first calibration
/// precedes all launches.
pub(super) fn of_launch(launch: &Launch, group: &Group, campaign: &RecordedCampaign) -> Missing {
    let before = u32::from(group.carrier == Carrier::Native);
    Missing::of_launch(group, launch.occasion.launch + before, None, campaign)
}

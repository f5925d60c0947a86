//! The calibration of the ranks that are measured: what they exchange, the fit, and the samples, which are kept.

use super::held_out::fitted;
use crate::bad_input::BadInput;
use crate::environment::provenance;
use crate::measuring::plan::Launch;
use crate::run::Kept;
use crate::run::campaign::Campaign;
use crate::run::orders::calibration;
use anyhow::Context;
use models::calibration::{CalibrationSettings, Sample};
use models::machine::Provenance;
use models::network::{Hockney, SendRule};
use models::observation::Carrier;
use models::scenario::Group;
use models::time::{PerByte, Span};
use reports::store::Line;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The network that emulated ranks play: slow enough that waking up late by tens of µs is a few percent, and such that
/// 50 KB take as long as the latency.
pub const EMULATED: Hockney = Hockney { alpha: Span::from_us(500), beta: PerByte(10_000.0), send_rule: SendRule::Busy };

/// All that a calibration measured: every fit can be made again from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// The machine's name.
    pub machine: String,
    /// What carried the messages.
    pub carrier: Carrier,
    /// When, where and how.
    pub provenance: Provenance,
    /// Exchanges of each kind.
    pub samples: Vec<Sample>,
}

/// The cases of a launch as a scenario's group, whose ranks are calibrated alike.
fn group(launch: &Launch) -> Group {
    Group::new(launch.world, launch.carrier, launch.ranks, launch.cases.clone())
}

/// What the ranks exchange: lengths around those of their cases.
pub fn settings(launch: &Launch) -> CalibrationSettings {
    calibration(&group(launch))
}

/// Whether the ranks of a launch were calibrated, in this launch or in one before it.
pub fn is_there(campaign: &Kept, launch: &Launch) -> bool {
    campaign.machine(&group(launch).machine_name()).is_some()
}

/// Fits the machine, and keeps the samples beside the campaign.
pub fn keep(
    campaign: &mut Campaign,
    launch: &Launch,
    ran_by: String,
    samples: &[Sample],
    control: Span,
) -> anyhow::Result<()> {
    let provenance = provenance(
        ran_by,
        "Ping-pongs, trains, late receives and late sends between ranks 0 and 1, medians per length.",
        0.95,
    );
    let machine = group(launch).machine_name();
    let samples = Samples { machine, carrier: launch.carrier, provenance, samples: samples.to_vec() };
    let mut machine = fitted(&samples, &samples.samples)?;
    machine.control_us = control.as_us();
    // The samples first: a machine in the campaign says that they are there.
    campaign.write(&file(&samples.machine), &(serde_json::to_string(&samples)? + "\n"))?;
    campaign.append(Line::Machine(Box::new(machine)))
}

/// The samples of a machine.
pub fn read(campaign: &Kept, machine: &str) -> anyhow::Result<Samples> {
    let path: PathBuf = campaign.folder().join(file(machine));
    let at = || format!("{}: the calibration's samples cannot be read; validate anew", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| BadInput(format!("{}: {error}", at())))?;
    serde_json::from_str(&text).with_context(at)
}

fn file(machine: &str) -> String {
    format!("calibration-{machine}.json")
}

/// What senders wait for where Hockney's model is fitted.
pub fn send_rule(carrier: Carrier) -> SendRule {
    match carrier {
        Carrier::Emulated => EMULATED.send_rule,
        Carrier::Native | Carrier::Modelled => SendRule::Eager,
    }
}

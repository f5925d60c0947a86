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
use models::machine::{Machine, Provenance};
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
pub fn is_there(campaign: &Kept, launch: &Launch, place: Place) -> bool {
    campaign.machine(&name(launch, place)).is_some()
}

/// When in a launch its ranks are calibrated: the machine's state may change meanwhile, and predictions want a calibration
/// of the state that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before its cases.
    Begin,
    /// Behind them.
    End,
}

/// The name of a launch's calibration: the first one's is that of the machine.
fn name(launch: &Launch, place: Place) -> String {
    let base = group(launch).machine_name();
    match (launch.number, place) {
        (0, Place::Begin) => base,
        (number, Place::Begin) => format!("{base}.{number}"),
        (number, Place::End) => format!("{base}.{number}-end"),
    }
}

/// The calibration of the machine of this name that was made in the state in which most was measured; else the first.
pub fn chosen<'a>(campaign: &'a Kept, machine: &str) -> Option<&'a Machine> {
    let behind = |name: &str| name.strip_prefix(machine).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let all = || {
        campaign.lines().iter().filter_map(|line| match line {
            Line::Machine(calibrated) if behind(&calibrated.name) => Some(&**calibrated),
            _ => None,
        })
    };
    let state = reports::validation::most_visited(campaign.lines());
    let alike = |one: &&Machine| one.line_ns.zip(state).is_some_and(|(ns, state)| state.is_like(ns));
    all().find(alike).or_else(|| all().next())
}

/// The campaign's lines with none but the chosen calibrations, by the names of their machines.
pub fn with_chosen(campaign: &Kept) -> Vec<Line> {
    let base = |name: &str| name.split_once('.').map_or(name, |(base, _)| base).to_owned();
    let keep = |line: &Line| match line {
        Line::Machine(machine) => {
            let base = base(&machine.name);
            let is_chosen = chosen(campaign, &base).is_some_and(|chosen| chosen.name == machine.name);
            is_chosen.then(|| Line::Machine(Box::new(Machine { name: base, ..(**machine).clone() })))
        }
        other => Some(other.clone()),
    };
    campaign.lines().iter().filter_map(keep).collect()
}

/// Fits the machine, and keeps the samples beside the campaign.
pub fn keep(
    campaign: &mut Campaign,
    (launch, place): (&Launch, Place),
    ran_by: String,
    samples: &[Sample],
    control: Span,
) -> anyhow::Result<()> {
    let provenance = provenance(
        ran_by,
        "Ping-pongs, trains, late receives and late sends between ranks 0 and 1, medians per length.",
        0.95,
    );
    let machine = name(launch, place);
    let samples = Samples { machine, carrier: launch.carrier, provenance, samples: samples.to_vec() };
    let mut machine = fitted(&samples)?;
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

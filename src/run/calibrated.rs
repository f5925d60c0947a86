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

/// The calibrated machines of a campaign, each by what all its calibrations measured in the state of the machine in which
/// most was measured; by the first one's, where none met that state.
#[derive(Default)]
pub struct Calibrations(Vec<(Machine, Samples)>);

impl Calibrations {
    /// Fits them.
    ///
    /// # Errors
    /// Samples that cannot be read, or from which nothing can be fitted.
    pub fn of(campaign: &Kept) -> anyhow::Result<Calibrations> {
        let state = reports::validation::most_visited(campaign.lines());
        let is_alike = |one: &&&Machine| one.line_ns.zip(state).is_some_and(|(ns, state)| state.is_like(ns));
        let all: Vec<&Machine> = campaign.lines().iter().filter_map(machine).collect();
        let mut fits = Vec::new();
        for first in all.iter().filter(|one| base(&one.name) == one.name) {
            let of: Vec<&Machine> = all.iter().copied().filter(|one| base(&one.name) == first.name).collect();
            let alike: Vec<&Machine> = of.iter().filter(is_alike).copied().collect();
            let chosen = if alike.is_empty() { &of[..1] } else { &alike[..] };
            let mut pooled = read(campaign, &chosen[0].name)?;
            for one in &chosen[1..] {
                pooled.samples.extend(read(campaign, &one.name)?.samples);
            }
            pooled.machine.clone_from(&first.name);
            let machine = Machine { control_us: chosen[0].control_us, ..fitted(&pooled)? };
            fits.push((machine, pooled));
        }
        Ok(Calibrations(fits))
    }

    /// The machine of this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        self.0.iter().find(|(machine, _)| machine.name == name).map(|(machine, _)| machine)
    }

    /// What its fit is made of.
    pub fn samples(&self, name: &str) -> Option<&Samples> {
        self.0.iter().find(|(machine, _)| machine.name == name).map(|(_, samples)| samples)
    }

    /// The campaign's lines with these machines in the place of single calibrations.
    pub fn lines(&self, campaign: &Kept) -> Vec<Line> {
        let keep = |line: &Line| match machine(line) {
            Some(one) => self.machine(&one.name).map(|pooled| Line::Machine(Box::new(pooled.clone()))),
            None => Some(line.clone()),
        };
        campaign.lines().iter().filter_map(keep).collect()
    }
}

fn machine(line: &Line) -> Option<&Machine> {
    match line {
        Line::Machine(machine) => Some(machine),
        _ => None,
    }
}

/// The name of the machine of a calibration.
fn base(name: &str) -> &str {
    name.split_once('.').map_or(name, |(base, _)| base)
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
fn read(campaign: &Kept, machine: &str) -> anyhow::Result<Samples> {
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

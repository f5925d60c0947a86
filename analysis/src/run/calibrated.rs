//! The calibrations of the ranks that are measured, made in the same launches: the exchanges, the fit, and the samples,
//! which are kept beside the campaign. All samples taken in the state of the machine in which the ranks were most of
//! the time give its parameters together.

use super::orders::calibration;
use anyhow::Context;
use calibration::fit::{FitError, ToFit, core_state, in_state as samples_in_state};
use calibration::holds::CHECKED;
use calibration::states::MetState;
use campaign::Campaign;
use campaign::RecordedCampaign;
use campaign::asking::Calibrated;
use campaign::environment::provenance;
use measure::job::Task;
use models::network::{Hockney, SendRule};
use programs::calibration::Sample;
use programs::machine::{CoreState, Machine, Provenance};
use programs::observation::Carrier;
use scenario::BadInput;
use scenario::Group;
use scenario::store::Line;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::PathBuf;

/// Everything that a calibration measured: each fit can be made again from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Samples {
    pub machine: String,
    /// Send rule for which Hockney's model is fitted.
    pub send_rule: SendRule,
    /// One-way time of the methods' own messages, in µs.
    pub control_us: f64,
    /// Date, host, and procedure of the calibration.
    pub provenance: Provenance,
    /// Exchanges of each kind.
    pub samples: Vec<Sample>,
}

/// Position of a calibration in its launch: the machine's state may change meanwhile, and predictions need a
/// calibration of the state that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CalibrationPosition {
    /// Before the cases of the launch.
    Begin,
    /// After the cases of the launch.
    End,
    /// Before the cases, to check a machine file that the user gave.
    Check,
}

/// A calibration of the ranks of a launch.
struct Calibration {
    /// The ranks, and the cases that are to be predicted.
    group: Group,
    /// Number of the launch; the first one's calibration at its start carries the machine's name.
    launch: u32,
    /// Position of the calibration in the launch.
    place: CalibrationPosition,
    /// Send rule for which Hockney's model is fitted.
    send_rule: SendRule,
}

impl Calibration {
    fn task(&self) -> Task {
        Task::Calibrate(calibration(&self.group))
    }

    fn add_to(&self, tasks: &mut Vec<Task>) {
        match self.place {
            CalibrationPosition::Begin | CalibrationPosition::Check => tasks.insert(0, self.task()),
            CalibrationPosition::End => tasks.push(self.task()),
        }
    }

    fn name(&self) -> String {
        let base = self.group.machine_name();
        match (self.launch, self.place) {
            (0, CalibrationPosition::Begin) => base,
            (number, CalibrationPosition::Begin) => format!("{base}.{number}"),
            (number, CalibrationPosition::End) => format!("{base}.{number}-end"),
            (_, CalibrationPosition::Check) => base + CHECKED,
        }
    }

    /// Fits the machine, and keeps the samples beside the campaign.
    ///
    /// # Errors
    /// Fails on exchanges from which nothing can be fitted, and on files that cannot be written.
    fn keep(&self, campaign: &mut Campaign, found: Calibrated) -> anyhow::Result<()> {
        let Calibrated { ran_by, samples, control } = found;
        let provenance = provenance(
            ran_by,
            match self.group.carrier {
                Carrier::Emulated(_) | Carrier::Modelled => "Ping-pongs between ranks 0 and 1, medians per length.",
                Carrier::Native => {
                    "Ping-pongs, trains, late receives and late sends between ranks 0 and 1, medians per length."
                }
            },
            CONFIDENCE,
        );
        let samples = Samples {
            machine: self.name(),
            send_rule: self.send_rule,
            control_us: control.as_us(),
            provenance,
            samples,
        };
        keep(campaign, &samples, samples.fitted()?)
    }
}

/// The calibrations of a launch that the campaign does not have yet, in the order of their answers.
#[derive(Default)]
pub(crate) struct Missing(VecDeque<Calibration>);

impl Missing {
    /// Returns the calibrations before and after the cases of a launch; `given` is the emulated network of a scenario.
    /// An emulated network has no states, and is calibrated once.
    pub(crate) fn of_launch(
        group: &Group,
        launch: u32,
        given: Option<Hockney>,
        campaign: &RecordedCampaign,
    ) -> Missing {
        let emulated = group.carrier.emulates().or(given.filter(|_| group.carrier.is_emulated()));
        let send_rule = emulated.map_or(SendRule::Eager, |network| network.send_rule);
        let is_made = |place: &CalibrationPosition| {
            group.carrier == Carrier::Native || (*place, launch) == (CalibrationPosition::Begin, 0)
        };
        let made = [CalibrationPosition::Begin, CalibrationPosition::End].into_iter().filter(is_made);
        Missing::not_in(made.map(|place| Calibration { group: group.clone(), launch, place, send_rule }), campaign)
    }

    /// Returns the calibration that checks a machine file of the user, on a library's own transport.
    pub(crate) fn of_check(group: &Group, campaign: &RecordedCampaign) -> Missing {
        let one = Calibration {
            group: group.clone(),
            launch: 0,
            place: CalibrationPosition::Check,
            send_rule: SendRule::Eager,
        };
        Missing::not_in(Some(one).into_iter().filter(|_| group.carrier == Carrier::Native), campaign)
    }

    fn not_in(all: impl Iterator<Item = Calibration>, campaign: &RecordedCampaign) -> Missing {
        Missing(all.filter(|one| campaign.machine(&one.name()).is_none()).collect())
    }

    /// True if there is nothing to calibrate.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the name of the machine that the next calibration is of.
    pub(crate) fn machine_name(&self) -> Option<String> {
        self.0.front().map(|one| one.group.machine_name())
    }

    /// Adds the calibrations to the tasks of their launch; they exchange lengths around those of the cases.
    pub(crate) fn add_to(&self, tasks: &mut Vec<Task>) {
        self.0.iter().for_each(|one| one.add_to(tasks));
    }

    /// Fits the machine of the next calibration, and keeps it and its samples.
    ///
    /// # Errors
    /// Fails on an answer without a request, on exchanges from which nothing can be fitted, and on files that cannot be
    /// written.
    pub(crate) fn keep(&mut self, campaign: &mut Campaign, found: Calibrated) -> anyhow::Result<()> {
        let one = self.0.pop_front().context("ranks answered a calibration that was not requested")?;
        one.keep(campaign, found)
    }
}

/// Confidence of the intervals of all parameters.
const CONFIDENCE: f64 = 0.95;

impl Samples {
    /// Fits the machine to the samples.
    ///
    /// # Errors
    /// Fails on samples to which nothing can be fitted.
    pub(crate) fn fitted(&self) -> Result<Machine, FitError> {
        self.fitted_in(core_state(&self.samples))
    }

    /// Fits the machine as [`Samples::fitted`] does, with the state of the machine given by the caller.
    fn fitted_in(&self, state: Option<CoreState>) -> Result<Machine, FitError> {
        let machine = self.to_fit(&self.samples).machine_in(state)?;
        Ok(Machine { control_us: self.control_us, ..machine })
    }

    /// Fits the values of a machine, without intervals, to the samples that `wanted` selects; `None` where they are too
    /// few.
    pub(crate) fn fitted_to(&self, wanted: impl Fn(&Sample) -> bool) -> Option<Machine> {
        let chosen: Vec<Sample> = self.samples.iter().filter(|sample| wanted(sample)).cloned().collect();
        self.to_fit(&chosen).values().ok()
    }

    fn to_fit<'a>(&'a self, samples: &'a [Sample]) -> ToFit<'a> {
        ToFit { name: &self.machine, provenance: self.provenance.clone(), send_rule: self.send_rule, samples }
    }
}

/// Keeps a machine and the samples that it was fitted to. The samples come first: a machine in the campaign implies
/// that its samples exist.
///
/// # Errors
/// Fails on files that cannot be written.
pub(crate) fn keep(campaign: &mut Campaign, samples: &Samples, machine: Machine) -> anyhow::Result<()> {
    campaign.write(&file(&samples.machine), &(serde_json::to_string(samples)? + "\n"))?;
    campaign.append(Line::Machine(Box::new(machine)))
}

/// Calibrated machines of a campaign, each fitted to all samples of its calibrations in one state: of the calibrated
/// states, the one in which most was measured. Further states that were both measured and calibrated are kept as the
/// machine's other states.
#[derive(Default)]
pub(crate) struct Calibrations(Vec<(Machine, Samples)>);

impl Calibrations {
    /// Fits the machines of a campaign.
    ///
    /// # Errors
    /// Fails on samples that cannot be read, or from which nothing can be fitted.
    pub(crate) fn fit(campaign: &RecordedCampaign) -> anyhow::Result<Calibrations> {
        let told: Vec<CoreState> =
            study::validation::told_states(campaign.records()).iter().map(MetState::cores).collect();
        let all: Vec<&Machine> = campaign.records().machines().collect();
        let mut fits = Vec::new();
        // A machine file of the user has no samples here.
        let has_samples = |one: &&&Machine| campaign.folder().join(file(&one.name)).is_file();
        for first in all.iter().filter(|one| base(&one.name) == one.name).filter(has_samples) {
            let of = all.iter().filter(|one| base(&one.name) == first.name);
            let calibrations = of.map(|one| read(campaign, &one.name)).collect::<Result<Vec<_>, _>>()?;
            let mut states = in_states(&calibrations, &told).into_iter().map(|(state, pooled)| {
                let pooled = Samples { machine: first.name.clone(), ..pooled };
                let machine = beside_messages(pooled.fitted_in(state)?, first);
                anyhow::Ok((machine, pooled))
            });
            let (mut machine, pooled) = states.next().context("a calibrated machine has samples")??;
            machine.other_states =
                states.map(|state| state.map(|(machine, _)| machine)).collect::<anyhow::Result<_>>()?;
            fits.push((machine, pooled));
        }
        Ok(Calibrations(fits))
    }

    /// Returns the machine of this name.
    pub(crate) fn machine(&self, name: &str) -> Option<&Machine> {
        self.0.iter().find(|(machine, _)| machine.name == name).map(|(machine, _)| machine)
    }

    /// Returns the samples to which the machine of this name was fitted.
    pub(crate) fn samples(&self, name: &str) -> Option<&Samples> {
        self.0.iter().find(|(machine, _)| machine.name == name).map(|(_, samples)| samples)
    }

    /// Returns the campaign's lines with these machines in the place of single calibrations.
    pub(crate) fn lines(&self, campaign: &RecordedCampaign) -> Vec<Line> {
        let keep = |line: &Line| match line {
            Line::Machine(one) => match (self.machine(&one.name), self.machine(base(&one.name))) {
                (Some(pooled), _) => Some(Line::Machine(Box::new(pooled.clone()))),
                (None, Some(_)) => None,
                (None, None) => Some(line.clone()),
            },
            _ => Some(line.clone()),
        };
        campaign.lines().iter().filter_map(keep).collect()
    }
}

/// Returns the samples of one machine's calibrations in each of these states, with the state. If no calibration was in
/// any of them, returns the samples of a state whose cache lines took as long, else all samples of the first
/// calibration. All other facts are those of the first calibration in that state.
fn in_states(calibrations: &[Samples], wanted: &[CoreState]) -> Vec<(Option<CoreState>, Samples)> {
    let pooled = |state: CoreState| {
        let samples = samples_in_state(calibrations.iter().map(|one| &one.samples[..]), &state)?;
        let is_in_it = |one: &&Samples| core_state(&one.samples).is_some_and(|found| found.is_like(&state));
        let of = calibrations.iter().find(is_in_it).or(calibrations.first())?;
        Some((Some(state), Samples { samples, ..of.clone() }))
    };
    let known: Vec<_> = wanted.iter().copied().filter_map(pooled).collect();
    if !known.is_empty() {
        return known;
    }
    let at_any_speed = wanted.iter().map(|state| state.at_any_speed()).find_map(pooled);
    let first = || calibrations.first().map(|first| (core_state(&first.samples), first.clone()));
    at_any_speed.or_else(first).into_iter().collect()
}

/// Returns the machine with the parameters of another one that do not concern messages.
fn beside_messages(machine: Machine, known: &Machine) -> Machine {
    Machine {
        connect_us: known.connect_us,
        clock: known.clock.clone(),
        noise: known.noise.clone(),
        idle: known.idle.clone(),
        ..machine
    }
}

/// Returns the machine's name without the ending that [`Calibration::name`] adds. Other names may have dots, too.
fn base(name: &str) -> &str {
    let Some((base, end)) = name.rsplit_once('.') else { return name };
    let number = end.strip_suffix("-end").unwrap_or(end);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number || name.ends_with(CHECKED) { base } else { name }
}

/// Reads the samples of a machine.
fn read(campaign: &RecordedCampaign, machine: &str) -> anyhow::Result<Samples> {
    let path: PathBuf = campaign.folder().join(file(machine));
    let at = || format!("{}: the calibration's samples cannot be read; start a new campaign", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| BadInput(format!("{}: {error}", at())))?;
    serde_json::from_str(&text).with_context(at)
}

fn file(machine: &str) -> String {
    format!("calibration-{machine}.json")
}

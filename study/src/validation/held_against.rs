//! Measurements that predictions are compared with: a reference in a named state of buffers, in one state of the
//! machine.

use super::measured::all;
use crate::measured::reference_words;
use calibration::states::{MetState, States, load};
use programs::machine::{CoreState, Machine};
use programs::method::{Buffer, Method};
use programs::observation::Observation;
use scenario::store::{CampaignLines, Observed};
use statistics::median;

/// Measurements that predictions are compared with, and their conditions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldAgainst {
    /// State in which measured calls found their buffers; `None` where nothing was measured.
    pub buffer: Option<Buffer>,
    /// Method of the measurements, if there are any.
    pub method: Option<Method>,
    /// State of the machine whose times are compared with predictions: the most visited one of those in which ranks
    /// were calibrated; `None` if no state was observed.
    pub state: Option<MetState>,
    /// Other states that were met, the most visited first.
    pub others: Vec<OtherState>,
    /// Blocks of calls during which the state changed or was not clear.
    pub unclear: usize,
    /// State of the machine right behind each calibration.
    pub calibrated: Vec<CalibratedIn>,
    /// Sentences on whether the machine file that was handed over still holds.
    pub checked: Vec<String>,
    /// Sentence on other users of the machine while ranks measured, if they matter.
    pub load: Option<String>,
}

/// State whose times are not compared with predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OtherState {
    /// State of the machine.
    pub state: MetState,
    /// Number of cases that were measured in both this state and the compared one.
    pub cases: usize,
    /// Median over these cases of the time in this state over the time in the compared one.
    pub ratio: Option<f64>,
}

/// State in which a calibration found the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibratedIn {
    /// Name of the calibrated machine.
    pub machine: String,
    /// State that all looks around its exchanges found; `None` if it changed or was not observed.
    pub state: Option<MetState>,
}

/// Returns the state of the machine in which most was measured; `None` if no state was observed.
pub fn most_visited<'a>(lines: impl Into<CampaignLines<'a>>) -> Option<MetState> {
    told_states(lines).into_iter().next()
}

/// Returns the states with enough measurements to be reported, the most visited first.
pub fn told_states<'a>(lines: impl Into<CampaignLines<'a>>) -> Vec<MetState> {
    let states = States::from_observations(lines.into().observations(Observed::MeasuredOrRounds));
    states.reported().into_iter().copied().collect()
}

/// Returns the state whose times are compared with predictions. The most visited state gives way to another one if the
/// ranks were calibrated in that one only.
fn held_state(states: &States, calibrated: &[CalibratedIn]) -> Option<MetState> {
    let is_calibrated = |state: &&MetState| calibrated.iter().any(|one| one.state == Some(**state));
    states.reported().into_iter().find(is_calibrated).or(states.met.first()).copied()
}

/// Returns the observations that predictions are compared with, all in one state of the machine, and a description of
/// the rest.
pub(super) fn in_one_state(lines: CampaignLines<'_>, machine_given: bool) -> (Vec<Observation>, HeldAgainst) {
    let measured = || lines.observations(Observed::MeasuredOrRounds);
    let states = States::from_observations(measured());
    let first = measured().next();
    // A machine that was handed over was calibrated elsewhere: no state was observed there.
    let calibrated = if machine_given { Vec::new() } else { calibrated(lines, &states) };
    let mut held = HeldAgainst {
        buffer: first.map(|one| one.case.timing.conditions.buffer),
        method: first.map(|one| one.case.timing.method),
        state: held_state(&states, &calibrated),
        unclear: states.unclear,
        checked: if machine_given { calibration::holds::sentences(lines) } else { Vec::new() },
        load: load(measured()).and_then(|load| load.sentence()),
        calibrated,
        others: Vec::new(),
    };
    let Some(held_state) = held.state else {
        return (lines.observations(Observed::Measured).cloned().collect(), held);
    };
    let only =
        |state: &MetState| -> Vec<Observation> { measured().filter_map(|one| states.only(state, one)).collect() };
    let kept = only(&held_state);
    let (here, _) = all(&kept);
    let others = states.met.iter().filter(|state| **state != held_state);
    held.others = others
        .map(|state| {
            let (there, _) = all(&only(state));
            let ratios = there.iter().filter_map(|other| {
                let same = here.iter().find(|one| one.case == other.case)?;
                Some(other.us.value / same.us.value)
            });
            let ratios: Vec<f64> = ratios.collect();
            OtherState { state: *state, cases: ratios.len(), ratio: median(&ratios) }
        })
        .collect();
    (kept, held)
}

/// Returns the state in which each calibration exchanged its messages.
fn calibrated(lines: CampaignLines<'_>, states: &States) -> Vec<CalibratedIn> {
    let alike = |found: CoreState| states.met.iter().find(|state| state.cores().is_like(&found)).copied();
    let of =
        |machine: &Machine| CalibratedIn { machine: machine.name.clone(), state: machine.core_state().and_then(alike) };
    lines.machines().map(of).collect()
}

impl HeldAgainst {
    /// Returns the facts that qualify the measured side, one sentence each.
    pub(super) fn sentences(&self) -> Vec<String> {
        let Some(buffer) = self.buffer else { return Vec::new() };
        let measured = match self.method {
            Some(Method::Window) | None => {
                format!("The {} reference: {}", buffer.name(), reference_words(Some(buffer)))
            }
            Some(method) => format!("By {} with {} buffers", method.name(), buffer.name()),
        };
        let known = match buffer {
            Buffer::Same => "so had the messages of the calibration",
            Buffer::Touched | Buffer::Misaligned | Buffer::Cold | Buffer::Pool => {
                "messages of the calibration had the same buffers, never rewritten; what rewritten or flushed ones cost is \
                 predicted where the calibration timed touches of memory"
            }
        };
        let mut all = vec![format!("Measured: {measured}; {known}.").replace("Measured: The", "Measured: the")];
        if let Some(state) = &self.state {
            all.push(format!(
                "State of the machine: {} ({} blocks of calls, {} launches); only measurements in it are \
                 compared with predictions.",
                States::words(state),
                state.stretches,
                state.launches
            ));
        }
        all.extend(self.others.iter().map(other));
        if self.unclear > 0 && self.state.is_some() {
            all.push(format!("Left out: {} blocks in which the state changed or was not clear.", self.unclear));
        }
        all.extend(self.calibrated.iter().filter_map(|one| self.calibration(one)));
        all.extend(self.checked.iter().cloned());
        all.extend(self.load.iter().map(|load| format!("{load}.")));
        all
    }

    /// Returns a sentence where a calibration cannot be shown to have been in the state that it predicts.
    fn calibration(&self, one: &CalibratedIn) -> Option<String> {
        let words = match &one.state {
            // Also where nothing is known of any state: ranks on an emulated network do not look around.
            known if *known == self.state => return None,
            Some(state) => format!("calibrated while {}: its predictions may be for that state", States::words(state)),
            None => {
                "the state during its calibration was not clear: its predictions may be for another state".to_owned()
            }
        };
        Some(format!("{}: {words}.", one.machine))
    }
}

fn other(other: &OtherState) -> String {
    let (words, state) = (States::words(&other.state), &other.state);
    let met = format!("Also observed: {words} ({} blocks, {} launches)", state.stretches, state.launches);
    match other.ratio {
        Some(ratio) => {
            format!("{met}; times are then ×{ratio:.2} in the median of {} cases (not in the tables).", other.cases)
        }
        None => format!("{met} (not in the tables)."),
    }
}

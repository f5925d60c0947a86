//! Comparison of predictions with measurements: the error of every model in each place and, as far as the data show it,
//! the reasons.
//!
//! The measurements are a campaign's lines. The caller supplies the predictions of each case under each model.

mod best;
mod errors;
mod heat_map;
mod held_against;
mod held_out;
mod identification;
mod identify;
mod library;
mod measured;
mod numbers;
mod page;
mod reasons;
mod refined;
mod repeats;
mod residuals;
mod tables;
#[cfg(test)]
mod tests;

pub use best::{Best, Rival};
pub use errors::ErrorRow;
pub use held_against::{CalibratedIn, HeldAgainst, OtherState, most_visited, told_states};
pub use held_out::{Fit, FitError, HeldOut, Judged, LengthError, Spread, Trained};
pub use identification::{Confusion, Identification, LibraryCase};
pub use identify::{Candidate, Guess, Identified, guesses};
pub use library::Evidence;
pub use measured::MeasuredCase;
pub use reasons::Worst;
pub use refined::Refined;
pub use repeats::Repeats;

use crate::compare::verdict;
use crate::comparison::Verdict;
use calibration::holds::is_check;
use programs::machine::{Estimate, Extent, Machine};
use programs::observation::{Carrier, Case, World};
use scenario::store::CampaignLines;

/// Name of the model of broadcasts through shared memory. It predicts from the costs of copies and waits (Kurnosov and
/// Tokmasheva 2020) in place of messages.
pub const QUEUES: &str = "queues";

/// Confidence of the intervals of measured medians, and of every other interval of a validation.
pub const CONFIDENCE: f64 = 0.95;

/// Prediction of a case by simulated ranks under one model: the slowest rank's time in one call that all enter
/// together.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Case of the prediction; its launch does not matter.
    pub case: Case,
    /// Name of the network model.
    pub model: String,
    /// Time with the best parameters, and with all of them at the lower and at the upper ends of their intervals, in
    /// µs.
    pub us: Estimate,
}

/// Prediction of a single message of a calibrated length by a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Name of the calibrated machine.
    pub machine: String,
    /// Name of the network model.
    pub model: String,
    /// Length of the message, in bytes.
    pub bytes: u64,
    /// Predicted time, in µs.
    pub predicted_us: f64,
    /// Half the median round trip of the calibration, in µs.
    pub measured_us: f64,
}

/// Predictions that are handed over beside the campaign's lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictedCases {
    /// Prediction of every case under every model.
    pub cases: Vec<Prediction>,
    /// Prediction of every calibrated length under every model.
    pub messages: Vec<Message>,
    /// Fits to some lengths, judged on others, one for each machine.
    pub held_out: Vec<HeldOut>,
    /// Prediction of every case under the best model with less than all knowledge beside messages.
    pub partly: Vec<(Extent, Prediction)>,
    /// True where the machine was handed over, not calibrated here.
    pub machine_given: bool,
}

/// Prediction and measurement of one case under one model.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationRow {
    /// Case of the row; its launch does not matter.
    pub case: Case,
    /// Name of the network model.
    pub model: String,
    /// Simulated time, in µs.
    pub predicted_us: Estimate,
    /// Median of the slowest rank's time over all windows with its interval, in µs.
    pub measured_us: Estimate,
    /// Relative error: (predicted − measured) / measured.
    pub error: f64,
    /// Verdict on whether the intervals of both times overlap.
    pub verdict: Verdict,
}

/// World and carrier of ranks that share a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// World of the ranks.
    pub world: World,
    /// Carrier of their messages.
    pub carrier: Carrier,
}

/// Predictions of a campaign's cases, compared with their measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Question that the campaign answers.
    pub question: String,
    /// Name of the campaign.
    pub name: String,
    /// Seed of the order of cases and of resamples.
    pub seed: u64,
    /// Names of the models, from the simplest to the richest.
    pub models: Vec<String>,
    /// Measurements that predictions are compared with: buffers, state of the machine.
    pub held_against: HeldAgainst,
    /// Row of every case under every model.
    pub rows: Vec<ValidationRow>,
    /// Measurements of all cases.
    pub measured: Vec<MeasuredCase>,
    /// Errors of each model, place by place, for each collective and for all.
    pub errors: Vec<ErrorRow>,
    /// Best model of each collective and place.
    pub best: Vec<Best>,
    /// Cases that each model misses most, with reasons.
    pub worst: Vec<Worst>,
    /// Algorithms that libraries appear to use.
    pub library: Vec<LibraryCase>,
    /// Counts of how algorithms that are known to run are recognised.
    pub confusion: Vec<Confusion>,
    /// Basis of the identification of algorithms.
    pub evidence: Vec<Evidence>,
    /// Differences of cases from launch to launch, place by place.
    pub repeats: Vec<Repeats>,
    /// Errors with each kind of knowledge beside messages.
    pub refined: Vec<Refined>,
    /// Errors of fits on the lengths that they used and on the others.
    pub held_out: Vec<FitError>,
    /// Machines of the predictions, as calibrated.
    pub machines: Vec<Machine>,
    /// Cases that were measured and not predicted, or the other way round, with the reason.
    pub left_out: Vec<String>,
    /// Facts of the environment, each with its label.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the campaign.
    pub reproduce: Vec<String>,
}

impl ValidationRow {
    /// Returns the place of its ranks.
    pub fn place(&self) -> Place {
        Place::from_case(&self.case)
    }

    /// Returns the logarithm of predicted over measured: −0.69 where half is predicted.
    pub fn log_ratio(&self) -> f64 {
        (self.predicted_us.value / self.measured_us.value).ln()
    }
}

impl Place {
    /// Returns the place of a case.
    pub fn from_case(case: &Case) -> Place {
        Place { world: case.place.world, carrier: case.place.carrier }
    }

    /// Returns the name for readers: `Open MPI (native)`.
    pub fn title(self) -> String {
        format!("{} ({})", self.world.title(), self.carrier.name())
    }

    /// Returns the name in file names: `openmpi-native`.
    pub fn name(self) -> String {
        format!("{}-{}", self.world.name(), self.carrier.name())
    }
}

impl Validation {
    /// Compares predictions with a campaign's measurements. Without a campaign's first line its question is empty.
    pub fn compare<'a>(lines: impl Into<CampaignLines<'a>>, predicted: &PredictedCases) -> Validation {
        let lines: CampaignLines = lines.into();
        let (in_one_state, held_against) = held_against::in_one_state(lines, predicted.machine_given);
        let (measured, mut left_out) = measured::all(&in_one_state);
        let mut rows = Vec::new();
        for case in &measured {
            let before = rows.len();
            rows.extend(predicted.cases.iter().filter(|one| one.case == case.case).filter_map(|one| row(one, case)));
            if rows.len() == before {
                let why = programs::played::played(&case.case).err();
                left_out.push(format!("{}: {}", case.case, why.unwrap_or_else(|| "it was not predicted".to_owned())));
            }
        }
        let models = models_of(&rows);
        let (library, confusion, evidence) = library::all(&measured, &rows, &models);
        let judged = measured::judged(&rows, &measured);
        let mut validation = Validation {
            errors: errors::all(&judged, &models),
            best: best::all(&judged, &models),
            repeats: repeats::all(&measured),
            refined: refined::all(&predicted.partly, &measured),
            held_out: held_out::errors(predicted, &measured),
            worst: Vec::new(),
            machines: lines.machines().filter(|machine| !is_check(machine)).cloned().collect(),
            question: String::new(),
            name: String::new(),
            seed: 0,
            environment: Vec::new(),
            reproduce: Vec::new(),
            models,
            held_against,
            rows,
            measured,
            library,
            confusion,
            evidence,
            left_out,
        };
        validation.worst = reasons::all(&validation, &predicted.messages);
        if let Some(of) = lines.question() {
            (validation.question, validation.name) = (of.question.to_owned(), of.name.to_owned());
            (validation.seed, validation.reproduce) = (of.seed, of.reproduce.to_vec());
            validation.environment = lines.facts();
        }
        validation
    }

    /// Returns the measurement of a case.
    pub fn measured_of(&self, case: &Case) -> Option<&MeasuredCase> {
        self.measured.iter().find(|measured| measured.case == *case)
    }

    /// Returns the places, each once.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = self.measured.iter().map(|measured| Place::from_case(&measured.case)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the machine on which a case was predicted: the one calibrated on its ranks, or the only one.
    pub fn machine_of(&self, case: &Case) -> Option<&Machine> {
        let name = machine_name(case);
        self.machines.iter().find(|machine| machine.name == name).or(match &self.machines[..] {
            [only] => Some(only),
            _ => None,
        })
    }
}

/// Returns the name of the machine calibrated on the ranks of a case, as scenarios' groups name theirs.
pub fn machine_name(case: &Case) -> String {
    scenario::machine_name(case.place)
}

fn row(prediction: &Prediction, measured: &MeasuredCase) -> Option<ValidationRow> {
    let (predicted_us, measured_us) = (prediction.us, measured.us);
    let error = predicted_us.value / measured_us.value - 1.0;
    error.is_finite().then(|| ValidationRow {
        case: prediction.case.clone(),
        model: prediction.model.clone(),
        predicted_us,
        measured_us,
        error,
        verdict: verdict(&predicted_us, &measured_us),
    })
}

/// Returns the models in the order in which a machine names them, others behind.
fn models_of(rows: &[ValidationRow]) -> Vec<String> {
    const KNOWN: [&str; 4] = ["hockney", "loggp", "loggops", "plogp"];
    let mut found: Vec<String> = rows.iter().map(|row| row.model.clone()).collect();
    found.sort_by_key(|name| (KNOWN.iter().position(|known| known == name).unwrap_or(KNOWN.len()), name.clone()));
    found.dedup();
    found
}

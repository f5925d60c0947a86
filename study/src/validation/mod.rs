//! Predicted against measured: how far every model is from what real ranks took, where, and as far as the data show it why.
//!
//! What is measured is a campaign's lines; what simulated ranks say of each case under each model is handed over.

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
mod terminal;
#[cfg(test)]
mod tests;

pub use best::{Best, Rival};
pub use errors::ErrorRow;
pub use held_against::{CalibratedIn, HeldAgainst, OtherState, most_visited, told_states};
pub use held_out::{Fit, FitError, HeldOut, Judged, LengthError, Spread, Trained};
pub use identification::{Confusion, Identification, LibraryCase};
pub use identify::{Candidate, Guess, Identified, guesses};
pub use library::Evidence;
pub use measured::Measured;
pub use reasons::Worst;
pub use refined::Refined;
pub use repeats::Repeats;

use crate::compare::verdict;
use crate::comparison::Verdict;
use calibration::holds::is_check;
use programs::machine::{Estimate, Extent, Machine};
use programs::observation::{Carrier, Case, World};
use scenario::store::CampaignLines;
use serde::{Deserialize, Serialize};

/// The model of broadcasts through shared memory: what copies and waits cost (Kurnosov and Tokmasheva 2020), in place of messages.
pub const QUEUES: &str = "queues";

/// Confidence of the intervals of measured medians, and of all that is told with an interval here.
pub const CONFIDENCE: f64 = 0.95;

/// What simulated ranks say of a case under one model: the slowest rank's time in one call that all enter together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The case; its launch is of no account.
    pub case: Case,
    /// The network model, by its name.
    pub model: String,
    /// With the best parameters, and with all of them at the lower and at the upper ends of their intervals, in µs.
    pub us: Estimate,
}

/// A model's prediction of a single message of a calibrated length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The calibrated machine.
    pub machine: String,
    /// The network model.
    pub model: String,
    /// The message's length.
    pub bytes: u64,
    /// The predicted time, in µs.
    pub predicted_us: f64,
    /// Half the median round trip of the calibration, in µs.
    pub measured_us: f64,
}

/// Everything that is handed over beside the campaign's lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predicted {
    /// Every case under every model.
    pub cases: Vec<Prediction>,
    /// Every calibrated length under every model.
    pub messages: Vec<Message>,
    /// Fits to some lengths, judged on others, one for each machine.
    pub held_out: Vec<HeldOut>,
    /// Every case under the best model with less than all that is known beside it.
    pub partly: Vec<(Extent, Prediction)>,
    /// True where the machine was handed over, not calibrated here.
    pub machine_given: bool,
}

/// One case under one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The case; its launch is of no account.
    pub case: Case,
    /// The network model.
    pub model: String,
    /// Simulated, in µs.
    pub predicted_us: Estimate,
    /// The slowest rank's median over all windows with its interval, in µs.
    pub measured_us: Estimate,
    /// (predicted − measured) / measured.
    pub error: f64,
    /// Whether the intervals overlap.
    pub verdict: Verdict,
}

/// Ranks that share a network: where and over what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
}

/// Predictions of a campaign's cases, held against their measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// What was asked.
    pub question: String,
    /// The campaign's name.
    pub name: String,
    /// Seed of the order of cases and of resamples.
    pub seed: u64,
    /// The models, from the simplest to the richest.
    pub models: Vec<String>,
    /// What predictions are held against: buffers, state of the machine.
    pub held_against: HeldAgainst,
    /// Every case under every model.
    pub rows: Vec<Row>,
    /// What was measured.
    pub measured: Vec<Measured>,
    /// Errors of each model, place by place, for each collective and for all.
    pub errors: Vec<ErrorRow>,
    /// Which model is best where.
    pub best: Vec<Best>,
    /// For each model the cases that it misses most, with reasons.
    pub worst: Vec<Worst>,
    /// Which algorithm a library appears to use.
    pub library: Vec<LibraryCase>,
    /// How often algorithms are told from each other where it is known which one runs.
    pub confusion: Vec<Confusion>,
    /// What the identification rests on.
    pub evidence: Vec<Evidence>,
    /// How well cases repeat from launch to launch.
    pub repeats: Vec<Repeats>,
    /// What each kind of knowledge beside messages removes of the errors.
    pub refined: Vec<Refined>,
    /// Errors of fits on what they were fitted to and on what they were not.
    pub held_out: Vec<FitError>,
    /// The calibrated machines.
    pub machines: Vec<Machine>,
    /// Measured and not predicted, or the other way round, with the reason.
    pub left_out: Vec<String>,
    /// Facts of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that do it again.
    pub reproduce: Vec<String>,
}

impl Row {
    /// Where it ran.
    pub fn place(&self) -> Place {
        Place::from_case(&self.case)
    }

    /// Predicted over measured, as a logarithm: −0.69 is half of it.
    pub fn log_ratio(&self) -> f64 {
        (self.predicted_us.value / self.measured_us.value).ln()
    }
}

impl Place {
    /// Of a case.
    pub fn from_case(case: &Case) -> Place {
        Place { world: case.place.world, carrier: case.place.carrier }
    }

    /// `Open MPI (native)`.
    pub fn title(self) -> String {
        format!("{} ({})", self.world.title(), self.carrier.name())
    }

    /// `openmpi-native`, for names of files.
    pub fn name(self) -> String {
        format!("{}-{}", self.world.name(), self.carrier.name())
    }
}

impl Validation {
    /// Holds predictions against a campaign's measurements. Without a campaign's first line its question is empty.
    pub fn compare<'a>(lines: impl Into<CampaignLines<'a>>, predicted: &Predicted) -> Validation {
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

    /// What was measured of a case.
    pub fn measured_of(&self, case: &Case) -> Option<&Measured> {
        self.measured.iter().find(|measured| measured.case == *case)
    }

    /// The places, each once.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = self.measured.iter().map(|measured| Place::from_case(&measured.case)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The machine on which a case was predicted: the one calibrated on its ranks, or the only one.
    pub fn machine_of(&self, case: &Case) -> Option<&Machine> {
        let name = machine_name(case);
        self.machines.iter().find(|machine| machine.name == name).or(match &self.machines[..] {
            [only] => Some(only),
            _ => None,
        })
    }
}

/// The name of the machine calibrated on the ranks of a case, as scenarios' groups name theirs.
pub fn machine_name(case: &Case) -> String {
    scenario::machine_name(case.place)
}

fn row(prediction: &Prediction, measured: &Measured) -> Option<Row> {
    let (predicted_us, measured_us) = (prediction.us, measured.us);
    let error = predicted_us.value / measured_us.value - 1.0;
    error.is_finite().then(|| Row {
        case: prediction.case.clone(),
        model: prediction.model.clone(),
        predicted_us,
        measured_us,
        error,
        verdict: verdict(&predicted_us, &measured_us),
    })
}

/// Models in the order in which a machine names them; others behind.
fn models_of(rows: &[Row]) -> Vec<String> {
    const KNOWN: [&str; 4] = ["hockney", "loggp", "loggops", "plogp"];
    let mut found: Vec<String> = rows.iter().map(|row| row.model.clone()).collect();
    found.sort_by_key(|name| (KNOWN.iter().position(|known| known == name).unwrap_or(KNOWN.len()), name.clone()));
    found.dedup();
    found
}

//! Fits judged on what they were not fitted to: a model that only interpolates its own residuals is found out here.

use super::{Measured, Predicted, Prediction, machine_name};
use serde::{Deserialize, Serialize};
use statistics::{median, quantile};

models::named! {
    /// To which of the calibrated lengths parameters were fitted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Trained {
        /// To all of them.
        All => "all",
        /// To every other one, beginning with the shortest.
        Half => "every other",
        /// To all but the one that is judged, each in turn.
        AllButOne => "all but one",
    }
    /// In words, as a table's cell has them.
    fn words;
}

/// One machine, fitted several times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// The machine's name.
    pub machine: String,
    /// The lengths of [`Trained::Half`], in bytes.
    pub half: Vec<u64>,
    /// What the fits say of single messages.
    pub fits: Vec<Fit>,
    /// What the fit to half of the lengths says of the machine's cases.
    pub cases: Vec<Prediction>,
}

/// One model fitted to some lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The network model.
    pub model: String,
    /// To which lengths.
    pub trained: Trained,
    /// Every calibrated length.
    pub lengths: Vec<LengthError>,
}

/// A fit at one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthError {
    /// The length in bytes.
    pub bytes: u64,
    /// True if the fit knew it.
    pub inside: bool,
    /// (predicted − measured) / measured of a single message.
    pub error: f64,
}

models::named! {
    /// Calls on which a fit is judged.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Judged {
        /// Single messages: half round trips of the calibration.
        Messages => "messages",
        /// Collectives of the calibrated lengths.
        Collectives => "collectives",
    }
    /// The name in tables.
    fn name;
}

/// Errors of one model's fit to some lengths of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct FitError {
    /// The machine's name.
    pub machine: String,
    /// The network model.
    pub model: String,
    /// To which lengths.
    pub trained: Trained,
    /// On what it is judged.
    pub judged: Judged,
    /// At the lengths that it was fitted to.
    pub inside: Option<Spread>,
    /// At the others.
    pub outside: Option<Spread>,
}

/// Some |errors|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Their median.
    pub median: f64,
    /// Their 90 % quantile.
    pub ninety: f64,
    /// The largest.
    pub worst: f64,
    /// How many there are.
    pub count: usize,
}

impl Spread {
    fn from_sizes(sizes: &[f64]) -> Option<Spread> {
        let (median, ninety) = (median(sizes)?, quantile(sizes, 0.9)?);
        Some(Spread { median, ninety, worst: sizes.iter().copied().fold(0.0, f64::max), count: sizes.len() })
    }
}

/// Machine by machine, model by model: single messages, then collectives.
pub(super) fn errors(predicted: &Predicted, measured: &[Measured]) -> Vec<FitError> {
    let mut all = Vec::new();
    for held in &predicted.held_out {
        for fit in &held.fits {
            let of = |inside: bool| -> Vec<f64> {
                let chosen = fit.lengths.iter().filter(|length| length.inside == inside);
                chosen.map(|length| length.error.abs()).collect()
            };
            all.push(FitError {
                machine: held.machine.clone(),
                model: fit.model.clone(),
                trained: fit.trained,
                judged: Judged::Messages,
                inside: Spread::from_sizes(&of(true)),
                outside: Spread::from_sizes(&of(false)),
            });
        }
        let mut models: Vec<&String> = held.fits.iter().map(|fit| &fit.model).collect();
        models.dedup();
        for model in models {
            for (trained, cases) in [(Trained::All, &predicted.cases), (Trained::Half, &held.cases)] {
                all.extend(collectives(held, model, trained, cases, measured));
            }
        }
    }
    all
}

/// Cases whose own length was, or was not, among the fitted ones; both fits are judged on the same two groups.
fn collectives(
    held: &HeldOut,
    model: &str,
    trained: Trained,
    cases: &[Prediction],
    measured: &[Measured],
) -> Option<FitError> {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for one in cases.iter().filter(|one| one.model == model && machine_name(&one.case) == held.machine) {
        let Some(real) = measured.iter().find(|real| real.case == one.case && one.case.subject.bytes > 0) else {
            continue;
        };
        let group = if held.half.contains(&one.case.subject.bytes) { &mut inside } else { &mut outside };
        group.push((one.us.value / real.us.value - 1.0).abs());
    }
    (!inside.is_empty() || !outside.is_empty()).then(|| FitError {
        machine: held.machine.clone(),
        model: model.to_owned(),
        trained,
        judged: Judged::Collectives,
        inside: Spread::from_sizes(&inside),
        outside: Spread::from_sizes(&outside),
    })
}

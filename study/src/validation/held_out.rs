//! Errors of fits on lengths that they were not fitted to. They expose a model that only interpolates its own
//! residuals.

use super::{MeasuredCase, PredictedCases, Prediction, machine_name};
use statistics::{median, quantile};

models::named! {
    /// Selection of the calibrated lengths to which parameters were fitted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Trained {
        /// All of the calibrated lengths.
        All => "all",
        /// Every other length, beginning with the shortest.
        Half => "every other",
        /// All lengths but the one that is judged, each in turn.
        AllButOne => "all but one",
    }
    /// Words for a table's cell.
    fn words;
}

/// One machine, fitted several times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// Name of the machine.
    pub machine: String,
    /// Lengths of [`Trained::Half`], in bytes.
    pub half: Vec<u64>,
    /// Errors of the fits on single messages.
    pub fits: Vec<Fit>,
    /// Predictions of the machine's cases by the fit to half of the lengths.
    pub cases: Vec<Prediction>,
}

/// One model fitted to some lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Name of the network model.
    pub model: String,
    /// Lengths that it was fitted to.
    pub trained: Trained,
    /// Error at every calibrated length.
    pub lengths: Vec<LengthError>,
}

/// Error of a fit at one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthError {
    /// Length of the message, in bytes.
    pub bytes: u64,
    /// True if the fit used this length.
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
    /// The name used in tables.
    fn name;
}

/// Errors of one model's fit to some lengths of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct FitError {
    /// Name of the machine.
    pub machine: String,
    /// Name of the network model.
    pub model: String,
    /// Lengths that it was fitted to.
    pub trained: Trained,
    /// Calls on which it is judged.
    pub judged: Judged,
    /// Errors at the lengths that it was fitted to.
    pub inside: Option<Spread>,
    /// Errors at the other lengths.
    pub outside: Option<Spread>,
}

/// Distribution of |error| over lengths or cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Median of all |error|.
    pub median: f64,
    /// 90 % quantile of |error|.
    pub ninety: f64,
    /// Largest |error| of all.
    pub worst: f64,
    /// Number of errors in it.
    pub count: usize,
}

impl Spread {
    fn from_sizes(sizes: &[f64]) -> Option<Spread> {
        let (median, ninety) = (median(sizes)?, quantile(sizes, 0.9)?);
        Some(Spread { median, ninety, worst: sizes.iter().copied().fold(0.0, f64::max), count: sizes.len() })
    }
}

/// Returns the errors machine by machine and model by model: single messages, then collectives.
pub(super) fn errors(predicted: &PredictedCases, measured: &[MeasuredCase]) -> Vec<FitError> {
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

/// Returns the errors on collectives, grouped by whether their own length was among the fitted ones; both fits are
/// judged on the same two groups.
fn collectives(
    held: &HeldOut,
    model: &str,
    trained: Trained,
    cases: &[Prediction],
    measured: &[MeasuredCase],
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

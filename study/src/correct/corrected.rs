//! The estimator: the time that a call took, from the number that a benchmark printed for it.
//!
//! The model predicts T̂ for the reference and R̂ for the print of the benchmark, which printed R. The difference
//! R − R̂ that the model misses is due to the machine, and the question is which share λ of it the reference misses
//! too: T = T̂ + λ·(R − R̂). Three answers are simple. λ = 1: all of it, the bias is right in µs (T = R − (R̂ − T̂)).
//! λ = 0: nothing, the printed number is no use. λ = T̂/R̂: its share.
//!
//! The last one is chosen, because it is exact for the most common change of machines: to be slower or faster as a
//! whole than on the day of their calibration. Times of schedules are made of sums and maxima of costs (that is what
//! the engines compute), so if every cost is s times as large, every time is: R = s·R̂ and T = s·T̂, hence s = R/R̂,
//! the machine's *scale*, and **T = R · T̂/R̂**. It cannot become negative either, and does not depend on the unit of
//! the model. The budget's bars, as large on the machine as it was, are s times the expected ones, and
//! R − Σ bars − interaction = T holds exactly.
//!
//! Its interval joins three things. The printed number contributes its spread and rounding. The expectation contributes
//! T̂/R̂ with all parameters at the lower, at the upper ends of their intervals, and with each alone at either (errors
//! of different parameters are independent, so these add up by their squares). Both are independent: their relative
//! reaches add up by squares. The choice of λ is the third: the difference may be in the bias alone (λ = 0) or all in
//! the call (λ = 1), so the interval reaches to both estimates. All three agree where the model predicts the printed
//! number.
//!
//! Where the calibration rehearsed the benchmark, the error of the model in printed over reference is known as a factor
//! e^m with an interval ([`super::rehearsal`]): then T = R · T̂/R̂ · e^−m, and the interval is that of m and of the
//! printed number. It is observed, and includes the contributions of parameters and of the choice of λ.

use super::confidence;
use super::doubt::{Doubt, Refusal};
use programs::budget::{Budget, SystematicError};
use programs::machine::Estimate;

/// A printed number is expected to lie between the least predicted one over this factor and the largest one times it.
const REACH: f64 = 2.0;
/// A corrected number is in question where the upper end of its interval is more than this many times the lower one.
const WIDE: f64 = 2.0;
/// A number is doubted where it is more than this many times the expected one, or less than the inverse.
const FAR: f64 = 1.25;

/// A reference and the number printed for it, in µs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Time of the call by the reference.
    pub reference_us: f64,
    /// Time that the benchmark prints.
    pub printed_us: f64,
}

models::named! {
    /// Source of an expectation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Source {
        /// Simulated ranks on a calibrated machine.
        Predicted => "predicted",
        /// Simulated ranks on a calibrated machine, with the error that they had when the calibration rehearsed the
        /// benchmark.
        Rehearsed => "rehearsed",
        /// A measured budget of the same call.
        Measured => "measured",
        /// Measured budgets of the next shorter and the next longer call.
        Interpolated => "interpolated",
    }
    /// The name in one word.
    fn name;
}

/// Expectation of a call, and of a benchmark that times it.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Source of the expectation.
    pub source: Source,
    /// Budget from the reference to the printed number, error by error.
    pub budget: Budget,
    /// Pairs with everything at the lower and at the upper ends of its intervals.
    pub together: Vec<Pair>,
    /// Pairs with one parameter alone at its lower and at its upper end, for each parameter.
    pub apart: Vec<[Pair; 2]>,
    /// Error of the prediction in the logarithm of printed over reference, where the benchmark was rehearsed.
    pub missed: Option<Estimate>,
    /// Doubts that do not depend on the printed number.
    pub doubts: Vec<Doubt>,
}

/// Corrected time of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrected {
    /// Source of the expectation.
    pub source: Source,
    /// Printed number over the expected one, s.
    pub scale: f64,
    /// Contributions of the errors to the printed number, in µs, of those that are expected to add something.
    pub bars: Vec<(SystematicError, f64)>,
    /// Contribution of all errors together beyond that, in µs; with rehearsals it includes the error of the model.
    pub remainder_us: f64,
    /// The call's time, in µs.
    pub us: Estimate,
    /// Printed number less the call's time, in µs.
    pub bias_us: Estimate,
    /// Doubts about the correction.
    pub doubts: Vec<Doubt>,
}

impl Pair {
    fn quotient(self) -> f64 {
        self.reference_us / self.printed_us
    }
}

impl Expected {
    /// Returns the expectation of a budget without intervals or doubts.
    pub fn new(source: Source, budget: Budget) -> Expected {
        Expected { source, budget, together: Vec::new(), apart: Vec::new(), missed: None, doubts: Vec::new() }
    }

    /// The pair of best values.
    pub fn best(&self) -> Pair {
        Pair { reference_us: self.budget.from_us.value, printed_us: self.budget.to_us.value }
    }

    fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.together.iter().copied().chain(self.apart.iter().flatten().copied()).chain([self.best()])
    }

    /// The least and the largest number that the benchmark would print, in µs.
    fn printed_us(&self) -> (f64, f64) {
        let all = || self.pairs().map(|pair| pair.printed_us);
        (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max))
    }

    /// Reference over printed number, with its interval.
    fn quotient(&self) -> Estimate {
        let value = self.best().quotient();
        let reach = |sign: f64| {
            let beyond = |pair: &Pair| (sign * (pair.quotient() - value)).max(0.0);
            let together = self.together.iter().map(beyond).fold(0.0, f64::max);
            let squares = |ends: &[Pair; 2]| ends.iter().map(beyond).fold(0.0, f64::max).powi(2);
            let apart = self.apart.iter().map(squares).sum::<f64>().sqrt();
            together.max(apart)
        };
        Estimate { value, low: value - reach(-1.0), high: value + reach(1.0) }
    }
}

/// Returns the time in µs of the call for which this number was printed.
///
/// # Errors
/// [`Refusal::OutOfReach`], [`Refusal::BiasUnknown`], or [`Refusal::NotSimulated`] where nothing takes any time.
pub fn corrected(printed: Estimate, expected: &Expected) -> Result<Corrected, Refusal> {
    let best = expected.best();
    if expected.pairs().any(|pair| !pair.quotient().is_finite() || pair.printed_us <= 0.0 || pair.reference_us < 0.0) {
        let why = "the benchmark would print no time at all, which no factor corrects";
        return Err(Refusal::NotSimulated(why.to_owned()));
    }
    let (least, largest) = expected.printed_us();
    if printed.high * REACH < least || printed.low > largest * REACH {
        let ns = |us: f64| (us * 1e3).round() as u64;
        return Err(Refusal::OutOfReach { expected_ns: (ns(least), ns(largest)) });
    }
    let scale = printed.value / best.printed_us;
    let us = match expected.missed {
        Some(missed) => rehearsed(printed, best.quotient(), missed),
        None => interval(printed, expected.quotient(), best),
    };
    let bias = printed.value - us.value;
    let bars = expected.budget.bars.iter().map(|bar| (bar.errors[0], scale * bar.us.value));
    let bars: Vec<(SystematicError, f64)> = bars.filter(|(_, us)| *us != 0.0).collect();
    let remainder_us = match expected.missed {
        Some(_) => bias - bars.iter().map(|(_, us)| us).sum::<f64>(),
        None => scale * expected.budget.remainder.us.value,
    };
    let bias_us = Estimate { value: bias, low: printed.value - us.high, high: printed.value - us.low };
    if let Some(refusal) = confidence::refusal(printed, bias_us) {
        return Err(refusal);
    }
    let mut doubts = expected.doubts.clone();
    let none = best.reference_us == best.printed_us && expected.budget.bars.iter().all(|bar| bar.us.value == 0.0);
    if none {
        doubts.push(Doubt::NoneExpected);
    } else if bias_us.low <= 0.0 && bias_us.high >= 0.0 {
        doubts.push(if confidence::is_as_printed(printed, us) { Doubt::AsPrinted } else { Doubt::NoBias });
    }
    if us.high > WIDE * us.low {
        doubts.push(Doubt::WideInterval);
    }
    let misses = printed.value < least || printed.value > largest;
    if misses && !(1.0 / FAR..=FAR).contains(&scale) {
        doubts.push(Doubt::Misfit(scale));
    }
    Ok(Corrected { source: expected.source, scale, bars, remainder_us, us, bias_us, doubts })
}

/// Returns the estimate where the error of the model is known. Its interval joins that of the printed number and that
/// of the rehearsals.
fn rehearsed(printed: Estimate, quotient: f64, missed: Estimate) -> Estimate {
    let value = printed.value * quotient * (-missed.value).exp();
    let apart = |one: f64, other: f64| (one / other).max(f64::MIN_POSITIVE).ln().abs();
    let below = apart(printed.value, printed.low).hypot(missed.high - missed.value);
    let above = apart(printed.high, printed.value).hypot(missed.value - missed.low);
    Estimate { value, low: value * (-below).exp(), high: value * above.exp() }
}

/// Returns the estimate with its interval: spread and quotient by squares, extended to the other two answers (λ = 0 and
/// λ = 1).
fn interval(printed: Estimate, quotient: Estimate, best: Pair) -> Estimate {
    let value = printed.value * quotient.value;
    let reach = |spread: f64, of_quotient: f64| {
        let (spread, of_quotient) = (spread / printed.value, of_quotient / quotient.value.max(f64::MIN_POSITIVE));
        value * spread.hypot(of_quotient)
    };
    let low = value - reach(printed.value - printed.low, quotient.value - quotient.low);
    let high = value + reach(printed.high - printed.value, quotient.high - quotient.value);
    let taken_off = (printed.value - (best.printed_us - best.reference_us)).max(0.0);
    let low = low.min(taken_off).min(best.reference_us).max(0.0);
    Estimate { value, low, high: high.max(taken_off).max(best.reference_us) }
}

//! The budget itself: a bar for each thing that is switched or computed, and a remainder.
//!
//! Effects are differences of logarithms: an error makes a time longer by a factor, and factors of all bars and of the
//! remainder multiply to the whole ratio. In µs a bar is its logarithm's share of the whole difference (the logarithmic
//! mean of both ends times the effect; Ang 2004, LMDI), so that bars and remainder add up, too. All numbers are whole
//! picoseconds, so that `from + Σ bars + remainder = to` holds exactly there, and are given in µs. Where a number is not
//! positive (a loop less a loop of barriers may be negative) there are no factors, and effects are differences.

use super::{Configuration, Design, SystematicError};
use crate::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Contribution of one part to a budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Errors that are switched together.
    pub errors: Vec<SystematicError>,
    /// Time that they add, in µs.
    pub us: Estimate,
    /// Factor by which they multiply the number; `None` where a number is not positive.
    pub factor: Option<Estimate>,
}

/// Bars that lead from one configuration's number to another's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Number of the first configuration, in µs.
    pub from_us: Estimate,
    /// Contribution of each part, in the order of [`Design::errors`].
    pub bars: Vec<Bar>,
    /// Joint effects of three parts or more, and effects that medians do not share.
    pub remainder: Bar,
    /// Number of the last configuration, in µs.
    pub to_us: Estimate,
    /// Ratio of the last number to the first; `None` where a number is not positive.
    pub ratio: Option<Estimate>,
}

/// Effects that the numbers of all cells show, with their intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Effects {
    /// Whether effects are differences of natural logarithms; otherwise they are differences in µs.
    pub logs: bool,
    /// Effect of each of [`Design::errors`].
    pub bars: Vec<Estimate>,
    /// Effect that no bar explains.
    pub remainder: Estimate,
    /// Effect of all: the last value less the first.
    pub whole: Estimate,
}

impl Budget {
    /// Returns the budget of these configurations' numbers, in µs, in the order of [`Design::cells`]; intervals hold
    /// nothing but the values. `None` if there are too few numbers.
    pub fn from_numbers(from: &Configuration, to: &Configuration, numbers_us: &[f64]) -> Option<Budget> {
        let design = Design::between(from, to);
        let logs = numbers_us.iter().all(|&us| us > 0.0);
        let values: Vec<f64> = numbers_us.iter().map(|&us| if logs { us.ln() } else { us }).collect();
        let (bars, remainder) = design.effects(&values)?;
        let bars = bars.into_iter().map(Estimate::exactly).collect();
        let (first, last) = (*numbers_us.first()?, *numbers_us.last()?);
        let whole = Estimate::exactly(values[values.len() - 1] - values[0]);
        let effects = Effects { logs, bars, remainder: Estimate::exactly(remainder), whole };
        Some(Budget::with(design.errors(), Estimate::exactly(first), Estimate::exactly(last), &effects))
    }

    /// Returns the budget of effects that are known otherwise, one for each of these errors or groups of them. The end
    /// is where the whole effect leads from the beginning; `to_us` gives the interval of that end.
    pub fn with(errors: Vec<Vec<SystematicError>>, from_us: Estimate, to_us: Estimate, effects: &Effects) -> Budget {
        let from = ps(from_us.value);
        let led =
            if effects.logs { from_us.value * effects.whole.value.exp() } else { from_us.value + effects.whole.value };
        let to = ps(led);
        let scale = match (effects.logs, effects.whole.value) {
            (false, _) => 1.0,
            (true, whole) if whole.abs() < 1e-9 => from_us.value,
            (true, whole) => (led - from_us.value) / whole,
        };
        let bar = |errors: Vec<SystematicError>, effect: &Estimate| Bar {
            errors,
            us: whole_ps(map(*effect, |effect| scale * effect)),
            factor: effects.logs.then(|| map(*effect, f64::exp)),
        };
        let bars: Vec<Bar> =
            errors.into_iter().zip(&effects.bars).map(|(errors, effect)| bar(errors, effect)).collect();
        let explained = bars.iter().fold(from, |sum, bar| sum.saturating_add(ps(bar.us.value)));
        let mut remainder = bar(Vec::new(), &effects.remainder);
        // What rounding and medians leave over is there, too.
        remainder.us = holding(remainder.us, us(to.saturating_sub(explained)));
        Budget {
            from_us: holding(from_us, us(from)),
            bars,
            remainder,
            to_us: holding(to_us, us(to)),
            ratio: effects.logs.then(|| map(effects.whole, f64::exp)),
        }
    }

    /// Returns the bar that an error has a part in.
    pub fn bar(&self, error: SystematicError) -> Option<&Bar> {
        self.bars.iter().find(|bar| bar.errors.contains(&error))
    }

    /// Returns the bar that adds or takes most, by the values; `None` where none does anything.
    pub fn largest(&self) -> Option<&Bar> {
        let moving = self.bars.iter().filter(|bar| bar.us.value != 0.0);
        moving.max_by(|one, other| one.us.value.abs().total_cmp(&other.us.value.abs()))
    }

    /// Widens the intervals of this budget as far as those of others of the same configurations: at the ends of a
    /// machine's parameters, or under other noise.
    pub fn spanning(mut self, others: &[Budget]) -> Budget {
        for other in others {
            widen(&mut self.from_us, other.from_us);
            widen(&mut self.to_us, other.to_us);
            widen_factor(&mut self.ratio, other.ratio);
            let wider = other.bars.iter().chain([&other.remainder]);
            for (bar, wider) in self.bars.iter_mut().chain([&mut self.remainder]).zip(wider) {
                widen(&mut bar.us, wider.us);
                widen_factor(&mut bar.factor, wider.factor);
            }
        }
        self
    }
}

impl Bar {
    /// Returns true if its interval lies on one side of zero.
    pub fn is_sure(&self) -> bool {
        self.us.low > 0.0 || self.us.high < 0.0
    }

    /// Returns the errors by their labels and names; several by their labels and their common part.
    pub fn name(&self) -> String {
        match &self.errors[..] {
            [] => "remainder".to_owned(),
            [one] => one.to_string(),
            several => {
                let labels: Vec<&str> = several.iter().map(|error| error.label()).collect();
                format!("{} start of calls", labels.join("+"))
            }
        }
    }
}

/// Returns whole picoseconds; a value out of range becomes the largest there is.
fn ps(us: f64) -> i64 {
    (us * 1e6).round() as i64
}

fn us(ps: i64) -> f64 {
    ps as f64 / 1e6
}

fn whole_ps(estimate: Estimate) -> Estimate {
    Estimate { value: us(ps(estimate.value)), ..estimate }
}

/// Returns an estimate of another value, with an interval that holds it.
fn holding(estimate: Estimate, value: f64) -> Estimate {
    Estimate { value, low: estimate.low.min(value), high: estimate.high.max(value) }
}

fn map(estimate: Estimate, of: impl Fn(f64) -> f64) -> Estimate {
    Estimate { value: of(estimate.value), low: of(estimate.low), high: of(estimate.high) }
}

fn widen(estimate: &mut Estimate, by: Estimate) {
    estimate.low = estimate.low.min(by.low);
    estimate.high = estimate.high.max(by.high);
}

fn widen_factor(factor: &mut Option<Estimate>, by: Option<Estimate>) {
    if let (Some(factor), Some(by)) = (factor, by) {
        widen(factor, by);
    }
}

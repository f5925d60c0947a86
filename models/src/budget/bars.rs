//! The budget itself: one bar for each error, and what is left over.
//!
//! A bar is the number of the first configuration with one error's value as the last one has it, less the number of
//! the first. Errors change each other's effect, so the bars need not add up to the whole difference: the rest is the
//! interaction. All numbers are whole picoseconds, so that `from + Σ bars + interaction = to` holds exactly there,
//! and are told in µs.

use super::{Configuration, SystematicError};
use crate::machine::Estimate;
use serde::{Deserialize, Serialize};

/// From one configuration's number to another's, in µs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The number of the first configuration.
    pub from_us: Estimate,
    /// What each error adds that the configurations differ in, alone, in the documented order.
    pub bars: Vec<(SystematicError, Estimate)>,
    /// What all errors together add beyond the sum of the bars.
    pub interaction: Estimate,
    /// The number of the last configuration.
    pub to_us: Estimate,
}

impl Budget {
    /// The configurations whose numbers a budget is made of, each once: the first, the first with one error each, the
    /// last. Where just one error differs, the last is not there again.
    pub fn configurations(from: &Configuration, to: &Configuration) -> Vec<Configuration> {
        let mut all = vec![from.clone()];
        let singles = Configuration::differences(from, to).into_iter().map(|error| from.with(error, to));
        all.extend(singles);
        if all.last().is_some_and(|last| !last.is_like(to)) {
            all.push(to.clone());
        }
        all
    }

    /// The budget of these configurations' numbers, in µs, in the order of [`Budget::configurations`]; intervals hold
    /// nothing but the values. `None` if there are too few numbers.
    pub fn of(from: &Configuration, to: &Configuration, numbers_us: &[f64]) -> Option<Budget> {
        let errors = Configuration::differences(from, to);
        let ps: Vec<i64> = numbers_us.iter().copied().map(ps).collect();
        let (&first, &last) = (ps.first()?, ps.last()?);
        let bars: Vec<(SystematicError, i64)> = errors
            .iter()
            .zip(ps.get(1..=errors.len())?)
            .map(|(&error, &with)| (error, with.saturating_sub(first)))
            .collect();
        let explained = bars.iter().fold(first, |sum, (_, bar)| sum.saturating_add(*bar));
        Some(Budget {
            from_us: exactly(first),
            bars: bars.into_iter().map(|(error, bar)| (error, exactly(bar))).collect(),
            interaction: exactly(last.saturating_sub(explained)),
            to_us: exactly(last),
        })
    }

    /// The bar of one error, if the configurations differ in it.
    pub fn bar(&self, error: SystematicError) -> Option<Estimate> {
        self.bars.iter().find(|(of, _)| *of == error).map(|(_, bar)| *bar)
    }

    /// The error that adds or takes most, by the values; `None` where no error does anything.
    pub fn largest(&self) -> Option<(SystematicError, Estimate)> {
        let moving = self.bars.iter().filter(|(_, bar)| bar.value != 0.0);
        moving.copied().max_by(|(_, one), (_, other)| one.value.abs().total_cmp(&other.value.abs()))
    }

    /// This budget with intervals that reach as far as its own and those of others of the same configurations: at the
    /// ends of a machine's parameters, or under other noise.
    pub fn spanning(mut self, others: &[Budget]) -> Budget {
        for other in others {
            widen(&mut self.from_us, other.from_us);
            widen(&mut self.interaction, other.interaction);
            widen(&mut self.to_us, other.to_us);
            for ((_, bar), (_, wider)) in self.bars.iter_mut().zip(&other.bars) {
                widen(bar, *wider);
            }
        }
        self
    }
}

/// Whole picoseconds; what is out of range is the largest there is.
fn ps(us: f64) -> i64 {
    (us * 1e6).round() as i64
}

fn exactly(ps: i64) -> Estimate {
    let us = ps as f64 / 1e6;
    Estimate { value: us, low: us, high: us }
}

fn widen(estimate: &mut Estimate, by: Estimate) {
    estimate.low = estimate.low.min(by.low);
    estimate.high = estimate.high.max(by.high);
}

//! Bias budgets: from the lines of a campaign to bars with intervals, predicted and measured, and their tables, page
//! and pictures.

mod gather;
mod measured;
mod numbers;
mod page;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use rows::Row;

pub use gather::budgets;
pub use measured::over_rounds;
pub use page::page;

use crate::states::State;
use models::budget::{Budget, Configuration, SystematicError};
use models::machine::CoreState;
use models::observation::Case;
use statistics::LaunchCount;

/// Confidence of all intervals of what was measured.
pub const CONFIDENCE: f64 = 0.95;

/// The budgets of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Budgets {
    /// Where every budget begins.
    pub from: Configuration,
    /// Where it ends.
    pub to: Configuration,
    /// Confidence of the intervals of what was measured; those of predictions come from the machine's parameters.
    pub confidence: f64,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// One for each thing that is called, where it is called, and in each state that was met; the most visited state first.
    pub cases: Vec<CaseBudget>,
    /// Whether the machine file that was handed over still holds.
    pub checked: Vec<String>,
    /// What else used the machine while ranks measured, if that matters.
    pub load: Option<String>,
    /// One rank's core was much slower than another's while ranks measured.
    pub unequal_cores: bool,
}

/// What is known of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseBudget {
    /// What is called and where; its method is of no account.
    pub case: Case,
    /// True if it is of simulated ranks alone: then the case's world is of no account.
    pub simulated: bool,
    /// The state of the machine in which it was measured, where ranks looked.
    pub state: Option<State>,
    /// What simulated ranks say.
    pub predicted: Option<Predicted>,
    /// What real ranks say.
    pub measured: Option<Measured>,
}

/// What simulated ranks say.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// The network that was simulated, and what refines it.
    pub machine: String,
    /// The state of the cores in which its parameters were calibrated, if that is known.
    pub calibrated_in: Option<CoreState>,
    /// Its intervals are those of the machine's parameters.
    pub budget: Budget,
}

/// What real ranks say.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Who: library, host, clock.
    pub ran_by: String,
    /// In how many rounds every configuration was run.
    pub rounds: usize,
    /// In how many launches.
    pub launches: usize,
    /// Whether these are enough for intervals.
    pub count: LaunchCount,
    /// The natural logarithm of the last number over the first, one for each launch; none where a number is not positive.
    pub ln_ratios: Vec<f64>,
    /// Without the bars of what could not be measured, which is in the remainder.
    pub budget: Budget,
    /// What could not be measured, and why.
    pub unmeasured: Vec<(SystematicError, String)>,
    /// More ranks than cores.
    pub oversubscribed: bool,
    /// Which runs' clocks are too unsure for their numbers, and why.
    pub unsure: Vec<String>,
    /// What the clock that benchmarks read reads (E7), where ranks looked at it.
    pub benchmarks_clock: Vec<String>,
}

impl Measured {
    /// Whether its launches are enough for intervals: four or more.
    pub fn has_intervals(&self) -> bool {
        self.count != LaunchCount::TooFew
    }
}

//! Bias budgets: from the lines of a campaign to bars with intervals, predicted and measured, and their tables, page
//! and pictures.

mod gather;
mod measured;
mod numbers;
mod page;
mod rows;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use rows::BudgetRow;

pub use gather::budgets;
pub use measured::over_rounds;
pub use page::page;

use calibration::states::MetState;
use programs::budget::{Budget, Configuration, SystematicError};
use programs::machine::CoreState;
use programs::observation::Case;
use statistics::LaunchCount;

/// Confidence of all intervals of measured numbers.
pub const CONFIDENCE: f64 = 0.95;

/// The budgets of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Budgets {
    /// Configuration at which every budget begins.
    pub from: Configuration,
    /// Configuration at which every budget ends.
    pub to: Configuration,
    /// Confidence of the intervals of measured numbers; those of predictions come from the machine's parameters.
    pub confidence: f64,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// One for each call, place and state that was met; the most visited state first.
    pub cases: Vec<CaseBudget>,
    /// Sentences on whether the given machine file is still valid.
    pub checked: Vec<String>,
    /// Sentence on other load on the machine during the measurement, if it matters.
    pub load: Option<String>,
    /// True if one rank's core was much slower than another's during the measurement.
    pub unequal_cores: bool,
}

/// The predicted and the measured budget of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseBudget {
    /// The case; its method has no meaning here.
    pub case: Case,
    /// True if only simulated ranks ran it; then the case's world has no meaning.
    pub simulated: bool,
    /// State of the machine in which it was measured; `None` where ranks did not observe it.
    pub state: Option<MetState>,
    /// Budget of simulated ranks, where there is one.
    pub predicted: Option<Predicted>,
    /// Budget of real ranks, where there is one.
    pub measured: Option<Measured>,
}

/// The budget of simulated ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// The simulated network, with its refinements.
    pub machine: String,
    /// The state of the cores in which its parameters were calibrated, if that is known.
    pub calibrated_in: Option<CoreState>,
    /// The budget, whose intervals are those of the machine's parameters.
    pub budget: Budget,
}

/// The budget of real ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Library, host and clock of the ranks.
    pub ran_by: String,
    /// Number of rounds in which every configuration was run.
    pub rounds: usize,
    /// Number of launches of the ranks.
    pub launches: usize,
    /// Whether these are enough for intervals.
    pub count: LaunchCount,
    /// Natural logarithm of the last number over the first, one for each launch; empty where a number is not positive.
    pub ln_ratios: Vec<f64>,
    /// The budget without the bars of unmeasurable errors, whose effects are in the remainder.
    pub budget: Budget,
    /// Errors that could not be measured, with the reasons.
    pub unmeasured: Vec<(SystematicError, String)>,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// Runs whose clocks are too unsure for their numbers, with the reasons.
    pub unsure: Vec<String>,
    /// Time that the benchmarks' clock reports (E7), in words; empty where ranks did not examine it.
    pub benchmarks_clock: Vec<String>,
}

impl Measured {
    /// Whether its launches are enough for intervals: four or more.
    pub fn has_intervals(&self) -> bool {
        self.count != LaunchCount::TooFew
    }
}

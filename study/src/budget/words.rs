//! Words for budgets: titles, the sentence below each, numbers with their intervals.

use super::{Budgets, CaseBudget};
use calibration::states::States;
use models::collective::decision::ThroughCells;
use models::library::Library;
use models::platform::CELLS;
use programs::budget::{Bar, Budget, Configuration, SystematicError};
use programs::machine::Estimate;
use programs::observation::{Carrier, Implementation};
use render::groups::distinct;
use render::plots::numbers::{bytes, significant};

/// Sources of the numbers, one sentence for all cases that share it.
pub(super) fn sources(all: &Budgets) -> Vec<String> {
    let told = all.cases.iter().flat_map(|case| {
        let place = case.place();
        let measured = case.measured.as_ref().map(|measured| {
            let (rounds, launches, ran_by) = (measured.rounds, measured.launches, &measured.ran_by);
            format!("{place}: measured bars are medians of {rounds} rounds in {launches} launches by {ran_by}.")
        });
        let predicted = case.predicted.as_ref();
        let predicted = predicted.map(|predicted| format!("{place}: predicted by {}.", predicted.machine));
        [measured, predicted].into_iter().flatten().chain(clock(case))
    });
    distinct(told)
}

/// Sources of the numbers of clocks.
pub(super) fn clocks(all: &Budgets) -> Vec<String> {
    distinct(all.cases.iter().flat_map(clock))
}

fn clock(case: &CaseBudget) -> impl Iterator<Item = String> {
    let read = case.measured.iter().flat_map(|measured| &measured.benchmarks_clock);
    read.map(|line| format!("E7: {line}"))
}

/// Reason why predictions are unsure, if some are.
pub(super) fn unsure_predictions(all: &Budgets) -> Option<&'static str> {
    let is_unsure = |case: &CaseBudget| case.is_slowed() && case.predicted.is_some();
    all.cases.iter().any(is_unsure).then_some(
        "Predictions for slowed cores are uncertain: other work on the same physical core slows each kind of code by a \
         different factor, which changes within milliseconds",
    )
}

impl CaseBudget {
    /// True if a core was slowed in its state.
    fn is_slowed(&self) -> bool {
        self.state.is_some_and(|state| state.slower > 1.0)
    }

    /// Title of the case: call, algorithm, bytes, ranks, place and state.
    pub fn title(&self) -> String {
        let case = &self.case;
        let algorithm = case.implementation_name();
        let place = self.place();
        let root =
            if case.subject.collective.is_rooted() { format!(", root {}", case.subject.root) } else { String::new() };
        let name = case.subject.call.name_of(case.subject.collective);
        let state = self.state.map(|state| format!("; {}", States::words(&state)));
        let state = state.or_else(|| self.calibrated_elsewhere()).unwrap_or_default();
        format!("{name}, {algorithm}, {}, {} ranks{root}, {place}{state}", bytes(case.subject.bytes), case.place.ranks)
    }

    /// State of the calibration, where nothing was measured in it.
    fn calibrated_elsewhere(&self) -> Option<String> {
        let of = self.predicted.as_ref().filter(|_| self.measured.is_none() && !self.simulated)?.calibrated_in?;
        Some(format!("; calibrated where a cache line takes {of}, a state in which nothing was measured"))
    }

    /// Name of the place where its ranks run.
    pub fn place(&self) -> String {
        match (self.simulated, self.case.place.carrier) {
            (true, _) | (false, Carrier::Modelled) => "simulated".to_owned(),
            (false, Carrier::Native) => self.case.place.world.title().to_owned(),
            (false, Carrier::Emulated(emulation)) => {
                format!("{} ({} network)", self.case.place.world.title(), emulation.name())
            }
        }
    }

    /// The measured budget, else the predicted one.
    pub fn best(&self) -> Option<&Budget> {
        let measured = self.measured.as_ref().map(|measured| &measured.budget);
        measured.or(self.predicted.as_ref().map(|predicted| &predicted.budget))
    }

    /// Sentence on the print of the last configuration over that of the first, and on the error with the largest
    /// effect.
    pub fn sentence(&self, all: &Budgets) -> String {
        let Some(budget) = self.best() else { return "Nothing was measured that could be used.".to_owned() };
        let (from, to) = (name_of(&all.from), all.to.name.as_str());
        let predicted = self.predicted.as_ref().filter(|_| self.measured.is_some()).map(|predicted| &predicted.budget);
        let factor = |ratio: f64| format!("{ratio:.2}");
        let ratio = budget.ratio.map_or(String::new(), |ratio| {
            let unsure = if self.is_slowed() { ", uncertain" } else { "" };
            let beside =
                predicted.and_then(|budget| Some(format!(" (predicted {}{unsure})", factor(budget.ratio?.value))));
            let interval = interval(ratio, factor);
            let space = if interval.is_empty() { "" } else { " " };
            format!("{} times{space}{interval} as much{}", factor(ratio.value), beside.unwrap_or_default())
        });
        let [printed, start] = [budget.to_us, budget.from_us].map(|end| significant(end.value));
        let verb = if all.from.name == "reference" { "is" } else { "prints" };
        let times = format!("{to} prints {printed} µs where {from} {verb} {start} µs");
        let whole = if ratio.is_empty() { times } else { format!("{times}: {ratio}") };
        format!("{whole}; {}.", self.largest(budget))
    }

    /// Words on the largest effect by size, among the errors and the remainder: a smaller one that is surer explains
    /// less.
    fn largest(&self, budget: &Budget) -> String {
        if let Some(measured) = self.measured.as_ref().filter(|measured| !measured.has_intervals()) {
            let launches = measured.launches;
            let are = if launches == 1 { " is" } else { "es are" };
            return format!("{launches} launch{are} too few for intervals: no error is named");
        }
        match budget.largest() {
            Some(bar) if bar.is_sure() && bar.us.value.abs() >= budget.remainder.us.value.abs() => {
                let factor = bar.factor.map_or(String::new(), |factor| format!("a factor of {:.2}, ", factor.value));
                format!("the largest part is {}: {factor}{} µs", self.name(bar), signed(bar.us.value))
            }
            Some(_) => "no single error stands out".to_owned(),
            None => "no error has an effect".to_owned(),
        }
    }

    /// A bar's name. One rank's time is no error of an operation with a root, whose ranks end at different times by its
    /// definition.
    pub(super) fn name(&self, bar: &Bar) -> String {
        let one_rank = bar.errors == [SystematicError::OneRank] && self.case.subject.collective.is_rooted();
        if one_rank { "E2 by definition".to_owned() } else { bar.name() }
    }

    /// Warnings that concern the trust in the numbers.
    pub fn warnings(&self) -> Vec<String> {
        let Some(measured) = &self.measured else { return Vec::new() };
        let mut warnings = Vec::new();
        if measured.oversubscribed {
            warnings.push(
                "there are more ranks than cores: ranks wait for a core, and the numbers include these waits"
                    .to_owned(),
            );
        }
        warnings.extend(self.beware_of_the_table(&measured.ran_by));
        warnings.extend(measured.unsure.iter().map(|unsure| format!("the clock error is too large for {unsure}")));
        warnings
    }

    /// Warnings on properties of the running library that the prediction of its own choice of algorithm does not
    /// include.
    fn beware_of_the_table(&self, ran_by: &str) -> Vec<String> {
        let case = &self.case;
        let library = case
            .place
            .world
            .library()
            .filter(|_| case.subject.implementation == Implementation::Library && self.predicted.is_some());
        let table = library.and_then(|library| library.decision).and_then(|decision| decision.beware(ran_by));
        let may_share = |library: &Library| {
            let is_made_so =
                *library == Library::MPICH && ThroughCells::for_call(case.subject.collective, &case.shape()).is_some();
            let is_predicted_so = self.predicted.as_ref().is_some_and(|predicted| predicted.machine.contains(CELLS));
            is_made_so && !is_predicted_so && ThroughCells::are_in(ran_by) != Some(false)
        };
        let by_memory = library.filter(may_share).map(|library| {
            let title = library.title;
            format!(
                "{title} calls this within a host through shared memory where its build has release_gather (PyPI's 4.1.3 to 5.0.2, not \
                 Debian's 4.0.2); the prediction is of messages alone, which a machine that is calibrated by these ranks mends"
            )
        });
        table.into_iter().chain(by_memory).collect()
    }

    /// Reason why one error could not be measured; `None` where it could be, and where nothing was measured.
    pub(super) fn unmeasured(&self, error: SystematicError) -> Option<&str> {
        let measured = self.measured.as_ref()?;
        measured.unmeasured.iter().find(|(missing, _)| *missing == error).map(|(_, why)| why.as_str())
    }
}

/// Name of a configuration in a sentence: the reference with the state of its buffers.
pub(super) fn name_of(configuration: &Configuration) -> String {
    match configuration.name.as_str() {
        "reference" => format!("the reference ({} buffers)", configuration.buffer.name()),
        name => name.to_owned(),
    }
}

/// One unit and one number of digits for all numbers of a case, so that columns can be compared.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    us: f64,
    pub symbol: &'static str,
    digits: usize,
}

impl Scale {
    /// Returns a scale with about four significant digits of the largest number, and with a nanosecond as the smallest
    /// digit.
    pub(super) fn for_case(case: &CaseBudget) -> Scale {
        let budgets = [
            case.predicted.as_ref().map(|predicted| &predicted.budget),
            case.measured.as_ref().map(|measured| &measured.budget),
        ];
        let ends = budgets.into_iter().flatten().flat_map(|budget| [budget.from_us, budget.to_us]);
        let largest = ends.map(|end| end.value.abs()).fold(0.0, f64::max);
        let (us, symbol) = if largest >= 1e4 { (1e3, "ms") } else { (1.0, "µs") };
        let before = ((largest / us).max(1e-9).log10().floor() as i32 + 1).max(1);
        Scale { us, symbol, digits: (4 - before).clamp(0, 3) as usize }
    }

    /// A time as text, in the scale's unit.
    pub(super) fn plain(self, us: f64) -> String {
        let text = format!("{:.*}", self.digits, us / self.us);
        let is_nothing = text.chars().all(|letter| ['-', '.', '0'].contains(&letter));
        if is_nothing { "0".to_owned() } else { text.replace('-', "−") }
    }

    /// A difference as text, with its sign.
    pub(super) fn signed(self, us: f64) -> String {
        let text = self.plain(us);
        if us > 0.0 && text != "0" { format!("+{text}") } else { text }
    }
}

/// The interval of a number; empty where both ends have the same text.
pub(super) fn interval(estimate: Estimate, number: impl Fn(f64) -> String) -> String {
    let (low, high) = (number(estimate.low), number(estimate.high));
    if low == high { String::new() } else { format!("[{low}, {high}]") }
}

/// A number with its sign, unless it is 0.
fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", significant(value)) } else { significant(value) }
}

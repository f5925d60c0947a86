//! Budgets as typed tables, for all forms.

use super::{Budgets, CaseBudget, Measured, page};
use programs::budget::{Bar, Budget, SystematicError};
use programs::machine::Estimate;
use programs::observation::{Carrier, World};
use render::columns;
use render::data::{Cell, Filled, Known, Table};
use render::page::Page;
use render::results::{Look, Results};
use render::summary::environment_of;
use render::whence::Whence;
use scenario::axis::{Axis, Key};

/// One number of a budget: an end, a bar, the remainder, or a bar that could not be measured.
struct Part<'a> {
    case: &'a CaseBudget,
    source: &'static str,
    label: String,
    name: String,
    us: Option<Estimate>,
    factor: Option<Estimate>,
    note: String,
}

impl<'a> Part<'a> {
    /// The numbers of one source, from the first end to the last.
    fn from_case(case: &'a CaseBudget, source: &'static str, budget: &Budget) -> Vec<Part<'a>> {
        let part = |label: String, name: String, us: Estimate, factor: Option<Estimate>| Part {
            case,
            source,
            label,
            name,
            us: Some(us),
            factor,
            note: String::new(),
        };
        let end = |label: &str, us, factor| part(label.to_owned(), String::new(), us, factor);
        let names = |bar: &Bar, name: fn(SystematicError) -> &'static str| {
            bar.errors.iter().map(|error| name(*error)).collect::<Vec<_>>().join("+")
        };
        let bar = |bar: &Bar| {
            let label = names(bar, SystematicError::label);
            part(label, names(bar, SystematicError::name), bar.us, bar.factor)
        };
        let bars = budget.bars.iter().map(bar);
        let remainder = Part { label: "remainder".to_owned(), ..bar(&budget.remainder) };
        let ends = [end("from", budget.from_us, None), end("to", budget.to_us, budget.ratio)];
        let [from, to] = ends;
        [from].into_iter().chain(bars).chain([remainder, to]).collect()
    }

    /// A number, without ends where there are too few launches for an interval.
    fn cell(&self, number: Option<Estimate>) -> Cell {
        let has_interval = self.measured().is_none_or(Measured::has_intervals);
        number.map(|number| Cell::estimate(number, has_interval)).into()
    }

    fn measured(&self) -> Option<&Measured> {
        self.case.measured.as_ref().filter(|_| self.source == "measured")
    }
}

impl CaseBudget {
    /// Key of the case on all axes that tables share.
    fn key(&self) -> Key {
        let key = Key::of_subject(&self.case);
        match self.simulated {
            true => key.named(Axis::World, World::Simulated.name()).named(Axis::Transport, Carrier::Modelled.name()),
            false => key,
        }
    }

    /// All numbers, predicted and measured. Errors that could not be measured have no number, but the reason as a note.
    fn parts(&self) -> Vec<Part<'_>> {
        let predicted = self.predicted.iter().flat_map(|one| Part::from_case(self, "predicted", &one.budget));
        let measured = self.measured.iter().flat_map(|one| Part::from_case(self, "measured", &one.budget));
        let unmeasured = self.measured.iter().flat_map(|one| &one.unmeasured).map(|(error, why)| Part {
            case: self,
            source: "measured",
            label: error.label().to_owned(),
            name: error.name().to_owned(),
            us: None,
            factor: None,
            note: why.clone(),
        });
        predicted.chain(measured).chain(unmeasured).collect()
    }

    /// Time of a cache line in the case's state, in ns; for a prediction without a measurement, in the state of its
    /// calibration.
    fn line_ns(&self) -> Option<f64> {
        let calibrated_in =
            self.predicted.as_ref().filter(|_| self.measured.is_none()).and_then(|one| one.calibrated_in);
        self.state.map(|state| state.line_ns).or(calibrated_in.map(|state| state.line_ns))
    }
}

impl Budgets {
    fn table(&self) -> Table {
        // The intervals of predictions come from the machine's parameters.
        let confidence = |part: &Part| {
            let measured = part.measured().filter(|measured| measured.has_intervals() && part.us.is_some());
            measured.map(|_| self.confidence).into()
        };
        let columns: [Filled<Part>; 13] = [
            (columns::FROM.column(), &|_| self.from.name.clone().into()),
            (columns::TO.column(), &|_| self.to.name.clone().into()),
            (columns::REFERENCE_BUFFER.column(), &|_| self.from.buffer.name().into()),
            (columns::PART.column(), &|part| part.label.clone().into()),
            (columns::NAME.column(), &|part| part.name.clone().into()),
            (columns::SOURCE.column(), &|part| part.source.into()),
            (columns::TIME.column().with_limits(), &|part| part.cell(part.us)),
            (columns::FACTOR.column().with_limits(), &|part| part.cell(part.factor)),
            (columns::CONFIDENCE.column(), &confidence),
            (columns::LAUNCHES.column(), &|part| part.measured().map(|measured| measured.launches).into()),
            (columns::NOTE.column(), &|part| part.note.clone().into()),
            (columns::LINE_NS.column().written(1), &|part| part.case.line_ns().into()),
            (columns::SLOWER.column().written(2), &|part| part.case.state.map(|state| state.slower).into()),
        ];
        let parts: Vec<Part> = self.cases.iter().flat_map(CaseBudget::parts).collect();
        columns::of_cases(Table::from_rows("rows", &parts, &columns), parts.iter().map(|part| part.case.key()))
    }

    /// Table of the measurement of each case.
    fn measurements(&self) -> Table {
        const RAN_BY: Known = Known::text("ran_by", "library, host and clock", "MPICH 4.1 on node1");
        const INTERVALS: Known = Known::flag("has_intervals", "whether its launches are enough for intervals");
        let measured: Vec<(&CaseBudget, &Measured)> =
            self.cases.iter().filter_map(|case| Some((case, case.measured.as_ref()?))).collect();
        let columns: [Filled<(&CaseBudget, &Measured)>; 5] = [
            (columns::ROUNDS.column(), &|(_, of)| of.rounds.into()),
            (columns::LAUNCHES.column(), &|(_, of)| of.launches.into()),
            (INTERVALS.column(), &|(_, of)| of.has_intervals().into()),
            (columns::OVERSUBSCRIBED.column(), &|(_, of)| of.oversubscribed.into()),
            (RAN_BY.column(), &|(_, of)| of.ran_by.clone().into()),
        ];
        columns::of_cases(
            Table::from_rows("measurements", &measured, &columns),
            measured.iter().map(|(case, _)| case.key()),
        )
    }
}

impl Results for Budgets {
    fn notes(&self) -> Vec<String> {
        let load = self.load.iter().map(|load| format!("{load}."));
        let warnings = self.cases.iter().flat_map(CaseBudget::warnings);
        self.checked.iter().cloned().chain(load).chain(warnings).collect()
    }

    fn page(&self) -> Page {
        page::page(&[], self)
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn others(&self) -> Vec<Table> {
        vec![self.measurements(), environment_of(&self.environment)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("confidence", self.confidence.into()), ("unequal_cores", self.unequal_cores.into())]
    }

    fn whence(&self) -> Option<Whence> {
        Some(Whence::from_facts(&self.environment))
    }

    fn terminal(&self, look: Look) -> String {
        page::terminal(self, look)
    }
}

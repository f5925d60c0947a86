//! Budgets as CSV: a line for each number.

use super::{Budgets, CaseBudget, Measured};
use models::budget::{Bar, Budget};
use models::machine::Estimate;
use models::observation::{Carrier, World};
use render::table::{Csv, Fields, Heads};
use render::whence::Whence;
use scenario::axis::{Axis, Key};

const HEAD: &str = "from,to,reference,part,name,source,time_us,time_low_us,time_high_us,factor,factor_low,factor_high,\
     confidence,launches,note,line_ns,slower";

/// A line for each end, each bar and what is left over, predicted and measured; what could not be measured has no number
/// and says why.
pub fn csv(all: &Budgets) -> String {
    let mut csv = Csv::new((Heads(&Axis::shared_heads()), Heads(HEAD)));
    for case in &all.cases {
        let sources = [
            ("predicted", case.predicted.as_ref().map(|predicted| &predicted.budget)),
            ("measured", case.measured.as_ref().map(|measured| &measured.budget)),
        ];
        for (source, budget) in sources {
            budget.map(parts).iter().flatten().for_each(|part| csv.row(row(all, case, source, part, "")));
        }
        for (error, why) in case.measured.iter().flat_map(|measured| &measured.unmeasured) {
            let part = Part { label: error.label().to_owned(), name: error.name().to_owned(), us: None, factor: None };
            csv.row(row(all, case, "measured", &part, why));
        }
    }
    Whence::of(&all.environment).stamped(&csv.text())
}

/// One number of a budget.
struct Part {
    label: String,
    name: String,
    us: Option<Estimate>,
    factor: Option<Estimate>,
}

fn parts(budget: &Budget) -> Vec<Part> {
    let end = |label: &str, us: Estimate, factor: Option<Estimate>| Part {
        label: label.to_owned(),
        name: String::new(),
        us: Some(us),
        factor,
    };
    let bar = |bar: &Bar| {
        let joined = |of: fn(models::budget::SystematicError) -> &'static str| {
            bar.errors.iter().map(|error| of(*error)).collect::<Vec<_>>().join("+")
        };
        Part { label: joined(|e| e.label()), name: joined(|e| e.name()), us: Some(bar.us), factor: bar.factor }
    };
    let mut parts = vec![end("from", budget.from_us, None)];
    parts.extend(budget.bars.iter().map(bar));
    parts.push(Part { label: "remainder".to_owned(), ..bar(&budget.remainder) });
    parts.push(end("to", budget.to_us, budget.ratio));
    parts
}

fn row<'a>(
    all: &'a Budgets,
    case: &CaseBudget,
    source: &'a str,
    part: &'a Part,
    note: &'a str,
) -> impl Fields + use<'a> {
    let key = Key::of_subject(&case.case);
    let key = if case.simulated {
        key.named(Axis::World, World::Simulated.name()).named(Axis::Transport, Carrier::Modelled.name())
    } else {
        key
    };
    let calibrated_in = case.predicted.as_ref().filter(|_| case.measured.is_none()).and_then(|one| one.calibrated_in);
    let line_ns = case.state.map(|state| state.line_ns).or(calibrated_in.map(|state| state.line_ns));
    let state = (line_ns.map(|ns| format!("{ns:.1}")), case.state.map(|state| format!("{:.2}", state.slower)));
    let measured = case.measured.as_ref().filter(|_| source == "measured");
    let has_interval = measured.is_none_or(Measured::has_intervals);
    let numbers = |estimate: Option<Estimate>| {
        (estimate.map(|of| of.value), estimate.filter(|_| has_interval).map(|of| (of.low, of.high)))
    };
    // The intervals of predictions come from the machine's parameters.
    let confidence = measured.filter(|measured| measured.has_intervals() && part.us.is_some()).map(|_| all.confidence);
    let ends = (&all.from.name, &all.to.name, all.from.buffer.name());
    let launches = measured.map(|measured| measured.launches);
    (
        key.shared_cells(),
        ends,
        (&part.label, &part.name, source),
        (numbers(part.us), numbers(part.factor), confidence),
        launches,
        note,
        state,
    )
}

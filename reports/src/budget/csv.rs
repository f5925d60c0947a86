//! Budgets as CSV: a line for each number.

use super::{Budgets, CaseBudget, Measured};
use crate::columns::{csv_line, quoted};
use models::budget::{Bar, Budget};
use models::machine::Estimate;
use models::observation::{Carrier, World};
use scenario::axis::{Axis, Key};
use std::fmt::Write;

const HEAD: &str = "line_ns,slower,from,buffers,to,part,name,source,launches,value_us,low_us,\
     high_us,factor,factor_low,factor_high,note\n";

/// A line for each end, each bar and what is left over, predicted and measured; what could not be measured has no number
/// and says why.
pub fn csv(all: &Budgets) -> String {
    let mut text = format!("{},{HEAD}", Axis::shared_heads());
    for case in &all.cases {
        let sources = [
            ("predicted", case.predicted.as_ref().map(|predicted| &predicted.budget)),
            ("measured", case.measured.as_ref().map(|measured| &measured.budget)),
        ];
        for (source, budget) in sources {
            let Some(budget) = budget else { continue };
            for part in parts(budget) {
                row(&mut text, all, case, source, &part, "");
            }
        }
        for (error, why) in case.measured.iter().flat_map(|measured| &measured.unmeasured) {
            let part = Part { label: error.label().to_owned(), name: error.name().to_owned(), us: None, factor: None };
            row(&mut text, all, case, "measured", &part, why);
        }
    }
    text
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

fn row(text: &mut String, all: &Budgets, case: &CaseBudget, source: &str, part: &Part, note: &str) {
    let key = Key::of_subject(&case.case);
    let key = if case.simulated {
        key.named(Axis::World, World::Simulated.name()).named(Axis::Transport, Carrier::Modelled.name())
    } else {
        key
    };
    let cells = csv_line(key.shared_cells());
    let calibrated_in = case.predicted.as_ref().filter(|_| case.measured.is_none()).and_then(|one| one.calibrated_in);
    let state = match (case.state, calibrated_in) {
        (Some(state), _) => format!("{:.1},{:.2}", state.line_ns, state.slower),
        (None, Some(state)) => format!("{:.1},", state.line_ns),
        (None, None) => ",".to_owned(),
    };
    let measured = case.measured.as_ref().filter(|_| source == "measured");
    let has_interval = measured.is_none_or(Measured::has_intervals);
    let numbers = |estimate: Option<Estimate>| match estimate {
        Some(Estimate { value, low, high }) if has_interval => format!("{value:.6},{low:.6},{high:.6}"),
        Some(Estimate { value, .. }) => format!("{value:.6},,"),
        None => ",,".to_owned(),
    };
    let [from, to, note] = [&all.from.name, &all.to.name, &note.to_owned()].map(|words| quoted(words));
    let _ = writeln!(
        text,
        "{cells},{state},{from},{},{to},{},{},{source},{},{},{},{note}",
        all.from.buffer.name(),
        part.label,
        part.name,
        measured.map_or(String::new(), |measured| measured.launches.to_string()),
        numbers(part.us),
        numbers(part.factor),
    );
}

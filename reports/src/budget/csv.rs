//! Budgets as CSV: a line for each number.

use super::{Budgets, CaseBudget};
use models::budget::{Budget, SystematicError};
use models::machine::Estimate;
use std::fmt::Write;

const HEAD: &str =
    "place,collective,algorithm,ranks,root,bytes,from,to,part,name,source,value_us,low_us,high_us,note\n";

/// A line for each end, each bar and each interaction, predicted and measured; what could not be measured has no number
/// and says why.
pub fn csv(all: &Budgets) -> String {
    let mut text = HEAD.to_owned();
    for case in &all.cases {
        let sources = [
            ("predicted", case.predicted.as_ref().map(|predicted| &predicted.budget)),
            ("measured", case.measured.as_ref().map(|measured| &measured.budget)),
        ];
        for (source, budget) in sources {
            let Some(budget) = budget else { continue };
            for (part, name, estimate) in parts(budget) {
                row(&mut text, all, case, (&part, &name, source), Some(estimate), "");
            }
        }
        for (error, why) in case.measured.iter().flat_map(|measured| &measured.unmeasured) {
            row(&mut text, all, case, (error.label(), error.name(), "measured"), None, why);
        }
    }
    text
}

/// Label, name and value of all numbers of a budget.
fn parts(budget: &Budget) -> Vec<(String, String, Estimate)> {
    let named = |error: SystematicError| (error.label().to_owned(), error.name().to_owned());
    let mut parts = vec![("from".to_owned(), String::new(), budget.from_us)];
    parts.extend(budget.bars.iter().map(|&(error, bar)| (named(error).0, named(error).1, bar)));
    parts.push(("interaction".to_owned(), String::new(), budget.interaction));
    parts.push(("to".to_owned(), String::new(), budget.to_us));
    parts
}

fn row(
    text: &mut String,
    all: &Budgets,
    case: &CaseBudget,
    (part, name, source): (&str, &str, &str),
    estimate: Option<Estimate>,
    note: &str,
) {
    let place = if case.simulated { "simulated" } else { case.case.world.name() };
    let of = &case.case;
    let number = |value: f64| format!("{value:.6}");
    let numbers = estimate.map_or([const { String::new() }; 3], |e| [e.value, e.low, e.high].map(number));
    let [from, to, note] = [&all.from.name, &all.to.name, &note.to_owned()].map(|words| quoted(words));
    let _ = writeln!(
        text,
        "{place},{},{},{},{},{},{from},{to},{part},{name},{source},{},{note}",
        of.call.name_of(of.collective),
        of.implementation.name(),
        of.ranks,
        of.root,
        of.bytes,
        numbers.join(",")
    );
}

fn quoted(words: &str) -> String {
    if words.contains([',', '"']) { format!("\"{}\"", words.replace('"', "\"\"")) } else { words.to_owned() }
}

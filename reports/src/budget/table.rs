//! Budgets in a terminal: one block for each case, a line for each error, bars of characters.

use super::words::{plain, signed, with_interval};
use super::{Budgets, CaseBudget};
use models::budget::{Budget, SystematicError};
use models::machine::Estimate;
use std::fmt::Write;

/// Columns of the names.
const NAME: usize = 23;
/// Columns of a number with its interval.
const NUMBER: usize = 24;
/// Columns of a bar on each side of nothing.
const HALF: usize = 11;

/// All cases, no line longer than 100 columns but those of words.
pub fn table(all: &Budgets) -> String {
    let mut text = String::new();
    for case in &all.cases {
        block(&mut text, all, case);
    }
    text
}

fn block(text: &mut String, all: &Budgets, case: &CaseBudget) {
    let predicted = case.predicted.as_ref().map(|predicted| &predicted.budget);
    let measured = case.measured.as_ref().map(|measured| &measured.budget);
    let scale = case.best().map_or(0.0, largest);
    let shown = match (predicted.is_some(), measured.is_some()) {
        (_, true) => "measured",
        (_, false) => "predicted",
    };
    let _ = writeln!(text, "{}", case.title());
    let (left, right) = ("predicted, µs", "measured, µs");
    let _ = writeln!(text, "  {:<NAME$}{left:>NUMBER$}{right:>NUMBER$}   −{:>HALF$}{:>HALF$}", "", "0", "+");
    end(text, &all.from.name, predicted.map(|budget| budget.from_us), measured.map(|budget| budget.from_us));
    for error in SystematicError::ALL {
        let bars = [predicted, measured].map(|budget| budget.and_then(|budget| budget.bar(error)));
        let missing = case.unmeasured(error);
        if bars == [None, None] && missing.is_none() {
            let _ = writeln!(text, "  {:<NAME$}{:>NUMBER$}", error.to_string(), "alike");
            continue;
        }
        let cell = |bar: Option<Estimate>| bar.map_or("–".to_owned(), |bar| with_interval(bar, signed));
        let right = if missing.is_some() { "not measurable".to_owned() } else { cell(bars[1]) };
        let bar = if missing.is_some() || bars[1].is_some() { bars[1] } else { bars[0] };
        line(text, &error.to_string(), &cell(bars[0]), &right, &drawn(bar, scale));
    }
    let interaction =
        |budget: Option<&Budget>| budget.map_or("–".to_owned(), |budget| with_interval(budget.interaction, signed));
    let rest = case.best().map(|budget| budget.interaction);
    line(text, "interaction", &interaction(predicted), &interaction(measured), &drawn(rest, scale));
    end(text, &all.to.name, predicted.map(|budget| budget.to_us), measured.map(|budget| budget.to_us));
    let _ = writeln!(text, "  {} Bars: {shown}.", case.sentence(all));
    notes(text, case);
    text.push('\n');
}

fn notes(text: &mut String, case: &CaseBudget) {
    if let Some(measured) = &case.measured {
        let (rounds, launches) = (measured.rounds, measured.launches);
        let _ = writeln!(text, "  Medians of {rounds} rounds in {launches} launches; measured by {}.", measured.ran_by);
        for (error, why) in &measured.unmeasured {
            let _ = writeln!(text, "  {} not measurable: {why}; what it does is in the interaction.", error.label());
        }
    }
    if let Some(predicted) = &case.predicted {
        let _ = writeln!(text, "  Predicted by {}.", predicted.machine);
    }
    for warning in case.warnings() {
        let _ = writeln!(text, "  ! {warning}");
    }
}

/// The first or the last number.
fn end(text: &mut String, name: &str, predicted: Option<Estimate>, measured: Option<Estimate>) {
    let cell = |number: Option<Estimate>| number.map_or("–".to_owned(), |number| with_interval(number, plain));
    let short: String = if name.chars().count() >= NAME {
        name.chars().take(NAME - 2).chain(['…']).collect()
    } else {
        name.to_owned()
    };
    line(text, &short, &cell(predicted), &cell(measured), "");
}

fn line(text: &mut String, name: &str, predicted: &str, measured: &str, bar: &str) {
    let whole = format!("  {name:<NAME$}{predicted:>NUMBER$}{measured:>NUMBER$}   {bar}");
    text.push_str(whole.trim_end());
    text.push('\n');
}

/// The longest bar, in µs.
fn largest(budget: &Budget) -> f64 {
    let bars = budget.bars.iter().map(|(_, bar)| *bar).chain([budget.interaction]);
    bars.map(|bar| bar.value.abs()).fold(0.0, f64::max)
}

/// A bar to the left or to the right of a line.
fn drawn(bar: Option<Estimate>, scale: f64) -> String {
    let Some(bar) = bar.filter(|_| scale > 0.0) else { return String::new() };
    let length = ((bar.value.abs() / scale) * HALF as f64).round() as usize;
    let blocks = "█".repeat(length.min(HALF));
    if bar.value < 0.0 { format!(" {blocks:>HALF$}│") } else { format!(" {:>HALF$}│{blocks}", "") }
}

//! Budgets in a terminal: one block for each case, a line for each error, bars of characters.

use super::words::{Scale, interval, sources};
use super::{Budgets, CaseBudget};
use models::budget::{Budget, SystematicError};
use models::machine::Estimate;
use std::fmt::Write;

/// Columns of the whole.
const WIDTH: usize = 100;
/// Columns of the names.
const NAME: usize = 23;
/// Columns of a number with its interval.
const NUMBER: usize = 24;
/// Columns of a bar on each side of nothing.
const HALF: usize = 11;

/// All cases, in 100 columns.
pub fn table(all: &Budgets) -> String {
    let mut text = String::new();
    for case in &all.cases {
        block(&mut text, all, case);
    }
    for source in sources(all) {
        wrapped(&mut text, &source);
    }
    text
}

fn block(text: &mut String, all: &Budgets, case: &CaseBudget) {
    let predicted = case.predicted.as_ref().map(|predicted| &predicted.budget);
    let measured = case.measured.as_ref().map(|measured| &measured.budget);
    let longest = case.best().map_or(0.0, largest);
    let scale = Scale::of(case);
    let names = Names::of(all);
    let _ = writeln!(text, "{}{}", case.title(), names.heading);
    let [left, right] = ["predicted", "measured"].map(|side| format!("{side}, {}", scale.symbol));
    let _ = writeln!(text, "  {:<NAME$}{left:>NUMBER$}{right:>NUMBER$}   −{:>HALF$}{:>HALF$}", "", "0", "+");
    let time = |number: Estimate| fitted(number, scale, Scale::plain);
    let change = |bar: Estimate| fitted(bar, scale, Scale::signed);
    let end = |text: &mut String, name: &str, of: fn(&Budget) -> Estimate| {
        let [left, right] =
            [predicted, measured].map(|budget| budget.map_or("–".to_owned(), |budget| time(of(budget))));
        line(text, name, &left, &right, "");
    };
    end(text, names.from, |budget| budget.from_us);
    for error in SystematicError::ALL {
        let bars = [predicted, measured].map(|budget| budget.and_then(|budget| budget.bar(error)));
        let missing = case.unmeasured(error).is_some();
        if bars == [None, None] && !missing {
            line(text, &error.to_string(), "alike", "", "");
            continue;
        }
        let [left, right] = bars.map(|bar| bar.map_or("–".to_owned(), change));
        let right = if missing { "not measurable".to_owned() } else { right };
        let bar = if missing || bars[1].is_some() { bars[1] } else { bars[0] };
        line(text, &error.to_string(), &left, &right, &drawn(bar, longest));
    }
    let [left, right] =
        [predicted, measured].map(|budget| budget.map_or("–".to_owned(), |budget| change(budget.interaction)));
    line(text, "interaction", &left, &right, &drawn(case.best().map(|budget| budget.interaction), longest));
    end(text, names.to, |budget| budget.to_us);
    notes(text, all, case);
    text.push('\n');
}

/// What both ends are called: by their names, or in a heading where these are long.
struct Names<'a> {
    from: &'a str,
    to: &'a str,
    heading: String,
}

impl Names<'_> {
    fn of(all: &Budgets) -> Names<'_> {
        let (from, to) = (all.from.name.as_str(), all.to.name.as_str());
        if [from, to].iter().all(|name| name.chars().count() < NAME) {
            return Names { from, to, heading: String::new() };
        }
        Names { from: "from", to: "to", heading: format!("\n  from {from}\n  to   {to}") }
    }
}

fn notes(text: &mut String, all: &Budgets, case: &CaseBudget) {
    let mut notes = vec![case.sentence(all)];
    if let Some(measured) = &case.measured {
        let missing = measured.unmeasured.iter();
        notes.extend(missing.map(|(error, why)| {
            format!("{} not measurable: {why}; what it does is in the interaction.", error.label())
        }));
    } else {
        notes.push("Bars: predicted.".to_owned());
    }
    notes.extend(case.warnings().into_iter().map(|warning| format!("! {warning}")));
    for note in notes {
        wrapped(text, &note);
    }
}

/// Words in lines of the table's width.
fn wrapped(text: &mut String, words: &str) {
    let mut line = String::from(" ");
    for word in words.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && !line.trim().is_empty() {
            let _ = writeln!(text, "{line}");
            line = "   ".to_owned();
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(text, "{line}");
}

/// A number with its interval, with fewer digits where it would be too wide.
fn fitted(estimate: Estimate, scale: Scale, number: fn(Scale, f64) -> String) -> String {
    let (value, interval) = (number(scale, estimate.value), interval(estimate, |us| number(scale, us)));
    let whole = if interval.is_empty() { value } else { format!("{value} {interval}") };
    match scale.coarser() {
        Some(coarser) if whole.chars().count() >= NUMBER => fitted(estimate, coarser, number),
        _ => whole,
    }
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

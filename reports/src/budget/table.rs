//! Budgets in a terminal: one block for each case, a line for each error, bars of characters.

use super::words::{Scale, interval, sources, unsure_predictions};
use super::{Budgets, CaseBudget};
use crate::words::{indented, wrapped};
use models::budget::{Bar, Budget};
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

/// All cases, in 100 columns; with details, where the numbers come from.
pub fn table(all: &Budgets, details: bool) -> String {
    let mut text = String::new();
    for case in &all.cases {
        block(&mut text, all, case, details);
    }
    all.checked.iter().for_each(|checked| below(&mut text, checked));
    for remark in all.load.as_deref().into_iter().chain(unsure_predictions(all)) {
        below(&mut text, &format!("! {remark}"));
    }
    for source in sources(all).iter().filter(|_| details) {
        below(&mut text, source);
    }
    text
}

fn block(text: &mut String, all: &Budgets, case: &CaseBudget, details: bool) {
    let predicted = case.predicted.as_ref().map(|predicted| &predicted.budget);
    let measured = case.measured.as_ref().map(|measured| &measured.budget);
    let longest = case.best().map_or(0.0, largest);
    let scale = Scale::of(case);
    let names = Names::of(all);
    for words in [case.title(), case.sentence(all)] {
        wrapped(&words, WIDTH - 2, "  ").iter().for_each(|line| text.extend([line, "\n"]));
    }
    text.push_str(&names.heading);
    let [left, right] = ["predicted", "measured"].map(|side| format!("{side}, {}", scale.symbol));
    let _ = writeln!(text, "  {:<NAME$}{left:>NUMBER$}{right:>NUMBER$}   −{:>HALF$}{:>HALF$}", "", "0", "+");
    let time = |number: Estimate| fitted(number, scale, Scale::plain);
    let change = |bar: &Bar| fitted(bar.us, scale, Scale::signed);
    let end = |text: &mut String, name: &str, of: fn(&Budget) -> Estimate| {
        let [left, right] =
            [predicted, measured].map(|budget| budget.map_or("–".to_owned(), |budget| time(of(budget))));
        line(text, name, &left, &right, "");
    };
    end(text, names.from, |budget| budget.from_us);
    for row in case.rows() {
        let [left, right] = row.bars.map(|bar| bar.map_or("–".to_owned(), change));
        let right = if row.missing { "not measurable".to_owned() } else { right };
        let drawn = case.drawn(&row).map_or_else(String::new, |bar| drawn(bar.us, longest));
        line(text, &row.name, &left, &right, &drawn);
    }
    end(text, names.to, |budget| budget.to_us);
    notes(text, case, details);
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
        Names { from: "from", to: "to", heading: format!("  from {from}\n  to   {to}\n") }
    }
}

fn notes(text: &mut String, case: &CaseBudget, details: bool) {
    for warning in case.warnings() {
        below(text, &warning);
    }
    let unmeasured = case.measured.iter().flat_map(|measured| &measured.unmeasured);
    for (error, why) in unmeasured.filter(|_| details) {
        below(text, &format!("{error}: {why}; what it does is in the remainder"));
    }
}

/// A remark in lines below a table.
fn below(text: &mut String, words: &str) {
    indented(words, WIDTH, "  ").iter().for_each(|line| text.extend([line, "\n"]));
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
    let bars = budget.bars.iter().chain([&budget.remainder]);
    bars.map(|bar| bar.us.value.abs()).fold(0.0, f64::max)
}

/// A bar to the left or to the right of a line.
fn drawn(bar: Estimate, scale: f64) -> String {
    if scale <= 0.0 {
        return String::new();
    }
    let length = ((bar.value.abs() / scale) * HALF as f64).round() as usize;
    let blocks = "█".repeat(length.min(HALF));
    if bar.value < 0.0 { format!(" {blocks:>HALF$}│") } else { format!(" {:>HALF$}│{blocks}", "") }
}

//! Budgets in a terminal: one block for each case, a line for each error, bars of characters.

use super::words::{Scale, interval, sources, unsure_predictions};
use super::{Budgets, CaseBudget};
use programs::budget::{Bar, Budget};
use programs::machine::Estimate;
use render::words::{indented, wrapped};
use std::fmt::Write;

/// Width of the names, in columns.
const NAME: usize = 23;

/// Widths of the parts of a table, in columns.
#[derive(Clone, Copy)]
struct Columns {
    /// Width of the whole table.
    width: usize,
    /// Width of a number with its interval.
    number: usize,
    /// Width of a bar on each side of 0.
    half: usize,
}

impl Columns {
    /// Bars become narrower first, then intervals lose digits.
    fn for_width(width: usize) -> Columns {
        let half = if width < 98 { 6 } else { 11 };
        let number = (width.saturating_sub(6 + NAME + 2 * half) / 2).clamp(12, 24);
        Columns { width, number, half }
    }
}

/// Table of all cases, as wide as a terminal; with details, also the sources of the numbers.
pub(super) fn table(all: &Budgets, width: usize, details: bool) -> String {
    let mut text = String::new();
    let columns = Columns::for_width(width);
    for case in &all.cases {
        block(&mut text, all, case, (columns, details));
    }
    all.checked.iter().for_each(|checked| below(&mut text, checked, width));
    for remark in all.load.as_deref().into_iter().chain(unsure_predictions(all)) {
        below(&mut text, &format!("! {remark}"), width);
    }
    for source in sources(all).iter().filter(|_| details) {
        below(&mut text, source, width);
    }
    text
}

fn block(text: &mut String, all: &Budgets, case: &CaseBudget, (columns, details): (Columns, bool)) {
    let Columns { width, number: wide, half } = columns;
    let predicted = case.predicted.as_ref().map(|predicted| &predicted.budget);
    let measured = case.measured.as_ref().map(|measured| &measured.budget);
    let longest = case.best().map_or(0.0, largest);
    let scale = Scale::for_case(case);
    let names = Names::for_budgets(all);
    for words in [case.title(), case.sentence(all)] {
        wrapped(&words, width - 2, "  ").iter().for_each(|line| text.extend([line, "\n"]));
    }
    text.push_str(&names.heading);
    let [left, right] = ["predicted", "measured"].map(|side| format!("{side}, {}", scale.symbol));
    let _ = writeln!(text, "  {:<NAME$}{left:>wide$}{right:>wide$}   −{:>half$}{:>half$}", "", "0", "+");
    let time = |number: Estimate| fitted(number, scale, Scale::plain, wide);
    let change = |bar: &Bar| fitted(bar.us, scale, Scale::signed, wide);
    let end = |text: &mut String, name: &str, of: fn(&Budget) -> Estimate| {
        let [left, right] =
            [predicted, measured].map(|budget| budget.map_or("–".to_owned(), |budget| time(of(budget))));
        line(text, name, [&left, &right], "", wide);
    };
    end(text, names.from, |budget| budget.from_us);
    for row in case.rows() {
        let [left, right] = row.bars.map(|bar| bar.map_or("–".to_owned(), change));
        let right = if row.missing { "not measurable".to_owned() } else { right };
        let drawn = case.drawn(&row).map_or_else(String::new, |bar| drawn(bar.us, longest, half));
        line(text, &row.name, [&left, &right], &drawn, wide);
    }
    end(text, names.to, |budget| budget.to_us);
    notes(text, case, (width, details));
    text.push('\n');
}

/// Labels of both ends: their names, or `from` and `to` below a heading where the names are long.
struct Names<'a> {
    from: &'a str,
    to: &'a str,
    heading: String,
}

impl Names<'_> {
    fn for_budgets(all: &Budgets) -> Names<'_> {
        let (from, to) = (all.from.name.as_str(), all.to.name.as_str());
        if [from, to].iter().all(|name| name.chars().count() < NAME) {
            return Names { from, to, heading: String::new() };
        }
        Names { from: "from", to: "to", heading: format!("  from {from}\n  to   {to}\n") }
    }
}

fn notes(text: &mut String, case: &CaseBudget, (width, details): (usize, bool)) {
    for warning in case.warnings() {
        below(text, &warning, width);
    }
    // With details, it is stated once for all cases.
    for read in case.measured.iter().flat_map(|measured| &measured.benchmarks_clock).filter(|_| !details) {
        below(text, &format!("E7: {read}"), width);
    }
    let unmeasured = case.measured.iter().flat_map(|measured| &measured.unmeasured);
    for (error, why) in unmeasured.filter(|_| details) {
        below(text, &format!("{error}: {why}; its effect is part of the remainder"), width);
    }
}

/// Appends a remark in lines below a table.
fn below(text: &mut String, words: &str, width: usize) {
    indented(words, width, "  ").iter().for_each(|line| text.extend([line, "\n"]));
}

/// A number with its interval, with fewer digits where it would be too wide.
fn fitted(estimate: Estimate, scale: Scale, number: fn(Scale, f64) -> String, wide: usize) -> String {
    let (value, interval) = (number(scale, estimate.value), interval(estimate, |us| number(scale, us)));
    let whole = if interval.is_empty() { value } else { format!("{value} {interval}") };
    match scale.coarser() {
        Some(coarser) if whole.chars().count() >= wide => fitted(estimate, coarser, number, wide),
        _ => whole,
    }
}

fn line(text: &mut String, name: &str, [predicted, measured]: [&str; 2], bar: &str, wide: usize) {
    let whole = format!("  {name:<NAME$}{predicted:>wide$}{measured:>wide$}   {bar}");
    text.push_str(whole.trim_end());
    text.push('\n');
}

/// Size of the longest bar, in µs.
fn largest(budget: &Budget) -> f64 {
    let bars = budget.bars.iter().chain([&budget.remainder]);
    bars.map(|bar| bar.us.value.abs()).fold(0.0, f64::max)
}

/// A bar to the left or to the right of a line.
fn drawn(bar: Estimate, scale: f64, half: usize) -> String {
    if scale <= 0.0 {
        return String::new();
    }
    let length = ((bar.value.abs() / scale) * half as f64).round() as usize;
    let blocks = "█".repeat(length.min(half));
    if bar.value < 0.0 { format!(" {blocks:>half$}│") } else { format!(" {:>half$}│{blocks}", "") }
}

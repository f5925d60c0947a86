//! Guidelines as text for people, as Markdown and as CSV.

use super::{Check, Guidelines, Kind, Verdict};
use crate::contrast::spread;
use render::groups::{counted, grouped};
use render::plots::numbers::{probability, significant};
use render::table::{Csv, Heads, Table};
use scenario::axis::{Axis, Key};
use std::fmt::Write;

/// Without a wish for all, so many suspected ones are shown.
const SUSPECTED: usize = 10;

/// Which checks are shown: those that are violated, and a few that may be; or all.
pub(super) fn shown(guidelines: &Guidelines, all: bool) -> Vec<&Check> {
    let violated = guidelines.checks.iter().filter(|check| all || check.verdict == Verdict::Violated);
    let suspected = guidelines.checks.iter().filter(|check| !all && check.verdict == Verdict::Suspected);
    violated.chain(suspected.take(SUSPECTED)).collect()
}

/// Checks, a row each. What all cases have in common is not said again.
pub(super) fn checks(guidelines: &Guidelines, checks: &[&Check]) -> Table {
    let (varying, _) = axes(guidelines);
    let interval = format!("{} % interval", 100.0 * guidelines.confidence);
    let heads = ["guideline", "case", "call µs", "against", "µs", "factor", &interval, "p", "verdict"];
    let row = |check: &&Check| {
        let interval = check.factor.map(|factor| format!("{:.3} – {:.3}", factor.low, factor.high));
        [
            check.guideline.clone(),
            check.case.within(|axis| varying.contains(&axis)).to_string(),
            significant(check.call_us),
            check.other.clone(),
            significant(check.other_us),
            check.factor.map(|factor| format!("{:.3}", factor.value)).unwrap_or_default(),
            interval.unwrap_or_default(),
            check.adjusted_p.map(probability).unwrap_or_default(),
            check.verdict.name().to_owned(),
        ]
    };
    Table::plain(heads, checks.iter().map(row), |column| [2, 4, 5, 6, 7].contains(&column))
}

/// Dimensions in which the checks' cases differ, and what they have in common. The operation is in the guideline, and each
/// has the one root and the one algorithm that were measured.
pub(super) fn axes(guidelines: &Guidelines) -> (Vec<Axis>, Key) {
    let told = |axis: &Axis| ![Axis::Operation, Axis::Root, Axis::Algorithm].contains(axis);
    let among: Vec<Axis> = Axis::CASES.into_iter().filter(told).collect();
    let (mut varying, constant) = spread(&among, guidelines.checks.iter().map(|check| &check.case));
    if !varying.contains(&Axis::Bytes) {
        varying.push(Axis::Bytes);
    }
    (varying, constant.within(|axis| axis != Axis::Bytes))
}

/// The answer, and the guidelines that are violated with what to do; `all`: the others too.
pub fn table(guidelines: &Guidelines, all: bool) -> String {
    let mut text = format!("{}\n\n  {}\n", guidelines.sentence, guidelines.name);
    let (_, common) = axes(guidelines);
    if !common.0.is_empty() {
        let _ = writeln!(text, "  all cases: {common}");
    }
    text.extend(guidelines.notes.iter().map(|note| format!("  {note}\n")));
    let shown = shown(guidelines, all);
    if !shown.is_empty() {
        text += &format!("\n{}", checks(guidelines, &shown).ruled());
    }
    let advice = advice(guidelines);
    if !advice.is_empty() {
        text.push_str("\nWhat to do:\n");
        text.extend(advice.iter().map(|(guideline, advice)| format!("  {guideline}: {advice}\n")));
    }
    text.extend(doubts(guidelines).into_iter().map(|(doubt, count)| format!("\n{count} suspected: {doubt}.\n")));
    let kept = guidelines.checks.iter().filter(|check| check.verdict == Verdict::Kept).count();
    if !all && kept > 0 {
        let _ = writeln!(text, "\n{kept} checks without any sign of a violation: --all shows them.");
    }
    text
}

/// Why what is suspected is not shown, each reason once with how many it is about.
pub(super) fn doubts(guidelines: &Guidelines) -> Vec<(&str, usize)> {
    let suspected = guidelines.checks.iter().filter(|check| check.verdict == Verdict::Suspected);
    counted(suspected.map(|check| check.advice.as_str()))
}

/// What to do about each violated guideline, once; of lengths the first.
pub(super) fn advice(guidelines: &Guidelines) -> Vec<(String, String)> {
    let name = |check: &Check| match check.kind {
        Kind::MockUp | Kind::Regular => check.guideline.clone(),
        Kind::MonotoneInBytes | Kind::SplitRobust | Kind::MonotoneInRanks => {
            format!("{} at {} bytes", check.guideline, check.case.text(Axis::Bytes))
        }
    };
    let violated = guidelines.checks.iter().filter(|check| check.verdict == Verdict::Violated);
    let told = grouped(violated.map(|check| (name(check), &check.advice)));
    told.into_iter().map(|(name, advice)| (name, advice[0].clone())).collect()
}

/// The same as Markdown, with all checks.
pub fn markdown(guidelines: &Guidelines) -> String {
    let mut text = format!("# Guidelines\n\n**{}**\n\n{}\n\n", guidelines.sentence, guidelines.name);
    text += &checks(guidelines, &shown(guidelines, true)).markdown();
    let advice = advice(guidelines);
    if !advice.is_empty() {
        text.push('\n');
        advice.iter().for_each(|(guideline, advice)| text.push_str(&format!("- {guideline}: {advice}\n")));
    }
    text
}

/// A line for each check, whatever its verdict; units are in the heads.
pub fn csv(guidelines: &Guidelines) -> String {
    let rest = Heads("against,time_us,against_us,ratio,ratio_low,ratio_high,confidence,adjusted_p,verdict,advice");
    let row = |check: &Check| {
        let case = Axis::CASES.map(|axis| check.case.text(axis));
        let numbers = (
            check.call_us,
            check.other_us,
            check.factor,
            check.factor.map(|_| guidelines.confidence),
            check.adjusted_p,
        );
        let told = (check.guideline.clone(), case, check.other.clone());
        (told, numbers, check.verdict.name(), check.advice.clone())
    };
    let text =
        Csv::new(("guideline", Axis::CASES.map(Axis::name), rest)).rows(guidelines.checks.iter().map(row)).text();
    guidelines.whence.stamped(&text)
}

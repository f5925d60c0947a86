//! Guidelines as text for people, as Markdown and as CSV.

use super::{Check, Guidelines, Kind, Verdict};
use crate::columns::{aligned, quoted};
use crate::contrast::spread;
use crate::plots::numbers::significant;
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

/// Heads of the columns.
pub(super) fn heads(confidence: f64) -> [String; 9] {
    let interval = format!("{} % interval", 100.0 * confidence);
    ["guideline", "case", "call µs", "against", "µs", "factor", &interval, "p", "verdict"].map(str::to_owned)
}

/// The cells of a check. What all cases have in common is not said again.
pub(super) fn cells(check: &Check, varying: &[Axis]) -> [String; 9] {
    let case = check.case.within(|axis| varying.contains(&axis));
    let interval = check.factor.map(|factor| format!("{:.3} – {:.3}", factor.low, factor.high));
    let p = check.adjusted_p.map(|p| if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") });
    [
        check.guideline.clone(),
        case.to_string(),
        significant(check.call_us),
        check.other.clone(),
        significant(check.other_us),
        check.factor.map(|factor| format!("{:.3}", factor.value)).unwrap_or_default(),
        interval.unwrap_or_default(),
        p.unwrap_or_default(),
        check.verdict.name().to_owned(),
    ]
}

/// Dimensions in which the checks' cases differ, and what they have in common. The operation is in the guideline, and each
/// has the one root and the one algorithm that were measured.
pub(super) fn axes(guidelines: &Guidelines) -> (Vec<Axis>, Key) {
    let told = |axis: &Axis| ![Axis::Operation, Axis::Root, Axis::Algorithm].contains(axis);
    let among: Vec<Axis> = Axis::ALL.into_iter().filter(told).collect();
    let (mut varying, constant) = spread(&among, guidelines.checks.iter().map(|check| &check.case));
    if !varying.contains(&Axis::Bytes) {
        varying.push(Axis::Bytes);
    }
    (varying, constant.within(|axis| axis != Axis::Bytes))
}

/// The answer, and the guidelines that are violated with what to do; `all`: the others too.
pub fn table(guidelines: &Guidelines, all: bool) -> String {
    let mut text = format!("{}\n\n  {}\n", guidelines.sentence, guidelines.name);
    let (varying, common) = axes(guidelines);
    if !common.0.is_empty() {
        let _ = writeln!(text, "  all cases: {common}");
    }
    guidelines.notes.iter().for_each(|note| {
        let _ = writeln!(text, "  {note}");
    });
    let shown = shown(guidelines, all);
    if !shown.is_empty() {
        let lines: Vec<Vec<String>> = std::iter::once(heads(guidelines.confidence).to_vec())
            .chain(shown.iter().map(|check| cells(check, &varying).to_vec()))
            .collect();
        let (lines, wide) = aligned(&lines, |column| [2, 4, 5, 6, 7].contains(&column));
        text.push('\n');
        for (index, line) in lines.iter().enumerate() {
            let _ = writeln!(text, "{line}");
            if index == 0 {
                let _ = writeln!(text, "  {}", "─".repeat(wide));
            }
        }
    }
    let advice = advice(guidelines);
    if !advice.is_empty() {
        text.push_str("\nWhat to do:\n");
        advice.iter().for_each(|(guideline, advice)| {
            let _ = writeln!(text, "  {guideline}: {advice}");
        });
    }
    for (doubt, count) in doubts(guidelines) {
        let _ = writeln!(text, "\n{count} suspected: {doubt}.");
    }
    let kept = guidelines.checks.iter().filter(|check| check.verdict == Verdict::Kept).count();
    if !all && kept > 0 {
        let _ = writeln!(text, "\n{kept} checks that nothing speaks against: --all shows them.");
    }
    text
}

/// Why what is suspected is not shown, each reason once with how many it is about.
pub(super) fn doubts(guidelines: &Guidelines) -> Vec<(&str, usize)> {
    let mut doubts: Vec<(&str, usize)> = Vec::new();
    for check in guidelines.checks.iter().filter(|check| check.verdict == Verdict::Suspected) {
        match doubts.iter_mut().find(|(known, _)| *known == check.advice) {
            Some((_, count)) => *count += 1,
            None => doubts.push((&check.advice, 1)),
        }
    }
    doubts
}

/// What to do about each violated guideline, once; of lengths the first.
pub(super) fn advice(guidelines: &Guidelines) -> Vec<(String, String)> {
    let mut told: Vec<(String, String)> = Vec::new();
    for check in guidelines.checks.iter().filter(|check| check.verdict == Verdict::Violated) {
        let of = |check: &Check| match check.kind {
            Kind::MockUp | Kind::Regular => check.guideline.clone(),
            Kind::MonotoneInBytes | Kind::SplitRobust | Kind::MonotoneInRanks => {
                format!("{} at {} bytes", check.guideline, check.case.text(Axis::Bytes))
            }
        };
        let name = of(check);
        if !told.iter().any(|(known, _)| *known == name) {
            told.push((name, check.advice.clone()));
        }
    }
    told
}

/// The same as Markdown.
pub fn markdown(guidelines: &Guidelines, all: bool) -> String {
    let mut text = format!("# Guidelines\n\n**{}**\n\n{}\n\n", guidelines.sentence, guidelines.name);
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let (varying, _) = axes(guidelines);
    text.push_str(&line(&heads(guidelines.confidence)));
    text.push_str(&line(
        &["---".to_owned(), "---".to_owned()].into_iter().chain(vec!["---:".to_owned(); 7]).collect::<Vec<_>>(),
    ));
    shown(guidelines, all).iter().for_each(|check| text.push_str(&line(&cells(check, &varying))));
    let advice = advice(guidelines);
    if !advice.is_empty() {
        text.push('\n');
        advice.iter().for_each(|(guideline, advice)| text.push_str(&format!("- {guideline}: {advice}\n")));
    }
    text
}

/// A line for each check, whatever its verdict; units are in the heads.
pub fn csv(guidelines: &Guidelines) -> String {
    let axes: Vec<&str> = Axis::ALL.iter().map(|axis| axis.name()).collect();
    let rest = "against,call_us,against_us,factor,factor_low,factor_high,adjusted_p,verdict,advice";
    let mut text = format!("guideline,{},{rest}\n", axes.join(","));
    let number =
        |value: Option<f64>| value.filter(|value| value.is_finite()).map(|value| value.to_string()).unwrap_or_default();
    for check in &guidelines.checks {
        let case = Axis::ALL.map(|axis| check.case.text(axis));
        let factor = [check.factor.map(|of| of.value), check.factor.map(|of| of.low), check.factor.map(|of| of.high)];
        let numbers = [Some(check.call_us), Some(check.other_us)].into_iter().chain(factor).chain([check.adjusted_p]);
        let cells = [check.guideline.clone()].into_iter().chain(case).chain([check.other.clone()]);
        let cells = cells.chain(numbers.map(number)).chain([check.verdict.name().to_owned(), check.advice.clone()]);
        text.push_str(&cells.map(|cell| quoted(&cell)).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    text
}

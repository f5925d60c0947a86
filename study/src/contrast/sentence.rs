//! The verdict of a comparison in a sentence.

use super::quantity::{Better, Quantity};
use super::{ContrastRow, Effect, Parameters, Verdict};
use render::groups::grouped;
use render::plots::numbers::significant;
use scenario::axis::{Axis, AxisValue};

/// Returns the verdict in a sentence, such as
/// `B is slower than A in 3 of 24 cases, by 6 to 12 %, and faster in 1, by 4 %; 18 do not differ by 2 % or more`.
pub(super) fn sentence(letter: &str, rows: &[ContrastRow], parameters: &Parameters, at_least: f64) -> String {
    let by_state: Vec<&[ContrastRow]> = rows.chunk_by(|one, next| state(one) == state(next)).collect();
    let cases = by_state.iter().flat_map(|rows| {
        // Numbers of one direction share a sentence, whatever their units.
        let alike = grouped(rows.iter().map(|row| (directed(row.effect.quantity), &row.effect)));
        let all = alike.into_iter().filter_map(|(names, effects)| summarise_effects(&effects, "case", names, at_least));
        all.map(|words| match state(&rows[0]) {
            Some(state) if by_state.len() > 1 => format!("Where a cache line takes {state}, {letter} is {words}."),
            None if by_state.len() > 1 => {
                format!("Where the state of the machine was not observed, {letter} is {words}.")
            }
            _ => format!("{letter} is {words}."),
        })
        .collect::<Vec<_>>()
    });
    let of_parameters = parameters.rows.iter().map(|row| &row.effect).collect::<Vec<_>>();
    let of_parameters =
        summarise_effects(&of_parameters, "parameter", ([Verdict::Larger, Verdict::Smaller], ""), at_least);
    let words: Vec<String> = cases.chain(of_parameters.map(|words| format!("{letter} is {words}."))).collect();
    words.join(" ")
}

fn state(row: &ContrastRow) -> Option<&AxisValue> {
    row.case.get(Axis::State)
}

/// Returns the two verdicts on a difference, slower before faster and larger before smaller, and the direction that is
/// better, where the verdicts do not imply it.
fn directed(quantity: Quantity) -> ([Verdict; 2], &'static str) {
    let mut names = quantity.verdicts();
    names.sort_unstable();
    let better = match (names[0], quantity.better()) {
        (Verdict::Larger, better @ (Better::Less | Better::More)) => better.words(),
        _ => "",
    };
    (names, better)
}

/// Summarises effects in words; `None` without effects. Parameters are larger where a case would be slower.
fn summarise_effects(
    effects: &[&Effect],
    what: &str,
    ([first, second], better): ([Verdict; 2], &str),
    at_least: f64,
) -> Option<String> {
    let all = effects.len();
    if all == 0 {
        return None;
    }
    let (more, less) = (first.name(), second.name());
    let of = |verdict: Verdict| {
        effects.iter().copied().filter(move |effect| effect.verdict == verdict || effect.verdict.of_size() == verdict)
    };
    let count = |verdict| of(verdict).count();
    let plural = if all == 1 { what.to_owned() } else { format!("{what}s") };
    let (up, down) = (count(first), count(second));
    let by = |verdict| by(of(verdict));
    let shown = match (up, down) {
        (0, 0) => format!("not shown to be {more} or {less} than A in any of {all} {plural}"),
        (up, 0) => format!("{more} than A in {up} of {all} {plural}{}", by(first)),
        (0, down) => format!("{less} than A in {down} of {all} {plural}{}", by(second)),
        (up, down) => {
            format!("{more} than A in {up} of {all} {plural}{}, and {less} in {down}{}", by(first), by(second))
        }
    };
    let percent = at_least * 100.0;
    let same = match count(Verdict::Same) {
        0 => String::new(),
        same => {
            let verb = if same == 1 { "does" } else { "do" };
            format!("; {same} {verb} not differ by {percent:.3} % or more").replace(".000", "")
        }
    };
    let few = of(Verdict::Undecided).filter(|effect| effect.needed.is_some()).count();
    let undecided = match (count(Verdict::Undecided), few) {
        (0, _) => String::new(),
        (all, 0) => format!("; {all} undecided"),
        (all, few) if all == few => format!("; {all} undecided: not enough launches"),
        (all, few) => format!("; {all} undecided, {few} of them for lack of launches"),
    };
    let better = if better.is_empty() { String::new() } else { format!(" ({better})") };
    Some(shown + &same + &undecided + &better)
}

/// `, by 6.0 to 12 %`: the range of the factors by which the longer side is longer, as shares below a factor of 2.
fn by<'a>(effects: impl Iterator<Item = &'a Effect>) -> String {
    let ratios: Vec<f64> = effects.filter_map(|effect| effect.ratio.map(|of| of.value.max(1.0 / of.value))).collect();
    let (least, most) = ratios.iter().fold((f64::INFINITY, 1.0f64), |(low, high), &of| (low.min(of), high.max(of)));
    let percent = |ratio: f64| match 100.0 * (ratio - 1.0) {
        share if share < 9.95 => format!("{share:.1}"),
        share => format!("{share:.0}"),
    };
    match (least < 2.0, most < 2.0) {
        _ if ratios.is_empty() => String::new(),
        (true, true) if percent(least) == percent(most) => format!(", by {} %", percent(most)),
        (true, true) => format!(", by {} to {} %", percent(least), percent(most)),
        (true, false) => format!(", by {} % to a factor of {}", percent(least), significant(most)),
        _ if significant(least) == significant(most) => format!(", by a factor of {}", significant(most)),
        _ => format!(", by factors of {} to {}", significant(least), significant(most)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contrast::Demand;
    use programs::machine::Estimate;

    #[test]
    fn small_effects_are_shares_and_large_ones_factors() {
        let demand = Demand { confidence: 0.95, at_least: 0.02 };
        let told = |ratios: &[f64]| {
            let effects: Vec<Effect> = ratios
                .iter()
                .map(|&ratio| {
                    Effect::of_intervals(Quantity::Time, Estimate::exactly(1.0), Estimate::exactly(ratio), demand)
                })
                .collect();
            by(effects.iter())
        };
        assert_eq!(told(&[]), "");
        let said = [&[1.06][..], &[1.0 / 1.5, 1.0 / 1.06], &[1.06, 25.0], &[25.0], &[3.0, 25.0]].map(told);
        insta::assert_snapshot!(said.join("\n"));
    }
}

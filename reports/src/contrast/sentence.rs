//! The verdict in a sentence.

use super::{Effect, Parameters, Row, Verdict};
use crate::plots::numbers::significant;
use crate::tested::unit;
use scenario::axis::{Axis, Value};

/// `B is slower than A in 3 of 24 cases, by 6 to 12 %, and faster in 1, by 4 %; 18 do not differ by 2 % or more; 2 undecided.`
pub(super) fn sentence(letter: &str, rows: &[Row], parameters: &Parameters, at_least: f64) -> String {
    let by_state: Vec<&[Row]> = rows.chunk_by(|one, next| state(one) == state(next)).collect();
    let cases = by_state.iter().filter_map(|rows| {
        let effects: Vec<&Effect> = rows.iter().map(|row| &row.effect).collect();
        let is_time = rows.iter().any(|row| unit(&row.case) == "µs");
        let words =
            told(&effects, "case", if is_time { ("slower", "faster") } else { ("larger", "smaller") }, at_least)?;
        Some(match state(&rows[0]) {
            Some(state) if by_state.len() > 1 => format!("Where a cache line takes {state}, {letter} is {words}."),
            None if by_state.len() > 1 => {
                format!("Where the state of the machine was not observed, {letter} is {words}.")
            }
            _ => format!("{letter} is {words}."),
        })
    });
    let of_parameters = parameters.rows.iter().map(|row| &row.effect).collect::<Vec<_>>();
    let of_parameters = told(&of_parameters, "parameter", ("larger", "smaller"), at_least);
    let words: Vec<String> = cases.chain(of_parameters.map(|words| format!("{letter} is {words}."))).collect();
    words.join(" ")
}

fn state(row: &Row) -> Option<&Value> {
    row.case.get(Axis::State)
}

fn told(effects: &[&Effect], what: &str, (more, less): (&str, &str), at_least: f64) -> Option<String> {
    let all = effects.len();
    if all == 0 {
        return None;
    }
    let of = |verdict: Verdict| effects.iter().copied().filter(move |effect| effect.verdict == verdict);
    let count = |verdict| of(verdict).count();
    let plural = if all == 1 { what.to_owned() } else { format!("{what}s") };
    let (up, down) = (count(Verdict::Slower), count(Verdict::Faster));
    let by = |verdict| by(of(verdict));
    let shown = match (up, down) {
        (0, 0) => format!("not shown to be {more} or {less} than A in any of {all} {plural}"),
        (up, 0) => format!("{more} than A in {up} of {all} {plural}{}", by(Verdict::Slower)),
        (0, down) => format!("{less} than A in {down} of {all} {plural}{}", by(Verdict::Faster)),
        (up, down) => format!(
            "{more} than A in {up} of {all} {plural}{}, and {less} in {down}{}",
            by(Verdict::Slower),
            by(Verdict::Faster)
        ),
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
    Some(shown + &same + &undecided)
}

/// `, by 6.0 to 12 %`: how much longer the longer side is; from twice as long on as a factor.
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
    use models::machine::Estimate;

    #[test]
    fn small_effects_are_shares_and_large_ones_factors() {
        let demand = Demand { confidence: 0.95, at_least: 0.02 };
        let told = |ratios: &[f64]| {
            let effects: Vec<Effect> = ratios
                .iter()
                .map(|&ratio| Effect::of_intervals(Estimate::exactly(1.0), Estimate::exactly(ratio), demand))
                .collect();
            by(effects.iter())
        };
        assert_eq!(told(&[]), "");
        let said = [&[1.06][..], &[1.0 / 1.5, 1.0 / 1.06], &[1.06, 25.0], &[25.0], &[3.0, 25.0]].map(told);
        insta::assert_snapshot!(said.join("\n"));
    }
}

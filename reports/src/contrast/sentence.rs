//! The verdict in a sentence.

use super::{Effect, Parameters, Row, Verdict};

/// `B is slower than A in 3 of 24 cases, by 6 to 12 %, and faster in 1, by 4 %; 18 do not differ by 2 %; 2 cannot be told apart.`
pub(super) fn sentence(letter: &str, rows: &[Row], parameters: &Parameters, at_least: f64) -> String {
    let cases = rows.iter().map(|row| &row.effect).collect::<Vec<_>>();
    let of_parameters = parameters.rows.iter().map(|row| &row.effect).collect::<Vec<_>>();
    let words = [
        told(&cases, "case", ("slower", "faster"), at_least),
        told(&of_parameters, "parameter", ("larger", "smaller"), at_least),
    ];
    let words: Vec<String> = words.into_iter().flatten().map(|words| format!("{letter} is {words}.")).collect();
    words.join(" ")
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
        (0, 0) => format!("shown to be {more} or {less} than A in none of {all} {plural}"),
        (up, 0) => format!("{more} than A in {up} of {all} {plural}{}", by(Verdict::Slower)),
        (0, down) => format!("{less} than A in {down} of {all} {plural}{}", by(Verdict::Faster)),
        (up, down) => format!(
            "{more} than A in {up} of {all} {plural}{}, and {less} in {down}{}",
            by(Verdict::Slower),
            by(Verdict::Faster)
        ),
    };
    let percent = at_least * 100.0;
    let rest = [
        (count(Verdict::Same), format!("not differ by {percent:.3} % or more").replace(".000", "")),
        (count(Verdict::Undecided), "be told apart".to_owned()),
    ];
    let rest =
        rest.into_iter().zip(["do", "cannot"]).filter(|((count, _), _)| *count > 0).map(|((count, words), verb)| {
            let verb = if verb == "do" && count == 1 { "does" } else { verb };
            format!("; {count} {verb} {words}")
        });
    Some(shown + &rest.collect::<String>())
}

/// `, by 6 to 12 %`: how much longer the longer side is.
fn by<'a>(effects: impl Iterator<Item = &'a Effect>) -> String {
    let share = |effect: &Effect| {
        let ratio = effect.ratio?.value;
        Some(100.0 * (ratio.max(1.0 / ratio) - 1.0))
    };
    let shares: Vec<f64> = effects.filter_map(share).collect();
    let (least, most) =
        shares.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &share| (low.min(share), high.max(share)));
    let told = |share: f64| if share < 9.95 { format!("{share:.1}") } else { format!("{share:.0}") };
    match (shares.is_empty(), told(least) == told(most)) {
        (true, _) => String::new(),
        (false, true) => format!(", by {} %", told(most)),
        (false, false) => format!(", by {} to {} %", told(least), told(most)),
    }
}

//! A comparison as cells of tables: what is the same in all rows is said once.

use super::quantity::Quantity;
use super::verdict::comparisons;
use super::{Contrast, Effect, Pair, Row, Unit};
use render::groups::distinct;
use render::plots::numbers::{probability, significant, with_limits};
use render::table::Table;
use scenario::axis::{Axis, Key, Value};
use statistics::Design;
use std::collections::BTreeSet;

/// Stands where there is no number.
const ABSENT: &str = "–";

/// Dimensions that mean nothing for some operations or methods: not to be there is no value of theirs.
const PARTIAL: [Axis; 4] = [Axis::Root, Axis::Calls, Axis::Sync, Axis::Barrier];

/// Dimensions in which cases differ, and the others with what they say.
pub(crate) fn spread<'a>(among: &[Axis], cases: impl Iterator<Item = &'a Key> + Clone) -> (Vec<Axis>, Key) {
    let values = |axis: Axis| -> BTreeSet<Option<&'a Value>> {
        let all = cases.clone().map(|case| case.get(axis));
        all.filter(|value| value.is_some() || !PARTIAL.contains(&axis)).collect()
    };
    let varying: Vec<Axis> = among.iter().copied().filter(|&axis| values(axis).len() > 1).collect();
    let constant = among.iter().filter(|axis| !varying.contains(axis));
    let said = |&axis: &Axis| Some((axis, values(axis).into_iter().flatten().next()?.clone()));
    let constant = Key(constant.filter_map(said).collect());
    (varying, constant)
}

/// The same for the rows of a comparison.
pub(super) fn axes(contrast: &Contrast) -> (Vec<Axis>, Key) {
    spread(&contrast.key, contrast.pairs.iter().flat_map(|pair| &pair.rows).map(|row| &row.case))
}

/// What the numbers of all rows are, where they are the same.
pub(super) fn quantity(pair: &Pair) -> Option<Quantity> {
    match distinct(pair.rows.iter().map(|row| row.effect.quantity))[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Heads of the columns after the axes.
pub(super) fn heads(pair: &Pair, confidence: f64) -> [String; 9] {
    let b = &pair.letter;
    // Where units differ, each number has its own.
    let unit = quantity(pair).map(|one| format!(" {}", one.unit())).unwrap_or_default();
    [
        format!("A{unit}"),
        format!("{b}{unit}"),
        format!("{b} / A"),
        format!("{} % interval", 100.0 * confidence),
        "delta".to_owned(),
        "p".to_owned(),
        "Holm p".to_owned(),
        "launches".to_owned(),
        "verdict".to_owned(),
    ]
}

/// The cells under them, of a case.
pub(super) fn cells(effect: &Effect) -> [String; 9] {
    let (symbol, difference) = (effect.quantity.unit(), effect.difference);
    let (value, limits) = with_limits(&effect.ratio.unwrap_or(difference));
    let limits = limits.unwrap_or_else(|| if effect.reached == 0.0 { ABSENT.to_owned() } else { String::new() });
    let (ratio, between) = match effect.ratio {
        Some(_) => (value, limits),
        None => {
            let unit = if limits.contains(' ') { format!(" {symbol}") } else { String::new() };
            let sign = if difference.value > 0.0 { "+" } else { "" };
            (format!("{sign}{value} {symbol}"), limits + &unit)
        }
    };
    [
        significant(effect.a),
        significant(effect.b),
        ratio,
        between,
        effect.delta.map_or_else(|| ABSENT.to_owned(), |delta| format!("{:+.2}", delta.value)),
        effect.p.map_or_else(|| ABSENT.to_owned(), probability),
        effect.adjusted_p.map_or_else(|| ABSENT.to_owned(), probability),
        counts(effect),
        effect.verdict.name().to_owned(),
    ]
}

/// `6+7` launches of A and of B, `6 pairs`, or `1+1`; nothing where numbers with intervals are compared.
fn counts(effect: &Effect) -> String {
    let (a, b) = effect.counts;
    match effect.unit {
        Unit::Launches | Unit::OneLaunch => format!("{a}+{b}"),
        Unit::Rounds => format!("{a} pairs"),
        Unit::Intervals => ABSENT.to_owned(),
    }
}

/// The rows of a comparison: the axes in which they differ, then the effect.
pub(super) fn cases(contrast: &Contrast, pair: &Pair, varying: &[Axis]) -> Table {
    let heads = varying.iter().map(|axis| axis.name().to_owned()).chain(heads(pair, contrast.confidence));
    let mixed = quantity(pair).is_none();
    let row = |row: &Row| {
        let mut cells = cells(&row.effect);
        for cell in cells.iter_mut().take(if mixed { 2 } else { 0 }) {
            *cell = format!("{cell} {}", row.effect.quantity.unit());
        }
        varying.iter().map(|&axis| row.case.text(axis)).chain(cells).collect::<Vec<_>>()
    };
    Table::plain(heads, pair.rows.iter().map(row), |column| {
        let is_number = |&axis: &Axis| pair.rows.iter().any(|row| row.case.number(axis).is_some());
        varying.get(column).map_or(column < varying.len() + 8, is_number)
    })
}

/// What else differs between the sides, fact by fact.
pub(super) fn differing(contrast: &Contrast, head: &str) -> Table {
    let heads = [head].into_iter().chain(contrast.sides.iter().map(|side| side.letter.as_str()));
    let rows = contrast.differences.iter().map(|difference| {
        let values = difference.values.iter().map(|value| value.clone().unwrap_or_default());
        std::iter::once(difference.fact.clone()).chain(values)
    });
    Table::plain(heads, rows, |_| false)
}

/// What the comparisons need, said before anything else: `60 comparisons need at least 7 launches per side to show a difference
/// in one of them; these have 6.`
pub(super) fn requirements(contrast: &Contrast) -> Vec<String> {
    let line = |required: &super::Requirement| {
        let needed = required.words();
        let them = if required.comparisons == 1 { "" } else { " in one of them" };
        let only = if required.is_met() { "" } else { "only " };
        let has = format!("these have {only}{}", required.fewest);
        format!("{needed} to show a difference{them}; {has}.")
    };
    contrast.requirements.iter().map(line).collect()
}

/// Which way is better, and what the columns mean where launches were compared.
pub(super) fn legend(contrast: &Contrast, pair: &Pair) -> Vec<String> {
    let quantities = distinct(pair.rows.iter().map(|row| row.effect.quantity));
    let directions = quantities.iter().filter_map(|quantity| quantity.direction());
    let comparisons = contrast.requirements.first().map(|required| comparisons(required.comparisons));
    let Some(comparisons) = comparisons else {
        return directions.collect();
    };
    let b = &pair.letter;
    let risk = format!("{:.3}", 1.0 - contrast.confidence).trim_end_matches('0').to_owned();
    let paired = contrast.requirements.iter().any(|required| required.design == Design::Paired);
    let (pairs, test) = match paired {
        true => ("; \"pairs\": one of each side from the same round", "rank-sum test, of pairs signed-rank test"),
        false => ("", "rank-sum test"),
    };
    let ratios = if paired { "of the pairs" } else { "of a launch of it to one of A" };
    let most = if quantities.contains(&Quantity::Time) { "takes longer" } else { "has a larger number" };
    let mut legend = vec![
        format!("{b} / A: median of all ratios {ratios} (Hodges and Lehmann 1963), not the ratio of the two medians"),
        format!("launches: of A + of {b}, each counted as one number, the median of its samples{pairs}"),
        format!("p: of this case alone ({test}); Holm p: adjusted for {comparisons}, at most {risk} for a verdict"),
        format!(
            "interval: of this case alone; delta: Cliff's, +1.00 if every launch of {b} {most} than every one of A"
        ),
    ];
    legend.extend(directions);
    let lacks = |row: &Row| row.effect.reached == 0.0 || row.effect.adjusted_p.is_none();
    if pair.rows.iter().any(lacks) {
        legend.push(format!("{ABSENT}: too few launches, or only a number that another program computed"));
    }
    legend
}

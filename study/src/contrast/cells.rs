//! Facts about all rows of a comparison, and cells of its tables.

use super::quantity::Quantity;
use super::verdict::comparisons;
use super::{Contrast, ContrastRow, Effect, Pair};
use render::groups::distinct;
use render::plots::numbers::with_limits;
use render::table::Cell;
use scenario::axis::{Axis, AxisValue, Key};
use statistics::Design;
use std::collections::BTreeSet;

/// Axes that mean nothing for some operations or methods: a missing value does not count as a value.
const PARTIAL: [Axis; 4] = [Axis::Root, Axis::Calls, Axis::Sync, Axis::Barrier];

/// Returns the axes in which cases differ, and a key of the others with their common values.
pub(crate) fn spread<'a>(among: &[Axis], cases: impl Iterator<Item = &'a Key> + Clone) -> (Vec<Axis>, Key) {
    let values = |axis: Axis| -> BTreeSet<Option<&'a AxisValue>> {
        let all = cases.clone().map(|case| case.get(axis));
        all.filter(|value| value.is_some() || !PARTIAL.contains(&axis)).collect()
    };
    let varying: Vec<Axis> = among.iter().copied().filter(|&axis| values(axis).len() > 1).collect();
    let constant = among.iter().filter(|axis| !varying.contains(axis));
    let said = |&axis: &Axis| Some((axis, values(axis).into_iter().flatten().next()?.clone()));
    let constant = Key(constant.filter_map(said).collect());
    (varying, constant)
}

/// Returns the axes in which the rows of a comparison differ, and a key of the others with their common values.
pub(super) fn axes(contrast: &Contrast) -> (Vec<Axis>, Key) {
    spread(&contrast.key, contrast.pairs.iter().flat_map(|pair| &pair.rows).map(|row| &row.case))
}

/// The quantity of all rows of a pair; `None` where they have several.
pub(super) fn quantity(pair: &Pair) -> Option<Quantity> {
    match distinct(pair.rows.iter().map(|row| row.effect.quantity))[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// B / A with its interval; the difference where a number is not positive.
pub(super) fn ratio(effect: &Effect) -> Cell {
    let (symbol, difference) = (effect.quantity.unit(), effect.difference);
    let (value, limits) = with_limits(&effect.ratio.unwrap_or(difference));
    let limits = limits.unwrap_or_default();
    match effect.ratio {
        Some(_) => Cell::number(value, limits),
        None => {
            let unit = if limits.contains(' ') { format!(" {symbol}") } else { String::new() };
            let sign = if difference.value > 0.0 { "+" } else { "" };
            Cell::number(format!("{sign}{value} {symbol}"), limits + &unit)
        }
    }
}

/// Returns a sentence on the launches that the comparisons need:
/// `60 comparisons need at least 7 launches per side to show a difference in one of them; these have 6.`
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

/// Notes that explain the columns where launches were compared, and the direction that is better.
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
    let lacks = |row: &ContrastRow| row.effect.reached == 0.0 || row.effect.adjusted_p.is_none();
    if pair.rows.iter().any(lacks) {
        legend.push("–: too few launches, or only a number that another program computed".to_owned());
    }
    legend
}

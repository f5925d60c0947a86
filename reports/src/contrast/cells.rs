//! A comparison as cells of tables: what is the same in all rows is said once.

use super::{Contrast, Dimension, Effect, Key, Pair, Row, Unit, Value};
use crate::plots::numbers::significant;
use std::collections::BTreeSet;

/// Dimensions that mean nothing for some operations or methods: not to be there is no value of theirs.
const PARTIAL: [Dimension; 3] = [Dimension::Root, Dimension::Calls, Dimension::Sync];

/// Dimensions in which cases differ, and the others with what they say.
pub(crate) fn spread<'a>(among: &[Dimension], cases: impl Iterator<Item = &'a Key> + Clone) -> (Vec<Dimension>, Key) {
    let values = |dimension: Dimension| -> BTreeSet<Option<&'a Value>> {
        let all = cases.clone().map(|case| case.get(dimension));
        all.filter(|value| value.is_some() || !PARTIAL.contains(&dimension)).collect()
    };
    let varying: Vec<Dimension> = among.iter().copied().filter(|&dimension| values(dimension).len() > 1).collect();
    let constant = among.iter().filter(|dimension| !varying.contains(dimension));
    let said = |&dimension: &Dimension| Some((dimension, values(dimension).into_iter().flatten().next()?.clone()));
    let constant = Key(constant.filter_map(said).collect());
    (varying, constant)
}

/// The same for the rows of a comparison.
pub(super) fn dimensions(contrast: &Contrast) -> (Vec<Dimension>, Key) {
    spread(&contrast.key, contrast.pairs.iter().flat_map(|pair| &pair.rows).map(|row| &row.case))
}

/// Heads of the columns after the dimensions.
pub(super) fn heads(pair: &Pair, confidence: f64) -> [String; 8] {
    let b = &pair.letter;
    [
        "A µs".to_owned(),
        format!("{b} µs"),
        format!("{b} / A"),
        format!("{} % interval", 100.0 * confidence),
        "delta".to_owned(),
        "p".to_owned(),
        "n".to_owned(),
        "verdict".to_owned(),
    ]
}

/// The cells under them, of times.
pub(super) fn cells(effect: &Effect) -> [String; 8] {
    cells_in("µs", effect)
}

/// The same of numbers in any unit.
pub(super) fn cells_in(symbol: &str, effect: &Effect) -> [String; 8] {
    let interval = |low: f64, high: f64| if low == high { String::new() } else { format!("{low:.3} – {high:.3}") };
    let (ratio, between) = match effect.ratio {
        Some(ratio) => (format!("{:.3}", ratio.value), interval(ratio.low, ratio.high)),
        None => {
            let between = interval(effect.difference_us.low, effect.difference_us.high);
            let unit = if between.is_empty() { String::new() } else { format!(" {symbol}") };
            (format!("{:+.3} {symbol}", effect.difference_us.value), between + &unit)
        }
    };
    [
        significant(effect.a_us),
        significant(effect.b_us),
        ratio,
        between,
        effect.delta.map(|delta| format!("{:+.2}", delta.value)).unwrap_or_default(),
        effect.adjusted_p.map(probability).unwrap_or_default(),
        counts(effect),
        effect.verdict.name().to_owned(),
    ]
}

/// `30+30`, with a letter for what was counted: l for launches, b for batches.
fn counts(effect: &Effect) -> String {
    let (a, b) = effect.counts;
    let what = match effect.unit {
        Unit::Launches => "l",
        Unit::Batches => "b",
        Unit::Repetitions => "",
        Unit::Intervals => return String::new(),
    };
    format!("{a}+{b}{what}")
}

fn probability(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// Cells of a row: the dimensions, then the effect.
pub(super) fn row(row: &Row, varying: &[Dimension]) -> Vec<String> {
    let case = varying.iter().map(|&dimension| row.case.text(dimension));
    case.chain(cells(&row.effect)).collect()
}

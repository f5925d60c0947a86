//! A line for each case and each parameter, units in the heads.

use super::{Contrast, Effect};
use crate::columns::csv_line;
use models::machine::Estimate;
use scenario::axis::Axis;

/// Heads after the axes.
const HEADS: &str = "parameter,in,verdict,ratio,ratio_low,ratio_high,a_us,b_us,difference_us,difference_low_us,difference_high_us,\
                     delta,delta_low,delta_high,p,adjusted_p,unit,count_a,count_b,oversubscribed_a,oversubscribed_b,note";

/// Everything that was compared, and what only one side has. Of a parameter the numbers are in its own unit.
pub fn csv(contrast: &Contrast) -> String {
    let axes: Vec<&str> = Axis::ALL.iter().map(|axis| axis.name()).collect();
    let mut text = format!("side,{},{HEADS}\n", axes.join(","));
    for pair in &contrast.pairs {
        let mut put = |case: [String; Axis::ALL.len()], parameter: &str, place: &str, rest: Vec<String>| {
            let cells = [pair.letter.clone()].into_iter().chain(case);
            let cells = cells.chain([parameter.to_owned(), place.to_owned()]).chain(rest);
            text.push_str(&csv_line(cells));
            text.push('\n');
        };
        let of = |key: &scenario::axis::Key| Axis::ALL.map(|axis| key.text(axis));
        let nothing = || Axis::ALL.map(|_| String::new());
        for row in &pair.rows {
            put(of(&row.case), "", "both", cells(&row.effect, Some(row.oversubscribed)));
        }
        for row in &pair.parameters.rows {
            put(nothing(), &row.parameter, "both", cells(&row.effect, None));
        }
        let empty = || vec![String::new(); HEADS.split(',').count() - 2];
        for (place, keys, parameters) in
            [("a", &pair.only_a, &pair.parameters.only_a), ("b", &pair.only_b, &pair.parameters.only_b)]
        {
            keys.iter().for_each(|key| put(of(key), "", place, empty()));
            parameters.iter().for_each(|parameter| put(nothing(), parameter, place, empty()));
        }
    }
    text
}

fn cells(effect: &Effect, oversubscribed: Option<(bool, bool)>) -> Vec<String> {
    let number = |value: f64| if value.is_finite() { value.to_string() } else { String::new() };
    let perhaps = |value: Option<f64>| value.map(number).unwrap_or_default();
    let estimate = |estimate: Option<Estimate>, ends: bool| {
        let end = |end: Option<f64>| end.filter(|_| ends);
        [estimate.map(|of| of.value), end(estimate.map(|of| of.low)), end(estimate.map(|of| of.high))].map(perhaps)
    };
    let interval = effect.reached > 0.0;
    let flag = |flag: Option<bool>| flag.map(|flag| u8::from(flag).to_string()).unwrap_or_default();
    let unit = serde_json::to_value(effect.unit).ok().and_then(|unit| unit.as_str().map(str::to_owned));
    let mut cells = vec![effect.verdict.name().to_owned()];
    cells.extend(estimate(effect.ratio, interval));
    cells.extend([number(effect.a_us), number(effect.b_us)]);
    cells.extend(estimate(Some(effect.difference_us), interval));
    cells.extend(estimate(effect.delta, true));
    cells.extend([perhaps(effect.p), perhaps(effect.adjusted_p), unit.unwrap_or_default()]);
    cells.extend([effect.counts.0.to_string(), effect.counts.1.to_string()]);
    cells.extend([flag(oversubscribed.map(|of| of.0)), flag(oversubscribed.map(|of| of.1)), effect.note.clone()]);
    cells
}

//! A line for each case and each parameter, units in the heads.

use super::{Contrast, Effect};
use crate::table::{Csv, Fields, Heads};
use crate::tested::unit;
use models::machine::Estimate;
use scenario::axis::{Axis, Key};

/// Heads after the axes.
const HEADS: &str = "parameter,in,verdict,ratio,ratio_low,ratio_high,a_us,b_us,difference_us,difference_low_us,difference_high_us,\
                     delta,delta_low,delta_high,p,adjusted_p,unit,count_a,count_b,oversubscribed_a,oversubscribed_b,note";

/// Everything that was compared, and what only one side has. Of a parameter, or of memory (`rss_kib`), the numbers are in
/// its own unit.
pub fn csv(contrast: &Contrast) -> String {
    let mut csv = Csv::new(("side", Axis::CASES.map(Axis::name), Heads(HEADS)));
    for pair in &contrast.pairs {
        let mut put = |case: Option<&Key>, parameter: &str, place: &str, effect: Option<(&Effect, _)>| {
            let case = case.map(|key| Axis::CASES.map(|axis| key.text(axis)));
            let effect = effect.map(|(effect, oversubscribed)| cells(effect, oversubscribed));
            csv.row((&pair.letter, case, parameter, place, effect));
        };
        for row in &pair.rows {
            put(
                Some(&row.case),
                if unit(&row.case) == "KiB" { "rss_kib" } else { "" },
                "both",
                Some((&row.effect, Some(row.oversubscribed))),
            );
        }
        for row in &pair.parameters.rows {
            put(None, &row.parameter, "both", Some((&row.effect, None)));
        }
        for (place, keys, parameters) in
            [("a", &pair.only_a, &pair.parameters.only_a), ("b", &pair.only_b, &pair.parameters.only_b)]
        {
            keys.iter().for_each(|key| put(Some(key), "", place, None));
            parameters.iter().for_each(|parameter| put(None, parameter, place, None));
        }
    }
    csv.text()
}

fn cells(effect: &Effect, oversubscribed: Option<(bool, bool)>) -> impl Fields + use<'_> {
    let with_ends = |estimate: Option<Estimate>, ends: bool| {
        (estimate.map(|of| of.value), estimate.filter(|_| ends).map(|of| (of.low, of.high)))
    };
    let interval = effect.reached > 0.0;
    let unit = serde_json::to_value(effect.unit).ok().and_then(|unit| unit.as_str().map(str::to_owned));
    let numbers = (
        with_ends(effect.ratio, interval),
        (effect.a_us, effect.b_us),
        with_ends(Some(effect.difference_us), interval),
        with_ends(effect.delta, true),
    );
    let counts = (effect.counts.0, effect.counts.1);
    (effect.verdict.name(), numbers, effect.p, effect.adjusted_p, unit, counts, oversubscribed, &effect.note)
}

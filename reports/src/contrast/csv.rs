//! A line for each case and each parameter, units in the heads.

use super::{Contrast, Effect};
use models::machine::Estimate;
use render::table::{Csv, Fields, Heads};
use render::whence::HEADS as WHENCE;
use scenario::axis::{Axis, Key};

/// Heads after the axes.
const HEADS: &str = "parameter,found_in,verdict,unit,better,ratio,ratio_low,ratio_high,a,b,difference,difference_low,difference_high,\
                     delta,delta_low,delta_high,confidence,p,adjusted_p,counted,count_a,count_b,oversubscribed_a,oversubscribed_b,\
                     note,side_a,side_b";

/// Everything that was compared, and what only one side has. `unit` is that of `a`, `b` and their difference.
pub fn csv(contrast: &Contrast) -> String {
    let of_sides = ["a", "b"].map(|side| WHENCE.map(|head| format!("{head}_{side}")));
    let mut csv = Csv::new(("side", Axis::CASES.map(Axis::name), Heads(HEADS), of_sides));
    let first = contrast.sides.first();
    for pair in &contrast.pairs {
        let other = contrast.sides.iter().find(|side| side.letter == pair.letter);
        let sides = [first, other];
        let names = sides.map(|side| side.map(|side| side.name.as_str()));
        let whence = sides.map(|side| side.map(|side| side.whence.cells_of_all()));
        let mut put = |case: Option<&Key>, parameter: &str, place: &str, effect: Option<(&Effect, &str, _)>| {
            let case = case.map(|key| Axis::CASES.map(|axis| key.text(axis)));
            let effect = effect.map(|(effect, verdict, oversubscribed)| cells(effect, verdict, oversubscribed));
            csv.row((&pair.letter, case, parameter, place, effect, names, &whence));
        };
        for row in &pair.rows {
            put(Some(&row.case), "", "both", Some((&row.effect, row.effect.verdict.name(), Some(row.oversubscribed))));
        }
        for row in &pair.parameters.rows {
            put(None, &row.parameter, "both", Some((&row.effect, row.verdict(), None)));
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

fn cells<'a>(effect: &'a Effect, verdict: &'a str, oversubscribed: Option<(bool, bool)>) -> impl Fields + use<'a> {
    let with_ends = |estimate: Option<Estimate>, ends: bool| {
        (estimate.map(|of| of.value), estimate.filter(|_| ends).map(|of| (of.low, of.high)))
    };
    let interval = effect.reached > 0.0;
    let counted = serde_json::to_value(effect.unit).ok().and_then(|unit| unit.as_str().map(str::to_owned));
    let numbers = (
        with_ends(effect.ratio, interval),
        (effect.a, effect.b),
        with_ends(Some(effect.difference), interval),
        with_ends(effect.delta, true),
        interval.then_some(effect.reached),
    );
    let (unit, better) = (effect.quantity.plain_unit(), effect.quantity.better().name());
    (verdict, unit, better, numbers, effect.p, effect.adjusted_p, counted, effect.counts, oversubscribed, &effect.note)
}

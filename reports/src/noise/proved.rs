//! Predictions from recorded noise beside what real ranks took.

use super::collected::{doubts, ran_by};
use crate::tested::Summary;
use render::plots::numbers::significant;
use render::table::Table;
use scenario::axis::{Axis, Key};
use scenario::store::{Found, Proof, Tested};
use serde_json::json;

/// What was proved.
pub(crate) fn summary(all: &[&Tested], tested: &Tested, points: &[Proof]) -> Summary {
    let met = points.iter().filter(|point| point.is_met()).count();
    let count = points.len();
    let answer = format!(
        "{met} of {count} measured mean{} lie{} where the noise that was recorded before and after expects {}.",
        if count == 1 { "" } else { "s" },
        if count == 1 { "s" } else { "" },
        if count == 1 { "it" } else { "them" }
    );
    let head = vec![ran_by(tested), answer.clone()];
    let heads = [
        "grain, µs",
        "grains",
        "launches",
        "alone, µs",
        "measured, µs",
        "±",
        "played, µs",
        "from",
        "to",
        "met",
        "before",
        "after",
        "closed form",
        "independent",
    ];
    let row = |point: &Proof| {
        let Proof { measured, played, recordings, .. } = point;
        let whole = |us: f64| format!("{us:.1}");
        [
            significant(point.grain_us),
            point.count.to_string(),
            point.launches.to_string(),
            whole(point.alone_us()),
            whole(measured.value),
            significant((measured.high - measured.low) / 2.0),
            whole(played.value),
            whole(played.low),
            whole(played.high),
            if point.is_met() { "yes" } else { "no" }.to_owned(),
            whole(recordings[0]),
            whole(recordings[1]),
            point.closed.map_or("–".to_owned(), whole),
            whole(point.independent),
        ]
    };
    let table = Table::plain(heads, points.iter().map(row), |column| column != 9);
    let mut foot = vec![
        "all times in µs, of one launch of so many grains; ± and intervals: 95 %".to_owned(),
        "alone: grains and barriers without noise; played: both recordings, and the interval in which the measured mean is expected"
            .to_owned(),
        "before, after: each recording alone; closed form: with the simultaneity S of all ranks; independent: delays of one rank, \
         the largest of all; –: a grain has more than one detour of a class, for which there is no closed form"
            .to_owned(),
    ];
    for one in all {
        if let Found::Noise { collection, ranks } = &one.found {
            foot.extend(
                doubts(collection, ranks).into_iter().filter(|doubt| !foot.contains(doubt)).collect::<Vec<_>>(),
            );
        }
    }
    let numbers = |point: &Proof| {
        json!({
            "grain_us": point.grain_us, "grains": point.count, "barrier_us": point.barrier_us, "launches": point.launches,
            "alone_us": point.alone_us(), "measured_us": point.measured, "played_us": point.played, "met": point.is_met(),
            "recordings_us": point.recordings, "closed_form_us": point.closed, "independent_us": point.independent,
        })
    };
    let rows: Vec<_> = points.iter().map(numbers).collect();
    Summary::new(answer, head, table, foot, json!({ "met": met, "points": rows }))
}

/// The measured mean of each length of grain.
pub(crate) fn cases(tested: &Tested, points: &[Proof]) -> Vec<(Key, Vec<f64>)> {
    let of = |point: &Proof| {
        let form = format!("{} grains of {} µs", point.count, significant(point.grain_us));
        let key = tested.key("work under noise", &form).named(Axis::World, tested.world.name());
        (key, vec![point.measured.value])
    };
    points.iter().map(of).collect()
}

/// The proof among answers, if there is one.
pub(crate) fn proof<'a>(all: &[&'a Tested]) -> Option<&'a Tested> {
    all.iter().copied().find(|tested| matches!(tested.found, Found::Proved { .. }))
}

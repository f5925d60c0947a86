//! How far apart ranks leave a barrier.

use crate::statistics::{median, median_with_interval, quantile};
use models::calibration::{Exits, late_rank};
use models::machine::ExitSkew;
use models::method::exit_skews;
use models::observation::Implementation;
use models::time::Time;
use std::collections::BTreeSet;

/// Last exit less first exit of each barrier, in µs.
pub(super) fn skews_us(exits: &[Exits]) -> Vec<f64> {
    let of_ranks: Vec<Vec<Time>> = exits.iter().map(|rank| rank.exits.clone()).collect();
    exit_skews(&of_ranks).iter().map(|span| span.as_us()).collect()
}

/// The global clock's bound: no exit is known better, in µs.
pub(super) fn bound_us(exits: &[Exits]) -> f64 {
    exits.iter().map(|rank| rank.bound.as_us()).fold(0.0, f64::max)
}

/// By rank: the median of how much later than the first rank it leaves barriers that all enter together, where the first one is
/// the first whoever enters last: then it lets the others go. Empty otherwise: the exits come of who entered when.
fn by_rank_us(exits: &[Exits]) -> Vec<f64> {
    // Rank 0 reads its own clock in any case.
    let one_clock = exits.iter().skip(1).all(|rank| rank.one_clock);
    let known_us = if one_clock { 0.0 } else { bound_us(exits) };
    let is_first = |&first: &usize| {
        let others = (0..exits.len()).filter(|&other| other != first);
        orders(exits)
            .into_iter()
            .all(|late| others.clone().all(|other| later_us(exits, [first, other], late) > Some(known_us)))
    };
    let Some(first) = (0..exits.len()).find(is_first).filter(|_| exits.len() > 1 && announced(exits) > 0) else {
        return Vec::new();
    };
    (0..exits.len()).map(|rank| later_us(exits, [first, rank], None).unwrap_or(0.0)).collect()
}

/// How many announced barriers all ranks left.
fn announced(exits: &[Exits]) -> usize {
    exits.iter().map(|rank| rank.announced.len()).min().unwrap_or(0)
}

/// Who was late, if anybody was.
fn orders(exits: &[Exits]) -> BTreeSet<Option<u32>> {
    (0..announced(exits)).map(|barrier| late_rank(barrier, exits.len() as u32)).collect()
}

/// How much later than one rank another one leaves barriers for which this one is late, in µs: the median.
fn later_us(exits: &[Exits], [first, other]: [usize; 2], late: Option<u32>) -> Option<f64> {
    let of_order = |barrier: &usize| late_rank(*barrier, exits.len() as u32) == late;
    let us = |rank: usize, barrier: usize| exits[rank].announced[barrier].0 as f64 / 1e6;
    let later = (0..announced(exits)).filter(of_order).map(|barrier| us(other, barrier) - us(first, barrier));
    median(&later.collect::<Vec<f64>>())
}

pub(super) fn exit_skew(
    exits: &[Exits],
    barrier: &Implementation,
    confidence: f64,
    notes: &mut Vec<String>,
) -> Option<ExitSkew> {
    let skews = skews_us(exits);
    let median_us = median_with_interval(&skews, confidence)?.estimate;
    let p99_us = quantile(&skews, 0.99)?;
    match barrier {
        Implementation::Library => {}
        Implementation::Own(name) | Implementation::Forced(name) => {
            notes.push(format!("exit skew: of the barrier '{name}', not of a library's own"));
        }
    }
    let bound = bound_us(exits);
    if bound > median_us.value {
        notes.push(format!("exit skew: clocks agree within ± {bound:.3} µs only, which is more than the median skew"));
    }
    let by_rank_us = by_rank_us(exits);
    Some(ExitSkew { ranks: exits.len() as u32, barriers: skews.len() as u32, median_us, p99_us, by_rank_us })
}

//! How far apart ranks leave a barrier.

use crate::statistics::{median, median_with_interval, quantile};
use models::calibration::Exits;
use models::machine::ExitSkew;
use models::method::exit_skews;
use models::observation::Implementation;
use models::time::Time;

/// Last exit less first exit of each barrier, in µs.
pub(super) fn skews_us(exits: &[Exits]) -> Vec<f64> {
    let of_ranks: Vec<Vec<Time>> = exits.iter().map(|rank| rank.exits.clone()).collect();
    exit_skews(&of_ranks).iter().map(|span| span.as_us()).collect()
}

/// The global clock's bound: no exit is known better, in µs.
pub(super) fn bound_us(exits: &[Exits]) -> f64 {
    exits.iter().map(|rank| rank.bound.as_us()).fold(0.0, f64::max)
}

/// By rank: the median of how much later than the first it leaves barriers that all entered together, less that of the rank
/// for which it is least. What changes sides from barrier to barrier is no rank's own.
fn by_rank_us(exits: &[Exits]) -> Vec<f64> {
    let barriers = exits.iter().map(|rank| rank.together.len()).min().unwrap_or(0);
    let first = |barrier: usize| exits.iter().map(|rank| rank.together[barrier]).min().unwrap_or_default();
    let late = |rank: &Exits| {
        let late: Vec<f64> =
            (0..barriers).map(|barrier| rank.together[barrier].since(first(barrier)).as_us()).collect();
        median(&late).unwrap_or(0.0)
    };
    let late: Vec<f64> = exits.iter().map(late).collect();
    let least = late.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let late: Vec<f64> = late.iter().map(|late| late - least).collect();
    // Rank 0 reads its own clock in any case.
    let one_clock = exits.iter().skip(1).all(|rank| rank.one_clock);
    let known = one_clock || late.iter().any(|late| *late > bound_us(exits));
    if known { late } else { Vec::new() }
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

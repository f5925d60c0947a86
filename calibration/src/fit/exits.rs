//! Exits of ranks from a barrier: how far apart they are, and their times by the rank that entered it last.

use models::time::Time;
use programs::calibration::{Left, Sample, late_rank};
use programs::machine::ExitSkew;
use programs::method::exit_skews;
use programs::observation::Implementation;
use statistics::{median, median_with_interval, quantile};

/// Largest bound of clocks, as a share of each time of a barrier, with which the times count as known.
const KNOWN_SHARE: f64 = 0.1;

/// Returns last exit less first exit of each barrier in a row, in µs.
pub(crate) fn skews_us(left: &[&Left]) -> Vec<f64> {
    let of_one = |left: &&Left| {
        let of_ranks: Vec<Vec<Time>> = left.ranks.iter().map(|rank| rank.exits.clone()).collect();
        exit_skews(&of_ranks)
    };
    left.iter().flat_map(of_one).map(|span| span.as_us()).collect()
}

/// Returns the global clock's bound, in µs: no exit is known better.
pub(crate) fn bound_us(left: &[&Left]) -> f64 {
    left.iter().flat_map(|left| &left.ranks).map(|rank| rank.bound.as_us()).fold(0.0, f64::max)
}

/// Fits the exits of several calibrations of the same ranks; `read_us` is the duration of a clock reading.
pub(super) fn exit_skew(
    samples: &[Sample],
    read_us: f64,
    confidence: f64,
    notes: &mut Vec<String>,
) -> Option<ExitSkew> {
    let left: Vec<&Left> = samples.iter().filter_map(Sample::left).collect();
    let skews = skews_us(&left);
    let median_us = median_with_interval(&skews, confidence)?.estimate;
    let p99_us = quantile(&skews, 0.99)?;
    match &left.first()?.barrier {
        Implementation::Library => {}
        by @ (Implementation::Own(_)
        | Implementation::Forced(_)
        | Implementation::Tuned(_)
        | Implementation::Shared(_)) => {
            let name = by.name();
            notes.push(format!("exit skew: of the barrier '{name}', not of a library's own"));
        }
    }
    let bound = bound_us(&left);
    if bound > median_us.value {
        notes.push(format!("exit skew: clocks agree within ± {bound:.3} µs only, which is more than the median skew"));
    }
    let ranks = left.iter().map(|left| left.ranks.len()).min()?;
    let until_us = until_us(&left, ranks, read_us).unwrap_or_default();
    Some(ExitSkew { ranks: ranks as u32, barriers: skews.len() as u32, median_us, p99_us, until_us })
}

/// Returns the median times from the entry of each rank, where it entered last, to the exit of each rank, in µs. `None`
/// where clocks are not known well enough.
fn until_us(left: &[&Left], ranks: usize, read_us: f64) -> Option<Vec<Vec<f64>>> {
    let between = |entry: usize, exit: usize| {
        let of_one = |left: &&Left| {
            let [entries, exits] = [entry, exit].map(|rank| left.ranks[rank].late.clone());
            let turns = entries.into_iter().zip(exits).enumerate();
            let late = turns.filter(|(turn, _)| late_rank(*turn, ranks as u32) as usize == entry);
            late.map(|(_, ([entered, _], [_, left]))| left.0 as f64 / 1e6 - entered.0 as f64 / 1e6).collect::<Vec<_>>()
        };
        median(&left.iter().flat_map(of_one).collect::<Vec<f64>>()).map(|us| us - read_us)
    };
    let row = |entry| (0..ranks).map(|exit| between(entry, exit)).collect::<Option<Vec<f64>>>();
    let until_us = (0..ranks).map(row).collect::<Option<Vec<_>>>()?;
    // Rank 0 reads its own clock in any case.
    let is_one_clock = left.iter().all(|left| left.ranks.iter().skip(1).all(|rank| rank.one_clock));
    let least_us = if is_one_clock { 0.0 } else { bound_us(left) / KNOWN_SHARE };
    until_us.iter().flatten().all(|&us| us > least_us).then_some(until_us)
}

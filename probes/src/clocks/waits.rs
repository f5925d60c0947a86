//! Properties of the clocks as windows show them: their bounds, the skew of starts, and waits of known duration.

use models::time::Span;
use programs::machine::Estimate;
use programs::observation::{RankRecord, window_time};
use statistics::{median_with_interval, quantile};

/// Usual confidence of the intervals of waits.
pub const CONFIDENCE: f64 = 0.99;

/// Returns the largest bound at the synchronisation of the clocks, and the largest possible error of the same clocks at
/// the end, both in µs. The latter is the change of the offset plus the bound of its second measurement.
pub fn bound_us<'a>(records: impl Iterator<Item = &'a RankRecord> + Clone) -> (f64, f64) {
    let before = records.clone().map(|record| record.clock.bound).max().unwrap_or_default();
    let after = records
        .map(|record| Span(record.clock.moved_ps(&record.clock_after).unsigned_abs()) + record.clock_after.bound);
    (before.as_us(), after.max().unwrap_or_default().as_us())
}

/// Last start minus first start of each valid window on the global clock: median and 99 % quantile; NaN without any.
pub fn start_skew_us(ranks: &[RankRecord]) -> (f64, f64) {
    let skew = |window: usize| {
        let at = || ranks.iter().map(|record| record.clock.time(record.stamps[window].start));
        Some(at().max()?.since(at().min()?).as_us())
    };
    let skews: Vec<f64> = valid_windows(ranks).filter_map(skew).collect();
    let of = |share| quantile(&skews, share).unwrap_or(f64::NAN);
    (of(0.5), of(0.99))
}

/// The windows that were valid on all ranks.
fn valid_windows(ranks: &[RankRecord]) -> impl Iterator<Item = usize> {
    let windows = ranks.iter().map(|record| record.stamps.len()).min().unwrap_or(0);
    (0..windows).filter(|&window| ranks.iter().all(|record| record.stamps[window].valid))
}

/// Time from the first start to the end of the last rank, in µs, as a window times a collective: the median over the
/// valid windows, with an interval of a confidence. NaN without any.
pub fn window_us(ranks: &[RankRecord], confidence: f64) -> Estimate {
    let last = |window: usize| (0..ranks.len()).map(|rank| window_time(ranks, rank, window)).max();
    let lasts: Vec<f64> = valid_windows(ranks).filter_map(last).map(Span::as_us).collect();
    median_with_interval(&lasts, confidence).map_or(Estimate::UNKNOWN, |median| median.estimate)
}

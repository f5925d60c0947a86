//! Fitting how an offset changes: a line through offsets by least squares, its slope kept only where that pays.
//!
//! A slope that is wrong by 10 ppm is 100 µs after ten seconds, where a constant offset may have been right. With a
//! true slope s and a standard error σ the constant is wrong by s·t and the line by σ·t: the line pays where s² > σ²,
//! that is, on average, where the fitted slope is above √2·σ. Errors of a machine are not normal, so more is asked for.

use super::exchange::{Exchange, Learner};
use crate::rank::Rank;
use models::clock::Drift;
use models::time::{Span, Time};

/// Number of offsets that a line is fitted through.
const POINTS: u32 = 20;
/// Number of exchanges for each offset, of which the quickest counts.
const EXCHANGES: u32 = 10;
/// Time from the first offset to the last: long enough that 20 ppm are 0.4 µs.
const OVER: Span = Span::from_ms(20);
/// Number of standard errors above which the slope is kept.
const PAYS_ABOVE: f64 = 4.0;
/// Number of blocks of consecutive points, each left out in turn when the slope's error is estimated.
const BLOCKS: usize = 4;

/// A line, or a constant where a line does not pay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    at: Time,
    offset_ps: i64,
    /// Slope of the line, if it is kept.
    pub drift: Option<Drift>,
}

impl Fit {
    /// Returns the offset at a local time, in picoseconds.
    pub(super) fn offset_at(&self, now: Time) -> i64 {
        let since = now.0 as f64 - self.at.0 as f64;
        let drifted = self.drift.map_or(0.0, |drift| since * drift.ps_per_second as f64 / 1e12);
        self.offset_ps.saturating_add(drifted.round() as i64)
    }

    /// Fits a line through offsets in picoseconds at local times, in order; at least one.
    pub(super) fn through(points: &[(Time, i64)]) -> Fit {
        let (origin, base) = points[0];
        let relative: Vec<(f64, f64)> = points
            .iter()
            .map(|&(at, offset)| (at.0 as f64 - origin.0 as f64, offset.saturating_sub(base) as f64))
            .collect();
        let line = LeastSquaresLine::through(&relative);
        let error = line.error(&relative).max(jackknife(&relative));
        let at = Time((origin.0 as f64 + line.x) as u64);
        if error.is_finite() && line.slope.abs() > PAYS_ABOVE * error {
            let drift = Some(Drift::from_ppm(line.slope * 1e6, error * 1e6));
            return Fit { at, offset_ps: base.saturating_add(line.y.round() as i64), drift };
        }
        let mut sorted: Vec<f64> = relative.iter().map(|point| point.1).collect();
        sorted.sort_by(f64::total_cmp);
        let median = f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        Fit { at, offset_ps: base.saturating_add(median.round() as i64), drift: None }
    }
}

/// Line by least squares: y + slope · (x' − x).
#[derive(Clone, Copy)]
struct LeastSquaresLine {
    x: f64,
    y: f64,
    slope: f64,
    spread: f64,
}

impl LeastSquaresLine {
    fn through(points: &[(f64, f64)]) -> LeastSquaresLine {
        let count = points.len() as f64;
        let x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let spread = points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
        let common = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>();
        LeastSquaresLine { x, y, slope: if spread > 0.0 { common / spread } else { 0.0 }, spread }
    }

    /// Returns the standard error of the slope; infinite where the points do not show it.
    fn error(&self, points: &[(f64, f64)]) -> f64 {
        if points.len() < 3 || self.spread <= 0.0 {
            return f64::INFINITY;
        }
        let residual = |point: &(f64, f64)| point.1 - self.y - self.slope * (point.0 - self.x);
        let squares = points.iter().map(|point| residual(point).powi(2)).sum::<f64>();
        (squares / (points.len() - 2) as f64 / self.spread).sqrt()
    }
}

/// Returns the standard error of the slope from leaving out blocks of neighbours in turn, whose errors may be alike
/// (Künsch 1989).
fn jackknife(points: &[(f64, f64)]) -> f64 {
    let size = points.len().div_ceil(BLOCKS);
    if size * 2 > points.len() {
        return f64::INFINITY;
    }
    let without = |skipped: usize| {
        let kept = points.chunks(size).enumerate().filter(|&(index, _)| index != skipped);
        LeastSquaresLine::through(&kept.flat_map(|(_, block)| block).copied().collect::<Vec<_>>()).slope
    };
    let slopes: Vec<f64> = (0..points.chunks(size).count()).map(without).collect();
    let count = slopes.len() as f64;
    let mean = slopes.iter().sum::<f64>() / count;
    (slopes.iter().map(|slope| (slope - mean).powi(2)).sum::<f64>() * (count - 1.0) / count).sqrt()
}

/// Takes offsets spread over [`OVER`], and fits a line through them.
pub(super) async fn learn<R: Rank>(rank: &R, learner: &mut Learner<'_, R>) -> Fit {
    let scale = rank.timescale();
    let first = learner.now();
    let mut points = Vec::with_capacity(POINTS as usize);
    for point in 0..u64::from(POINTS) {
        rank.wait_until(scale.reading(first + Span(OVER.0 / u64::from(POINTS - 1) * point))).await;
        let mut best: Option<Exchange> = None;
        for _ in 0..EXCHANGES {
            let exchange = learner.exchange().await;
            if best.is_none_or(|best| exchange.round_trip() < best.round_trip()) {
                best = Some(exchange);
            }
        }
        points.extend(best.map(|best| (best.middle(), best.offset_ps)));
    }
    Fit::through(&points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(ppm: f64, noise_ps: impl Fn(u64) -> i64) -> Vec<(Time, i64)> {
        let at = |i: u64| Time(7_000_000_000_000 + i * 1_000_000_000);
        (0..20).map(|i| (at(i), -3_000_000 + (i as f64 * 1e9 * ppm / 1e6) as i64 + noise_ps(i))).collect()
    }

    /// Errors of ± 20 ns that are not alike.
    fn uneven(i: u64) -> i64 {
        (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as i64 % 40_000 - 20_000
    }

    #[test]
    fn a_drift_that_stands_out_is_fitted() {
        let fit = Fit::through(&points(20.0, uneven));
        let drift = fit.drift.expect("20 ppm over 19 ms are 380 ns, against errors of 20 ns");
        assert!(
            (drift.ps_per_second - 20_000_000).abs() < 2_000_000 && drift.error_ps_per_second < 2_000_000,
            "{drift:?}"
        );
        let after = fit.offset_at(Time(8_000_000_000_000));
        assert!((after - (-3_000_000 + 20_000_000)).abs() < 2_000_000, "{after}");
    }

    #[test]
    fn a_drift_within_its_error_is_left_out() {
        let fit = Fit::through(&points(0.0, uneven));
        assert_eq!(fit.drift, None);
        assert!((fit.offset_ps + 3_000_000).abs() < 20_000, "{fit:?}");
        // One way took 200 ns longer from the middle on: least squares alone would be sure of a drift.
        let step = Fit::through(&points(0.0, |i| if i < 11 { i as i64 % 3 } else { 100_000 + i as i64 % 3 }));
        assert_eq!(step.drift, None, "{step:?}");
    }

    #[test]
    fn a_single_point_is_a_constant() {
        let fit = Fit::through(&[(Time(5), 70)]);
        assert_eq!((fit.offset_at(Time(1_000)), fit.drift), (70, None));
    }
}

//! How far predicted numbers are from printed ones.

use crate::Printed;
use statistics::quantile;

/// Absolute logarithms of predicted over printed: 0.1 is about ten percent, either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// Their mean: what a fit makes least.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// Nine of ten are no larger.
    pub p90: f64,
    /// How many numbers there are.
    pub count: usize,
}

impl Errors {
    /// Of predictions of as many printed numbers; `None` of none.
    pub fn of(predicted: &[f64], rows: &[Printed]) -> Option<Errors> {
        let mut all: Vec<f64> = predicted.iter().zip(rows).map(|(us, row)| (us / row.us).ln().abs()).collect();
        all.sort_by(f64::total_cmp);
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        Some(Errors { mean, median: quantile(&all, 0.5)?, p90: quantile(&all, 0.9)?, count: all.len() })
    }
}

/// An absolute logarithm of two numbers' ratio as the share by which the larger is more: of 0.095, 0.1, which is ten percent.
pub fn share(logarithm: f64) -> f64 {
    logarithm.exp_m1()
}

/// Of pairs of algorithms of one collective, length and number of ranks whose printed numbers are further apart than `apart`, as a
/// logarithm: how many there are, and how many are predicted in their order.
pub fn order_kept(predicted: &[f64], rows: &[Printed], apart: f64) -> (usize, usize) {
    let same = |a: &Printed, b: &Printed| a.algorithm.collective == b.algorithm.collective && a.shape == b.shape;
    let (mut pairs, mut kept) = (0, 0);
    for (index, (one, row)) in predicted.iter().zip(rows).enumerate() {
        for (other, beside) in predicted[..index].iter().zip(rows) {
            if same(row, beside) && (row.us / beside.us).ln().abs() > apart {
                pairs += 1;
                kept += usize::from((row.us > beside.us) == (one > other));
            }
        }
    }
    (pairs, kept)
}

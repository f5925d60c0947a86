//! Errors of predicted numbers against printed ones.

use crate::Printed;
use models::collective::Shape;
use statistics::quantile;

/// Absolute logarithms of predicted over printed numbers: 0.1 is about ten percent, either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// Mean of the errors, which a fit minimises.
    pub mean: f64,
    /// Median of the errors.
    pub median: f64,
    /// Ninth decile: nine of ten errors are no larger.
    pub p90: f64,
    /// Number of the errors.
    pub count: usize,
}

impl Errors {
    /// Returns the errors of predictions of as many printed numbers, `None` without numbers.
    pub fn compute(predicted: &[f64], rows: &[Printed]) -> Option<Errors> {
        let mut all: Vec<f64> = predicted.iter().zip(rows).map(|(us, row)| (us / row.us).ln().abs()).collect();
        all.sort_by(f64::total_cmp);
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        Some(Errors { mean, median: quantile(&all, 0.5)?, p90: quantile(&all, 0.9)?, count: all.len() })
    }
}

/// Returns the share by which the larger of two numbers is more, from the absolute logarithm of their ratio: of 0.095,
/// 0.1, which is ten percent.
pub fn share(logarithm: f64) -> f64 {
    logarithm.exp_m1()
}

/// Agreement of predictions with the order of algorithms of one collective, length and number of ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranking {
    /// Number of pairs whose printed numbers are further apart than asked for.
    pub pairs: usize,
    /// Number of these pairs that are predicted in their order.
    pub in_order: usize,
    /// Kendall's τ_b (1945) over all such pairs, however close: pairs in order less those out of order, over the
    /// geometric mean of the pairs that are no tie among printed and among predicted numbers. From −1 to 1, `None`
    /// where all are ties.
    pub tau: Option<f64>,
}

impl Ranking {
    /// Returns the agreement of predictions of as many printed numbers. `apart` is a logarithm.
    pub fn compute(predicted: &[f64], rows: &[Printed], apart: f64) -> Ranking {
        // Segments and fanout are how an algorithm does it.
        let called = |row: &Printed| (row.algorithm.collective, Shape { segment_bytes: 0, fanout: 0, ..row.shape });
        let same = |a: &Printed, b: &Printed| called(a) == called(b);
        let (mut pairs, mut in_order) = (0, 0);
        let (mut concordant, mut untied_printed, mut untied_predicted) = (0_i64, 0_u64, 0_u64);
        for (index, (one, row)) in predicted.iter().zip(rows).enumerate() {
            for (other, beside) in predicted[..index].iter().zip(rows).filter(|(_, beside)| same(row, beside)) {
                let signs = [row.us.total_cmp(&beside.us), one.total_cmp(other)].map(|order| order as i8);
                concordant += i64::from(signs[0] * signs[1]);
                untied_printed += u64::from(signs[0] != 0);
                untied_predicted += u64::from(signs[1] != 0);
                if (row.us / beside.us).ln().abs() > apart {
                    pairs += 1;
                    in_order += usize::from(signs[0] == signs[1]);
                }
            }
        }
        let untied = (untied_printed as f64 * untied_predicted as f64).sqrt();
        Ranking { pairs, in_order, tau: (untied > 0.0).then(|| concordant as f64 / untied) }
    }
}

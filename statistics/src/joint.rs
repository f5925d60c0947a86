//! Medians of several columns that were measured in the same rounds, resampled together.

use super::median::middle_of;
use ordered_float::OrderedFloat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns the columns' medians over rounds, and those of resamples of the rounds (Efron 1979): a resample draws
/// rounds, not single values, so effects of a round on all of its values stay together. A round may lack a value of a
/// column. A column without any value in a resample takes no part in it and has NaN there. `None` without rounds, where
/// columns differ in length, or where a column has no value at all.
pub fn joint_medians(columns: &[Vec<Option<f64>>], resamples: u32, seed: u64) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let rounds = columns.first().map(Vec::len).filter(|&rounds| rounds > 0)?;
    if columns.iter().any(|column| column.len() != rounds) {
        return None;
    }
    let of = |drawn: &[usize]| -> Vec<f64> { columns.iter().map(|column| present_median(column, drawn)).collect() };
    let medians = of(&(0..rounds).collect::<Vec<usize>>());
    if medians.iter().any(|median| !median.is_finite()) {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |_| {
        let drawn: Vec<usize> = (0..rounds).map(|_| rng.random_range(0..rounds)).collect();
        of(&drawn)
    };
    let replicates = (0..resamples).map(&mut draw).collect();
    Some((medians, replicates))
}

fn present_median(column: &[Option<f64>], drawn: &[usize]) -> f64 {
    let mut values: Vec<f64> = drawn.iter().filter_map(|&round| column[round]).collect();
    values.sort_unstable_by_key(|&value| OrderedFloat(value));
    if values.is_empty() { f64::NAN } else { middle_of(&values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_round_did_to_all_of_its_values_stays_together() {
        // The second column is always 5 more than the first, whatever the round.
        let first: Vec<Option<f64>> = (0..20).map(|round| Some(f64::from(round * 7 % 20))).collect();
        let second = first.iter().map(|value| value.map(|value| value + 5.0)).collect();
        let (medians, replicates) = joint_medians(&[first, second], 500, 3).expect("rounds");
        assert_eq!(medians, [9.5, 14.5]);
        assert_eq!(replicates.len(), 500);
        assert!(replicates.iter().all(|medians| medians[1] - medians[0] == 5.0));
        assert!(replicates.iter().any(|medians| medians[0] != 9.5), "rounds are drawn anew");
    }

    #[test]
    fn values_may_be_missing_but_not_all_of_them() {
        let column = vec![Some(1.0), None, Some(3.0)];
        let (medians, replicates) = joint_medians(&[column], 200, 1).expect("two values");
        assert_eq!(medians, [2.0]);
        assert!(replicates.iter().any(|medians| medians[0].is_nan()), "some resamples draw the missing one alone");
        assert_eq!(joint_medians(&[vec![None, None]], 10, 1), None);
        assert_eq!(joint_medians(&[], 10, 1), None);
        assert_eq!(joint_medians(&[vec![]], 10, 1), None);
        assert_eq!(joint_medians(&[vec![Some(1.0)], vec![]], 10, 1), None);
    }
}

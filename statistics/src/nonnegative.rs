//! Least squares with coefficients that cannot be negative, for models of a few parameters.

/// Returns the coefficients aⱼ ≥ 0 that minimise Σ ((yᵢ − Σⱼ aⱼ xᵢⱼ) / yᵢ)²: squares of relative residuals, so that
/// short and long times count alike (Lawson and Hanson 1974, chapter 23, whose problem this is). Every set of
/// coefficients that are not 0 is tried, by normal equations, which is exact, and cheap for the three or four
/// parameters that it is meant for.
///
/// `None` unless all numbers are finite, every y > 0, and some set of coefficients is determined by the points.
pub fn nonnegative_least_squares<const N: usize>(points: &[([f64; N], f64)]) -> Option<[f64; N]> {
    let usable = |(x, y): &([f64; N], f64)| x.iter().all(|x| x.is_finite()) && y.is_finite() && *y > 0.0;
    if points.is_empty() || !points.iter().all(usable) {
        return None;
    }
    let scaled: Vec<[f64; N]> = points.iter().map(|(x, y)| x.map(|x| x / y)).collect();
    let deviation = |a: &[f64; N]| -> f64 {
        let one = |x: &[f64; N]| 1.0 - x.iter().zip(a).map(|(x, a)| x * a).sum::<f64>();
        scaled.iter().map(|x| one(x).powi(2)).sum()
    };
    let candidates = (1_u32..1 << N).filter_map(|set| solved(&scaled, set)).filter(|a| a.iter().all(|a| *a >= 0.0));
    candidates.map(|a| (deviation(&a), a)).min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, a)| a)
}

/// Returns the coefficients that minimise Σ (1 − Σⱼ aⱼ xᵢⱼ)², where those outside the set are 0. `None` where they are
/// not determined.
fn solved<const N: usize>(points: &[[f64; N]], set: u32) -> Option<[f64; N]> {
    let used: Vec<usize> = (0..N).filter(|column| set >> column & 1 == 1).collect();
    let size = used.len();
    // Columns are scaled to length 1, so that units do not decide what is singular.
    let length = |column: usize| points.iter().map(|x| x[column].powi(2)).sum::<f64>().sqrt();
    let lengths: Vec<f64> = used.iter().map(|&column| length(column)).collect();
    if lengths.contains(&0.0) {
        return None;
    }
    let at = |x: &[f64; N], place: usize| x[used[place]] / lengths[place];
    let mut rows: Vec<Vec<f64>> = (0..size)
        .map(|i| {
            let products = (0..size).map(|j| points.iter().map(|x| at(x, i) * at(x, j)).sum());
            products.chain([points.iter().map(|x| at(x, i)).sum()]).collect()
        })
        .collect();
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-12 {
            return None;
        }
        rows.swap(column, pivot);
        let by = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(place, _)| *place != column) {
            let factor = row[column] / by[column];
            row.iter_mut().zip(&by).skip(column).for_each(|(to, from)| *to -= factor * from);
        }
    }
    let mut found = [0.0; N];
    for (place, &column) in used.iter().enumerate() {
        found[column] = rows[place][size] / rows[place][place] / lengths[place];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_points_give_their_coefficients_back() {
        let truth = [2.5, 0.0, 40.0];
        let at = |x: [f64; 3]| (x, x.iter().zip(truth).map(|(x, a)| x * a).sum::<f64>());
        let points: Vec<_> = (1..8_u32).map(|i| at([f64::from(i) * 1e5, f64::from(i * i), f64::from(8 - i)])).collect();
        let found = nonnegative_least_squares(&points).expect("determined");
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 1e-6, "{found} for {truth}");
        }
    }

    #[test]
    fn what_would_be_negative_is_zero_and_the_others_are_best_without_it() {
        // y falls with the second column: alone the first is best.
        let points = [([1.0, 1.0], 1.0), ([1.0, 2.0], 0.9), ([1.0, 3.0], 0.8)];
        let [constant, slope] = nonnegative_least_squares(&points).expect("determined");
        // Of Σ ((y − a)/y)² the minimum is Σ 1/y ÷ Σ 1/y².
        let (one, two): (f64, f64) =
            points.iter().map(|(_, y)| (1.0 / y, 1.0 / (y * y))).fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        assert_eq!(slope, 0.0);
        assert!((constant - one / two).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_of_no_points_or_of_times_that_are_none() {
        assert_eq!(nonnegative_least_squares::<2>(&[]), None);
        assert_eq!(nonnegative_least_squares(&[([1.0, 2.0], 0.0)]), None);
        assert_eq!(nonnegative_least_squares(&[([0.0], 1.0)]), None);
    }
}

//! A line with non-negative coefficients by least relative deviations.

/// Line y = intercept + slope·x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightLine {
    /// Value at x = 0.
    pub intercept: f64,
    /// Rise per unit of x.
    pub slope: f64,
}

impl StraightLine {
    /// Returns the line's value at x.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// Returns Σ |y − line| / scale, as far as it stays below `enough`.
    fn deviation(&self, points: &[ScaledPoint], enough: f64) -> f64 {
        let mut sum = 0.0;
        for &(x, y, scale) in points {
            sum += ((y - self.at(x)) / scale).abs();
            if sum > enough {
                break;
            }
        }
        sum
    }
}

/// Point as (x, y, scale), where the scale is the deviation that counts as one.
pub type ScaledPoint = (f64, f64, f64);

/// Returns the line with intercept ≥ 0 and slope ≥ 0 that minimises Σ |yᵢ − (a + b·xᵢ)| / yᵢ: least absolute deviations
/// (Boscovich 1757; Bloomfield and Steiger 1983) of the relative residuals, so that short and long messages count alike
/// and one odd length does not bend the line.
///
/// The minimum is at a vertex: a line through two of the points, or through one with slope or intercept zero. All are
/// tried, which is exact, and cheap for the dozen points it is meant for. `None` unless all numbers are finite, every y
/// > 0, every x ≥ 0, and two x differ.
pub fn least_relative_deviations(points: &[(f64, f64)]) -> Option<StraightLine> {
    let scaled: Vec<ScaledPoint> = points.iter().map(|&(x, y)| (x, y, y)).collect();
    least_scaled_deviations(&scaled)
}

/// Returns the line with intercept ≥ 0 and slope ≥ 0 that minimises Σ |yᵢ − (a + b·xᵢ)| / scaleᵢ. A y may be negative
/// (a difference of two measured times). Every scale must be positive.
pub fn least_scaled_deviations(points: &[ScaledPoint]) -> Option<StraightLine> {
    let usable =
        |&(x, y, scale): &ScaledPoint| x.is_finite() && y.is_finite() && scale.is_finite() && x >= 0.0 && scale > 0.0;
    if !points.iter().all(usable) || !points.iter().any(|&(x, ..)| x != points[0].0) {
        return None;
    }
    let pairs = points.iter().enumerate().flat_map(|(i, &a)| points[..i].iter().map(move |&b| (a, b)));
    let through_two = pairs.filter(|(a, b)| a.0 != b.0).map(|((xa, ya, _), (xb, yb, _))| {
        let slope = (ya - yb) / (xa - xb);
        StraightLine { intercept: ya - slope * xa, slope }
    });
    let flat = points.iter().map(|&(_, y, _)| StraightLine { intercept: y, slope: 0.0 });
    let from_zero =
        points.iter().filter(|&&(x, ..)| x > 0.0).map(|&(x, y, _)| StraightLine { intercept: 0.0, slope: y / x });
    let nothing = StraightLine { intercept: 0.0, slope: 0.0 };
    let candidates = through_two.chain(flat).chain(from_zero).chain([nothing]);
    let mut best = None;
    let mut least = f64::INFINITY;
    for line in candidates.filter(|line| line.intercept >= 0.0 && line.slope >= 0.0) {
        let deviation = line.deviation(points, least);
        if deviation < least {
            (best, least) = (Some(line), deviation);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_give_that_line() {
        let points = [0.0, 1.0, 8.0, 1024.0, 65_536.0].map(|x| (x, 200.0 + 0.01 * x));
        let line = least_relative_deviations(&points).expect("a line");
        assert!((line.intercept - 200.0).abs() < 1e-9 && (line.slope - 0.01).abs() < 1e-12, "{line:?}");
    }

    #[test]
    fn one_odd_point_does_not_bend_it() {
        let mut points = [0.0, 1.0, 8.0, 1024.0, 4096.0, 65_536.0].map(|x| (x, 200.0 + 0.01 * x));
        points[3].1 *= 5.0;
        let line = least_relative_deviations(&points).expect("a line");
        assert!((line.intercept - 200.0).abs() < 1e-9 && (line.slope - 0.01).abs() < 1e-12, "{line:?}");
    }

    #[test]
    fn coefficients_are_never_negative() {
        let falling = least_relative_deviations(&[(0.0, 3.0), (1.0, 2.0), (2.0, 1.0)]).expect("a line");
        assert_eq!(falling.slope, 0.0);
        let steep = least_relative_deviations(&[(1.0, 1.0), (2.0, 3.0), (3.0, 5.0)]).expect("a line");
        assert_eq!(steep.intercept, 0.0);
        assert!(steep.slope > 0.0);
    }

    #[test]
    fn differences_that_are_nothing_give_a_line_of_nothing() {
        let points = [(0.0, -1e-3, 1.0), (100.0, 0.0, 2.0), (1_000.0, 2e-3, 5.0)];
        let line = least_scaled_deviations(&points).expect("a line");
        assert!(line.intercept == 0.0 && line.slope.abs() < 1e-5, "{line:?}");
        let points = [0.0, 10.0, 1e3, 1e5].map(|x| (x, 2e-3 * x, 1.0 + x));
        let line = least_scaled_deviations(&points).expect("a line");
        assert!(line.intercept.abs() < 1e-12 && (line.slope - 2e-3).abs() < 1e-15, "{line:?}");
        assert_eq!(least_scaled_deviations(&[(0.0, 1.0, 1.0), (1.0, 1.0, 0.0)]), None);
    }

    #[test]
    fn no_line_through_what_does_not_fix_one() {
        assert_eq!(least_relative_deviations(&[]), None);
        assert_eq!(least_relative_deviations(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(least_relative_deviations(&[(1.0, 0.0), (2.0, 3.0)]), None);
        assert_eq!(least_relative_deviations(&[(1.0, f64::NAN), (2.0, 3.0)]), None);
    }
}

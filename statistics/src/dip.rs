//! The dip, a measure of how far numbers are from having one mode (Hartigan and Hartigan 1985).

use super::sorted;

/// Point of a hull: a number, and how many numbers lie below (or not above) it.
type HullPoint = (f64, f64);

/// Returns the dip: the largest distance between the numbers' empirical distribution and the nearest distribution with
/// one mode, from 1/(2n) to 1/4.
///
/// The algorithm is that of Hartigan and Hartigan (1985): within the interval that can still hold the mode, the
/// greatest convex minorant and the least concave majorant are laid about the empirical distribution. Where they are
/// furthest apart the interval is cut, and the numbers outside it count with their distances from minorant or majorant.
/// Equal numbers are taken for rounded ones and spread evenly over the smallest distance between different ones. `None`
/// for no numbers or one that is not finite.
pub fn dip(numbers: &[f64]) -> Option<f64> {
    let numbers = spread(sorted(numbers)?);
    let n = numbers.len();
    let (mut low, mut high) = (0, n - 1);
    // Twice the dip, in units of 1/n.
    let mut twice: f64 = 1.0;
    loop {
        let hulls = Hulls::new(&numbers, low, high);
        let (distance, from, to) = hulls.furthest();
        if distance <= twice {
            break;
        }
        let (from, to) = (place(&numbers, from), place(&numbers, to));
        let left = (low..=from).map(|i| (i + 1) as f64 - at(&hulls.minorant, numbers[i]));
        let right = (to..=high).map(|i| at(&hulls.majorant, numbers[i]) - i as f64);
        twice = left.chain(right).fold(twice, f64::max);
        if (from, to) == (low, high) {
            break;
        }
        (low, high) = (from, to);
    }
    Some(twice / 2.0 / n as f64)
}

/// Spreads ascending numbers so that all are different, unless all are equal.
fn spread(mut numbers: Vec<f64>) -> Vec<f64> {
    let steps = numbers.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
    let least = steps.fold(f64::INFINITY, f64::min);
    if !least.is_finite() {
        // All are equal: as even as they can be.
        return (0..numbers.len()).map(|i| i as f64).collect();
    }
    for equal in numbers.chunk_by_mut(|a, b| a == b) {
        let count = equal.len() as f64;
        for (i, number) in equal.iter_mut().enumerate() {
            *number += ((i as f64 + 0.5) / count - 0.5) * least;
        }
    }
    numbers
}

/// Minorant and majorant of the empirical distribution over an interval.
struct Hulls {
    minorant: Vec<HullPoint>,
    majorant: Vec<HullPoint>,
}

impl Hulls {
    fn new(numbers: &[f64], low: usize, high: usize) -> Hulls {
        // The distribution jumps at each number: the minorant touches the foot of the step, the majorant its top.
        let feet = (low..=high).map(|i| (numbers[i], i as f64));
        let tops = (low..=high).map(|i| (numbers[i], (i + 1) as f64));
        Hulls { minorant: hull(feet, 1.0), majorant: hull(tops, -1.0) }
    }

    /// Returns the largest distance between the two, and the interval between the touching points on either side of it
    /// that the mode must lie in.
    fn furthest(&self) -> (f64, f64, f64) {
        let largest = |of: &mut dyn Iterator<Item = (f64, f64)>| {
            of.fold((f64::NEG_INFINITY, 0.0), |best, one| if one.0 > best.0 { one } else { best })
        };
        let of_minorant = largest(&mut self.minorant.iter().map(|&(x, y)| (at(&self.majorant, x) - y, x)));
        let of_majorant = largest(&mut self.majorant.iter().map(|&(x, y)| (y - at(&self.minorant, x), x)));
        if of_minorant.0 > of_majorant.0 {
            let (distance, from) = of_minorant;
            let to = self.majorant.iter().map(|point| point.0).find(|&x| x >= from);
            (distance, from, to.unwrap_or(from))
        } else {
            let (distance, to) = of_majorant;
            let from = self.minorant.iter().rev().map(|point| point.0).find(|&x| x <= to);
            (distance, from.unwrap_or(to), to)
        }
    }
}

/// Returns the convex hull from below (`side` 1) or from above (−1) of points in ascending order.
fn hull(points: impl Iterator<Item = HullPoint>, side: f64) -> Vec<HullPoint> {
    let mut hull: Vec<HullPoint> = Vec::new();
    for (x, y) in points {
        while let [.., (x1, y1), (x2, y2)] = hull.as_slice() {
            let turn = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1);
            if side * turn > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push((x, y));
    }
    hull
}

/// Returns the height of a hull at x, which lies within it.
fn at(hull: &[HullPoint], x: f64) -> f64 {
    let after = hull.partition_point(|point| point.0 < x).min(hull.len() - 1);
    let (x2, y2) = hull[after];
    match after.checked_sub(1).map(|before| hull[before]) {
        Some((x1, y1)) if x < x2 => y1 + (y2 - y1) * (x - x1) / (x2 - x1),
        _ => y2,
    }
}

/// Returns the number of numbers below x.
fn place(numbers: &[f64], x: f64) -> usize {
    numbers.partition_point(|&number| number < x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dips_are_those_of_diptest() {
        // As the package diptest has them (Maechler's correction of AS 217, Hartigan 1985).
        let two = [0.0, 0.01, 0.02, 0.03, 1.0, 1.01, 1.02, 1.03];
        assert!((dip(&two).expect("numbers") - 0.2425).abs() < 1e-12);
        let lumpy = [0.1, 0.2, 0.25, 0.3, 0.42, 0.9, 1.0, 1.05, 1.1, 1.3, 1.31];
        assert!((dip(&lumpy).expect("numbers") - 3.0 / 22.0).abs() < 1e-12);
    }

    #[test]
    fn one_mode_has_the_least_dip_and_the_order_is_of_no_account() {
        let even: Vec<f64> = (0..20).map(f64::from).collect();
        assert!((dip(&even).expect("numbers") - 1.0 / 40.0).abs() < 1e-12);
        assert!((dip(&[7.0; 10]).expect("numbers") - 1.0 / 20.0).abs() < 1e-12);
        assert_eq!(dip(&[3.0]), Some(0.5));
        assert_eq!(dip(&[]), None);
        let (there, back) = ([1.0, 4.0, 4.1, 9.0, 9.2, 9.3], [9.3, 9.2, 9.0, 4.1, 4.0, 1.0]);
        assert_eq!(dip(&there), dip(&back));
        let mirrored = there.map(|x| -x);
        assert!((dip(&there).expect("numbers") - dip(&mirrored).expect("numbers")).abs() < 1e-12);
        let rounded = dip(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0]).expect("numbers");
        assert!(rounded < 0.11, "rounding alone makes no second mode: {rounded}");
    }
}

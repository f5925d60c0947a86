//! Classes of a positive quantity, found by the data: stretches in which most values lie close together.
//!
//! The densest stretch of values is a class, to which the values around it belong; then the next class is looked for
//! among the rest. Values between classes, and those of classes too small to be one, are *unclear*.

use statistics::median;

/// Largest factor between values of one class where they are densest.
const DENSE: f64 = 1.25;
/// Factor around a class's middle within which values belong to it.
const REACH: f64 = 1.3;
/// Least share of all values that a class holds; [`LEAST_VALUES`] is the least number of them.
const LEAST_SHARE: f64 = 0.02;
const LEAST_VALUES: usize = 3;

/// Class of values that lie close together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Median of its densest values.
    pub middle: f64,
    /// Number of values in the class.
    pub values: usize,
}

/// Returns the classes of these values, in ascending order; none where there are too few values, or all are spread out.
pub fn classes(values: &[f64]) -> Vec<Class> {
    classes_of(values, usize::MAX)
}

/// Returns the classes of these values as [`classes`] does, but `alike` values are enough for a class, however many
/// there are in all. They may be those of one of many pairs.
pub fn classes_of(values: &[f64], alike: usize) -> Vec<Class> {
    let mut rest: Vec<f64> = values.iter().copied().filter(|value| value.is_finite() && *value > 0.0).collect();
    rest.sort_unstable_by(f64::total_cmp);
    let least = LEAST_VALUES.max(alike.min((rest.len() as f64 * LEAST_SHARE).ceil() as usize));
    let mut found: Vec<Class> = Vec::new();
    while let Some(dense) = densest(&rest).filter(|dense| dense.len() >= least) {
        let Some(middle) = median(dense) else { break };
        let apart = |value: &f64| !within(*value, middle, REACH * REACH);
        rest = rest.iter().copied().filter(apart).collect();
        found.push(Class { middle, values: 0 });
    }
    found.sort_unstable_by(|one, other| one.middle.total_cmp(&other.middle));
    // Values between two classes that were no part of either's densest stretch may belong to one of them, too.
    let places: Vec<usize> = values.iter().filter_map(|&value| class_of(value, &found)).collect();
    places.into_iter().for_each(|place| found[place].values += 1);
    found
}

/// Returns the class that a value belongs to, by its place among these.
pub fn class_of(value: f64, classes: &[Class]) -> Option<usize> {
    classes.iter().position(|class| within(value, class.middle, REACH))
}

fn within(value: f64, middle: f64, factor: f64) -> bool {
    value <= middle * factor && value * factor >= middle
}

/// Returns the most values whose largest is at most [`DENSE`] times their least; the first of several such stretches.
fn densest(sorted: &[f64]) -> Option<&[f64]> {
    let mut best: Option<&[f64]> = None;
    let mut end = 0;
    for begin in 0..sorted.len() {
        while sorted.get(end).is_some_and(|value| *value <= sorted[begin] * DENSE) {
            end += 1;
        }
        if best.is_none_or(|best| end - begin > best.len()) {
            best = Some(&sorted[begin..end]);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ways_of_a_line_are_two_classes_and_what_lies_between_is_unclear() {
        let near = (0..700).map(|i| 36.0 + f64::from(i % 9));
        let far = (0..300).map(|i| 150.0 + f64::from(i % 21));
        let values: Vec<f64> = near.chain(far).chain([80.0, 95.0, 1_200.0]).collect();
        let found = classes(&values);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!((36.0..45.0).contains(&found[0].middle) && (150.0..171.0).contains(&found[1].middle), "{found:?}");
        assert_eq!((found[0].values, found[1].values), (700, 300));
        assert_eq!(class_of(40.0, &found), Some(0));
        assert_eq!(class_of(160.0, &found), Some(1));
        assert_eq!((class_of(90.0, &found), class_of(1_200.0, &found)), (None, None));
    }

    #[test]
    fn what_lies_between_two_classes_is_counted_where_it_belongs() {
        // Threads of one core by turns with cores of one cache, as seen on a machine of two virtual cores.
        let near = (0..40).map(|i| 15.0 + 9.0 * f64::from(i) / 40.0);
        let values: Vec<f64> = near.chain((0..160).map(|i| 31.5 + f64::from(i % 6))).collect();
        let found = classes(&values);
        assert_eq!(found.len(), 2, "{found:?}");
        let clear = values.iter().filter(|&&value| class_of(value, &found).is_some()).count();
        assert_eq!(found.iter().map(|class| class.values).sum::<usize>(), clear, "{found:?}");
    }

    #[test]
    fn one_state_is_one_class_and_a_few_values_are_none() {
        let values: Vec<f64> = (0..50).map(|i| 100.0 + f64::from(i % 10)).collect();
        assert_eq!(classes(&values).len(), 1);
        assert_eq!(classes(&[40.0, 41.0]), []);
        assert_eq!(classes(&[]), []);
    }

    #[test]
    fn one_pair_of_many_may_be_a_class() {
        let values: Vec<f64> = (0..1_000).map(|i| 100.0 + f64::from(i % 10)).chain([8.0; 5]).collect();
        assert_eq!((classes(&values).len(), classes_of(&values, 5).len(), classes_of(&values, 6).len()), (1, 2, 1));
    }

    #[test]
    fn a_wide_spread_does_not_fall_into_many_classes() {
        // From 100 to 200 evenly: classes reach as far as they do, and the rest is unclear.
        let values: Vec<f64> = (0..1_000).map(|i| 100.0 + f64::from(i) / 10.0).collect();
        assert!(classes(&values).len() <= 2);
    }
}

//! At which bytes or ranks costs are worked out.

/// Both ends, and the powers of two between them.
pub(super) fn powers_of_two(first: u64, last: u64) -> Vec<u64> {
    let powers = (0..64).map(|power| 1u64 << power).filter(|power| (first..=last).contains(power));
    ascending(powers.chain([first, last]).collect())
}

/// So many whole numbers at equal ratios, both ends among them; fewer where they would lie closer than 1.
pub(super) fn at_equal_ratios(first: u64, last: u64, points: u32) -> Vec<u64> {
    // A first place of 0 has no ratio to the next: it stands by itself.
    let low = first.max(1);
    let ratio = last.max(1) as f64 / low as f64;
    let steps = f64::from(points.max(2) - 1);
    let place = |index| ((low as f64 * ratio.powf(f64::from(index) / steps)).round() as u64).clamp(low, last.max(low));
    let mut all: Vec<u64> = (0..points).map(place).filter(|place| *place <= last).collect();
    all.extend([first, last]);
    ascending(all)
}

fn ascending(mut places: Vec<u64>) -> Vec<u64> {
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_come_with_both_ends() {
        assert_eq!(powers_of_two(8, 64), [8, 16, 32, 64]);
        assert_eq!(powers_of_two(3, 20), [3, 4, 8, 16, 20]);
        assert_eq!(powers_of_two(0, 2), [0, 1, 2]);
        assert_eq!(powers_of_two(5, 5), [5]);
        assert_eq!(powers_of_two(1 << 62, u64::MAX), [1 << 62, 1 << 63, u64::MAX]);
    }

    #[test]
    fn equal_ratios_are_rounded_and_close_ones_fall_together() {
        assert_eq!(at_equal_ratios(1, 100, 3), [1, 10, 100]);
        assert_eq!(at_equal_ratios(2, 5, 10), [2, 3, 4, 5]);
        assert_eq!(at_equal_ratios(0, 100, 3), [0, 1, 10, 100]);
        assert_eq!(at_equal_ratios(7, 7, 4), [7]);
        assert_eq!(at_equal_ratios(0, 0, 2), [0]);
        assert_eq!(at_equal_ratios(2, 1 << 20, 20).len(), 20);
    }
}

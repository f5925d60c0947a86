//! Steady states of a benchmark whose calls follow each other: the numbers to which it comes round with all ranks
//! entering together, and those to which it comes round after one delay of one rank (E10). Calls may take turns: then a
//! state is a cycle of several numbers, and an aggregate of them depends on how many samples there are, which is no
//! second state.

use sim::PrintedSeries;
use std::fmt::Write;

/// Share of the smaller up to which two numbers of one benchmark count as one.
const ALIKE: f64 = 0.01;
/// Difference in µs up to which two times are equal: times are whole ps.
const SAME_US: f64 = 0.5e-6;
/// Number of a cycle's numbers that are named one by one.
const NAMED: usize = 4;

/// Steady states of a benchmark from both starts.
pub(crate) struct Steady {
    /// Cycle from ranks that enter together, `None` where the samples do not come round to the same numbers.
    pub symmetric_us: Option<Vec<f64>>,
    /// Cycle after one delay of one rank, `None` where the samples do not come round to the same numbers.
    pub delayed_us: Option<Vec<f64>>,
    /// Numbers that both starts print of all samples.
    printed_us: [f64; 2],
}

impl Steady {
    /// Finds the steady states of the numbers that are printed from both starts.
    pub(crate) fn from_series(symmetric: &PrintedSeries, delayed: &PrintedSeries) -> Steady {
        Steady {
            symmetric_us: cycle(&symmetric.each_us).map(<[f64]>::to_vec),
            delayed_us: cycle(&delayed.each_us).map(<[f64]>::to_vec),
            printed_us: [symmetric.reported_us, delayed.reported_us],
        }
    }

    /// Returns the number of steady states, as far as samples come round to the same numbers.
    pub(crate) fn states(&self) -> Option<u32> {
        let (symmetric, delayed) = (self.symmetric_us.as_ref()?, self.delayed_us.as_ref()?);
        Some(if are_alike(symmetric, delayed) { 1 } else { 2 })
    }

    /// Returns the sentences on a column's numbers, as lines of a table. Empty if there is one state of one number.
    pub(crate) fn describe(&self, column: &str) -> String {
        let mut told = String::new();
        if let (Some(symmetric), Some(delayed)) = (&self.symmetric_us, &self.delayed_us) {
            if !are_alike(symmetric, delayed) {
                let (symmetric, delayed) = (in_words(symmetric), in_words(delayed));
                let _ = writeln!(
                    told,
                    "  two steady states (E10): {column} is {symmetric} if all ranks enter together, and {delayed} ever after one \
                     delay of one rank"
                );
            } else if let (Some(least), Some(most)) = (delayed.iter().copied().reduce(f64::min), greatest(delayed))
                && is_more(least, most)
            {
                let _ = writeln!(
                    told,
                    "  one steady state: {column} is of samples of {}, and hangs on how many there are",
                    in_words(delayed)
                );
            }
        } else if is_more(self.printed_us[0], self.printed_us[1]) || is_more(self.printed_us[1], self.printed_us[0]) {
            let [symmetric, delayed] = self.printed_us;
            let _ = writeln!(
                told,
                "  {column} is {symmetric:.4} µs if all ranks enter together, and {delayed:.4} µs after one delay of one rank (E10); \
                 the samples do not come round to the same numbers, so steady states are not known: give more --samples, and no noise"
            );
        }
        told
    }
}

/// Returns the last numbers that come round: the shortest cycle that all numbers of the second half, and at least two
/// cycles, repeat.
fn cycle(each_us: &[f64]) -> Option<&[f64]> {
    let samples = each_us.len();
    let repeats = |length: &usize| {
        let from = (samples / 2).min(samples - 2 * length).max(*length);
        (from..samples).all(|at| (each_us[at] - each_us[at - length]).abs() < SAME_US)
    };
    let length = (1..=samples / 3).find(repeats)?;
    Some(&each_us[samples - length..])
}

/// Returns whether two cycles have the same numbers as often, whatever their order.
fn are_alike(one: &[f64], other: &[f64]) -> bool {
    let sorted = |cycle: &[f64]| {
        let mut cycle = cycle.to_vec();
        cycle.sort_unstable_by(f64::total_cmp);
        cycle
    };
    let (one, other) = (sorted(one), sorted(other));
    // One after the other repeated until both end together.
    (0..one.len() * other.len()).all(|at| {
        let (one, other) = (one[at / other.len()], other[at / one.len()]);
        !is_more(one, other) && !is_more(other, one)
    })
}

/// Returns whether `most` is more than a number that counts as equal to `least`.
fn is_more(least: f64, most: f64) -> bool {
    most - least > ALIKE * least
}

fn greatest(cycle: &[f64]) -> Option<f64> {
    cycle.iter().copied().reduce(f64::max)
}

/// Returns the numbers of a cycle in words, in their order.
fn in_words(cycle_us: &[f64]) -> String {
    let named: Vec<String> = cycle_us.iter().take(NAMED).map(|us| format!("{us:.4}")).collect();
    let (named, length) = (named.join(", "), cycle_us.len());
    match length {
        0 | 1 => format!("{named} µs"),
        _ if length <= NAMED => format!("{named} µs in turn"),
        _ => format!("{named}, … µs in turns of {length}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(each_us: &[f64]) -> PrintedSeries {
        PrintedSeries { reported_us: each_us[each_us.len() / 2], each_us: each_us.to_vec() }
    }

    #[test]
    fn a_cycle_is_the_shortest_that_the_last_half_repeats() {
        assert_eq!(cycle(&[9.0, 5.0, 5.0, 5.0]), Some(&[5.0][..]));
        assert_eq!(cycle(&[9.0, 5.0, 6.0, 5.0, 6.0, 5.0, 6.0]), Some(&[5.0, 6.0][..]));
        assert_eq!(cycle(&[5.0, 6.0, 5.0, 6.0]), None, "twice is not enough");
        assert_eq!(cycle(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), None);
        assert_eq!(cycle(&[5.0, 5.0]), None);
        assert_eq!(cycle(&[]), None);
    }

    #[test]
    fn states_are_told_apart_over_whole_cycles() {
        let (turns, shifted) = (series(&[5.0, 6.0, 5.0, 6.0, 5.0, 6.0]), series(&[6.0, 5.0, 6.0, 5.0, 6.0, 5.0]));
        let (calm, drifting) = (series(&[5.5; 6]), series(&[5.0, 5.1, 5.2, 5.3, 5.4, 5.5]));
        let alike = series(&[5.54; 6]);
        let states = |symmetric, delayed| Steady::from_series(symmetric, delayed).states();
        assert_eq!(states(&turns, &shifted), Some(1));
        assert_eq!(states(&calm, &turns), Some(2), "of the same mean");
        assert_eq!(states(&calm, &alike), Some(1));
        assert_eq!(states(&drifting, &calm), None);
        let told = [(&turns, &shifted), (&calm, &turns), (&calm, &alike), (&drifting, &calm), (&calm, &calm)];
        insta::assert_snapshot!(told.map(|(one, other)| Steady::from_series(one, other).describe("median")).concat());
    }
}

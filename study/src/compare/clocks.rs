//! Properties of the clocks as windows show them: their bounds, the skew of starts, and waits of known duration.

use crate::comparison::ClockCheckRow;
use probes::clocks::waits::{bound_us, start_skew_us, window_us};
use programs::observation::ClockCheck;

/// Evaluates windows that timed waits of known duration, with intervals of a confidence.
pub(crate) fn check(check: &ClockCheck, confidence: f64) -> ClockCheckRow {
    ClockCheckRow {
        world: check.world,
        carrier: check.carrier,
        ranks: ranks(check),
        variant: check.occasion.beside(check.conditions),
        oversubscribed: check.oversubscribed,
        null_us: window_us(&check.null, confidence),
        up_us: window_us(&check.up, confidence),
        down_us: window_us(&check.down, confidence),
        start_skew_us: start_skew_us(&check.null),
        clock_bound_us: bound_us(check.null.iter().chain(&check.up).chain(&check.down)),
    }
}

/// Number of ranks that were checked.
pub(super) fn ranks(check: &ClockCheck) -> u32 {
    check.null.len() as u32
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{campaign, clock_check};
    use crate::compare::compare;
    use crate::comparison::{ClockCheckRow, Report};
    use programs::observation::Carrier;
    use scenario::store::Line;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9
    }

    fn rows(lines: &[Line]) -> Vec<ClockCheckRow> {
        let report: Report = compare(lines).expect("a campaign");
        report.clock_checks
    }

    #[test]
    fn waits_last_from_the_due_time_to_the_end_of_the_last_rank() {
        let rows = rows(&[campaign(), Line::ClockCheck(clock_check(Carrier::EMULATED, 8))]);
        let row = &rows[0];
        assert_eq!((rows.len(), row.ranks, row.oversubscribed), (1, 8, true));
        // Rank 7 starts 70 ns late; sample i lasts i ns longer, and 24 of 30 are valid: median between 13 and 15.
        assert!(near(row.null_us.value, 0.07 + 0.014) && near(row.up_us.value, 8.07 + 0.014), "{row:?}");
        // Rank 0 waits the longest and starts on time, rank 1 waits 7 µs and starts 10 ns late.
        assert!(near(row.down_us.value, 8.0 + 0.014), "{row:?}");
        // Order statistics of 24 at 99 %: the 6th and the 19th valid, samples 6 and 22.
        assert!(near(row.null_us.low, 0.07 + 0.006) && near(row.null_us.high, 0.07 + 0.022), "{row:?}");
        // Rank 0 starts on time: the skew is rank 7's 70 ns. Its bound is 7 ns, and 5 ns of drift come on top.
        assert!(near(row.start_skew_us.0, 0.07) && near(row.start_skew_us.1, 0.07), "{row:?}");
        assert!(near(row.clock_bound_us.0, 0.007) && near(row.clock_bound_us.1, 0.012), "{row:?}");
    }

    #[test]
    fn a_group_checked_again_replaces_itself() {
        let again = || Line::ClockCheck(clock_check(Carrier::EMULATED, 8));
        let other = Line::ClockCheck(clock_check(Carrier::EMULATED, 4));
        let rows = rows(&[campaign(), again(), other, again()]);
        assert_eq!(rows.iter().map(|row| row.ranks).collect::<Vec<_>>(), [8, 4]);
    }

    #[test]
    fn without_a_valid_window_there_is_no_number() {
        let mut check = clock_check(Carrier::Native, 2);
        check.null.iter_mut().flat_map(|rank| &mut rank.stamps).for_each(|stamp| stamp.valid = false);
        check.up.clear();
        let rows = rows(&[campaign(), Line::ClockCheck(check)]);
        assert!(rows[0].null_us.value.is_nan() && rows[0].up_us.value.is_nan() && rows[0].start_skew_us.0.is_nan());
    }
}

//! As many launches as the ratios need: the decision, and the sentence about it.
//!
//! The ratios of every state of the machine that was met in a tenth of all blocks or more decide ([`AutoLaunches`]);
//! others are reported without a promise.

use crate::over::OverReference;
use statistics::{AutoLaunches, LaunchDecision};

/// Largest number of launches that is printed; more are only called "more than" this.
const MOST_TOLD: usize = 1_000;

/// Ratio that decides: its name, and its logarithms over launches.
pub type Deciding = (String, OverReference);

/// Decides how to continue after the first `done` launches.
pub fn decide(auto: &AutoLaunches, deciding: &[Deciding], done: u32) -> LaunchDecision {
    let row = |over: &OverReference| {
        let of = |launch: u32| over.of_launches.iter().find(|(known, _)| *known == launch).map(|(_, log)| *log);
        (0..done).map(of).collect::<Vec<Option<f64>>>()
    };
    // A row without known launches gives the number of launches, if no ratio does.
    let none = vec![None; done as usize];
    let rows: Vec<Vec<Option<f64>>> = std::iter::once(none).chain(deciding.iter().map(|(_, over)| row(over))).collect();
    auto.decide(&rows)
}

/// Returns a sentence with the number of launches and the reason why there are no more.
pub fn describe_launches(auto: &AutoLaunches, deciding: &[Deciding], done: u32) -> String {
    let percent = |log: f64| format!("±{:.0} %", log.exp_m1() * 100.0);
    let wanted = auto.half_width.ln_1p();
    let known = |over: &OverReference| over.half_width().unwrap_or(f64::INFINITY);
    let wide: Vec<&Deciding> = deciding.iter().filter(|(_, over)| known(over) > wanted).collect();
    let within = percent(wanted);
    let worst = wide.iter().copied().reduce(|most, one| if known(&one.1) > known(&most.1) { one } else { most });
    let left = worst.map(|(name, over)| {
        let half = over.half_width().map_or("without an interval".to_owned(), percent);
        format!("{} of {} ratios are still wider than {within}, the widest {half}: {name}", wide.len(), deciding.len())
    });
    let why = match decide(auto, deciding, done) {
        LaunchDecision::Until(planned) => {
            format!("Ended after {done} launches, before the {planned} that were planned")
        }
        _ if deciding.is_empty() => format!("Stopped after {done} launches: nothing has a ratio"),
        // This may hold at the cap, too: intervals of ranks may be narrow where a launch far off makes the deviation
        // large.
        _ if left.is_none() => format!("Every state's ratios are known within {within} after {done} launches"),
        LaunchDecision::Most { needed } if needed <= MOST_TOLD => {
            format!("Stopped at the cap of {done} launches ({needed} would be needed)")
        }
        LaunchDecision::Most { .. } => {
            format!("Stopped at the cap of {done} launches (more than {MOST_TOLD} would be needed)")
        }
        LaunchDecision::Enough => format!("Stopped after {done} launches, the number that the first ones required"),
    };
    match left {
        Some(left) => format!("{why}: {left}."),
        None => format!("{why}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::CONFIDENCE;

    const AUTO: AutoLaunches = AutoLaunches { half_width: 0.10, confidence: 0.95, most: 20 };

    /// A ratio that goes up and down by a share from launch to launch.
    fn ratio(name: &str, launches: u32, share: f64) -> Deciding {
        let of = |launch: u32| (launch, (0.7 * (1.0 + share * (f64::from(launch * 7 % 5) - 2.0))).ln());
        (name.to_owned(), OverReference::from_logs((0..launches).map(of).collect(), CONFIDENCE).expect("launches"))
    }

    #[test]
    fn quiet_ratios_stop_at_five_launches_and_wide_ones_at_the_cap() {
        assert_eq!(decide(&AUTO, &[ratio("loop at 8 B", 4, 0.01)], 4), LaunchDecision::Until(5));
        let quiet = [ratio("loop at 8 B", 5, 0.01), ratio("loop at 16 B", 5, 0.002)];
        assert_eq!(decide(&AUTO, &quiet, 5), LaunchDecision::Enough);
        let LaunchDecision::Until(more) = decide(&AUTO, &[ratio("loop at 8 B", 5, 0.05)], 5) else { panic!("more") };
        assert!(more > 5 && more <= 20, "{more}");
        let wild = [ratio("loop at 8 B", 20, 0.2), ratio("loop at 16 B", 20, 0.01)];
        let capped = describe_launches(&AUTO, &wild, 20);
        assert!(capped.contains("loop at 8 B") && !capped.contains("loop at 16 B"), "{capped}");
        insta::assert_snapshot!(
            [describe_launches(&AUTO, &quiet, 5), capped, describe_launches(&AUTO, &wild, 3)].join("\n")
        );
    }

    #[test]
    fn a_launch_far_off_does_not_hide_that_all_is_known() {
        let mut far = ratio("loop at 8 B", 20, 0.01);
        far.1.of_launches[2].1 += 3.0;
        let far =
            [("loop at 8 B".to_owned(), OverReference::from_logs(far.1.of_launches, CONFIDENCE).expect("launches"))];
        assert!(matches!(decide(&AUTO, &far, 20), LaunchDecision::Most { needed } if needed > 1_000));
        insta::assert_snapshot!(describe_launches(&AUTO, &far, 20));
    }

    #[test]
    fn launches_that_come_later_do_not_change_what_was_decided() {
        let all = ratio("loop at 8 B", 20, 0.05);
        assert_eq!(decide(&AUTO, &[all], 5), decide(&AUTO, &[ratio("loop at 8 B", 5, 0.05)], 5));
    }

    #[test]
    fn without_ratios_it_stops_and_says_so() {
        assert_eq!(decide(&AUTO, &[], 2), LaunchDecision::Until(5));
        insta::assert_snapshot!(describe_launches(&AUTO, &[], 5));
    }
}

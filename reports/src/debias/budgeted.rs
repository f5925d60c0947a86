//! What a campaign of measured budgets lets expect of a call: a budget of the same length, or between those of the next
//! shorter and the next longer one. Nothing is said beyond the shortest and the longest.

use super::{Doubt, Expected, Pair, Source};
use crate::budget::{Budgets, CaseBudget};
use models::budget::{Budget, Configuration, Ground, SystematicError};
use models::collective::{Collective, Shape};
use models::machine::Estimate;
use models::observation::{Case, Implementation};

/// What is asked of a campaign of budgets.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    /// What was called.
    pub collective: Collective,
    /// On how much, by how many ranks, from which root.
    pub shape: Shape,
    /// By which of our algorithms; none: by the library's own call.
    pub algorithm: Option<&'a str>,
}

/// Whether a campaign's rounds hold the numbers of a configuration: its last one is run alike, whatever is made of what was
/// recorded.
pub fn is_run_alike(one: &Configuration, other: &Configuration, ground: Ground) -> bool {
    one.run(ground).is_like(&other.run(ground))
}

/// What measured budgets let expect; `None` where there is none of such a call, or none around its length.
pub fn expected(all: &Budgets, sought: &Sought) -> Option<Expected> {
    let mut found: Vec<(u64, &CaseBudget, &Budget)> = all
        .cases
        .iter()
        .filter(|case| !case.simulated && is_sought(&case.case, sought))
        .filter_map(|case| Some((case.case.bytes, case, &case.measured.as_ref()?.budget)))
        .filter(|(_, _, budget)| budget.from_us.value > 0.0 && budget.to_us.value > 0.0)
        .collect();
    found.sort_by_key(|(bytes, ..)| *bytes);
    let bytes = sought.shape.bytes;
    let shorter = found.iter().rev().find(|(at, ..)| *at <= bytes)?;
    let longer = found.iter().find(|(at, ..)| *at >= bytes)?;
    let doubtful =
        [shorter, longer].iter().any(|(_, case, _)| case.measured.as_ref().is_some_and(|of| of.oversubscribed));
    let doubts = doubtful.then_some(Doubt::Oversubscribed).into_iter().collect();
    if shorter.0 == longer.0 {
        let apart = vec![ends(shorter.2)];
        let budget = shorter.2.clone();
        return Some(Expected { source: Source::Measured, budget, together: Vec::new(), apart, doubts });
    }
    // Lengths double: what lies in the middle of 8 and 32 is 16. No bytes at all count as one.
    let ln = |bytes: u64| (bytes.max(1) as f64).ln();
    let share = (ln(bytes) - ln(shorter.0)) / (ln(longer.0) - ln(shorter.0)).max(f64::MIN_POSITIVE);
    let budget = between(shorter.2, longer.2, share);
    let (low, high) = (ends(shorter.2), ends(longer.2));
    let apart = vec![[0, 1].map(|end| pair_between(low[end], high[end], share))];
    Some(Expected { source: Source::Interpolated, budget, together: Vec::new(), apart, doubts })
}

fn is_sought(case: &Case, sought: &Sought) -> bool {
    let by = match (&case.implementation, sought.algorithm) {
        (Implementation::Own(name), Some(algorithm)) => name == algorithm,
        (Implementation::Library, None) => true,
        (Implementation::Own(_), None) | (Implementation::Library | Implementation::Forced(_), _) => false,
    };
    let root = !case.collective.is_rooted() || case.root == sought.shape.root;
    by && root && (case.collective, case.ranks) == (sought.collective, sought.shape.ranks) && case.call.is_plain()
}

/// Truth and print where the truth is as little, and as much, of the print as the intervals of both allow: independent,
/// so their relative reaches add up by squares.
fn ends(budget: &Budget) -> [Pair; 2] {
    let (truth, printed) = (budget.from_us, budget.to_us);
    let down = ((truth.value - truth.low) / truth.value).hypot((printed.high - printed.value) / printed.value);
    let up = ((truth.high - truth.value) / truth.value).hypot((printed.value - printed.low) / printed.value);
    let pair = |factor: f64| Pair { truth_us: truth.value * factor.max(0.0), printed_us: printed.value };
    [pair(1.0 - down), pair(1.0 + up)]
}

/// Times grow by factors: they are interpolated by their logarithms.
fn pair_between(one: Pair, other: Pair, share: f64) -> Pair {
    let between =
        |a: f64, b: f64| (a.max(f64::MIN_POSITIVE).ln() * (1.0 - share) + b.max(f64::MIN_POSITIVE).ln() * share).exp();
    Pair { truth_us: between(one.truth_us, other.truth_us), printed_us: between(one.printed_us, other.printed_us) }
}

/// Errors as shares of the print, which lie between those of the neighbours.
fn between(one: &Budget, other: &Budget, share: f64) -> Budget {
    let pair = |budget: &Budget| Pair { truth_us: budget.from_us.value, printed_us: budget.to_us.value };
    let Pair { truth_us, printed_us } = pair_between(pair(one), pair(other), share);
    let exactly = |us: f64| Estimate { value: us, low: us, high: us };
    let part = |budget: &Budget, error| budget.bar(error).map_or(0.0, |bar| bar.value) / budget.to_us.value;
    let there = |error: &SystematicError| one.bar(*error).or(other.bar(*error)).is_some();
    let bars: Vec<(SystematicError, Estimate)> = SystematicError::ALL
        .into_iter()
        .filter(there)
        .map(|error| (error, exactly(printed_us * (part(one, error) * (1.0 - share) + part(other, error) * share))))
        .collect();
    let explained: f64 = bars.iter().map(|(_, bar)| bar.value).sum();
    Budget {
        from_us: exactly(truth_us),
        bars,
        interaction: exactly(printed_us - truth_us - explained),
        to_us: exactly(printed_us),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Measured;
    use models::method::{Method, Preset};
    use models::observation::{Carrier, Conditions, World};

    fn exactly(us: f64) -> Estimate {
        Estimate { value: us, low: us, high: us }
    }

    fn case(bytes: u64, truth: f64, printed: f64) -> CaseBudget {
        let case = Case {
            world: World::Openmpi,
            carrier: Carrier::Native,
            ranks: 2,
            collective: Collective::Bcast,
            implementation: Implementation::Library,
            root: 0,
            bytes,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: models::call::Call::default(),
            method: Method::Window,
            repetitions: 10,
            conditions: Conditions::default(),
        };
        let budget = Budget {
            from_us: Estimate { value: truth, low: 0.9 * truth, high: 1.1 * truth },
            bars: vec![(SystematicError::OneRank, exactly(printed - truth))],
            interaction: exactly(0.0),
            to_us: exactly(printed),
        };
        let measured = Measured {
            ran_by: String::new(),
            rounds: 20,
            launches: 1,
            budget,
            unmeasured: Vec::new(),
            oversubscribed: false,
            unsure: Vec::new(),
        };
        CaseBudget { case, simulated: false, predicted: None, measured: Some(measured) }
    }

    fn found(bytes: u64, algorithm: Option<&str>) -> Option<Expected> {
        let (from, to) = (Configuration::truth(), Configuration::preset(Preset::Osu, None).unwrap());
        let cases = vec![case(8, 1.0, 0.5), case(32, 4.0, 3.0)];
        let all = Budgets { from, to, confidence: 0.95, cases };
        expected(&all, &Sought { collective: Collective::Bcast, shape: Shape::new(2, 0, bytes), algorithm })
    }

    #[test]
    fn a_budget_of_the_same_length_is_taken_as_it_is() {
        let at = found(8, None).unwrap();
        assert_eq!((at.source, at.best()), (Source::Measured, Pair { truth_us: 1.0, printed_us: 0.5 }));
        let [low, high] = at.apart[0];
        assert!((low.truth_us - 0.9).abs() < 1e-12 && (high.truth_us - 1.1).abs() < 1e-12);
    }

    #[test]
    fn between_two_lengths_times_lie_between_and_bars_add_up() {
        let at = found(16, None).unwrap();
        assert_eq!(at.source, Source::Interpolated);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(at.budget.from_us.value, 2.0);
        near(at.budget.to_us.value, 1.5f64.sqrt());
        let bars: f64 = at.budget.bars.iter().map(|(_, bar)| bar.value).sum();
        near(at.budget.from_us.value + bars + at.budget.interaction.value, at.budget.to_us.value);
    }

    #[test]
    fn nothing_is_said_beyond_the_ends_or_of_another_algorithm() {
        assert_eq!(found(7, None), None);
        assert_eq!(found(33, None), None);
        assert_eq!(found(16, Some("binomial")), None);
    }
}

//! Expectation of a call from a campaign of measured budgets: a budget of the same length, or an interpolation between
//! those of the next shorter and the next longer one. There is none beyond the shortest and the longest.

use super::{Doubt, Expected, Pair, Refusal, Source};
use crate::budget::{Budgets, CONFIDENCE, CaseBudget, Measured};
use calibration::states::States;
use models::call::{Call, Element};
use models::collective::{Collective, Shape};
use programs::budget::{Bar, Budget, Configuration};
use programs::machine::{CoreState, Estimate};
use programs::observation::{Carrier, Case, Implementation};
use statistics::{modes, next_launch};

/// A call for which measured budgets are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    /// Collective that was called.
    pub collective: Collective,
    /// Length, number of ranks and root of the call.
    pub shape: Shape,
    /// Name of Parallax's algorithm; `None` for the library's own call.
    pub algorithm: Option<&'a str>,
    /// State of the machine in which the call ran, where it is known.
    pub state: Option<CoreState>,
}

/// Whether a campaign's rounds hold the numbers of a configuration: its last configuration runs like it, whatever is
/// computed from the records.
pub fn is_run_alike(one: &Configuration, other: &Configuration, carrier: Carrier) -> bool {
    one.run(carrier).is_like(&other.run(carrier))
}

/// One measured budget, of one state of the machine.
type Found<'a> = (u64, &'a CaseBudget, &'a Measured);

/// Returns the expectation from measured budgets; `None` where there is none of such a call, or none around its length.
///
/// # Errors
/// Fails where the states of the machine are corrected differently and the text's state is unknown, where too few
/// launches met the state for an interval, and where the launches fall into two groups.
pub fn expected(all: &Budgets, sought: &Sought) -> Result<Option<Expected>, Refusal> {
    let mut found: Vec<Found> = all
        .cases
        .iter()
        .filter(|case| !case.simulated && is_sought(&case.case, sought) && is_in_state(case, sought))
        .filter_map(|case| Some((case.case.subject.bytes, case, case.measured.as_ref()?)))
        .filter(|(.., measured)| measured.budget.from_us.value > 0.0 && measured.budget.to_us.value > 0.0)
        .collect();
    // The sort is stable: of one length the most visited state stays first.
    found.sort_by_key(|(bytes, ..)| *bytes);
    let bytes = sought.shape.bytes;
    let Some(at_least) = found.iter().rev().map(|(at, ..)| *at).find(|at| *at <= bytes) else { return Ok(None) };
    let Some(shorter) = found.iter().find(|(at, ..)| *at == at_least) else { return Ok(None) };
    let Some(longer) = found.iter().find(|(at, ..)| *at >= bytes) else { return Ok(None) };
    for at in [shorter.0, longer.0] {
        states_agree(found.iter().filter(|(of, ..)| *of == at))?;
    }
    [shorter, longer].into_iter().try_for_each(has_one_answer)?;
    let doubtful = [shorter, longer].iter().any(|(.., measured)| measured.oversubscribed);
    let unequal = all.unequal_cores.then_some(Doubt::UnequalCores);
    let doubts: Vec<Doubt> = doubtful.then_some(Doubt::Oversubscribed).into_iter().chain(unequal).collect();
    if shorter.0 == longer.0 {
        let apart = vec![ends(shorter.2)];
        let budget = shorter.2.budget.clone();
        return Ok(Some(Expected { apart, doubts, ..Expected::new(Source::Measured, budget) }));
    }
    // Lengths double: 16 lies in the middle of 8 and 32. A length of 0 B counts as 1.
    let ln = |bytes: u64| (bytes.max(1) as f64).ln();
    let share = (ln(bytes) - ln(shorter.0)) / (ln(longer.0) - ln(shorter.0)).max(f64::MIN_POSITIVE);
    let budget = between(&shorter.2.budget, &longer.2.budget, share);
    let (low, high) = (ends(shorter.2), ends(longer.2));
    let apart = vec![[0, 1].map(|end| pair_between(low[end], high[end], share))];
    Ok(Some(Expected { apart, doubts, ..Expected::new(Source::Interpolated, budget) }))
}

/// Checks that the states of the machine have the same ratio within their intervals; otherwise the number has no
/// correction unless its state is given. States that too few launches met have no interval and do not count.
fn states_agree<'a>(states: impl Iterator<Item = &'a Found<'a>>) -> Result<(), Refusal> {
    let mut states = states.filter(|(.., measured)| measured.has_intervals());
    let Some((_, first, of_first)) = states.next() else { return Ok(()) };
    for (_, other, of_other) in states {
        let (Some(one), Some(two)) = (of_first.budget.ratio, of_other.budget.ratio) else { continue };
        if one.high < two.low || two.high < one.low {
            let told = |case: &CaseBudget, ratio: f64| {
                let state =
                    case.state.as_ref().map_or(String::new(), |state| format!(" where {}", States::words(state)));
                format!("×{ratio:.2}{state}")
            };
            return Err(Refusal::StatesDiffer(format!("{}, {}", told(first, one.value), told(other, two.value))));
        }
    }
    Ok(())
}

/// Checks that the launches of a budget have an interval, and form one group.
fn has_one_answer((_, case, measured): &Found) -> Result<(), Refusal> {
    let state = case.state.as_ref().map(States::words);
    if !measured.has_intervals() {
        return Err(Refusal::TooFewLaunches { launches: measured.launches, state });
    }
    let Some(found) = modes(&measured.ln_ratios) else { return Ok(()) };
    let told = found.modes.map(|mode| format!("×{:.2} in {} launches", mode.median.exp(), mode.launches));
    Err(Refusal::TwoGroups(told.join(", ")))
}

/// True unless it was measured in another state than the one that is sought.
fn is_in_state(case: &CaseBudget, sought: &Sought) -> bool {
    match (sought.state, case.state) {
        (Some(wanted), Some(state)) => state.cores().is_like(&wanted),
        (None, _) | (_, None) => true,
    }
}

fn is_sought(case: &Case, sought: &Sought) -> bool {
    let by = match (&case.subject.implementation, sought.algorithm) {
        (Implementation::Own(name), Some(algorithm)) => name == algorithm,
        (Implementation::Library, None) => true,
        (Implementation::Own(_), None) => false,
        (
            Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) | Implementation::Shared(_),
            _,
        ) => false,
    };
    // Reductions are of the benchmark's own elements.
    let plain = Call { element: Element::default(), ..case.subject.call }.is_plain();
    let root = !case.subject.collective.is_rooted() || case.subject.root == sought.shape.root;
    by && root && (case.subject.collective, case.place.ranks) == (sought.collective, sought.shape.ranks) && plain
}

/// Returns reference and printed number at both ends of the prediction interval of the ratio for one more launch: a
/// text comes from a launch of its own. Where the launches are too few for it, the ends are those of both intervals,
/// which are taken for independent, so that their relative reaches add up by squares.
fn ends(measured: &Measured) -> [Pair; 2] {
    let budget = &measured.budget;
    let (truth, printed) = (budget.from_us, budget.to_us);
    if let Some(next) = next_launch(&measured.ln_ratios, CONFIDENCE) {
        let pair = |ln_ratio: f64| Pair { reference_us: printed.value / ln_ratio.exp(), printed_us: printed.value };
        return [pair(next.high), pair(next.low)];
    }
    let down = ((truth.value - truth.low) / truth.value).hypot((printed.high - printed.value) / printed.value);
    let up = ((truth.high - truth.value) / truth.value).hypot((printed.value - printed.low) / printed.value);
    let pair = |factor: f64| Pair { reference_us: truth.value * factor.max(0.0), printed_us: printed.value };
    [pair(1.0 - down), pair(1.0 + up)]
}

/// Times grow by factors: they are interpolated by their logarithms.
fn pair_between(one: Pair, other: Pair, share: f64) -> Pair {
    let between =
        |a: f64, b: f64| (a.max(f64::MIN_POSITIVE).ln() * (1.0 - share) + b.max(f64::MIN_POSITIVE).ln() * share).exp();
    Pair {
        reference_us: between(one.reference_us, other.reference_us),
        printed_us: between(one.printed_us, other.printed_us),
    }
}

/// Interpolates a budget. Errors are shares of the printed number, which lie between those of the neighbours.
fn between(one: &Budget, other: &Budget, share: f64) -> Budget {
    let pair = |budget: &Budget| Pair { reference_us: budget.from_us.value, printed_us: budget.to_us.value };
    let Pair { reference_us, printed_us } = pair_between(pair(one), pair(other), share);
    let part =
        |budget: &Budget, bar: &Bar| budget.bar(bar.errors[0]).map_or(0.0, |bar| bar.us.value) / budget.to_us.value;
    let mixed = |bar: &Bar| {
        let us = printed_us * (part(one, bar) * (1.0 - share) + part(other, bar) * share);
        Bar { errors: bar.errors.clone(), us: Estimate::exactly(us), factor: None }
    };
    let bars: Vec<Bar> = one.bars.iter().map(mixed).collect();
    let explained: f64 = bars.iter().map(|bar| bar.us.value).sum();
    let left = Estimate::exactly(printed_us - reference_us - explained);
    Budget {
        from_us: Estimate::exactly(reference_us),
        bars,
        remainder: Bar { errors: Vec::new(), us: left, factor: None },
        to_us: Estimate::exactly(printed_us),
        ratio: Some(Estimate::exactly(printed_us / reference_us)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::fixture;
    use programs::budget::SystematicError;
    use programs::method::{Buffer, Method, Preset};
    use programs::observation::Carrier;
    use statistics::LaunchCount;

    fn exactly(us: f64) -> Estimate {
        Estimate { value: us, low: us, high: us }
    }

    fn case(bytes: u64, truth: f64, printed: f64) -> CaseBudget {
        let case = fixture::case(Carrier::Native, 2, "", Method::Window).with(|case| {
            case.subject.implementation = Implementation::Library;
            case.subject.bytes = bytes;
        });
        let budget = Budget {
            from_us: Estimate { value: truth, low: 0.9 * truth, high: 1.1 * truth },
            bars: vec![Bar { errors: vec![SystematicError::OneRank], us: exactly(printed - truth), factor: None }],
            remainder: Bar { errors: Vec::new(), us: exactly(0.0), factor: None },
            to_us: exactly(printed),
            ratio: Some(Estimate { value: printed / truth, low: 0.9 * printed / truth, high: 1.1 * printed / truth }),
        };
        let measured = Measured {
            ran_by: String::new(),
            rounds: 20,
            launches: 6,
            count: LaunchCount::Enough,
            ln_ratios: Vec::new(),
            budget,
            unmeasured: Vec::new(),
            oversubscribed: false,
            unsure: Vec::new(),
            benchmarks_clock: Vec::new(),
        };
        CaseBudget { case, simulated: false, state: None, predicted: None, measured: Some(measured) }
    }

    fn found(bytes: u64, algorithm: Option<&str>) -> Option<Expected> {
        let all = budgets(vec![case(8, 1.0, 0.5), case(32, 4.0, 3.0)]);
        expected(&all, &Sought { algorithm, ..bcast(bytes) }).unwrap()
    }

    fn budgets(cases: Vec<CaseBudget>) -> Budgets {
        let (from, to) = (Configuration::reference(Buffer::Touched), Configuration::preset(Preset::Osu, None).unwrap());
        let environment = Vec::new();
        Budgets {
            from,
            to,
            confidence: 0.95,
            environment,
            cases,
            checked: Vec::new(),
            load: None,
            unequal_cores: false,
        }
    }

    fn bcast(bytes: u64) -> Sought<'static> {
        Sought { collective: Collective::Bcast, shape: Shape::new(2, 0, bytes), algorithm: None, state: None }
    }

    #[test]
    fn a_budget_of_the_same_length_is_taken_as_it_is() {
        let at = found(8, None).unwrap();
        assert_eq!((at.source, at.best()), (Source::Measured, Pair { reference_us: 1.0, printed_us: 0.5 }));
        let [low, high] = at.apart[0];
        assert!((low.reference_us - 0.9).abs() < 1e-12 && (high.reference_us - 1.1).abs() < 1e-12);
    }

    #[test]
    fn between_two_lengths_times_lie_between_and_bars_add_up() {
        let at = found(16, None).unwrap();
        assert_eq!(at.source, Source::Interpolated);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(at.budget.from_us.value, 2.0);
        near(at.budget.to_us.value, 1.5f64.sqrt());
        let bars: f64 = at.budget.bars.iter().map(|bar| bar.us.value).sum();
        near(at.budget.from_us.value + bars + at.budget.remainder.us.value, at.budget.to_us.value);
    }

    #[test]
    fn nothing_is_said_beyond_the_ends_or_of_another_algorithm() {
        assert_eq!(found(7, None), None);
        assert_eq!(found(33, None), None);
        assert_eq!(found(16, Some("binomial")), None);
    }

    fn in_state(line_ns: f64, truth: f64, printed: f64) -> CaseBudget {
        let state = calibration::states::MetState {
            line_ns,
            work_ns: 600.0,
            slower: 1.0,
            stretches: 30,
            visits: 2,
            launches: 6,
        };
        CaseBudget { state: Some(state), ..case(8, truth, printed) }
    }

    #[test]
    fn states_that_are_corrected_differently_are_refused_and_others_are_not() {
        let sought = |line_ns: Option<f64>| {
            let state = line_ns.map(|line_ns| CoreState { line_ns, work_ns: None });
            Sought { state, ..bcast(8) }
        };
        let of = |cases| expected(&budgets(cases), &sought(None));
        let alike = of(vec![in_state(30.0, 1.0, 0.5), in_state(160.0, 2.0, 1.05)]).unwrap().expect("alike");
        assert_eq!(alike.best().reference_us, 1.0, "the most visited state");
        let refused = of(vec![in_state(30.0, 1.0, 0.5), in_state(160.0, 2.0, 2.0)]).unwrap_err();
        let words = "×0.50 where a cache line takes 30 ns between neighbours, ×1.00 where a cache line takes 160 ns between neighbours";
        assert_eq!(refused, Refusal::StatesDiffer(words.to_owned()));
        let both = || vec![in_state(30.0, 1.0, 0.5), in_state(160.0, 2.0, 2.0)];
        for (line_ns, truth) in [(35.0, 1.0), (200.0, 2.0)] {
            let known = expected(&budgets(both()), &sought(Some(line_ns))).unwrap().expect("a state");
            assert_eq!(known.best().reference_us, truth);
        }
        assert_eq!(expected(&budgets(both()), &sought(Some(80.0))), Ok(None), "no such state");
        let mut rare = both();
        rare[1].measured.as_mut().unwrap().count = LaunchCount::TooFew;
        assert!(of(rare).is_ok(), "what one launch met has no say");
    }

    #[test]
    fn few_launches_and_two_groups_of_them_are_no_answer() {
        let of = |launches: &[f64], count: LaunchCount| {
            let mut one = in_state(30.0, 1.0, 0.5);
            let measured = one.measured.as_mut().unwrap();
            measured.ln_ratios = launches.iter().map(|ratio| ratio.ln()).collect();
            (measured.count, measured.launches) = (count, launches.len());
            expected(&budgets(vec![one]), &bcast(8))
        };
        let state = Some("a cache line takes 30 ns between neighbours".to_owned());
        assert_eq!(of(&[0.5, 0.5, 0.6], LaunchCount::TooFew), Err(Refusal::TooFewLaunches { launches: 3, state }));
        assert!(of(&[0.5, 0.51, 0.49, 0.52, 0.48, 0.5], LaunchCount::Enough).is_ok());
        let groups = [0.5, 0.501, 0.499, 0.502, 0.498, 0.9, 0.901, 0.899, 0.902, 0.898];
        let refused = of(&groups, LaunchCount::Enough);
        assert_eq!(refused, Err(Refusal::TwoGroups("×0.50 in 5 launches, ×0.90 in 5 launches".to_owned())));
    }

    #[test]
    fn a_text_is_one_more_launch() {
        let mut one = case(8, 1.0, 0.5);
        let measured = one.measured.as_mut().unwrap();
        measured.ln_ratios = [-0.1, 0.1, -0.1, 0.1, -0.1, 0.1].map(|apart| 0.5_f64.ln() + apart).to_vec();
        let [low, high] = ends(measured);
        // t of 5 degrees of freedom 2.571, s 0.1095, and the square root of 7/6.
        let reach = 2.5706 * 0.109_545 * (7.0_f64 / 6.0).sqrt();
        assert!((low.reference_us.ln() + reach).abs() < 1e-4 && (high.reference_us.ln() - reach).abs() < 1e-4);
    }
}

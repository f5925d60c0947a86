use super::*;
use crate::aggregation::{First, OverRanks, OverRepetitions};
use crate::clock::{GlobalClock, Ticks, Timescale};
use crate::machine::Estimate;
use crate::method::{Buffer, FirstCall, Method, Preset, RootChoice};
use crate::observation::{Carrier, RankRecord, Stamp};
use crate::sync::Sync;
use crate::time::Span;

fn parsed(text: &str) -> Configuration {
    Configuration::parse(text).unwrap_or_else(|message| panic!("{text}: {message}"))
}

fn osu() -> Configuration {
    Configuration::preset(Preset::Osu, None).unwrap()
}

#[test]
fn everything_wrong_differs_from_the_truth_in_every_error() {
    let (truth, worst) = (Configuration::truth(), Configuration::worst());
    assert_eq!(Configuration::differences(&truth, &worst), SystematicError::ALL);
    for error in SystematicError::ALL {
        let one = truth.with(error, &worst);
        assert_eq!(Configuration::differences(&truth, &one), [error], "one value alone");
        let back = worst.with(error, &truth);
        assert_eq!(Configuration::differences(&back, &worst), [error]);
        assert_eq!(SystematicError::find(error.label()), Ok(error));
        assert_eq!(SystematicError::find(error.name()), Ok(error));
    }
    assert!(SystematicError::find("E10").unwrap_err().ends_with("E9 barrier-inside"));
}

#[test]
fn errors_accumulate_in_their_documented_order() {
    let (truth, worst) = (Configuration::truth(), Configuration::worst());
    let steps = truth.cumulative(&[SystematicError::IdleGap, SystematicError::OneRank], &worst);
    let errors: Vec<SystematicError> = steps.iter().map(|(error, _)| *error).collect();
    assert_eq!(errors, [SystematicError::OneRank, SystematicError::IdleGap]);
    assert_eq!(Configuration::differences(&truth, &steps[1].1), errors, "the one before stays on");
    let all = truth.cumulative(&SystematicError::ALL, &worst);
    assert!(all[8].1.is_like(&worst));
}

#[test]
fn benchmarks_differ_from_the_truth_by_what_they_are_known_for() {
    let truth = Configuration::truth();
    let labels = |to: &Configuration| {
        let errors = Configuration::differences(&truth, to);
        errors.into_iter().map(SystematicError::label).collect::<Vec<_>>().join(" ")
    };
    let of = |preset| labels(&Configuration::preset(preset, None).unwrap());
    assert_eq!(of(Preset::Osu), "E2 E4 E5 E7");
    assert_eq!(of(Preset::Imb), of(Preset::Osu));
    assert_eq!(of(Preset::Mpptest), "E2 E3 E4 E6 E7");
    assert_eq!(of(Preset::Skampi), "E2 E4 E7 E8");
    assert_eq!(of(Preset::Mpiperf), "E2 E4 E7 E8");
    assert_eq!(of(Preset::Reprompi), "E1 E2 E4 E7 E8");
    assert_eq!(labels(&Configuration::by_method(Method::Loop).unwrap()), "E4 E6 E7", "no barrier before each call");
    assert_eq!(labels(&Configuration::by_method(Method::BarrierInside).unwrap()), "E4 E6 E7 E9");
    assert!(Configuration::differences(&osu(), &Configuration::preset(Preset::Imb, None).unwrap()).is_empty());
}

#[test]
fn a_configuration_times_calls_as_the_benchmark_does() {
    let base = crate::method::MethodSettings {
        method: Method::Window,
        repetitions: 7,
        blocks: 3,
        warmup: 1,
        barrier: crate::observation::Implementation::Library,
        sync: Sync::Ring,
        window: Default::default(),
        round_time: Default::default(),
        factors: Default::default(),
    };
    for preset in Preset::ALL {
        let mut by_preset = preset.settings(&base);
        let by_configuration = Configuration::preset(preset, None).unwrap().settings(&base);
        // A loop of rotating roots is method `root-rotation`; counts and synchronisation are no part of a preset.
        if by_preset.method == Method::RootRotation {
            by_preset.method = Method::Loop;
        }
        by_preset.round_time.starts = 21;
        by_preset.sync = by_configuration.sync;
        assert_eq!(by_configuration, by_preset, "{preset}");
    }
    let fixed = parsed("window=2ms").settings(&base);
    assert_eq!(
        (fixed.method, fixed.window.floor, fixed.window.cap),
        (Method::Window, Span::from_ms(2), Span::from_ms(2))
    );
    assert_eq!(parsed("barrier-subtract").settings(&base).method, Method::BarrierSubtract);
    assert_eq!(parsed("barrier-own").settings(&base).method, Method::BarrierOwn);
    assert_eq!((osu().settings(&base).sync, parsed("reprompi").settings(&base).sync), (Sync::Ring, Sync::Hca3));
}

#[test]
fn a_configuration_is_a_name_and_what_is_otherwise() {
    assert!(parsed("truth").is_like(&Configuration::truth()));
    assert!(parsed("osu").is_like(&osu()));
    let columns = [("imb:t_max", OverRanks::Max), ("imb:min", OverRanks::Min), ("osu:avg", OverRanks::Mean)];
    for (text, ranks) in columns {
        assert_eq!(parsed(text).aggregation.ranks, ranks, "{text}");
    }
    assert_eq!(parsed("reprompi:median").aggregation.repetitions, OverRepetitions::Median);
    let switched = parsed("loop, root=rotating,buffer=same,aggregation=rank-zero,first=repetitions");
    assert_eq!(switched.name, "loop,root=rotating,buffer=same,aggregation=rank-zero,first=repetitions");
    assert_eq!((switched.repeats, switched.root, switched.buffer), (Repeats::Loop, RootChoice::Rotating, Buffer::Same));
    assert_eq!((switched.aggregation.ranks, switched.aggregation.first), (OverRanks::RankZero, First::Repetitions));
    let labels = parsed("E5,barrier-inside");
    let expected = [SystematicError::BarrierSkew, SystematicError::BarrierInside];
    assert_eq!(Configuration::differences(&Configuration::truth(), &labels), expected);
    assert_eq!(parsed("osu,first-call=included").first_call, FirstCall::Included);
    assert_eq!(parsed("sync=hca3").clocks, Clocks::AsTheyAre { sync: Some(Sync::Hca3) });
}

#[test]
fn what_is_not_understood_is_refused_with_what_is_known() {
    for (text, expected) in [
        ("netpipe", "unknown configuration 'netpipe'; known first: truth, imb, "),
        ("", "unknown configuration ''; known first: truth"),
        ("osu,", "unknown configuration ''"),
        ("loop-trace", "unknown configuration 'loop-trace'"),
        ("osu:t_avg", "OSU prints no column 't_avg'; known: Avg Latency(us), Min Latency(us), Max Latency(us)"),
        ("osu:", "OSU prints no column ''"),
        ("truth,root=3", "root: expected fixed or rotating, found '3'"),
        ("colour=red", "unknown switch 'colour'; known: first-call, aggregation"),
        ("window=2", "window: "),
        ("sync=ntp", "unknown clock synchronisation 'ntp'"),
        ("barrier-inside=maybe", "barrier-inside: expected no or yes, found 'maybe'"),
    ] {
        let message = Configuration::parse(text).unwrap_err();
        assert!(message.starts_with(expected), "{text}: {message}");
    }
}

#[test]
fn bars_and_interaction_add_up_to_the_picosecond() {
    let (truth, osu) = (Configuration::truth(), osu());
    // E2, E4, E5, E7, and the whole; thirds of a picosecond are rounded where they come from, not where they are added.
    let numbers = [10.0, 7.5, 9.0 + 1.0 / 3e6, 12.25, 10.000_001, 9.1];
    assert_eq!(Budget::configurations(&truth, &osu).len(), numbers.len());
    let budget = Budget::of(&truth, &osu, &numbers).unwrap();
    let ps = |estimate: Estimate| (estimate.value * 1e6).round() as i64;
    let bars: Vec<i64> = budget.bars.iter().map(|(_, bar)| ps(*bar)).collect();
    assert_eq!(bars, [-2_500_000, -1_000_000, 2_250_000, 1]);
    assert_eq!(ps(budget.from_us) + bars.iter().sum::<i64>() + ps(budget.interaction), ps(budget.to_us));
    assert_eq!(ps(budget.interaction), 350_000 - 1);
    assert_eq!(budget.largest().unwrap().0, SystematicError::OneRank);
    assert_eq!(budget.bar(SystematicError::BarrierInside), None, "both leave it out");
    assert_eq!(Budget::of(&truth, &osu, &numbers[..4]), None);
}

#[test]
fn a_single_difference_leaves_no_interaction() {
    let (truth, looped) = (Configuration::truth(), parsed("E6"));
    assert_eq!(Budget::configurations(&truth, &looped).len(), 2);
    let budget = Budget::of(&truth, &looped, &[10.0, 25.0]).unwrap();
    assert_eq!((budget.interaction.value, budget.to_us.value, budget.bars[0].1.value), (0.0, 25.0, 15.0));
    let nothing = Budget::of(&truth, &truth, &[10.0]).unwrap();
    assert!(nothing.bars.is_empty() && nothing.largest().is_none());
}

#[test]
fn intervals_span_those_of_other_parameters() {
    let (truth, inside) = (Configuration::truth(), parsed("E9"));
    let of = |numbers: [f64; 2]| Budget::of(&truth, &inside, &numbers).unwrap();
    let budget = of([10.0, 14.0]).spanning(&[of([9.0, 12.0]), of([11.0, 17.0])]);
    assert_eq!(budget.bars[0].1, Estimate { value: 4.0, low: 3.0, high: 6.0 });
    assert_eq!(budget.to_us, Estimate { value: 14.0, low: 12.0, high: 17.0 });
}

const NATIVE: Ground = Ground { carrier: Carrier::Native, other_clock: true };
const EMULATED: Ground = Ground { carrier: Carrier::Emulated, other_clock: false };

#[test]
fn what_was_recorded_once_serves_every_aggregation_and_the_first_call() {
    let (truth, worst) = (Configuration::truth(), Configuration::worst());
    let same = [SystematicError::OneRank, SystematicError::LateInitialisation];
    for error in SystematicError::ALL {
        let shared = truth.run(NATIVE).is_like(&truth.with(error, &worst).run(NATIVE));
        assert_eq!(shared, same.contains(&error), "{error}");
    }
    // The truth with E4, E5 and E7, and all of them.
    let all = Budget::configurations(&truth, &osu());
    assert_eq!((all.len(), Configuration::runs(&all, NATIVE).len()), (6, 5));
    assert_eq!(Configuration::runs(&all, EMULATED).len(), 4, "one clock: E7 is no run of its own");
    assert_eq!(truth.run(NATIVE).method(), Method::Window, "short windows leave ranks idle least");
    assert_eq!(truth.run(EMULATED).method(), Method::RoundTime);
    let rooted = parsed("mpptest");
    assert_eq!((rooted.rooted(true).root, rooted.rooted(false).root), (RootChoice::Rotating, RootChoice::Fixed));
}

#[test]
fn what_real_ranks_cannot_switch_is_said() {
    let truth = Configuration::truth();
    let why = |error, to: &str, ground| not_measurable(error, &truth, &parsed(to), ground);
    assert_eq!(why(SystematicError::BadClock, "osu", NATIVE), None);
    assert_eq!(why(SystematicError::BadClock, "osu", EMULATED), Some("ranks read the same clock in both"));
    assert_eq!(why(SystematicError::BadClock, "skampi", EMULATED), None, "another synchronisation");
    assert_eq!(why(SystematicError::IdleGap, "window=2ms", NATIVE), None);
    assert_eq!(why(SystematicError::IdleGap, "window", NATIVE), Some("ranks wait alike in both"));
    assert!(why(SystematicError::IdleGap, "window=2ms", EMULATED).is_some());
    assert!(why(SystematicError::BufferReuse, "osu", EMULATED).is_some());
    assert_eq!(why(SystematicError::BufferReuse, "osu", NATIVE), None);
}

#[test]
fn a_first_call_that_is_counted_weighs_as_the_benchmark_weighs_it() {
    let stamp = |block, calls, ticks: u64| Stamp {
        block,
        calls,
        due: None,
        start: Ticks(100),
        end: Ticks(100 + ticks),
        valid: true,
    };
    let fresh = [stamp(0, 1, 5_000_000)];
    let record = |stamps| [RankRecord::new(0, GlobalClock::reference(Timescale::PICOSECONDS), stamps)];
    let included = parsed("first-call=included");
    let number = |configuration: &Configuration, ranks: &[RankRecord]| configuration.number_us(ranks, &fresh).unwrap();
    // Four calls of 1 µs each, of which the first is one of 5 µs: 8 µs / 4.
    let apart = record((0..4).map(|block| stamp(block, 1, 1_000_000)).collect());
    assert_eq!((number(&Configuration::truth(), &apart), number(&included, &apart)), (1.0, 2.0));
    // Two loops of two calls: as much.
    let looped = record((0..2).map(|block| stamp(block, 2, 2_000_000)).collect());
    assert_eq!((number(&Configuration::truth(), &looped), number(&included, &looped)), (1.0, 2.0));
    // The median does not see it; what is not valid is not counted.
    assert_eq!(number(&parsed("first-call=included,repetitions=median"), &apart), 1.0);
    let mut late = apart.clone();
    late[0].stamps[0].valid = false;
    assert_eq!(number(&included, &late), (5.0 + 1.0 + 1.0) / 3.0);
    late[0].stamps.iter_mut().for_each(|stamp| stamp.valid = false);
    assert_eq!((included.number_us(&late, &fresh), included.number_us(&[], &[])), (None, None));
}

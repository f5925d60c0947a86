use super::*;
use crate::aggregation::{First, OverRanks, OverSamples};
use crate::machine::Estimate;
use crate::method::{Buffer, FirstCall, Method, OneDelay, Preset, RootChoice, StopRule};
use crate::observation::{Carrier, RankRecord, Stamp};
use crate::sync::Sync;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::time::Span;

fn parsed(text: &str) -> Configuration {
    Configuration::parse(text).unwrap_or_else(|message| panic!("{text}: {message}"))
}

fn osu() -> Configuration {
    Configuration::preset(Preset::Osu, None).unwrap()
}

#[test]
fn everything_wrong_differs_from_the_truth_in_every_error() {
    let (truth, worst) = (Configuration::perfect(), Configuration::worst());
    assert_eq!(Configuration::differences(&truth, &worst), SystematicError::ALL);
    for error in SystematicError::ALL {
        let one = truth.with(error, &worst);
        assert_eq!(Configuration::differences(&truth, &one), [error], "one value alone");
        let back = worst.with(error, &truth);
        assert_eq!(Configuration::differences(&back, &worst), [error]);
        assert_eq!(SystematicError::find(error.label()), Ok(error));
        assert_eq!(SystematicError::find(error.name()), Ok(error));
    }
    assert!(SystematicError::find("E11").unwrap_err().ends_with("E10 kept-skew"));
}

#[test]
fn errors_accumulate_in_their_documented_order() {
    let (truth, worst) = (Configuration::perfect(), Configuration::worst());
    let steps = truth.cumulative(&[SystematicError::IdleGap, SystematicError::OneRank], &worst);
    let errors: Vec<SystematicError> = steps.iter().map(|(error, _)| *error).collect();
    assert_eq!(errors, [SystematicError::OneRank, SystematicError::IdleGap]);
    assert_eq!(Configuration::differences(&truth, &steps[1].1), errors, "the one before stays on");
    let all = truth.cumulative(&SystematicError::ALL, &worst);
    assert!(all[9].1.is_like(&worst));
}

#[test]
fn benchmarks_differ_from_the_truth_by_what_they_are_known_for() {
    let truth = Configuration::reference(Buffer::Touched);
    let labels = |to: &Configuration| {
        let errors = Configuration::differences(&truth, to);
        errors.into_iter().map(SystematicError::label).collect::<Vec<_>>().join(" ")
    };
    let of = |preset| labels(&Configuration::preset(preset, None).unwrap());
    assert_eq!(of(Preset::Osu), "E2 E4 E5 E7");
    assert_eq!(of(Preset::Imb), of(Preset::Osu));
    assert_eq!(of(Preset::Pico), "E1 E2 E4 E5 E7 E10", "of each call the slowest rank, from its own start");
    assert_eq!(of(Preset::Mpptest), "E2 E3 E4 E6 E7");
    assert_eq!(of(Preset::Skampi), "E2 E4 E7 E8");
    assert_eq!(of(Preset::Mpiperf), "E2 E4 E7 E8");
    assert_eq!(of(Preset::MpiperfPaper), "E2 E4 E7 E8");
    assert_eq!(of(Preset::Imb3), "E2 E3 E4 E6 E7");
    assert_eq!(of(Preset::Mpibench), "E2 E4 E6 E7 E9");
    assert_eq!(of(Preset::NcclTests), "E2 E4 E6 E7", "its buffers change, which is no touching");
    assert_eq!(of(Preset::Reprompi), "E1 E2 E4 E7 E8");
    assert_eq!(labels(&Configuration::by_method(Method::Loop).unwrap()), "E4 E6 E7", "no barrier before each call");
    assert_eq!(labels(&Configuration::by_method(Method::BarrierInside).unwrap()), "E4 E6 E7 E9");
    assert!(Configuration::differences(&osu(), &Configuration::preset(Preset::Imb, None).unwrap()).is_empty());
}

#[test]
fn a_configuration_times_calls_as_the_benchmark_does() {
    let base = crate::method::MethodSettings {
        method: Method::Window,
        calls: 7,
        samples: 3,
        warmup: 1,
        barrier: crate::observation::Implementation::Library,
        sync: Sync::Ring,
        window: Default::default(),
        round_time: Default::default(),
        factors: Default::default(),
    };
    let of = |preset| Configuration::preset(preset, None).unwrap().settings(&base);
    let methods = [Preset::Imb, Preset::Pico, Preset::Mpptest, Preset::Skampi, Preset::Mpiperf, Preset::Reprompi];
    let methods = methods.map(|preset| of(preset).method);
    let (barriers, windows) = (Method::BarrierLoop, Method::Window);
    assert_eq!(methods, [barriers, barriers, Method::Loop, windows, windows, Method::RoundTime]);
    let loops = [Preset::Imb3, Preset::Mpibench, Preset::NcclTests].map(|preset| of(preset).method);
    assert_eq!((loops, of(Preset::MpiperfPaper).method), ([Method::Loop; 3], windows));
    for preset in Preset::ALL {
        let settings = of(preset);
        assert_eq!((settings.calls, settings.samples, settings.round_time.starts), (7, 3, 21), "{preset}");
        assert_eq!(settings.factors.aggregation, preset.columns()[0].aggregation, "{preset}: the first column");
        let buffer = if preset == Preset::NcclTests { Buffer::Pool } else { Buffer::Same };
        assert_eq!(settings.factors.buffer, buffer, "{preset}");
        assert_eq!(settings.factors.barrier_inside, preset == Preset::Mpibench, "{preset}");
        let rotates = settings.factors.root == RootChoice::Rotating;
        assert_eq!(rotates, [Preset::Mpptest, Preset::Imb3].contains(&preset), "{preset}");
        let counts_first = [Preset::Reprompi, Preset::Pico].contains(&preset);
        assert_eq!(settings.factors.first_call == FirstCall::Included, counts_first, "{preset}");
    }
    assert_eq!((of(Preset::Skampi).window.first_starts, of(Preset::Skampi).window.stage_starts), (4, 8));
    assert_eq!(of(Preset::Reprompi).round_time.announcements, 10);
    let stop = |preset| of(preset).window.stop;
    assert_eq!(stop(Preset::MpiperfPaper), StopRule::Counts { starts: 100, valid: 30 });
    assert_eq!(stop(Preset::Mpiperf), StopRule::Counts { starts: 400, valid: 100 });
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
    assert!(parsed("reference").is_like(&Configuration::reference(Buffer::Touched)));
    assert!(parsed("osu").is_like(&osu()));
    let columns = [
        ("imb:t_max", OverRanks::Max),
        ("imb:min", OverRanks::Min),
        ("osu:avg", OverRanks::Mean),
        ("osu:max", OverRanks::Max),
    ];
    for (text, ranks) in columns {
        assert_eq!(parsed(text).aggregation.ranks, ranks, "{text}");
    }
    assert_eq!(parsed("reprompi:median").aggregation.samples, OverSamples::Median);
    let of_pico =
        ["pico", "pico:median", "pico:mean", "pico:min", "pico:max"].map(|text| parsed(text).aggregation.samples);
    let expected = [OverSamples::Median, OverSamples::Median, OverSamples::Mean, OverSamples::Min, OverSamples::Max];
    assert_eq!(of_pico, expected);
    assert_eq!(parsed("pico").aggregation.first, First::Ranks, "the greatest over ranks of each call");
    let switched = parsed("loop, root=rotating,buffer=same,aggregation=rank-zero,first=samples");
    assert_eq!(switched.name, "loop,root=rotating,buffer=same,aggregation=rank-zero,first=samples");
    assert_eq!((switched.repeats, switched.root, switched.buffer), (Repeats::Loop, RootChoice::Rotating, Buffer::Same));
    assert_eq!((switched.aggregation.ranks, switched.aggregation.first), (OverRanks::RankZero, First::Samples));
    let labels = parsed("E5,barrier-inside");
    let expected = [SystematicError::BarrierSkew, SystematicError::BarrierInside];
    assert_eq!(Configuration::differences(&Configuration::reference(Buffer::Touched), &labels), expected);
    let delays = ["osu", "pico", "osu,E10", "osu,delay=12us@5", "pico,delay=none"].map(|text| parsed(text).delay);
    let given = OneDelay { duration: Some(Span::from_us(12)), rank: Some(5) };
    let usual = Some(OneDelay::default());
    assert_eq!(delays, [None, usual, usual, Some(given), None]);
    assert_eq!(parsed("osu,first-call=included").first_call, FirstCall::Included);
    assert_eq!(parsed("sync=hca3").clocks, Clocks::AsTheyAre { sync: Some(Sync::Hca3) });
}

#[test]
fn what_is_not_understood_is_refused_with_what_is_known() {
    let texts = [
        "netpipe",
        "",
        "osu,",
        "loop-trace",
        "osu:t_avg",
        "osu:",
        "reference,root=3",
        "colour=red",
        "window=2",
        "sync=ntp",
        "barrier-inside=maybe",
        "osu,delay=12",
    ];
    let said = texts.map(|text| format!("{text:?}\n  → {}", Configuration::parse(text).unwrap_err()));
    insta::assert_snapshot!(said.join("\n"));
}

fn ps(us: f64) -> i64 {
    (us * 1e6).round() as i64
}

/// Every number of a budget, added up in picoseconds.
fn sum(budget: &Budget) -> i64 {
    let bars = budget.bars.iter().chain([&budget.remainder]).map(|bar| ps(bar.us.value));
    ps(budget.from_us.value) + bars.sum::<i64>()
}

#[test]
fn a_design_is_a_factorial_of_what_is_switched_and_then_what_is_computed() {
    let reference = Configuration::reference(Buffer::Touched);
    let labels = |to: &str| {
        let design = Design::between(&reference, &parsed(to));
        let labels = |errors: Vec<SystematicError>| errors.iter().map(|e| e.label()).collect::<Vec<_>>().join("+");
        let bars: Vec<String> = design.errors().into_iter().map(labels).collect();
        (bars.join(" "), design.cells.len())
    };
    assert_eq!(labels("osu"), ("E5 E4 E2 E7".to_owned(), 4 + 2));
    assert_eq!(
        labels("osu,E10"),
        ("E5 E4 E10 E2 E7".to_owned(), 4 + 3),
        "a barrier's skew, then what one delay makes of it"
    );
    assert_eq!(labels("osu,root=rotating"), ("E5 E4 E3 E2 E7".to_owned(), 8 + 2));
    // A loop leaves no room to rewrite buffers between its calls: they are switched first.
    assert_eq!(labels("mpptest"), ("E4 E6 E3 E2 E7".to_owned(), 2 + 3 + 2));
    assert_eq!(labels("reprompi"), ("E7+E8 E4 E2 E1".to_owned(), 4 + 2), "another synchronisation is another start");
    assert_eq!(labels("reference,E5,E9"), ("E5+E9".to_owned(), 2), "ways to start are levels of one switch");
    for to in ["osu,root=rotating", "mpptest", "reprompi"] {
        let (design, to) = (Design::between(&reference, &parsed(to)), parsed(to));
        assert!(design.cells.last().is_some_and(|last| last.is_like(&to)), "{}", to.name);
        for (index, cell) in design.cells.iter().enumerate() {
            assert!(!design.cells[..index].iter().any(|other| other.is_like(cell)), "each once");
            assert!(cell.repeats == Repeats::Apart || !cell.buffer.is_prepared(), "{}", cell.name);
        }
    }
}

#[test]
fn switches_share_what_they_do_to_each_other_and_three_leave_a_remainder() {
    let reference = Configuration::reference(Buffer::Touched);
    let two = Design::between(&reference, &parsed("osu"));
    // Cells: none, start, buffer, both; then computed.
    let (effects, remainder) = two.effects(&[0.0, 1.0, 10.0, 15.0, 14.0, 14.5]).unwrap();
    assert_eq!(effects, [3.0, 12.0, -1.0, 0.5], "4 together, two for each");
    assert_eq!(remainder, 0.0);
    let three = Design::between(&reference, &parsed("reference,E5,buffer=same,root=rotating"));
    // Effects 1, 2, 4; pairs: 0.5 of the first two, none else; all three 3 more.
    let value = |bits: usize| {
        let on = |bit: usize| f64::from(u8::from(bits & bit != 0));
        on(1) + 2.0 * on(2) + 4.0 * on(4) + 0.5 * on(1) * on(2) + 3.0 * on(1) * on(2) * on(4)
    };
    let values: Vec<f64> = (0..8).map(value).collect();
    assert_eq!(three.effects(&values), Some((vec![1.25, 2.25, 4.0], 3.0)));
    assert_eq!(three.effects(&values[..7]), None);
    // A loop: the buffer first, then start and root.
    let looped = Design::between(&reference, &parsed("reference,buffer=same,E6,root=rotating"));
    assert_eq!(looped.effects(&[0.0, 1.0, 3.0, 5.0, 9.0]), Some((vec![1.0, 3.0, 5.0], 0.0)));
}

#[test]
fn factors_multiply_to_the_whole_and_bars_add_up_to_the_picosecond() {
    let (reference, osu) = (Configuration::reference(Buffer::Touched), osu());
    // Thirds of a picosecond are rounded where they come from, not where they are added.
    let numbers = [10.0, 12.0, 9.0 + 1.0 / 3e6, 11.5, 8.25, 8.3];
    let budget = Budget::from_numbers(&reference, &osu, &numbers).unwrap();
    assert_eq!(sum(&budget), ps(8.3));
    let product: f64 = budget.bars.iter().chain([&budget.remainder]).map(|bar| bar.factor.unwrap().value).product();
    assert!((product - 0.83).abs() < 1e-12 && (budget.ratio.unwrap().value - 0.83).abs() < 1e-12);
    let start = budget.bar(SystematicError::BarrierSkew).unwrap();
    let both: f64 = (11.5 / 10.0_f64).ln();
    let expected = ((12.0_f64 / 10.0).ln() + both - (numbers[2] / 10.0).ln()) / 2.0;
    assert!((start.factor.unwrap().value.ln() - expected).abs() < 1e-12);
    assert_eq!(budget.largest().unwrap().errors, [SystematicError::OneRank]);
    assert_eq!(budget.bar(SystematicError::BarrierInside), None, "both leave it out");
    assert_eq!(Budget::from_numbers(&reference, &osu, &numbers[..4]), None);
    // A number that is not positive has no factor.
    let negative = Budget::from_numbers(&reference, &osu, &[10.0, 12.0, 9.0, 11.5, 8.25, -1.0]).unwrap();
    assert_eq!((negative.ratio, sum(&negative)), (None, ps(-1.0)));
}

#[test]
fn a_single_difference_leaves_no_remainder() {
    let reference = Configuration::reference(Buffer::Same);
    let looped = parsed("reference,buffer=same,E6");
    let budget = Budget::from_numbers(&reference, &looped, &[10.0, 25.0]).unwrap();
    assert_eq!((budget.remainder.us.value, budget.to_us.value, budget.bars[0].us.value), (0.0, 25.0, 15.0));
    let nothing = Budget::from_numbers(&reference, &reference, &[10.0]).unwrap();
    assert!(nothing.bars.is_empty() && nothing.largest().is_none());
}

#[test]
fn intervals_span_those_of_other_parameters() {
    let (reference, inside) = (Configuration::reference(Buffer::Touched), parsed("E9"));
    let of = |numbers: [f64; 2]| Budget::from_numbers(&reference, &inside, &numbers).unwrap();
    let budget = of([10.0, 14.0]).spanning(&[of([9.0, 12.0]), of([11.0, 17.0])]);
    assert_eq!(budget.bars[0].us, Estimate { value: 4.0, low: 3.0, high: 6.0 });
    assert_eq!(budget.to_us, Estimate { value: 14.0, low: 12.0, high: 17.0 });
    assert!(budget.bars[0].is_sure());
}

#[test]
fn what_was_recorded_once_serves_every_aggregation_the_first_call_and_the_clock() {
    let (perfect, worst) = (Configuration::perfect(), Configuration::worst());
    let mut same = vec![SystematicError::OneRank, SystematicError::LateInitialisation, SystematicError::BadClock];
    // Announced starts forget a delay.
    same.push(SystematicError::KeptSkew);
    for error in SystematicError::ALL {
        let shared = perfect.run(Carrier::Native).is_like(&perfect.with(error, &worst).run(Carrier::Native));
        assert_eq!(shared, same.contains(&error), "{error}");
    }
    let design = Design::between(&Configuration::reference(Buffer::Touched), &osu());
    assert_eq!((design.cells.len(), Configuration::runs(&design.cells, Carrier::Native).len()), (6, 4));
    assert_eq!(perfect.run(Carrier::Native).method(), Method::Window, "short windows leave ranks idle least");
    assert_eq!(perfect.run(Carrier::EMULATED).method(), Method::RoundTime);
    let rooted = parsed("mpptest");
    assert_eq!((rooted.rooted(true).root, rooted.rooted(false).root), (RootChoice::Rotating, RootChoice::Fixed));
}

#[test]
fn what_real_ranks_cannot_switch_is_said() {
    let reference = Configuration::reference(Buffer::Touched);
    let why = |error, to: &str, carrier| not_measurable(&[error], &reference, &parsed(to), carrier);
    assert_eq!(why(SystematicError::BadClock, "osu", Carrier::Native), None, "it is computed");
    assert_eq!(why(SystematicError::IdleGap, "window=2ms", Carrier::Native), None);
    let said = [
        why(SystematicError::IdleGap, "window", Carrier::Native),
        why(SystematicError::IdleGap, "window=2ms", Carrier::EMULATED),
        why(SystematicError::BufferReuse, "osu", Carrier::EMULATED),
    ];
    insta::assert_snapshot!(said.map(|why| why.expect("it is not measurable")).join("\n"));
    assert_eq!(why(SystematicError::BufferReuse, "osu", Carrier::Native), None);
}

#[test]
fn a_coarse_and_slow_clock_is_computed_from_what_another_one_recorded() {
    let stamp = |start: u64, end: u64| Stamp {
        block: 0,
        calls: 1,
        due: None,
        start: Ticks(start),
        end: Ticks(end),
        valid: true,
    };
    // Picoseconds; 250 and 130 ns.
    let stamps = vec![stamp(1_050_000, 1_300_000), stamp(2_000_000, 2_130_000)];
    let record = [RankRecord::new(0, GlobalClock::reference(Timescale::PICOSECONDS), stamps)];
    let number = |text: &str, granularity_ns, longer_read_ns| {
        parsed(text).number_us(&record, &[], Some(ClockCost { granularity_ns, longer_read_ns })).unwrap()
    };
    let mean = "reference,samples=mean";
    let bad = "reference,samples=mean,clocks=as-they-are";
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    near(number(mean, 100.0, 20.0), 0.19);
    near(number(bad, 0.0, 20.0), 0.21);
    near(number(bad, 100.0, 0.0), (0.3 + 0.1) / 2.0);
    near(number(bad, 100.0, 80.0), (0.3 + 0.2) / 2.0);
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
    let included = parsed("reference,samples=mean,first-call=included");
    let number =
        |configuration: &Configuration, ranks: &[RankRecord]| configuration.number_us(ranks, &fresh, None).unwrap();
    // Four calls of 1 µs each, of which the first is one of 5 µs: 8 µs / 4.
    let apart = record((0..4).map(|block| stamp(block, 1, 1_000_000)).collect());
    assert_eq!((number(&Configuration::perfect(), &apart), number(&included, &apart)), (1.0, 2.0));
    // Two loops of two calls: as much.
    let looped = record((0..2).map(|block| stamp(block, 2, 2_000_000)).collect());
    assert_eq!((number(&Configuration::perfect(), &looped), number(&included, &looped)), (1.0, 2.0));
    // The median does not see it; what is not valid is not counted.
    assert_eq!(number(&parsed("first-call=included,samples=median"), &apart), 1.0);
    let mut late = apart.clone();
    late[0].stamps[0].valid = false;
    assert_eq!(number(&included, &late), (5.0 + 1.0 + 1.0) / 3.0);
    late[0].stamps.iter_mut().for_each(|stamp| stamp.valid = false);
    assert_eq!((included.number_us(&late, &fresh, None), included.number_us(&[], &[], None)), (None, None));
}

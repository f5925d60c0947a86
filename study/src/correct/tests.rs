//! The estimator's laws, and what is read of texts.

use super::*;
use formats::import::read;
use models::call::Element;
use programs::budget::{Bar, Budget, SystematicError};
use proptest::prelude::*;

fn exactly(value: f64) -> Estimate {
    Estimate { value, low: value, high: value }
}

/// What a model without any doubt says.
fn certain(reference_us: f64, bars: &[(SystematicError, f64)], printed_us: f64) -> Expected {
    let explained: f64 = bars.iter().map(|(_, us)| us).sum();
    let budget = Budget {
        from_us: exactly(reference_us),
        bars: bars.iter().map(|&(error, us)| Bar { errors: vec![error], us: exactly(us), factor: None }).collect(),
        remainder: Bar { errors: Vec::new(), us: exactly(printed_us - reference_us - explained), factor: None },
        to_us: exactly(printed_us),
        ratio: None,
    };
    Expected::new(Source::Predicted, budget)
}

#[test]
fn what_the_model_prints_is_corrected_to_its_truth_exactly() {
    let expected = certain(8.0, &[(SystematicError::OneRank, -3.0), (SystematicError::BarrierSkew, 1.5)], 6.0);
    let done = corrected(exactly(6.0), &expected).unwrap();
    assert_eq!((done.us.value, done.us.low, done.us.high), (8.0, 8.0, 8.0));
    assert_eq!((done.scale, done.bias_us.value, done.remainder_us), (1.0, -2.0, -0.5));
    assert!(done.doubts.is_empty());
}

proptest! {
    #[test]
    fn a_machine_that_is_slower_as_a_whole_is_seen_through(
        truth in 0.1..1e6f64, ratio in 0.05..20.0f64, scale in 0.55..1.9f64, part in -1.0..1.0f64,
    ) {
        let printed = truth * ratio;
        let expected = certain(truth, &[(SystematicError::OneRank, part * truth)], printed);
        let done = corrected(exactly(scale * printed), &expected);
        // The estimate and the other two answers: the farthest of them decides whether the bias is known well enough.
        let bias = [scale * (printed - truth), (printed - truth).min(scale * printed), scale * printed - truth];
        let reach = bias.into_iter().map(f64::abs).fold(0.0, f64::max);
        if reach >= scale * printed {
            let refused = matches!(done, Err(Refusal::BiasUnknown { .. }));
            prop_assert!(refused, "{:?}", done);
            return Ok(());
        }
        prop_assume!(reach < scale * printed * (1.0 - 1e-9));
        let done = done.unwrap();
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (a.abs() + b.abs() + truth);
        prop_assert!(close(done.us.value, scale * truth));
        // What each error added, adds up to what was printed.
        let added: f64 = done.bars.iter().map(|(_, us)| us).sum::<f64>() + done.remainder_us;
        prop_assert!(close(done.us.value + added, scale * printed));
        // The other two answers are in the interval, and so is the estimate.
        prop_assert!(done.us.low <= done.us.value && done.us.value <= done.us.high);
        prop_assert!(done.us.low <= truth && truth <= done.us.high);
        let taken_off = (scale * printed - (printed - truth)).max(0.0);
        prop_assert!(done.us.low <= taken_off * (1.0 + 1e-12) && taken_off <= done.us.high * (1.0 + 1e-12));
    }
}

#[test]
fn the_interval_joins_spread_and_parameters_by_squares() {
    let mut expected = certain(10.0, &[], 10.0);
    let pair = |reference_us: f64| Pair { reference_us, printed_us: 10.0 };
    expected.apart = vec![[pair(9.7), pair(10.3)], [pair(9.6), pair(10.4)]];
    // Parameters alone: √(0.03² + 0.04²) = 5 %; with a spread of 12 %: 13 %.
    let spread = Estimate { value: 10.0, low: 8.8, high: 11.2 };
    let done = corrected(spread, &expected).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    near(done.us.low, 8.7);
    near(done.us.high, 11.3);
    assert_eq!(done.doubts, [Doubt::NoneExpected]);
    // Everything at its ends at once may reach further than each alone.
    expected.together = vec![pair(9.0), pair(11.0)];
    let done = corrected(exactly(10.0), &expected).unwrap();
    near(done.us.low, 9.0);
    near(done.us.high, 11.0);
}

#[test]
fn what_is_doubted_and_refused() {
    let expected = certain(10.0, &[(SystematicError::UnsynchronisedLoop, -4.0)], 6.0);
    let doubts = |us: f64| corrected(exactly(us), &expected).unwrap().doubts;
    assert_eq!(doubts(6.0), []);
    assert_eq!(doubts(9.0), [Doubt::Misfit(1.5)]);
    assert_eq!(corrected(exactly(12.1), &expected), Err(Refusal::OutOfReach { expected_ns: (6_000, 6_000) }));
    assert_eq!(corrected(exactly(2.9), &expected), Err(Refusal::OutOfReach { expected_ns: (6_000, 6_000) }));
    let nothing = certain(10.0, &[], 0.0);
    assert!(matches!(corrected(exactly(1.0), &nothing), Err(Refusal::NotSimulated(_))));
}

#[test]
fn a_bias_that_reaches_the_size_of_the_number_is_refused() {
    // The truth is 2.5 times the printed number: the bias is larger than the number itself.
    let large = certain(10.0, &[(SystematicError::UnsynchronisedLoop, -6.0)], 4.0);
    let why = Refusal::BiasUnknown { bias_ns: (-6_000, -6_000), printed_ns: 4_000 };
    assert_eq!(corrected(exactly(4.0), &large), Err(why));
    // The bias is 1 of 10 µs, and known to ± 12 µs only.
    let mut unsure = certain(9.0, &[(SystematicError::OneRank, 1.0)], 10.0);
    unsure.apart = vec![[0.0, 21.0].map(|reference_us| Pair { reference_us, printed_us: 10.0 })];
    assert!(matches!(corrected(exactly(10.0), &unsure), Err(Refusal::BiasUnknown { .. })));
}

#[test]
fn only_doubts_that_put_the_number_in_question_take_the_confidence() {
    let verdict = |expected: &Expected| Verdict::from_result(&corrected(exactly(6.0), expected));
    let mut expected = certain(10.0, &[(SystematicError::UnsynchronisedLoop, -4.0)], 6.0);
    assert_eq!(verdict(&expected), Verdict::Confident);
    assert_eq!(verdict(&certain(6.0, &[], 6.0)), Verdict::Confident, "nothing to correct");
    expected.doubts.push(Doubt::Oversubscribed);
    assert_eq!(verdict(&expected), Verdict::Doubtful);
    assert_eq!(verdict(&certain(20.0, &[], 6.0)), Verdict::Refused);
    let tally = Tally { numbers: 14, confident: 3, as_printed: 2, doubtful: 4, refused: 5 };
    insta::assert_snapshot!(tally.sentence(None));
}

#[test]
fn numbers_that_need_no_correction_are_told_from_those_that_are_not_known() {
    let with_reach = |reach: f64| {
        let mut expected = certain(10.2, &[(SystematicError::OneRank, -0.2)], 10.0);
        expected.apart = vec![[10.2 - reach, 10.2 + reach].map(|reference_us| Pair { reference_us, printed_us: 10.0 })];
        corrected(exactly(10.0), &expected)
    };
    // [10.1, 10.3]: known to be more; [9.5, 10.9]: within 10 % either way; [9.0, 11.4]: neither.
    for (reach, verdict) in [(0.1, Verdict::Confident), (0.7, Verdict::AsPrinted), (1.2, Verdict::Doubtful)] {
        assert_eq!(Verdict::from_result(&with_reach(reach)), verdict, "± {reach} of 10 µs");
    }
    assert_eq!(with_reach(0.7).unwrap().doubts, [Doubt::AsPrinted]);
}

fn read_all(text: &str, wanted: &Columns) -> Vec<Reading> {
    let imported = read("a.txt", text).expect("a text of a tool").remove(0);
    readings("a.txt", &imported, wanted)
}

const IMB: &str = "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n\n# Calling sequence was: \n\n# IMB-MPI1 OPTIONS Reduce_scatter\n\n\
    # Benchmarking Reduce_scatter \n# #processes = 3 \n\
           #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n            8         1000         0.56         0.62         0.59\n";

#[test]
fn a_tables_own_ranks_and_elements_hold_whatever_is_said() {
    let table = |ranks: u32, element: &str| {
        format!(
            "$ mpirun -np {ranks} osu_allreduce\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: {element}.\n\
             # Size  Avg Latency(us)\n8  1.10\n"
        )
    };
    let text = table(2, "MPI_CHAR") + &table(4, "MPI_DOUBLE");
    let runs = read("np8.txt", &text).expect("two tables");
    let readings: Vec<Reading> = runs.iter().flat_map(|run| readings("np8.txt", run, &Columns::Quoted)).collect();
    let ranks = readings.iter().map(|reading| reading.ranks_and_source(Some(2)));
    assert!(ranks.eq([Some((2, RanksFrom::CommandLine)), Some((4, RanksFrom::CommandLine))]));
    let element = |reading: &Reading| reading.asked.as_ref().expect("a call").configuration.element;
    assert_eq!([&readings[0], &readings[1]].map(element), [Some(Element::Byte), Some(Element::Double)]);
    let told: Vec<String> = readings.iter().filter_map(|reading| reading.contradiction(Some(2))).collect();
    assert_eq!(
        told,
        ["np8.txt: --ranks 2, but its tables of 4 ranks are taken as such: the flag is for tables that do not say it"]
    );
}

#[test]
fn a_vector_is_shared_out_among_the_ranks() {
    let readings = read_all(IMB, &Columns::Quoted);
    assert_eq!(readings.len(), 1);
    let reading = &readings[0];
    assert_eq!((reading.ranks, reading.head.as_str()), (Some(3), "t_avg[usec]"));
    let printed = reading.printed.unwrap();
    assert!(printed.low < 0.5851 && printed.high > 0.5949, "rounded to two decimals: {printed:?}");
    let asked = reading.asked.as_ref().unwrap();
    assert_eq!((asked.length, asked.shape(3, 0).bytes), (Length::Vector(8), 3));
}

#[test]
fn switches_of_the_command_line_change_the_configuration() {
    use programs::budget::{Configuration, Entry, Repeats};
    use programs::method::{Buffer, Preset, RootChoice};
    let configuration = |options: &str| {
        let readings = read_all(&IMB.replace("OPTIONS", options), &Columns::Quoted);
        readings[0].asked.clone().unwrap().configuration
    };
    let usual = Configuration::preset(Preset::Imb, None).unwrap();
    assert!(configuration("-npmin 2").is_like(&usual));
    assert!(configuration("-sync 1").is_like(&usual));
    let apart = configuration("-sync 0 -root_shift 1 -off_cache -1");
    assert_eq!((apart.entry, apart.repeats), (Entry::Announced, Repeats::Loop));
    assert_eq!((apart.root, apart.buffer), (RootChoice::Rotating, Buffer::Pool));
}

#[test]
fn the_version_in_imbs_title_says_which_benchmark_it_was() {
    use programs::method::{Preset, RootChoice};
    let asked = |version: &str, options: &str| {
        let text = IMB.replace("#    Intel(R) MPI Benchmarks 2021.11", version).replace("OPTIONS", options);
        read_all(&text, &Columns::Quoted)[0].asked.clone()
    };
    for old in [
        "#    Intel (R) MPI Benchmark Suite V3.2.4",
        "#    Intel (R) MPI Benchmark Suite V2.3",
        "#    PALLAS MPI Benchmark Suite V2.2.1",
    ] {
        let found = asked(old, "-npmin 2").expect(old);
        let usual = Configuration::preset(Preset::Imb3, Some("t_avg")).expect("a column");
        assert!(found.benchmark == Preset::Imb3 && found.configuration.is_like(&usual), "{old}: {found:?}");
    }
    for new in ["#    Intel (R) MPI Benchmarks 2017", "#    Intel(R) MPI Benchmarks 2021.11"] {
        assert_eq!(asked(new, "-npmin 2").map(|found| found.benchmark), Ok(Preset::Imb), "{new}");
    }
    // The values that these flags have where they are not given changed after this version.
    let between = "#    Intel (R) MPI Benchmarks 4.1 Update 1";
    let refused = asked(between, "-sync 1").expect_err("the root is not known");
    assert!(matches!(&refused, Refusal::UnknownMethod(why) if why.contains("IMB 4.1")), "{refused}");
    let said = asked(between, "-sync 1 -root_shift 1").expect("both are said");
    assert_eq!((said.benchmark, said.configuration.root), (Preset::Imb, RootChoice::Rotating));
}

#[test]
fn columns_by_heads_and_names() {
    let heads = |wanted: Columns| read_all(IMB, &wanted).into_iter().map(|reading| reading.head).collect::<Vec<_>>();
    assert_eq!(heads(Columns::All), ["t_avg[usec]", "t_min[usec]", "t_max[usec]"]);
    assert_eq!(heads(Columns::Named("max_us".to_owned())), ["t_max[usec]"]);
    assert_eq!(heads(Columns::Named("T_MIN[usec]".to_owned())), ["t_min[usec]"]);
    let none = read_all(IMB, &Columns::Named("p99".to_owned()));
    assert_eq!((none[0].head.as_str(), &none[0].asked), ("", &Err(Refusal::NoColumn)));
}

#[test]
fn what_parallax_wrote_says_the_algorithm() {
    let text = "# OSU MPI Bcast Latency Test v7.4\n\
        # Written by Parallax 0.1.0: method barrier-loop, algorithm binomial, root 2, threads, oversubscribed\n\
        # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n8   1.5   1.0   2.0   30\n";
    let reading = &read_all(text, &Columns::Quoted)[0];
    assert_eq!((reading.algorithm.as_deref(), reading.root, reading.oversubscribed), (Some("binomial"), 2, true));
    assert_eq!(reading.ranks, None);
}

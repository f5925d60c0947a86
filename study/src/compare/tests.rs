use super::fixture::{self, busy, case, lines, loggp, measurement, predictions};
use super::*;
use crate::comparison::{RankRow, Verdict};
use models::network::SendRule;
use programs::machine::{Estimate, HockneyEstimate, Machine, Provenance};
use programs::observation::{Carrier, Implementation};

const EIGHT: (Carrier, u32, &str) = (Carrier::EMULATED, 8, "linear");

fn report(lines: &[Line]) -> Report {
    compare(lines).expect("a campaign")
}

fn row(report: &Report, subject: usize, method: Method, rank: usize) -> &RankRow {
    &report.subjects[subject].by(method).expect("the method").rows[rank]
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9 * expected.abs()
}

#[test]
fn times_are_medians_and_ratios_are_held_against_truth_and_windows() {
    let report = report(&lines(&[EIGHT], &busy()));
    let first = row(&report, 0, Method::Loop, 1);
    // 22τ in four calls; measured with τ = 1002 µs and i·0.1 µs on block i, median i = 14.5.
    assert!(near(first.predicted_us.value, 5_500.0) && near(first.predicted_us.low, 5_445.0));
    assert!(near(first.measured_us.value, (22.0 * 1_002.0 + 1.45) / 4.0), "{first:?}");
    // Order statistics of 30 at 99 %: the 8th and the 23rd.
    assert!(near(first.measured_us.low, (22.0 * 1_002.0 + 0.7) / 4.0), "{first:?}");
    assert!(near(first.measured_us.high, (22.0 * 1_002.0 + 2.2) / 4.0), "{first:?}");
    // Parameters that are off together cancel in the predicted ratio.
    assert_eq!((first.predicted_ratio.low, first.predicted_ratio.high), (5.5, 5.5));
    assert_eq!(first.closed_form_ratio, Some(5.5));
    let window = row(&report, 0, Method::Window, 1);
    assert!((first.measured_ratio.value - first.measured_us.value / window.measured_us.value).abs() < 1e-12);
    assert!(first.measured_ratio.low < first.measured_ratio.value);
    assert!(first.measured_ratio.value < first.measured_ratio.high && first.measured_ratio.high < 5.51);
    assert_eq!(first.verdict, Verdict::Agrees);
    assert_eq!(window.measured_ratio, Estimate { value: 1.0, low: 1.0, high: 1.0 });
    assert_eq!(window.closed_form_ratio, None);
}

#[test]
fn barrier_loops_count_a_block_as_one_sample_and_windows_only_valid_starts() {
    let report = report(&lines(&[EIGHT], &busy()));
    let subject = &report.subjects[0];
    let methods: Vec<_> = subject.methods.iter().map(|m| (m.method, m.samples, m.starts)).collect();
    assert_eq!(methods, [(Method::Loop, 30, 30), (Method::BarrierLoop, 30, 30), (Method::Window, 24, 30)]);
    assert!(near(row(&report, 0, Method::BarrierLoop, 3).measured_us.value, 3.0 * 1_002.0 + 1.45));
    // 24 valid windows, i mod 5 ≠ 4: the median lies between i = 13 and 15.
    assert!(near(row(&report, 0, Method::Window, 3).measured_us.value, 3.0 * 1_002.0 + 1.4));
}

#[test]
fn clocks_windows_and_traces_come_from_the_measurement() {
    let report = report(&lines(&[EIGHT], &busy()));
    let subject = &report.subjects[0];
    // Bound 7 ns on rank 7; 5 ns of drift on top at the end.
    assert!(near(subject.clock_bound_us.0, 0.007) && near(subject.clock_bound_us.1, 0.012), "{subject:?}");
    assert!(near(subject.start_skew_us.0, 0.07) && near(subject.start_skew_us.1, 0.07));
    assert!(near(subject.window_us, 8_800.0) && subject.oversubscribed);
    assert_eq!(subject.reference_us.len(), 8);
    assert_eq!(subject.reference_us[3], Estimate { value: 3_000.0, low: 2_970.0, high: 3_030.0 });
    assert_eq!(subject.predicted_by, busy().to_string());
    assert_eq!(subject.measured_by, "threads, emulated");
    let traces = [&subject.predicted_trace, &subject.measured_trace].map(|trace| trace.as_ref().expect("a trace"));
    assert!(traces.iter().all(|trace| trace.case.timing.method == Method::LoopTrace));
    assert_ne!(traces[0].ran_by, traces[1].ran_by);
    assert!(subject.by(Method::LoopTrace).is_none());
}

#[test]
fn the_closed_form_is_given_only_where_it_holds() {
    let has =
        |lines: &[Line]| report(lines).subjects[0].methods[0].rows.iter().any(|row| row.closed_form_ratio.is_some());
    assert!(has(&lines(&[EIGHT], &busy())));
    assert!(!has(&lines(&[EIGHT], &loggp())));
    assert!(!has(&lines(&[(Carrier::EMULATED, 8, "binomial")], &busy())));
    let eager = match busy() {
        Network::Hockney(hockney) => {
            Network::Hockney(models::network::Hockney { send_rule: models::network::SendRule::Eager, ..hockney })
        }
        other => other,
    };
    assert!(!has(&lines(&[EIGHT], &eager)));
    let mut rooted = lines(&[EIGHT], &busy());
    for line in &mut rooted {
        match line {
            Line::Predicted { observation, .. } | Line::Measured(observation) => observation.case.subject.root = 1,
            Line::Truth { case, .. } => case.subject.root = 1,
            _ => {}
        }
    }
    assert!(!has(&rooted));
}

#[test]
fn the_verdict_follows_intervals_then_five_percent() {
    let of = |predicted: (f64, f64, f64), measured: (f64, f64, f64)| {
        let estimate = |(low, value, high)| Estimate { value, low, high };
        row::verdict(&estimate(predicted), &estimate(measured))
    };
    assert_eq!(of((90.0, 95.0, 99.0), (99.0, 100.0, 101.0)), Verdict::Agrees);
    assert_eq!(of((101.0, 110.0, 120.0), (99.0, 100.0, 101.0)), Verdict::Agrees);
    assert_eq!(of((94.0, 95.0, 98.9), (99.0, 100.0, 101.0)), Verdict::Close);
    assert_eq!(of((94.0, 94.9, 98.9), (99.0, 100.0, 101.0)), Verdict::Differs);
    assert_eq!(of((101.5, 105.0, 106.0), (99.0, 100.0, 101.0)), Verdict::Close);
    assert_eq!(of((101.5, 105.1, 106.0), (99.0, 100.0, 101.0)), Verdict::Differs);
}

#[test]
fn what_is_on_one_side_only_is_left_out_and_said() {
    let [looped, barrier, window] =
        [Method::Loop, Method::BarrierLoop, Method::Window].map(|method| case(Carrier::EMULATED, 4, "linear", method));
    let mut lines = vec![fixture::campaign()];
    lines.extend(predictions(&looped, &busy()));
    lines.push(Line::Measured(measurement(looped)));
    lines.push(Line::Measured(measurement(barrier)));
    lines.extend(predictions(&window, &busy()));
    lines.push(Line::LeftOut { what: "mpich/native/2 ranks".to_owned(), why: "mpirun is not installed".to_owned() });
    let report = report(&lines);
    assert_eq!(report.subjects[0].methods.len(), 1);
    assert_eq!(report.left_out.len(), 3, "{:?}", report.left_out);
    insta::assert_snapshot!("what_is_left_out", report.left_out.join("\n"));
    // Without windows there is no measured ratio; it is not 0.
    assert!(row(&report, 0, Method::Loop, 1).measured_ratio.value.is_nan());
    assert_eq!(row(&report, 0, Method::Loop, 1).predicted_ratio.value, (1.0 + 9.0) / 4.0);
    assert!(report.subjects[0].start_skew_us.0.is_nan());
    assert!(report.answer.contains("2.50 times"), "{}", report.answer);
    insta::assert_snapshot!("an_answer_without_windows", report.answer);
}

#[test]
fn a_window_that_was_never_valid_has_no_number() {
    let mut lines = lines(&[EIGHT], &busy());
    for line in &mut lines {
        if let Line::Measured(observation) = line
            && observation.case.timing.method == Method::Window
        {
            observation.ranks.iter_mut().flat_map(|rank| &mut rank.stamps).for_each(|stamp| stamp.valid = false);
        }
    }
    let report = report(&lines);
    assert!(report.subjects[0].by(Method::Window).is_none());
    insta::assert_snapshot!(report.left_out[0]);
    assert!(report.subjects[0].start_skew_us.0.is_nan());
}

#[test]
fn a_zero_truth_has_no_ratio() {
    let mut lines = lines(&[EIGHT], &busy());
    for line in &mut lines {
        if let Line::Truth { spans, .. } = line {
            spans[1] = Span::ZERO;
        }
    }
    let report = report(&lines);
    assert!(row(&report, 0, Method::Loop, 1).predicted_ratio.value.is_nan());
    assert!(row(&report, 0, Method::Loop, 2).predicted_ratio.value.is_finite());
}

#[test]
fn a_case_measured_again_replaces_itself_and_an_excuse_for_it() {
    let mut lines = lines(&[EIGHT], &busy());
    let again = case(Carrier::EMULATED, 8, "linear", Method::Loop);
    lines.insert(1, Line::LeftOut { what: again.to_string(), why: "timed out".to_owned() });
    lines.push(Line::Measured(fixture::observation(again, Span::from_us(2_000), |_| Span::ZERO)));
    let report = report(&lines);
    assert_eq!((report.subjects.len(), report.subjects[0].methods.len()), (1, 3));
    assert!(near(row(&report, 0, Method::Loop, 1).measured_us.value, 11_000.0));
    assert_eq!(row(&report, 0, Method::Loop, 1).verdict, Verdict::Differs);
    assert_eq!(report.left_out, [""; 0]);
}

#[test]
fn the_same_lines_give_the_same_report_and_other_cases_do_not_change_a_row() {
    let both = lines(&[EIGHT, (Carrier::Native, 2, "linear")], &busy());
    assert_eq!(report(&both), report(&both));
    let alone = lines(&[EIGHT], &busy());
    assert_eq!(report(&both).subjects[0].methods, report(&alone).subjects[0].methods);
}

#[test]
fn lines_without_a_campaign_are_refused() {
    assert_eq!(compare(&[]), Err(CompareError::NoCampaign));
    assert_eq!(compare(&[Line::Finished {}]), Err(CompareError::NoCampaign));
    let empty = report(&[fixture::campaign()]);
    insta::assert_snapshot!(empty.answer);
}

#[test]
fn the_answer_is_the_numbers_in_words() {
    let subjects = [(Carrier::EMULATED, 4, "linear"), EIGHT, (Carrier::Native, 2, "linear")];
    let report = report(&lines(&subjects, &busy()));
    insta::assert_snapshot!(format!("{}\n\n{}", report.answer, report.details.join("\n")));
}

#[test]
fn the_answer_is_short_whatever_was_run() {
    let cases = [
        lines(&[EIGHT, (Carrier::Native, 2, "linear")], &busy()),
        lines(&[(Carrier::Native, 33, "binomial")], &loggp()),
        lines(&[(Carrier::EMULATED, 4, "linear")], &busy())[..7].to_vec(),
        lines(&[EIGHT], &busy())[..1].to_vec(),
    ];
    for lines in cases {
        let answer = report(&lines).answer;
        assert!(answer.split_whitespace().count() <= 45 && answer.ends_with('.'), "{answer}");
        assert_eq!(answer.matches(". ").count(), 0, "one sentence: {answer}");
    }
}

/// A native campaign by LogGP whose machine has notes, measured `times` as long as predicted.
fn with_notes(times: u64, machine: &str) -> Report {
    let mut lines = lines(&[(Carrier::Native, 2, "linear")], &loggp());
    for line in &mut lines {
        if let Line::Measured(observation) = line
            && observation.case.timing.method == Method::Loop
        {
            let case = observation.case.clone();
            *observation = fixture::observation(case, fixture::TAU * times, |_| Span::ZERO);
        }
    }
    let notes = ["LogGP: A send is slow.", "Hockney: No straight line.", "LogGP: A train is slow.", "Few samples."];
    let [date, host, ran_by, how] = [const { String::new() }; 4];
    let provenance = Provenance { date, host, ran_by, how, confidence: 0.95 };
    let (alpha_us, beta_ns_per_byte) = (Estimate::exactly(0.24), Estimate::exactly(0.11));
    let hockney = HockneyEstimate { alpha_us, beta_ns_per_byte, send_rule: SendRule::Busy };
    let mut machine = Machine::new(machine, provenance, hockney);
    machine.notes = notes.map(str::to_owned).to_vec();
    lines.insert(1, Line::Machine(Box::new(machine)));
    report(&lines)
}

#[test]
fn where_numbers_differ_the_machines_notes_on_the_model_are_the_reasons() {
    let differing = with_notes(2, "openmpi-native-2");
    assert_eq!(differing.subjects[0].reasons, ["A send is slow.", "A train is slow."]);
    assert!(differing.details.last().expect("details").ends_with("A send is slow."), "{:?}", differing.details);
    insta::assert_snapshot!(differing.details.join("\n"));
    for other in [with_notes(1, "openmpi-native-2"), with_notes(2, "openmpi-native-4")] {
        assert_eq!(other.subjects[0].reasons, [""; 0]);
        assert!(!other.details.iter().any(|detail| detail.contains("A send is slow.")), "{:?}", other.details);
    }
}

#[test]
fn the_answer_speaks_of_what_was_asked() {
    let told = |collective, implementation: Implementation| {
        let mut lines = lines(&[(Carrier::Native, 4, "linear")], &loggp());
        for line in &mut lines {
            match line {
                Line::Predicted { observation, .. } | Line::Measured(observation) => {
                    (observation.case.subject.collective, observation.case.subject.implementation) =
                        (collective, implementation.clone());
                }
                Line::Truth { case, .. } => {
                    (case.subject.collective, case.subject.implementation) = (collective, implementation.clone())
                }
                _ => {}
            }
        }
        report(&lines).answer
    };
    let barrier = told(models::collective::Collective::Barrier, Implementation::Own("dissemination".to_owned()));
    let library = told(models::collective::Collective::Reduce, Implementation::Library);
    insta::assert_snapshot!([barrier, library].join("\n"));
}

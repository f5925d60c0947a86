use super::page::terminal;
use super::*;
use crate::forms::{json, printed};
use models::call::Call;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::collective::Collective;
use models::time::Span;
use programs::method::{Buffer, Method};
use programs::observation::{
    CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, Looked, MachineLook, Observation, Occasion,
    RankRecord, Stamp,
};
use render::results::Look;
use render::results::{Format, Results};
use scenario::store::Line;

fn case(name: &str, bytes: u64) -> Case {
    Case {
        place: CasePlace { world: World::OPENMPI, carrier: Carrier::Native, ranks: 4 },
        subject: CaseSubject {
            collective: Collective::Gather,
            implementation: Implementation::Own(name.to_owned()),
            root: 0,
            bytes,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming { method: Method::Window, calls: 1, conditions: Conditions::default() },
    }
}

/// Every window of a case takes about `us`; the last is not valid and takes a second.
fn measured_line(case: &Case, launch: u32, us: f64) -> Line {
    let stamp = |index: u64| {
        let due = 2_000_000_000_000 * (index + 1);
        let took = if index == 20 { 1e12 } else { us * 1e6 * (1.0 + 0.001 * (index % 5) as f64) };
        let (start, end) = (Ticks(due), Ticks(due + took as u64));
        Stamp { block: 0, calls: 1, due: Some(Ticks(due)), start, end, valid: index != 20 }
    };
    let clock = GlobalClock::constant(Timescale::PICOSECONDS, 0, Span::from_ns(20));
    let ranks = (0..case.place.ranks).map(|rank| RankRecord::new(rank, clock, (0..21).map(stamp).collect())).collect();
    let occasion = Occasion { launch };
    Line::Measured(Observation {
        occasion,
        oversubscribed: true,
        ..Observation::new(case.clone(), "Open MPI v4.1.4", ranks)
    })
}

fn prediction(case: &Case, model: &str, us: f64) -> Prediction {
    let us = Estimate { value: us, low: us * 0.95, high: us * 1.05 };
    Prediction { case: case.clone(), model: model.to_owned(), us }
}

/// Two algorithms at eight lengths in two launches; hockney is off by 40 %, loggp by 2 %.
fn validation() -> Validation {
    let mut lines = vec![Line::Campaign {
        format: scenario::store::FORMAT,
        question: "How well?".to_owned(),
        name: "unit".to_owned(),
        seed: 3,
        scenario_text: String::new(),
        environment: vec![("host".to_owned(), "unit".to_owned())],
        reproduce: vec!["parallax validate gather".to_owned()],
    }];
    let mut cases = Vec::new();
    for name in ["linear", "binomial"] {
        for bytes in [8, 32, 128, 512, 2_048, 8_192, 32_768, 131_072] {
            let us = 2.0 + bytes as f64 / 1_000.0 * if name == "linear" { 1.0 } else { 1.6 };
            let one = case(name, bytes);
            lines.extend([0, 1].map(|launch| measured_line(&one, launch, us)));
            cases.extend([prediction(&one, "hockney", us * 0.6), prediction(&one, "loggp", us * 1.02)]);
        }
    }
    Validation::compare(&lines, &PredictedCases { cases, ..PredictedCases::default() })
}

fn written(validation: &Validation, width: usize, colour: bool, detailed: bool) -> String {
    terminal(validation, Look { width, colour, detailed, more: "" })
}

#[test]
fn ranks_that_share_cores_judge_no_model_where_others_have_their_own() {
    let few = case("linear", 8);
    let many = few.clone().with(|case| case.place.ranks = 16);
    let median_of = |apart: bool| {
        let mut lines = [measured_line(&few, 0, 10.0), measured_line(&many, 0, 100.0)];
        if let Line::Measured(own) = &mut lines[0] {
            own.oversubscribed = !apart;
        }
        let cases = [&few, &many].map(|case| prediction(case, "loggp", 10.0)).to_vec();
        let validation = Validation::compare(&lines, &PredictedCases { cases, ..PredictedCases::default() });
        assert_eq!(validation.rows.len(), 2, "every case is there");
        (validation.best[0].median, page::conclusions(&validation).remove(0))
    };
    let (apart, said) = median_of(true);
    assert!(apart < 0.01 && said.contains("where every rank has a core of its own"), "{apart}: {said}");
    let (together, said) = median_of(false);
    assert!(together > 0.4 && !said.contains("a core of its own"), "{together}: {said}");
}

#[test]
fn errors_are_those_of_the_valid_windows_of_all_launches() {
    let validation = validation();
    assert_eq!(validation.rows.len(), 2 * 8 * 2);
    let one = validation.measured_of(&case("linear", 8)).expect("measured");
    assert_eq!((one.windows, one.starts, one.launches.len()), (40, 42, 2));
    assert!((one.us.value - 2.008 * 1.002).abs() < 1e-3, "{:?}", one.us);
    let [hockney, loggp] = &validation.errors[..] else { panic!("{:?}", validation.errors) };
    assert!((hockney.median.value - 0.4).abs() < 0.01 && (hockney.bias + 0.4).abs() < 0.01, "{hockney:?}");
    assert!((loggp.ninety.value - 0.018).abs() < 0.005, "{loggp:?}");
    assert_eq!((hockney.agree, loggp.agree), (0, 16));
}

#[test]
fn the_better_model_is_clear_case_by_case_and_the_other_has_reasons() {
    let validation = validation();
    let [best] = &validation.best[..] else { panic!("{:?}", validation.best) };
    assert_eq!((best.model.as_str(), best.is_clear()), ("loggp", true));
    assert!((best.rivals[0].excess.value - 0.38).abs() < 0.02, "{best:?}");
    let worst: Vec<&Worst> = validation.worst.iter().filter(|worst| worst.row.model == "hockney").collect();
    assert_eq!(worst.len(), 10);
    for one in worst {
        let reasons = one.reasons.join("; ");
        assert!(reasons.contains("oversubscribed"), "{reasons}");
        let flat = one.row.case.subject.implementation == Implementation::Own("linear".to_owned());
        assert_eq!(reasons.contains("3 ranks"), flat, "{reasons}");
    }
    assert!(validation.worst.iter().all(|worst| worst.row.model == "hockney"), "2 % needs no reason");
}

#[test]
fn with_few_cases_nothing_is_clear() {
    let lines = [measured_line(&case("linear", 8), 0, 2.0)];
    let cases = vec![prediction(&case("linear", 8), "hockney", 1.0), prediction(&case("linear", 8), "loggp", 2.0)];
    let validation = Validation::compare(&lines, &PredictedCases { cases, ..PredictedCases::default() });
    assert_eq!(validation.best[0].model, "loggp");
    assert!(!validation.best[0].is_clear(), "one case shows nothing: {:?}", validation.best);
}

#[test]
fn what_was_not_predicted_is_left_out_with_the_reason() {
    let smp = case("", 8).with(|case| case.subject.implementation = Implementation::Forced("smp".to_owned()));
    let validation = Validation::compare(&[measured_line(&smp, 0, 2.0)], &PredictedCases::default());
    assert!(validation.rows.is_empty());
    insta::assert_snapshot!(validation.left_out[0]);
}

#[test]
fn all_forms_hold_every_case_and_fit_their_place() {
    let validation = validation();
    let text = written(&validation, 100, false, true);
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest <= 100, "{widest}: {text}");
    for words in ["loggp predicts best", "128 KiB", "! Oversubscribed: 4 ranks", "+38 %"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(validation.csv().lines().count(), 1 + 32);
    let page = validation.page();
    let html = page.html().expect("a page");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(&html, options).expect("well formed");
    let figures: Vec<&render::page::Figure> = page.sections.iter().flat_map(|section| &section.figures).collect();
    let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(
        names,
        ["errors-openmpi-native-hockney", "errors-openmpi-native-loggp", "residuals-openmpi-native-gather-4"]
    );
    assert_eq!(figures[0].numbers.rows.len(), 16);
    assert!(figures[0].drawing.to_string().contains("−40 %") && figures[2].drawing.to_string().contains("<title>"));
    figures.iter().for_each(|figure| crate::plots::room_tests::finds_room(&figure.drawing, &figure.name));
    assert_eq!(json(&validation)["rows"].as_array().map(Vec::len), Some(32));
    let tables: usize = page.sections.iter().map(|section| section.tables.len()).sum();
    let markdown = printed(&validation, Format::Markdown);
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| ---")).count(), tables, "{markdown}");
}

/// A case of which the first ten windows were taken in one state of the machine, the others in another one and as many times
/// as long.
fn in_two_states(case: &Case, launch: u32, us: f64, lines_ns: [u64; 2], longer: f64) -> Line {
    let Line::Measured(mut one) = measured_line(case, launch, us) else { unreachable!("it is measured") };
    one.case.timing.conditions.buffer = Buffer::Touched;
    for record in &mut one.ranks {
        for stamp in record.stamps.iter_mut().skip(10).filter(|stamp| stamp.valid) {
            stamp.end.0 = stamp.start.0 + ((stamp.end.0 - stamp.start.0) as f64 * longer) as u64;
        }
        let looked = |before_stamp, ns| Looked {
            before_stamp,
            look: MachineLook { line: Some(Span::from_ns(ns)), work: Span::from_ns(600) },
        };
        let [first, second] = lines_ns;
        record.looks =
            [(0, first), (9, first), (11, second), (15, second), (21, second)].map(|(n, ns)| looked(n, ns)).into();
    }
    Line::Measured(one)
}

#[test]
fn predictions_are_held_against_one_state_of_the_machine_and_the_reference_is_named() {
    let touched = |bytes| {
        let mut case = case("linear", bytes);
        case.timing.conditions.buffer = Buffer::Touched;
        case
    };
    let (_, text) = programs::machine::KNOWN[0];
    let known = Machine::parse("openmpi.toml", text).expect("a machine");
    let machine = Line::Machine(Box::new(Machine {
        name: machine_name(&touched(8)),
        line_ns: Some(41.0),
        work_ns: None,
        ..known
    }));
    let mut lines = vec![machine];
    let lengths = [8u64, 64, 512];
    for bytes in lengths {
        lines.extend((0..12).map(|launch| in_two_states(&touched(bytes), launch, 3.0, [40, 160], 2.0)));
    }
    let cases = lengths.map(|bytes| prediction(&touched(bytes), "loggp", 6.0)).into();
    let predicted = PredictedCases { cases, ..PredictedCases::default() };
    let near = Validation::compare(&lines, &predicted).held_against;
    assert_eq!(near.state.map(|state| state.line_ns), Some(40.0), "ranks were calibrated in the rarer state: {near:?}");
    assert!((near.others[0].ratio.expect("the same cases") - 2.0).abs() < 0.01, "{near:?}");
    let Line::Machine(first) = &lines[0] else { panic!("the machine") };
    let far = Machine { name: format!("{}.1", first.name), line_ns: Some(155.0), ..(**first).clone() };
    lines.push(Line::Machine(Box::new(far)));
    let validation = Validation::compare(&lines, &predicted);
    assert_eq!(validation.rows.len(), 3, "{:?}", validation.left_out);
    assert!(validation.rows.iter().all(|row| row.error.abs() < 0.01), "far only: {:?}", validation.rows);
    let held = &validation.held_against;
    assert_eq!((held.state.map(|state| state.line_ns), held.buffer), (Some(160.0), Some(Buffer::Touched)));
    assert!((held.others[0].ratio.expect("the same cases") - 0.5).abs() < 0.01, "{held:?}");
    let text = written(&validation, usize::MAX, false, false);
    let (sentences, details) = (held.sentences(), validation.page().details);
    for sentence in &sentences {
        assert!(text.contains(sentence) && details.contains(sentence), "{sentence}: {text}");
    }
    insta::assert_snapshot!(sentences.join("\n"));
    assert!(
        validation.csv().lines().nth(1).is_some_and(|row| row.contains(",linear,touched,160.0,1.00,")),
        "{}",
        validation.csv()
    );
    let given = Validation::compare(&lines, &PredictedCases { machine_given: true, ..PredictedCases::default() });
    assert_eq!(given.held_against.calibrated, [], "nobody looked where it was calibrated");
}

#[test]
fn what_each_kind_of_knowledge_removes_is_told_place_by_place() {
    let cases: Vec<Case> = [64, 8].map(|bytes| case("linear", bytes)).into();
    let lines: Vec<Line> = cases.iter().map(|case| measured_line(case, 0, 10.0)).collect();
    // Messages alone are off by a half, arithmetic mends one case of two, and memory both.
    let us = |extent: Extent, bytes: u64| match (extent, bytes) {
        (Extent::Messages | Extent::Calls, _) | (Extent::Arithmetic | Extent::BothWays, 8) => 5.0,
        (Extent::Arithmetic | Extent::BothWays, _) | (Extent::Memory, _) => 10.02,
    };
    let partly = cases
        .iter()
        .flat_map(|case| Extent::ALL.map(|extent| (extent, prediction(case, "plogp", us(extent, case.subject.bytes)))));
    let told = Validation::compare(&lines, &PredictedCases { partly: partly.collect(), ..PredictedCases::default() });
    let medians: Vec<f64> = told.refined.iter().map(|one| (one.median * 100.0).round()).collect();
    assert_eq!(medians, [50.0, 50.0, 25.0, 25.0, 0.0]);
    assert!(
        told.refined
            .iter()
            .all(|one| one.cases == 2 && one.rows[0].case.subject.bytes < one.rows[1].case.subject.bytes)
    );
    let text = format!("{:?}", told.page().sections);
    assert!(text.contains("Why plogp is wrong without memory") && text.contains("ownership of cache lines"), "{text}");
}

#[test]
fn how_well_cases_repeat_is_told_where_launches_measured_them_again() {
    let of = |bytes, launch, us| measured_line(&case("linear", bytes), launch, us);
    let lines = [of(8, 0, 10.0), of(8, 1, 11.0), of(64, 0, 30.0), of(64, 1, 20.0), of(64, 2, 25.0), of(512, 0, 7.0)];
    let told = Validation::compare(&lines, &PredictedCases::default());
    let found: Vec<(usize, f64)> = told.repeats.iter().map(|one| (one.cases, (one.median * 100.0).round())).collect();
    assert_eq!(found, [(2, 30.0)], "between 10 % and 50 %; 512 B were measured once");
    let text = written(&told, 300, false, false);
    insta::assert_snapshot!(text.lines().find(|line| line.contains("30 %")).expect("it is told").trim());
    assert_eq!(Validation::compare(&lines[5..], &PredictedCases::default()).repeats, []);
}

#[test]
fn page_faults_in_every_call_are_a_reason_of_a_wrong_prediction() {
    let case = case("linear", 262_144);
    let mut line = measured_line(&case, 0, 250.0);
    let Line::Measured(observation) = &mut line else { panic!("it was measured") };
    observation.ranks[1].page_faults = Some(3 * 96);
    let predicted = PredictedCases { cases: vec![prediction(&case, "plogp", 76.0)], ..PredictedCases::default() };
    let told = Validation::compare(&[line], &predicted);
    assert_eq!(told.measured[0].page_faults, [0, 96, 0, 0]);
    let reasons = told.worst[0].reasons.join("; ");
    assert!(reasons.contains("rank 1 has 96 page faults"), "{reasons}");
    insta::assert_snapshot!(reasons);
}

mod first;
mod overlap;
mod reading;

use super::table::{details, table};
use super::*;
use crate::compare::fixture::{campaign, case, clock_check, measurement};
use crate::forms::{json, printed};
use models::clock::{Basis, ClockKind, ReportCard};
use models::time::Span;
use programs::memory::{Moment, Probe, Resident};
use programs::method::Buffer;
use programs::observation::{Carrier, Case, Conditions, Looked, MachineLook, Observation};
use render::results::{Format, Results};
use scenario::store::{LaunchEnd, LaunchMemory, Line};

/// Linear broadcasts on 4 ranks by three methods with 1024 and 4096 bytes, τ = 1002 µs; sample i is i·0.1 µs longer.
fn lines() -> Vec<Line> {
    let mut lines = vec![campaign(), Line::ClockCheck(clock_check(Carrier::Native, 4))];
    for bytes in [4096, 1024] {
        for method in [Method::Loop, Method::Window, Method::BarrierLoop] {
            let case = case(Carrier::Native, 4, "linear", method).with(|case| case.subject.bytes = bytes);
            lines.push(Line::Measured(measurement(case)));
        }
    }
    lines
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6
}

impl MeasuredRow {
    /// One method's number; the reference's is the window method's where that was not measured beside it.
    fn by(&self, method: Method) -> Option<&Cell> {
        let mut of_method = self.methods.iter().filter(|cell| cell.method == method);
        let first = of_method.next()?;
        if first.is_reference { of_method.next().or(Some(first)) } else { Some(first) }
    }
}

fn only_subject(lines: &[Line]) -> Subject {
    let all = measured(lines).expect("a campaign").subjects;
    assert_eq!(all.len(), 1);
    all.into_iter().next().expect("one")
}

#[test]
fn every_number_is_that_of_the_slowest_rank() {
    let subject = only_subject(&lines());
    assert_eq!(subject.rows.iter().map(|row| row.bytes).collect::<Vec<_>>(), [1024, 4096]);
    let row = &subject.rows[0];
    // 24 of 30 windows are valid; in the middle are samples 13 and 15: 3 τ + 1.4 µs.
    let window = row.by(Method::Window).expect("a number");
    assert!(near(window.us.expect("valid windows").value, 3_007.4), "{window:?}");
    assert_eq!((window.samples, window.starts), (24, 30));
    assert_eq!(window.ratio.as_ref().map(|over| over.ratio()), Some((1.0, None)));
    // Rank 3 of a loop of 4: (3 + 3·3) τ / 4 = 3 τ, and a quarter of the 1.45 µs that the median loop lasts longer.
    let looped = row.by(Method::Loop).and_then(|cell| cell.us).expect("a number");
    assert!(near(looped.value, 3_006.362_5), "{looped:?}");
    assert!(looped.low < looped.value && looped.value < looped.high);
    assert_eq!(row.methods[0].method, Method::Window, "the reference comes first");
    // The fixture's last rank starts 30 ns after the first; rank 1 leaves after τ, ranks 0 and 3 after 3 τ.
    assert!(near(row.start_skew_us.expect("windows").median_us, 0.03));
    assert!(near(row.exit_skew_us.expect("windows").median_us, 2_004.0));
    assert_eq!(row.window_us, Some(8_800.0));
    assert!(near(row.clock_bound_us.expect("clocks").0, 0.003));
}

/// A method measured while a cache line went from rank to rank in so many nanoseconds.
fn in_state(method: Method, conditions: Conditions, launch: u32, line_ns: u64) -> Line {
    let mut measured = measurement(case(Carrier::Native, 4, "linear", method).under(conditions));
    measured.occasion.launch = launch;
    let look = MachineLook { line: Some(Span::from_ns(line_ns)), work: Span::from_ns(600) };
    for record in &mut measured.ranks {
        record.looks = (0..=15).map(|place| Looked { before_stamp: place * 2, look }).collect();
    }
    Line::Measured(measured)
}

#[test]
fn windows_with_other_buffers_are_no_reference_where_the_references_were_not_met() {
    let usual = Conditions::default();
    let own = Conditions { reference: true, buffer: Buffer::Touched, ..usual };
    let (near, far) = (40, 160);
    let lines = [
        campaign(),
        in_state(Method::Window, own, 0, near),
        in_state(Method::Loop, usual, 0, near),
        in_state(Method::Loop, usual, 1, far),
        in_state(Method::Window, usual, 1, far),
    ];
    let all = measured(&lines).expect("a campaign").subjects;
    let far = all.iter().find(|subject| subject.state.is_some_and(|state| state.line_ns > 100.0)).expect("two states");
    assert_eq!(all.iter().map(|subject| subject.reference).collect::<Vec<_>>(), [Some(Buffer::Touched); 2]);
    assert!(far.rows[0].reference().is_none() && far.rows[0].methods.iter().all(|cell| cell.ratio.is_none()));
    assert!(far.rows[0].by(Method::Window).is_some(), "what was measured is told");
}

#[test]
fn what_an_empty_window_takes_is_told_beside_short_references() {
    let told = |null_us: u64| {
        let mut lines = lines();
        let Some(Line::ClockCheck(check)) = lines.get_mut(1) else { panic!("the second line is the check") };
        for stamp in check.null.iter_mut().flat_map(|record| &mut record.stamps) {
            stamp.end.0 += null_us * 1_000_000;
        }
        let all = measured(&lines).expect("a campaign");
        (all.subjects[0].empty_window.clone(), table(&all, 160, false))
    };
    // References are 3 007.4 µs and a little more; the fixture's empty windows take nothing.
    assert_eq!(told(0).0, None);
    let (words, table) = told(600);
    let words = words.expect("a fifth of the references");
    assert!(table.contains(&words), "{table}");
    insta::assert_snapshot!(words);
}

#[test]
fn benchmarks_that_print_the_same_share_a_number_and_absent_methods_have_none() {
    let row = &only_subject(&lines()).rows[0];
    let by = |preset: Preset| row.benchmarks.iter().filter(move |printed| printed.by.contains(&preset));
    assert_eq!(by(Preset::Imb).collect::<Vec<_>>(), by(Preset::Osu).collect::<Vec<_>>());
    // Local times are 3 τ, τ, 2 τ, 3 τ: IMB's mean over ranks of mean times, each longer by 1.45 µs in the mean.
    let average = by(Preset::Imb).next().and_then(|printed| printed.us).expect("barrier-loops were measured");
    assert!(near(average, 9.0 / 4.0 * 1_002.0 + 1.45), "{average}");
    assert!(by(Preset::Mpptest).all(|printed| printed.us.is_none()), "no root-rotation was measured");
    assert!(by(Preset::Reprompi).all(|printed| printed.us.is_none()), "no round-time was measured");
}

#[test]
fn without_valid_windows_there_is_no_reference_and_no_zero() {
    let mut lines = lines();
    for line in &mut lines {
        if let Line::Measured(Observation { case, ranks, .. }) = line
            && case.timing.method == Method::Window
        {
            ranks.iter_mut().flat_map(|rank| &mut rank.stamps).for_each(|stamp| stamp.valid = false);
        }
    }
    let subject = only_subject(&lines);
    let row = &subject.rows[0];
    let window = row.by(Method::Window).expect("it was tried");
    assert_eq!((window.us, window.samples, window.starts), (None, 0, 30));
    assert_eq!((row.start_skew_us, row.exit_skew_us), (None, None));
    let looped = row.by(Method::Loop).expect("loops need no windows");
    assert!(looped.us.is_some() && looped.ratio.is_none());
    let text = table(&measured(&lines).expect("a campaign"), 120, false);
    let line = text.lines().find(|line| line.starts_with("   1024")).expect("a row");
    assert!(line.split_whitespace().nth(1) == Some("–?"), "{line}");
    assert!(text.contains("? the reference is too uncertain for ratios: at 1024 B none of 30 windows"), "{text}");
}

/// The same case in another launch, `longer` µs slower.
fn again(lines: &[Line], launch: u32, longer: u64) -> Vec<Line> {
    let mut again: Vec<Line> = lines.iter().filter(|line| matches!(line, Line::Measured(_))).cloned().collect();
    for line in &mut again {
        let Line::Measured(observation) = line else { continue };
        observation.occasion.launch = launch;
        for stamp in observation.ranks.iter_mut().flat_map(|rank| &mut rank.stamps) {
            stamp.end.0 += longer * 1_000_000;
        }
    }
    again
}

#[test]
fn launches_are_told_apart_and_each_has_its_first_call() {
    let mut lines = lines();
    lines.extend(again(&lines, 1, 500));
    let subject = only_subject(&lines);
    assert_eq!((subject.launches, subject.rows.len()), (2, 2));
    let window = subject.rows[0].by(Method::Window).expect("a number");
    assert_eq!((window.samples, window.starts), (48, 60));
    let each: Vec<f64> = window.launches_us.iter().map(|(_, us)| *us).collect();
    assert!(near(each[0], 3_007.4) && near(each[1], 3_507.4), "{each:?}");
    // The loop of 4096 bytes came first in both launches.
    let fresh: Vec<(u64, u32)> = subject
        .rows
        .iter()
        .flat_map(|row| row.first_calls.iter().filter(|call| call.fresh).map(move |call| (row.bytes, call.launch)))
        .collect();
    assert_eq!(fresh, [(4096, 1), (4096, 2)]);
    let ratios: Vec<f64> = subject.rows[0].first_calls.iter().filter_map(FirstCall::ratio).collect();
    assert!(near(ratios[0], 3_006.0 / 3_007.4) && near(ratios[1], 3_006.0 / 3_507.4), "{ratios:?}");
}

/// Eight launches; those of an odd number have loops that are `longer` µs slower, windows that are not.
fn eight(longer: u64) -> Vec<Line> {
    let mut lines = lines();
    for launch in 1..8 {
        let slower = again(&lines[..8], launch, if launch % 2 == 1 { longer } else { u64::from(launch) });
        let plain = again(&lines[..8], launch, 0);
        let is_loop = |line: &Line| matches!(line, Line::Measured(one) if one.case.timing.method == Method::Loop);
        lines.extend(slower.into_iter().zip(plain).map(|(slow, plain)| if is_loop(&slow) { slow } else { plain }));
    }
    lines
}

#[test]
fn six_launches_have_an_interval_over_launches_and_two_groups_no_headline() {
    let text = |lines: &[Line]| table(&measured(lines).expect("a campaign"), 120, false);
    let one_group = eight(2);
    let row = &only_subject(&one_group).rows[0];
    let over = row.by(Method::Loop).and_then(|cell| cell.ratio.clone()).expect("a ratio");
    let (low, high) = over.ratio().1.expect("eight launches");
    assert!(over.is_firm() && low < high && high - low < 0.01 && (over.ratio().0 - 1.0).abs() < 0.01, "{over:?}");
    assert_eq!(over.of_launches.iter().map(|(launch, _)| *launch).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
    let no_one_ratio =
        |text: &str| text.lines().find(|line| line.contains("×1.66 (4)")).map(|line| line.trim().to_owned());
    assert_eq!(no_one_ratio(&text(&one_group)), None);

    // k = 4 calls that take 8 ms longer together: 2 ms each.
    let two_groups = eight(8_000);
    let text = text(&two_groups);
    assert!(text.contains("×1.00|1.66"), "{text}");
    insta::assert_snapshot!(no_one_ratio(&text).expect("both groups are told"));
    let page = measured(&two_groups).expect("a campaign").page();
    page.figures().iter().for_each(|figure| crate::plots::room_tests::finds_room(&figure.drawing, &figure.name));
    assert!(page.answer.contains("method barrier-loop") && page.details[0].contains("over launches"), "{page:?}");
    let text = measured(&two_groups).expect("a campaign").csv();
    assert_eq!(
        text.lines().filter(|line| line.contains(",240,240,8,2,")).count(),
        2,
        "the loop at both lengths: {text}"
    );
}

#[test]
fn windows_of_fixed_length_stand_apart_from_the_one_that_adapts() {
    let mut lines = lines();
    for window in [Span::from_ms(20), Span::from_ms(5)] {
        let mut fixed = case(Carrier::Native, 4, "linear", Method::Window);
        fixed.timing.conditions.window = Some(window);
        lines.push(Line::Measured(measurement(fixed)));
    }
    let subject = only_subject(&lines);
    let fixed = &subject.rows[0].fixed_windows;
    assert_eq!(fixed.iter().map(|fixed| fixed.window_us).collect::<Vec<_>>(), [5_000.0, 20_000.0]);
    assert!(near(fixed[1].idle_us.expect("a number"), 20_000.0 - 3_007.4));
    assert_eq!(subject.rows[0].by(Method::Window).map(|cell| cell.samples), Some(24), "the adapting one is alone");
    assert!(subject.rows[1].fixed_windows.is_empty());
    let text = table(&measured(&lines).expect("a campaign"), 160, false);
    assert!(text.contains("5 ms") && text.contains("20 ms") && text.contains("fixed windows"), "{text}");
}

#[test]
fn a_case_measured_twice_counts_once() {
    let mut lines = lines();
    lines.extend(again(&lines, 0, 1_000));
    let window = only_subject(&lines).rows[0].by(Method::Window).and_then(|cell| cell.us).expect("a number");
    assert!(near(window.value, 4_007.4), "the last counts: {window:?}");
}

#[test]
fn clocks_that_may_be_wrong_by_much_are_flagged() {
    let mut lines = lines();
    assert_eq!(only_subject(&lines).rows[0].unsure, None);
    for line in &mut lines {
        if let Line::Measured(observation) = line {
            observation.ranks[3].clock.bound = Span::from_us(400);
        }
    }
    let why = only_subject(&lines).rows[0].unsure.clone().expect("400 µs are more than a tenth of 3007 µs");
    assert!(why.contains("rank 3"), "{why}");
    let text = table(&measured(&lines).expect("a campaign"), 100, false);
    assert!(text.contains(" 3007!"), "{text}");
    let warning =
        text.lines().skip_while(|line| !line.trim_start().starts_with("! ")).take_while(|line| !line.is_empty());
    let warning = warning.collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(format!("{why}\n\n{warning}"));
}

#[test]
fn bounds_of_a_clock_that_all_ranks_share_flag_nothing_unless_it_moved() {
    let mut lines = lines();
    let records = |lines: &mut Vec<Line>, change: &dyn Fn(&mut programs::observation::RankRecord)| {
        for line in lines {
            if let Line::Measured(observation) = line {
                observation.ranks[1..].iter_mut().for_each(change);
            }
        }
    };
    records(&mut lines, &|record| {
        record.clock.bound = Span::from_us(400);
        record.clock.basis = Basis::Shared;
        (record.clock_after.basis, record.clock_after.offset_ps) = (Basis::Shared, record.clock.offset_ps);
    });
    let subject = only_subject(&lines);
    assert_eq!((subject.one_clock, subject.rows[0].unsure.clone()), (true, None));
    let text = table(&measured(&lines).expect("a campaign"), 200, false);
    assert!(!text.contains('!'), "{text}");
    insta::assert_snapshot!(text.lines().find(|line| line.contains("one clock")).expect("it is told").trim());
    records(&mut lines, &|record| record.clock_after.basis = Basis::Contradicted);
    let subject = only_subject(&lines);
    assert!(!subject.one_clock && subject.rows[0].unsure.is_some());
}

#[test]
fn memory_is_that_of_the_median_rank_after_init_and_at_the_end() {
    let mut lines = lines();
    let probe = |moment, rss_kib| Probe { moment, resident: Some(Resident { rss_kib, ..Resident::default() }) };
    let look = |when, end_kib: [u64; 3]| {
        let of = |kib| vec![probe(Moment::BeforeInit, 1), probe(Moment::AfterInit, 12_500), probe(Moment::Ready, kib)];
        let ran_by = "a library".to_owned();
        Line::Memory(LaunchMemory { world: World::MPICH, launch: 0, when, ran_by, ranks: end_kib.map(of).to_vec() })
    };
    lines.extend([look(LaunchEnd::Begin, [7, 7, 7]), look(LaunchEnd::End, [1, 15_625, 50_000])]);
    let measured = measured(&lines).expect("a campaign");
    let [memory] = &measured.memory[..] else { panic!("{:?}", measured.memory) };
    assert_eq!((memory.world, memory.ranks, memory.begin_mb, memory.end_mb), (World::MPICH, 3, Some(12.8), Some(16.0)));
    let text = table(&measured, 120, false);
    insta::assert_snapshot!(text.lines().find(|line| line.contains("12.8 MB")).expect("it is told").trim());
}

/// A card of a clock whose steps are so long.
fn card(granularity_ns: f64) -> Line {
    let card = ReportCard {
        clock: ClockKind::Tsc,
        name: "tsc".to_owned(),
        host: "unit".to_owned(),
        distrust: None,
        ticks_per_second: 2e9,
        repeated_ppm: 0.1,
        granularity_ns,
        smallest_step_ns: 20.0,
        read_ns: 22.0,
        read_at_once_ns: None,
        reads: 1_000_000,
        backwards: 0,
        largest_step_back_ns: 0.0,
        against_raw_ppm: 0.2,
        against_raw_error_ppm: 0.4,
        processes: None,
    };
    Line::ReportCard { world: World::OPENMPI, ranks: 4, card: Box::new(card) }
}

#[test]
fn the_last_report_card_of_a_group_is_told() {
    let mut lines = lines();
    lines.extend([card(0.5), card(100.0)]);
    let text = table(&measured(&lines).expect("a campaign"), 400, false);
    let told: Vec<&str> = text.lines().filter(|line| line.contains("clock tsc")).collect();
    assert_eq!(told.len(), 1, "{text}");
    insta::assert_snapshot!(told[0].trim());
}

#[test]
fn without_a_campaign_there_is_nothing_to_tell() {
    assert!(measured(&lines()[1..]).is_err());
}

#[test]
fn tables_fit_their_width_and_lose_no_column() {
    let measured = measured(&lines()).expect("a campaign");
    for width in [64, 80, 100, 140, 200] {
        let text = table(&measured, width, false);
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(widest <= width, "{widest} > {width}:\n{text}");
        for word in ["window", "loop", "avg", "MPIPerf", "SKaMPI", "start", "exit", "length", "× later"] {
            assert!(text.contains(word), "{word} is missing at {width}:\n{text}");
        }
    }
}

/// Compares with a golden file, or writes it where UPDATE_GOLDEN is set.
fn golden(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/measured/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).expect("a golden file");
    }
    let expected = std::fs::read_to_string(&path).expect("a golden file: UPDATE_GOLDEN=1 writes it");
    assert_eq!(text, expected, "{}: UPDATE_GOLDEN=1 rewrites it", path.display());
}

#[test]
fn the_forms_are_what_they_were() {
    let mut lines = lines();
    lines.extend([card(0.5), Line::LeftOut { what: "mpich".to_owned(), why: "not here".to_owned() }]);
    let measured = measured(&lines).expect("a campaign");
    golden("table.txt", &table(&measured, 120, false));
    golden("details.txt", &details(&measured, 120, false));
    golden("table.md", &printed(&measured, Format::Markdown));
    golden("numbers.csv", &measured.csv());
    golden("numbers.json", &(serde_json::to_string_pretty(&json(&measured)).expect("no odd keys") + "\n"));
}

#[test]
fn every_number_has_a_row() {
    let object = json(&measured(&lines()).expect("a campaign"));
    let rows = object["rows"].as_array().expect("rows");
    let window = rows.iter().find(|row| row["name"] == "reference" && row["bytes"] == 1024 && row["kind"] == "method");
    assert!(near(window.expect("a row")["time_us"].as_f64().expect("a number"), 3_007.4));
    let imb = rows.iter().filter(|row| row["name"].as_str().is_some_and(|name| name.starts_with("imb ")));
    assert_eq!(imb.count(), 2 * 3, "three columns for both lengths");
}

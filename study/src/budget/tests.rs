use super::page::terminal;
use super::*;
use crate::compare::fixture::{campaign, case};
use crate::forms::printed;
use models::clock::{ClockKind, GlobalClock, ReportCard, Ticks, Timescale};
use models::time::Span;
use programs::budget::{Design, Round};
use programs::machine::{CoreState, Estimate};
use programs::method::Method;
use programs::observation::{
    Carrier, Implementation, Looked, MachineLook, Observation, Occasion, RankRecord, Stamp, World,
};
use render::results::Look;
use render::results::{Format, Results};
use scenario::store::{Line, PredictedBudget};

const CARRIER: Carrier = Carrier::Native;
const ROUNDS: u32 = 21;

fn configuration(text: &str) -> Configuration {
    Configuration::parse(text).unwrap_or_else(|message| panic!("{text}: {message}"))
}

/// A round in which rank 0 takes `us` and rank 1 half of it; the first call takes ten times as long.
fn round(run: usize, round: u32, method: Method, us: f64) -> Line {
    let ticks = |share: f64| (us * 1e6 * share).round() as u64;
    let stamp =
        |block, length: u64, valid| Stamp { block, calls: 1, due: None, start: Ticks(0), end: Ticks(length), valid };
    let record = |rank: u32| {
        let length = ticks(1.0 / f64::from(rank + 1));
        let stamps = (0..4).map(|block| stamp(block, length, true)).collect();
        let mut record = RankRecord::new(rank, GlobalClock::reference(Timescale::PICOSECONDS), stamps);
        record.cold = stamp(0, 10 * length, true);
        record
    };
    let case = case(CARRIER, 2, "linear", method);
    let observation = Observation {
        occasion: Occasion { launch: round % 7 },
        oversubscribed: true,
        ..Observation::new(case, "Open MPI 4.1.4", (0..2).map(record).collect())
    };
    Line::Round(Box::new(Round { run: run as u32, round, observation }))
}

/// What all runs take, in µs, in the order of [`Configuration::runs`]; rounds differ by a common factor of up to 1.1.
fn lines(from: &Configuration, to: &Configuration, us: &[f64]) -> Vec<Line> {
    let runs = Configuration::runs(&Design::between(from, to).cells, CARRIER);
    assert_eq!(runs.len(), us.len());
    let mut lines = vec![campaign()];
    for number in 0..ROUNDS {
        let factor = 1.0 + 0.1 * f64::from(number * 8 % ROUNDS) / f64::from(ROUNDS);
        lines.extend(
            runs.iter().zip(us).enumerate().map(|(run, (of, us))| round(run, number, of.method(), us * factor)),
        );
    }
    lines
}

fn ps(estimate: Estimate) -> i64 {
    (estimate.value * 1e6).round() as i64
}

fn predicted(from: &Configuration, to: &Configuration, numbers: &[f64]) -> Line {
    predicted_in(None, from, to, numbers)
}

/// The budget of these numbers, by a network that was calibrated in this state.
fn predicted_in(calibrated_in: Option<CoreState>, from: &Configuration, to: &Configuration, numbers: &[f64]) -> Line {
    let budget = Budget::from_numbers(from, to, numbers).expect("numbers of all");
    let case = case(CARRIER, 2, "linear", Method::Window);
    let machine = "Hockney with α = 1 µs".to_owned();
    Line::Budget(Box::new(PredictedBudget { case, simulated: false, machine, calibrated_in, budget }))
}

/// The reference with touched buffers to barriers that start calls on the same buffers, whose mean over ranks is printed.
fn ends() -> (Configuration, Configuration) {
    (configuration("reference"), configuration("reference,E5,buffer=same,aggregation=mean"))
}

/// The reference, with E5, with E4, with both; E2 is another view of the last run.
const RUNS: [f64; 4] = [10.0, 14.0, 9.0, 12.0];

fn both() -> (Budgets, Vec<Line>) {
    let (from, to) = ends();
    let mut lines = lines(&from, &to, &RUNS);
    lines.push(predicted(&from, &to, &[10.0, 13.0, 9.5, 12.5, 12.0]));
    (budgets(&lines, &from, &to), lines)
}

fn table(budgets: &Budgets, width: usize, detailed: bool) -> String {
    terminal(budgets, Look { width, detailed, ..Look::IN_FILES })
}

#[test]
fn bars_are_factors_share_what_they_do_together_and_add_up_to_the_picosecond() {
    let (budgets, _) = both();
    assert_eq!(budgets.cases.len(), 1, "predicted and measured are of one case");
    let measured = budgets.cases[0].measured.as_ref().expect("measured");
    assert_eq!((measured.rounds, measured.launches, measured.oversubscribed), (21, 7, true));
    assert_eq!((measured.count, measured.ln_ratios.len()), (LaunchCount::Enough, 7));
    let budget = &measured.budget;
    let labels: Vec<&str> = budget.bars.iter().map(|bar| bar.errors[0].label()).collect();
    assert_eq!(labels, ["E5", "E4", "E2"]);
    let factor = |error| budget.bar(error).expect("a bar").factor.expect("a factor").value;
    let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    near(factor(SystematicError::BarrierSkew), (1.4_f64 * (12.0 / 9.0)).sqrt());
    near(factor(SystematicError::BufferReuse), (0.9_f64 * (12.0 / 14.0)).sqrt());
    // A mean over ranks of x and x/2.
    near(factor(SystematicError::OneRank), 0.75);
    near(budget.ratio.expect("a ratio").value, 0.9);
    let sum: i64 = budget.bars.iter().chain([&budget.remainder]).map(|bar| ps(bar.us)).sum();
    assert_eq!(ps(budget.from_us) + sum, ps(budget.to_us));
}

#[test]
fn what_shifts_a_whole_round_does_not_widen_the_bars() {
    let (budgets, _) = both();
    let budget = &budgets.cases[0].measured.as_ref().expect("measured").budget;
    let width = |estimate: Estimate| estimate.high - estimate.low;
    assert!(width(budget.from_us) > 0.1, "launches differ: {budget:?}");
    let start = budget.bar(SystematicError::BarrierSkew).expect("a bar");
    assert!(width(start.us) < 1e-4, "but every round's factor is the same: {start:?}");
}

#[test]
fn a_first_call_that_is_counted_is_that_of_the_launch() {
    let (from, to) =
        (configuration("reference,samples=mean"), configuration("reference,samples=mean,first-call=included"));
    let budgets = budgets(&lines(&from, &to, &[10.0]), &from, &to);
    let measured = budgets.cases[0].measured.as_ref().expect("measured");
    // One of four calls takes ten times as long as the launch's first.
    let factor = measured.budget.bar(SystematicError::LateInitialisation).expect("a bar").factor.expect("a factor");
    assert!((3.0..=3.5).contains(&factor.value), "{factor:?}");
    assert!(measured.budget.remainder.us.value.abs() < 1e-5);
}

#[test]
fn what_cannot_be_measured_is_no_bar_but_left_over() {
    let (from, to) = (configuration("reference"), configuration("window,buffer=same,clocks=perfect,aggregation=mean"));
    let budgets = budgets(&lines(&from, &to, &[10.0, 12.0]), &from, &to);
    let case = &budgets.cases[0];
    let measured = case.measured.as_ref().expect("measured");
    let [(SystematicError::IdleGap, why)] = &measured.unmeasured[..] else { panic!("{:?}", measured.unmeasured) };
    assert_eq!(measured.budget.bar(SystematicError::IdleGap), None);
    for width in [70, 80, 100] {
        let widest = table(&budgets, width, true).lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{widest:?} of {width}");
    }
    let text = table(&budgets, 100, true);
    insta::assert_snapshot!(text.lines().find(|line| line.contains("not measurable")).expect("a row").trim());
    assert!(budgets.csv().contains(&format!(",E8,idle-gap,measured,,,,,,,,7,{why},")));
}

#[test]
fn the_benchmarks_clock_is_computed_where_it_was_judged() {
    let (from, to) = (configuration("reference"), configuration("reference,clocks=as-they-are"));
    let mut lines = lines(&from, &to, &[10.0]);
    let bars = |lines: &[Line]| budgets(lines, &from, &to).cases[0].measured.clone().expect("measured");
    assert_eq!(bars(&lines).unmeasured[0].0, SystematicError::BadClock, "nobody judged it");
    for (clock, read_ns) in [(ClockKind::Tsc, 10.0), (ClockKind::MpiWtime, 510.0)] {
        let card = ReportCard {
            clock,
            name: String::new(),
            host: String::new(),
            distrust: None,
            ticks_per_second: 1e9,
            repeated_ppm: 0.0,
            granularity_ns: 1.0,
            smallest_step_ns: 1.0,
            read_ns,
            read_at_once_ns: None,
            reads: 1,
            backwards: 0,
            largest_step_back_ns: 0.0,
            against_raw_ppm: 0.0,
            against_raw_error_ppm: 0.0,
            processes: None,
        };
        let case = case(CARRIER, 2, "linear", Method::Window);
        lines.push(Line::ReportCard { world: case.place.world, ranks: case.place.ranks, card: Box::new(card) });
    }
    let bar = bars(&lines).budget.bar(SystematicError::BadClock).expect("a bar").us.value;
    assert!((bar - 0.5).abs() < 2e-3, "half a microsecond more: {bar}");
}

#[test]
fn states_are_told_apart_the_most_visited_first() {
    let (from, to) = (configuration("reference"), configuration("reference,E5"));
    let mut lines = lines(&from, &to, &[10.0, 12.0]);
    for line in &mut lines {
        let Line::Round(round) = line else { continue };
        let far = round.round % 2 == 1;
        for record in &mut round.observation.ranks {
            let look = MachineLook { line: Some(Span::from_ns(if far { 160 } else { 40 })), work: Span::from_ns(600) };
            record.looks = [0, 4].map(|before_stamp| Looked { before_stamp, look }).to_vec();
            for stamp in record.stamps.iter_mut().filter(|_| far && round.run == 1) {
                stamp.end.0 *= 2;
            }
        }
    }
    let of = |line_ns: Option<f64>| {
        let state = line_ns.map(|line_ns| CoreState { line_ns, work_ns: Some(610.0) });
        let predicted = predicted_in(state, &from, &to, &[10.0, 12.5]);
        budgets(&lines.iter().cloned().chain([predicted]).collect::<Vec<_>>(), &from, &to)
    };
    let budgets = of(None);
    let told: Vec<(f64, bool, f64)> = budgets
        .cases
        .iter()
        .map(|case| {
            let ratio = case.measured.as_ref().expect("measured").budget.ratio.expect("a ratio").value;
            (case.state.expect("a state").line_ns, case.predicted.is_some(), (ratio * 10.0).round() / 10.0)
        })
        .collect();
    assert_eq!(told, [(40.0, true, 1.2), (160.0, false, 2.4)]);
    assert!(budgets.cases[1].title().contains("160 ns"));
    let beside = |line_ns| of(Some(line_ns)).cases.iter().map(|case| case.predicted.is_some()).collect::<Vec<_>>();
    assert_eq!(beside(155.0), [false, true], "a prediction stands beside the state in which ranks were calibrated");
    assert_eq!(beside(15.0), [false, false, true], "alone where nothing was measured in that one");
    let alone = &of(Some(15.0)).cases[2];
    assert_eq!((alone.state, alone.measured.is_some()), (None, false));
    insta::assert_snapshot!([budgets.cases[1].title(), alone.title()].join("\n"));
}

#[test]
fn rounds_without_a_valid_start_say_nothing() {
    let (from, to) = ends();
    let mut lines = lines(&from, &to, &RUNS);
    for line in &mut lines {
        if let Line::Round(round) = line
            && round.run == 0
        {
            round
                .observation
                .ranks
                .iter_mut()
                .flat_map(|record| &mut record.stamps)
                .for_each(|stamp| stamp.valid = false);
        }
    }
    let budgets = budgets(&lines, &from, &to);
    assert_eq!(budgets.cases[0].measured, None);
    insta::assert_snapshot!(budgets.cases[0].sentence(&budgets));
}

#[test]
fn a_block_fits_a_hundred_columns_and_says_who_prints_what() {
    let (budgets, _) = both();
    let text = table(&budgets, 100, false);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let labels = |text: &str| SystematicError::ALL.iter().filter(|e| text.contains(&format!("  {e}"))).count();
    assert_eq!(labels(&text), 2, "E4 and E5; what is alike in both has no row: {text}");
    insta::assert_snapshot!(text);
    let detailed = table(&budgets, 100, true);
    let model = detailed.lines().find(|line| line.contains("Hockney")).expect("the model");
    assert!(model.contains("α = 1 µs") && !text.contains("Hockney"), "{detailed}");
}

#[test]
fn an_error_that_does_not_stand_out_is_not_called_the_largest() {
    let (from, to) = ends();
    let mut lines = lines(&from, &to, &RUNS);
    // E5 of every second launch takes less than the reference.
    for line in &mut lines {
        if let Line::Round(old) = line
            && [1, 3].contains(&old.run)
            && (old.round % 7) % 2 == 0
        {
            *line = round(old.run as usize, old.round, Method::BarrierLoop, 4.0);
        }
    }
    let budgets = budgets(&lines, &from, &to);
    let sentence = budgets.cases[0].sentence(&budgets);
    insta::assert_snapshot!("the_largest_by_size_is_unsure", sentence);
    let text = table(&budgets, 100, false);
    let row = text.lines().find(|line| line.contains("E5 barrier-skew")).expect("a row");
    assert!(!row.contains('█') && text.contains('█'), "what may be nothing is not drawn: {text}");
}

#[test]
fn three_launches_have_no_interval_and_name_no_error() {
    let (from, to) = ends();
    let mut lines = lines(&from, &to, &RUNS);
    lines.retain(|line| !matches!(line, Line::Round(round) if round.round % 7 > 2));
    let budgets = budgets(&lines, &from, &to);
    let sentence = budgets.cases[0].sentence(&budgets);
    insta::assert_snapshot!(sentence);
    assert!(!table(&budgets, 100, false).contains('█'));
}

#[test]
fn csv_has_as_many_cells_in_every_line() {
    let (budgets, _) = both();
    let text = budgets.csv();
    let mut reader = csv_reader(&text);
    let heads = reader.headers().expect("heads").clone();
    let at = |name: &str| heads.iter().position(|head| head == name).expect("a column");
    let (source, launches, low, high) = (at("source"), at("launches"), at("time_low_us"), at("time_high_us"));
    let rows: Vec<csv_crate::StringRecord> = reader.records().collect::<Result<_, _>>().expect("rectangular");
    assert_eq!(rows.len(), 2 * (2 + 3 + 1), "both ends, three bars and the remainder, from each side");
    assert_eq!(&rows[0][at("to")], "reference,E5,buffer=same,aggregation=mean", "commas are quoted");
    let measured = rows.iter().find(|row| &row[source] == "measured").expect("measured");
    assert_eq!(&measured[launches], "7");
    assert!(!measured[low].is_empty() && !measured[high].is_empty(), "seven launches have an interval: {measured:?}");
    let (from, to) = ends();
    let once: Vec<Line> = lines(&from, &to, &RUNS).into_iter().filter(in_one_launch).collect();
    let text = super::budgets(&once, &from, &to).csv();
    let row = csv_reader(&text).records().next().expect("a row").expect("rectangular");
    assert_eq!((&row[launches], &row[low], &row[high]), ("1", "", ""), "one launch has none");
}

fn in_one_launch(line: &Line) -> bool {
    let Line::Round(round) = line else { return true };
    round.observation.occasion.launch == 1
}

use ::csv as csv_crate;

fn csv_reader(text: &str) -> csv_crate::Reader<&[u8]> {
    csv_crate::Reader::from_reader(text.as_bytes())
}

#[test]
fn the_page_has_a_picture_and_a_table_for_every_case() {
    let (budgets, lines) = both();
    let page = page(&lines, &budgets);
    assert_eq!(
        (page.sections.len(), page.sections[0].figures.len()),
        (2, 1),
        "a case, and where its numbers come from"
    );
    let drawing = &page.sections[0].figures[0].drawing;
    crate::plots::room_tests::finds_room(drawing, &budgets.cases[0].title());
    let svg = drawing.to_string();
    roxmltree::Document::parse(&svg).expect("well formed");
    for words in ["E5 barrier-skew", "E4 buffer-reuse", "predicted", "measured", "reference"] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    assert!((5..=6).contains(&page.sections[0].tables[0].rows.len()));
    assert!(page.answer.ends_with(&budgets.cases[0].sentence(&budgets)), "{}", page.answer);
    page.html().expect("a page");
    let markdown = printed(&budgets, Format::Markdown);
    for words in [format!("\n## {}\n", budgets.cases[0].title()), "| E5 barrier-skew |".to_owned()] {
        assert!(markdown.contains(&words), "{words}: {markdown}");
    }
}

#[test]
fn a_table_of_another_version_and_calls_through_shared_memory_are_said() {
    let (mut budgets, _) = both();
    let case = &mut budgets.cases[0];
    case.measured.as_mut().expect("measured").oversubscribed = false;
    let mut said = |implementation, world, ran_by: &str| {
        (case.case.subject.implementation, case.case.place.world) = (implementation, world);
        case.measured.as_mut().expect("measured").ran_by = ran_by.to_owned();
        case.warnings()
    };
    let (own, library) = (Implementation::Own("linear".to_owned()), Implementation::Library);
    assert_eq!(said(own, World::OPENMPI, "Open MPI 5.0.11 on here"), [""; 0], "no table was asked");
    assert_eq!(said(library.clone(), World::OPENMPI, "Open MPI 5.0.10 on here"), [""; 0]);
    let all = [
        said(library.clone(), World::OPENMPI, "Open MPI 5.0.11 on here"),
        said(library.clone(), World::MPICH, "MPICH 4.3.2 on here"),
        said(library, World::MPICH, "MPICH 5.0.2 on here"),
    ];
    assert_eq!(all.each_ref().map(Vec::len), [1, 1, 2], "{all:?}");
    insta::assert_snapshot!(all.concat().join("\n"));
}

#[test]
fn predictions_for_slowed_cores_are_said_to_be_unsure() {
    let (mut budgets, _) = both();
    assert!(!table(&budgets, 100, false).contains("uncertain"));
    for (slower, is_unsure) in [(1.0, false), (1.8, true)] {
        budgets.cases[0].state =
            Some(MetState { line_ns: 40.0, work_ns: 400.0 * slower, slower, stretches: 21, visits: 1, launches: 7 });
        let text = table(&budgets, 100, false);
        assert_eq!(text.contains("(predicted 1.20, uncertain)"), is_unsure, "{text}");
        let at = "Predictions for slowed cores are uncertain";
        let warning = text.lines().skip_while(|line| !line.contains(at)).take(2).collect::<Vec<_>>();
        assert_eq!(!warning.is_empty(), is_unsure, "{text}");
        if is_unsure {
            insta::assert_snapshot!(warning.join("\n"));
        }
    }
}

use super::*;
use crate::compare::fixture::{campaign, case};
use crate::store::{Line, PredictedBudget};
use models::budget::{Ground, Round};
use models::clock::{GlobalClock, Ticks, Timescale};
use models::machine::Estimate;
use models::method::Method;
use models::observation::{Carrier, Conditions, Observation, RankRecord, Stamp};

const GROUND: Ground = Ground { carrier: Carrier::Native, other_clock: true };
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
    let mut case = case(GROUND.carrier, 2, "linear", method);
    case.conditions = Conditions { launch: round / 11, ..Conditions::default() };
    let observation = Observation {
        case,
        ran_by: "Open MPI 4.1.4".to_owned(),
        oversubscribed: true,
        ranks: (0..2).map(record).collect(),
    };
    Line::Round(Box::new(Round { run: run as u32, ground: GROUND, round, observation }))
}

/// What all runs take, in µs, in the order of [`Configuration::runs`]; rounds differ by a common shift of up to 1 µs.
fn lines(from: &Configuration, to: &Configuration, us: &[f64]) -> Vec<Line> {
    let runs = Configuration::runs(&Budget::configurations(from, to), GROUND);
    assert_eq!(runs.len(), us.len());
    let mut lines = vec![campaign()];
    for number in 0..ROUNDS {
        let shift = f64::from(number * 8 % ROUNDS) / f64::from(ROUNDS);
        lines
            .extend(runs.iter().zip(us).enumerate().map(|(run, (of, us))| round(run, number, of.method(), us + shift)));
    }
    lines
}

fn ps(estimate: Estimate) -> i64 {
    (estimate.value * 1e6).round() as i64
}

fn predicted(from: &Configuration, to: &Configuration, numbers: &[f64]) -> Line {
    let budget = Budget::of(from, to, numbers).expect("numbers of all");
    let case = case(GROUND.carrier, 2, "linear", Method::Window);
    Line::Budget(Box::new(PredictedBudget { case, simulated: false, machine: "hockney".to_owned(), budget }))
}

/// The truth to a barrier inside a loop that prints rank 0: E2, E4, E6 and E9.
fn ends() -> (Configuration, Configuration) {
    (configuration("truth"), configuration("loop,clocks=perfect,barrier-inside=yes,aggregation=mean"))
}

fn both() -> (Budgets, Vec<Line>) {
    let (from, to) = ends();
    // The truth, E4, E6, E9, all; E2 is another view of the truth's own run.
    let mut lines = lines(&from, &to, &[10.0, 9.0, 14.0, 12.0, 17.0]);
    lines.push(predicted(&from, &to, &[10.0, 7.5, 9.5, 13.0, 12.0, 12.5]));
    (budgets(&lines, &from, &to), lines)
}

#[test]
fn bars_are_differences_of_medians_and_add_up_to_the_picosecond() {
    let (budgets, _) = both();
    assert_eq!(budgets.cases.len(), 1, "predicted and measured are of one case");
    let measured = budgets.cases[0].measured.as_ref().expect("measured");
    assert_eq!((measured.rounds, measured.launches, measured.oversubscribed), (21, 2, true));
    let budget = &measured.budget;
    let labels: Vec<&str> = budget.bars.iter().map(|(error, _)| error.label()).collect();
    assert_eq!(labels, ["E2", "E4", "E6", "E9"]);
    let bar = |error| ps(budget.bar(error).expect("a bar"));
    assert_eq!(bar(SystematicError::BufferReuse), -1_000_000);
    assert_eq!(bar(SystematicError::UnsynchronisedLoop), 4_000_000);
    assert_eq!(bar(SystematicError::BarrierInside), 2_000_000);
    // A mean over ranks of x and x/2.
    assert_eq!(bar(SystematicError::OneRank), -ps(budget.from_us) / 4);
    let sum: i64 = budget.bars.iter().map(|(_, bar)| ps(*bar)).sum();
    assert_eq!(ps(budget.from_us) + sum + ps(budget.interaction), ps(budget.to_us));
}

#[test]
fn what_shifts_a_whole_round_does_not_widen_the_bars() {
    let (budgets, _) = both();
    let budget = &budgets.cases[0].measured.as_ref().expect("measured").budget;
    let width = |estimate: Estimate| estimate.high - estimate.low;
    assert!(width(budget.from_us) > 0.1, "rounds differ: {budget:?}");
    let inside = budget.bar(SystematicError::BarrierInside).expect("a bar");
    assert!(width(inside) < 1e-5, "but every round's bar is the same: {inside:?}");
}

#[test]
fn a_first_call_that_is_counted_is_that_of_the_launch() {
    let (from, to) = (configuration("truth"), configuration("E1"));
    let budgets = budgets(&lines(&from, &to, &[10.0]), &from, &to);
    let measured = budgets.cases[0].measured.as_ref().expect("measured");
    // One of four calls takes ten times as long as the launch's first: (100 - 10) / 4, and what the rounds shift.
    let bar = measured.budget.bar(SystematicError::LateInitialisation).expect("a bar").value;
    assert!((22.0..=25.0).contains(&bar), "{bar}");
    assert_eq!(measured.budget.interaction.value, 0.0);
}

#[test]
fn what_cannot_be_measured_is_no_bar_but_part_of_the_interaction() {
    let (from, to) = (configuration("truth"), configuration("window,buffer=pool,clocks=perfect,E9"));
    let budgets = budgets(&lines(&from, &to, &[10.0, 12.0]), &from, &to);
    let case = &budgets.cases[0];
    let measured = case.measured.as_ref().expect("measured");
    assert_eq!(measured.unmeasured, [(SystematicError::IdleGap, "ranks wait alike in both".to_owned())]);
    assert_eq!(measured.budget.bar(SystematicError::IdleGap), None);
    let text = table(&budgets);
    assert!(text.contains("E8 idle-gap") && text.contains("not measurable"), "{text}");
    assert!(csv(&budgets).contains(",E8,idle-gap,measured,,,,ranks wait alike in both\n"));
}

#[test]
fn rounds_without_a_valid_start_say_nothing() {
    let (from, to) = ends();
    let mut lines = lines(&from, &to, &[10.0, 9.0, 14.0, 12.0, 17.0]);
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
    assert!(budgets.cases[0].sentence(&budgets).starts_with("Nothing was measured"));
}

#[test]
fn a_block_fits_a_hundred_columns_and_says_who_prints_what() {
    let (budgets, _) = both();
    let text = table(&budgets);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let rows =
        text.lines().filter(|line| SystematicError::ALL.iter().any(|error| line.contains(&format!("  {error}"))));
    assert_eq!(rows.count(), 9, "{text}");
    let text = text.replace("\n    ", " ");
    assert!(
        text.contains("where the truth is") && text.contains("the largest error is E6 unsynchronised-loop: +4"),
        "{text}"
    );
    assert!(text.contains("more ranks than cores"), "{text}");
}

#[test]
fn an_error_that_does_not_stand_out_is_not_called_the_largest() {
    let (from, to) = ends();
    let mut lines = lines(&from, &to, &[10.0, 9.0, 14.0, 12.0, 17.0]);
    // E6 of every second round takes less than the truth.
    for line in &mut lines {
        if let Line::Round(old) = line
            && old.run == 2
            && old.round % 2 == 0
        {
            *line = round(2, old.round, Method::Loop, 2.0);
        }
    }
    let budgets = budgets(&lines, &from, &to);
    let sentence = budgets.cases[0].sentence(&budgets);
    assert!(sentence.ends_with("no single error stands out."), "the largest by size is unsure: {sentence}");
    assert!(table(&budgets).lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn csv_has_as_many_cells_in_every_line() {
    let (budgets, _) = both();
    let text = csv(&budgets);
    let mut reader = csv_reader(&text);
    let rows: Vec<csv_crate::StringRecord> = reader.records().collect::<Result<_, _>>().expect("rectangular");
    assert_eq!(rows.len(), 2 * (2 + 4 + 1), "both ends, four bars and the interaction, from each side");
    assert_eq!(&rows[0][7], "loop,clocks=perfect,barrier-inside=yes,aggregation=mean", "commas are quoted");
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
    let svg = &page.sections[0].figures[0].svg;
    roxmltree::Document::parse(svg).expect("well formed");
    for words in ["E9 barrier-inside", "predicted", "measured", "interaction", "+4"] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    assert_eq!(page.sections[0].tables[0].rows.len(), 12);
    assert!(page.answer.contains("where the truth is"));
    page.html().expect("a page");
}

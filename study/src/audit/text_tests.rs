//! Texts held against windows whose times are known.

use super::answer::conclude;
use super::page::terminal;
use super::tests::windows;
use super::*;
use crate::compare::fixture::{campaign, case};
use crate::correct::{Columns, readings};
use crate::forms::printed;
use formats::import;
use models::time::Span;
use programs::method::Method;
use programs::observation::{Carrier, Case, Conditions, Implementation, Observation, Occasion};
use render::results::Look;
use render::results::{Format, Results};
use scenario::store::Line;

const NEAR: Span = Span(40_000);
const FAR: Span = Span(160_000);

fn bcast() -> Case {
    case(Carrier::Native, 2, "", Method::Window).with(|case| {
        case.subject.implementation = Implementation::Library;
        case.subject.bytes = 8;
    })
}

/// Windows of a launch whose slower rank takes `us` on touched buffers and 0.8 of it on never rewritten ones.
fn launch(number: u32, us: f64, line: Span) -> Vec<Line> {
    let of = |buffer: Buffer, us: f64| {
        let reference = buffer == Buffer::Touched;
        let case = bcast().under(Conditions { buffer, reference, ..Conditions::default() });
        let seen = Observation::new(case, "Open MPI 4.1.4", windows(buffer, us, line).ranks);
        Line::Measured(Observation { occasion: Occasion { launch: number }, ..seen })
    };
    vec![of(Buffer::Same, 0.8 * us), of(Buffer::Touched, us)]
}

/// What osu_bcast printed, average and slowest rank, read as the command reads it.
fn numbers(average: f64, slowest: f64) -> Vec<TextNumber> {
    let text = format!(
        "# OSU MPI Broadcast Latency Test v7.4\n# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations\n\
         8  {average}  0.01  {slowest}  1000\n"
    );
    let runs = import::read("osu.txt", &text).expect("a text");
    let all = readings("osu.txt", &runs[0], &Columns::All).into_iter();
    let number = |reading: crate::correct::Reading| TextNumber {
        text: reading.file,
        tool: reading.tool,
        flags: String::new(),
        column: reading.head,
        printed_us: reading.printed.expect("a number").value,
        printed_bytes: 8,
        configuration: reading.asked.expect("a call").configuration,
        subject: bcast(),
    };
    all.map(number).collect()
}

fn found(launches: Vec<Vec<Line>>, average: f64, slowest: f64) -> Audit {
    let lines: Vec<Line> = std::iter::once(campaign()).chain(launches.into_iter().flatten()).collect();
    audit_texts(&lines, &numbers(average, slowest), Buffer::Touched)
}

/// Five launches about 1 µs: logarithms of ±0.1, ±0.05 and 0.
fn five(line: Span, factor: f64) -> Vec<Vec<Line>> {
    let logs = [0.1f64, 0.05, 0.0, -0.05, -0.1];
    logs.iter().zip(0..).map(|(log, number)| launch(number, factor * log.exp(), line)).collect()
}

fn table(audit: &Audit, detailed: bool, width: usize) -> String {
    terminal(audit, Look { width, detailed, ..Look::IN_FILES })
}

#[test]
fn a_ratio_is_of_one_more_launch() {
    let audit = found(five(NEAR, 1.0), 0.70, 1.40);
    let row = audit.rows.iter().find(|row| row.column == "Avg Latency(us)").expect("a row");
    let (ratio, interval) = row.over.ratio();
    let (low, high) = interval.expect("five launches");
    // s = √(0.025/4), t = 2.776 at four degrees of freedom: e to ±t·s·√(1 + 1/5).
    let reach = 2.776_445 * (0.025f64 / 4.0).sqrt() * 1.2f64.sqrt();
    assert!((ratio - 0.70).abs() < 1e-4, "{ratio}");
    assert!((low - 0.70 * (-reach).exp()).abs() < 1e-4 && (high - 0.70 * reach.exp()).abs() < 1e-4, "{low} {high}");
    assert_eq!((row.text.as_deref(), row.over.log_ratio.launches), (Some("osu.txt"), 5));
    let Parts { never_rewritten, ranks_counted, rest } = row.parts;
    let (buffers, ranks) = (never_rewritten.expect("same"), ranks_counted.expect("same"));
    assert!((buffers.exp() - 0.8).abs() < 1e-4 && (ranks.exp() - 0.75).abs() < 1e-4, "{:?}", row.parts);
    assert!((buffers + ranks + rest - row.over.log_ratio.value).abs() < 1e-12);
    // Further launches make the references known better, not the launch of the text: the former decide.
    let deciding = audit.deciding();
    assert_eq!(deciding.len(), 1, "one reference for all columns: {deciding:?}");
    assert!(deciding[0].1.half_width().expect("five") < row.over.half_width().expect("five") / 2.0);
}

#[test]
fn every_form_says_that_nothing_is_paired_and_where_references_are_from() {
    let audit = found(five(NEAR, 1.0), 0.70, 1.40);
    let first = conclude(&audit);
    assert!(first.contains("×0.70 [0.55, 0.89]") && first.contains("osu.txt"), "{first}");
    insta::assert_snapshot!(first);
    let (text, detailed, markdown) =
        (table(&audit, false, 100), table(&audit, true, 140), printed(&audit, Format::Markdown));
    for form in [&text, &detailed, &markdown] {
        let flat = form.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(NOT_PAIRED) && flat.contains("`parallax audit osu bcast`"), "{form}");
    }
    insta::assert_snapshot!("a_text_in_markdown", markdown);
    let csv = audit.csv();
    assert_eq!(csv.matches(NOT_PAIRED).count(), audit.rows.len(), "{csv}");
    let page = audit.page();
    assert!(page.answer == first && page.sections[0].heading.contains("not paired"), "{page:?}");
}

#[test]
fn two_states_that_differ_are_both_told() {
    let many = |line: Span, factor: f64, first: u32| -> Vec<Vec<Line>> {
        let shares = [1.01, 0.99, 1.0, 1.02, 0.98, 1.005, 0.995, 1.01, 0.99, 1.0];
        shares.iter().zip(first..).map(|(share, number)| launch(number, factor * share, line)).collect()
    };
    let both = found([many(NEAR, 1.0, 0), many(FAR, 2.0, 10)].concat(), 0.70, 1.40);
    assert_eq!(both.rows.len(), 2 * 3, "three columns, two states: {both:?}");
    let first = conclude(&both);
    assert!(first.contains("40 ns") && first.contains("160 ns"), "{first}");
    assert!(first.contains("between ×0.70 [") && first.contains("between ×0.35 ["), "{first}");
    // Two states whose references take about as long.
    let alike = conclude(&found([many(NEAR, 1.0, 0), many(FAR, 1.01, 10)].concat(), 0.70, 1.40));
    // The second one in two launches, of stretches enough for tables and too few for intervals.
    let mut few = many(FAR, 2.0, 10);
    few.truncate(2);
    let mut lines = many(NEAR, 1.0, 0);
    lines.extend(few.iter().flat_map(|launch| std::iter::repeat_n(launch.clone(), 5)));
    let open = conclude(&found(lines, 0.70, 1.40));
    insta::assert_snapshot!([first, alike, open].join("\n\n"));
}

#[test]
fn a_text_that_is_far_off_is_said_to_be_from_elsewhere() {
    let far = [(3.0, 4.0), (0.20, 0.25)].map(|(average, slowest)| conclude(&found(five(NEAR, 1.0), average, slowest)));
    let of_elsewhere = |answer: &str| answer.contains("another machine");
    assert!(far.iter().all(|answer| of_elsewhere(answer)), "{far:?}");
    insta::assert_snapshot!(far.join("\n"));
    // A mean over ranks on never rewritten buffers is 0.6 of the reference: less than half of that is far, not 0.35.
    for (average, slowest) in [(0.35, 0.25), (3.0, 1.9), (3.0, 0.2)] {
        let first = conclude(&found(five(NEAR, 1.0), average, slowest));
        assert!(!of_elsewhere(&first), "{first}");
    }
}

#[test]
fn few_launches_give_no_answer() {
    let few = found(five(NEAR, 1.0)[..3].to_vec(), 0.70, 1.40);
    insta::assert_snapshot!(conclude(&few));
    assert!(table(&few, false, 100).contains("~0.67"), "over 0, 0.05 and 0.1");
}

#[test]
fn buffers_that_the_text_s_run_took_from_a_pool_have_no_part_of_their_own() {
    let mut numbers = numbers(0.70, 1.40);
    numbers.iter_mut().for_each(|number| number.configuration.buffer = Buffer::Pool);
    let lines: Vec<Line> = std::iter::once(campaign()).chain(five(NEAR, 1.0).into_iter().flatten()).collect();
    let audit = audit_texts(&lines, &numbers, Buffer::Touched);
    assert!(audit.rows.iter().all(|row| row.parts.never_rewritten.is_none() && row.parts.ranks_counted.is_none()));
}

#[test]
fn calls_that_nobody_measured_have_no_row() {
    let mut numbers = numbers(0.70, 1.40);
    numbers[1].subject.subject.bytes = 16;
    let lines: Vec<Line> = std::iter::once(campaign()).chain(five(NEAR, 1.0).into_iter().flatten()).collect();
    let audit = audit_texts(&lines, &numbers, Buffer::Touched);
    assert_eq!((audit.rows.len(), audit.unpaired), (2, 1));
}

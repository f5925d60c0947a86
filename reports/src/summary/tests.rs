use super::*;
use crate::fixture::{busy, campaign, case, clock_check, lines, measurement, observation, predictions};
use models::time::Span;
use programs::method::Method;
use programs::observation::Carrier::{self, Native};
use render::results::Look;
use scenario::store::Line;
use study::compare::compare;

const EMULATED: Carrier = Carrier::EMULATED;

fn terminal(report: &Report, width: usize, colour: bool) -> String {
    page(report, Detail::Glance).terminal(Look { width, colour, ..Look::IN_FILES })
}

fn full(report: &Report, width: usize, colour: bool) -> String {
    page(report, Detail::Full).terminal(Look { width, colour, ..Look::IN_FILES })
}

fn report(subjects: &[(Carrier, u32, &str)]) -> Report {
    compare(&lines(subjects, &busy())).expect("a campaign")
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn a_subject_is_a_table_at_100_columns() {
    insta::assert_snapshot!(full(&report(&[(EMULATED, 4, "linear")]), 100, false));
}

#[test]
fn on_a_screen_a_method_is_a_line() {
    let mut lines = lines(&[(EMULATED, 4, "linear"), (Native, 2, "binomial")], &busy());
    let slow = case(Native, 2, "binomial", Method::Loop);
    lines.push(Line::Measured(observation(slow, Span::from_us(1_250), |_| Span::from_ns(8_000))));
    lines.extend([(EMULATED, 4), (Native, 2)].map(|(carrier, ranks)| Line::ClockCheck(clock_check(carrier, ranks))));
    let text = terminal(&compare(&lines).expect("a campaign"), 100, false);
    let (body, answer) = text.split_at(text.find("\nOn 4 ranks").expect("an answer"));
    insta::assert_snapshot!(body);
    assert_eq!(answer.lines().nth(1), full_answer(&text).lines().next(), "{answer}");
}

/// The text from the answer on.
fn full_answer(text: &str) -> &str {
    &text[text.find("On 4 ranks").expect("an answer")..]
}

#[test]
fn a_campaign_of_eight_subjects_fits_a_screen_of_70_lines() {
    let worlds = [8, 7, 4].map(|ranks| [(EMULATED, ranks, "linear"), (EMULATED, ranks, "binomial")]);
    let subjects = [worlds.concat(), vec![(Native, 2, "linear"), (Native, 2, "binomial")]].concat();
    let mut lines = lines(&subjects, &busy());
    for (carrier, ranks) in [(EMULATED, 8), (EMULATED, 7), (EMULATED, 4), (Native, 2)] {
        lines.push(Line::ClockCheck(clock_check(carrier, ranks)));
    }
    let report = compare(&lines).expect("a campaign");
    assert_eq!(report.subjects.len(), 8);
    let text = terminal(&report, 100, false);
    assert!(text.lines().count() <= 70 && widest(&text) <= 100, "{} lines: {text}", text.lines().count());
    assert!(full(&report, 100, false).lines().count() > 150);
}

#[test]
fn the_error_is_seen_in_the_length_of_the_bars() {
    let text = terminal(&report(&[(EMULATED, 4, "linear"), (EMULATED, 8, "linear")]), 120, false);
    let glance = &text[text.find("All subjects").expect("a part")..];
    let bars: Vec<usize> = glance.lines().map(|line| line.matches('█').count()).filter(|&bar| bar > 0).collect();
    // 2.5, 1, 5.5 and 1 on one scale of 24 columns.
    assert_eq!(bars, [10, 4, 24, 4]);
}

#[test]
fn reasons_stand_under_the_subject_that_differs() {
    let mut report = report(&[(EMULATED, 4, "linear"), (Native, 2, "linear")]);
    report.subjects[1].reasons =
        vec!["A send of 1024 B keeps the CPU busy for 0.41 µs. ".repeat(3), "Second.".to_owned()];
    let text = full(&report, 80, false);
    let reasons = &text[text.find("  why: A send").expect("a reason")..];
    assert!(widest(&text) <= 80 && reasons.contains("\n  why: Second.\n"), "{text}");
    assert!(text[..text.find("  why").unwrap_or(0)].contains("native network"), "{text}");
    assert!(!terminal(&report, 80, false).contains("why:"));
}

#[test]
fn narrow_terminals_lose_intervals_then_bars_but_no_numbers() {
    let mut lines = lines(&[(EMULATED, 8, "linear"), (Native, 2, "linear")], &busy());
    lines.push(Line::ClockCheck(clock_check(EMULATED, 8)));
    let report = compare(&lines).expect("a campaign");
    let texts = [100, 80, 64, 60].map(|width| full(&report, width, false));
    for (text, width) in texts.iter().zip([100, 80, 64, 60]) {
        assert!(widest(text) <= width, "{width}: {text}");
        assert!(text.contains("5500") && text.contains("5.50") && text.contains("agrees"), "{text}");
    }
    for width in [100, 90, 82, 80, 64, 60] {
        let text = terminal(&report, width, false);
        assert!(widest(&text) <= width && text.contains("5.49"), "{width}: {text}");
    }
    let has = |needle: char| texts.each_ref().map(|text| text.contains(needle));
    assert_eq!(has('±'), [true, true, false, false]);
    assert_eq!(has('█'), [true, true, false, false]);
}

#[test]
fn native_subjects_are_counted_apart_and_what_differs_is_named() {
    let mut lines = lines(&[(EMULATED, 8, "linear"), (Native, 2, "linear")], &busy());
    let slow = case(Native, 2, "linear", Method::Loop);
    lines.push(Line::Measured(observation(slow, Span::from_us(1_250), |_| Span::ZERO)));
    let text = full(&compare(&lines).expect("a campaign"), 200, false);
    let of = ["Emulated network:", "Native transport:"];
    let counted: Vec<&str> =
        text.lines().filter(|line| of.iter().any(|name| line.trim_start().starts_with(name))).collect();
    assert_eq!(counted.len(), 2, "{text}");
    insta::assert_snapshot!(counted.join("\n"));
}

#[test]
fn what_is_not_there_is_a_dash_and_left_out_is_said() {
    let looped = case(EMULATED, 4, "linear", Method::Loop);
    let mut lines = vec![campaign()];
    lines.extend(predictions(&looped, &busy()));
    let mut measured = measurement(looped);
    measured.oversubscribed = false;
    measured.ranks.iter_mut().for_each(|rank| rank.stamps.truncate(5));
    lines.push(Line::Measured(measured));
    lines.push(Line::LeftOut { what: "mpich/native".to_owned(), why: "mpirun is not installed".to_owned() });
    let text = full(&compare(&lines).expect("a campaign"), 80, false);
    let rank = text.lines().find(|line| line.starts_with("     1  ")).expect("rank 1");
    assert_eq!(rank, "     1      2505  ±<0.1 %      2500        –     2.50    2.50  agrees");
    assert!(text.contains("mpich/native: mpirun is not installed\n"), "{text}");
    insta::assert_snapshot!("a_report_with_few_calls", text);
    assert!(!text.contains("windows of") && !text.contains("oversubscribed"), "{text}");
    let empty = full(&compare(&[campaign()]).expect("a campaign"), 80, false);
    insta::assert_snapshot!("a_report_of_nothing", empty);
}

#[test]
fn many_ranks_are_summed_up() {
    let text = full(&report(&[(EMULATED, 33, "linear")]), 100, false);
    assert!(text.contains("… 21 ranks between, r measured 1.11 to 3.25\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with("agrees")).count(), 3 * 12);
    // Thirteen are shown in full: the line would save nothing.
    assert!(!full(&report(&[(EMULATED, 13, "linear")]), 100, false).contains('…'));
}

#[test]
fn colours_add_codes_and_nothing_else() {
    let report = report(&[(EMULATED, 4, "linear")]);
    let text = |colour| full(&report, 100, colour) + &terminal(&report, 100, colour);
    let (plain, coloured) = (text(false), text(true));
    assert!(!plain.contains('\x1b') && coloured.contains("\x1b[32magrees\x1b[0m"));
    let mut stripped = coloured;
    for code in ["0", "1", "2", "32", "1;33"] {
        stripped = stripped.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(stripped, plain);
}
